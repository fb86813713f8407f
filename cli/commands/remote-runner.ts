// Runs commands at the server for remote programs: with the same parsing, rules and results as on the data folder.
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError, englishOnly, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type CommandLine, notRun, type Ran } from "@/operations/command-line/schema.ts";
import { read } from "../args.ts";
import type { Command } from "../command.ts";
import { Misuse } from "../misuse.ts";
import { forRemotePerson } from "../prompts.ts";

/** Runs the one of these commands that is named. */
export async function runForRemotePerson(
  commands: readonly Command[],
  ctx: Ctx,
  line: CommandLine,
): Promise<Ran> {
  const { command: name, given, input, agreed, file } = line;
  const command = commands.find((one) => one.name === name);
  if (!command?.perform || (command.isOperators && !line.isOperator))
    return fail("BAD_REQUEST", notRun(name));
  const result = read(command.args, given);
  if ("problem" in result) return failRemoteUsage(result.problem);
  const { perform } = command;
  const asGiven = line.isOperator ? asOperator(ctx) : ctx;
  try {
    const document = await forRemotePerson({ input, agreed, file }, () => perform(asGiven, result.values));
    return { document, isAudited: !command.isUnaudited?.(result.values) };
  } catch (error) {
    if (error instanceof Misuse) return failRemoteUsage(error.message);
    throw error;
  }
}

/** Each field by name, because a request's actor works some of them out when they are read. */
function asOperator(ctx: Ctx): Ctx {
  const { kind, id, client, site, by } = ctx.actor;
  return { ...ctx, actor: { kind, id, client, site, by, isOperator: true } };
}

function failRemoteUsage(problem: string): never {
  throw new AppError("BAD_REQUEST", englishOnly(problem), { misused: true });
}
