// What destroys asks first: on a terminal by a question, in a script by --yes.
import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { flag } from "./args.ts";
import { misused } from "./command.ts";

export const yes = flag(z.boolean().default(false), "do not ask");

/** Returns once the operator agrees; throws where they do not, or where nobody can be asked. */
export async function confirm(question: string, agreed: boolean): Promise<void> {
  if (agreed) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) misused(`${question} Add --yes to agree`);
  process.stderr.write(`${question} [y/N] `);
  const answer = await firstLine();
  if (!/^y(es)?$/i.test(answer.trim())) fail("BAD_REQUEST", "Nothing was changed.");
}

async function firstLine(): Promise<string> {
  for await (const line of console) return line;
  return "";
}
