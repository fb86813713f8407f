// Commands that no person types: a console elsewhere reads this server's screens by one, and changes things by the other. Like all
// commands of a remote person, they run as that person.

import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { actCommand, lookCommand } from "@/operations/command-line/schema.ts";
import { type Command, command } from "../command.ts";
import { fileSent, inputSent } from "../prompts.ts";
import { examineFor } from "./doctor.ts";

const common = { examples: [], args: {}, result: z.unknown(), print: () => "" };

export const consoleLook: Command = command({
  ...common,
  name: lookCommand,
  summary: "Read a screen for a console elsewhere",
  isUnaudited: true,
  async run(ctx) {
    const { answerLook } = await import("@console/remote/serving.ts");
    return answerLook(ctx, request(), hostFor(ctx));
  },
});

export const consoleAct: Command = command({
  ...common,
  name: actCommand,
  summary: "Change something for a console elsewhere",
  async run(ctx) {
    const { answerAct } = await import("@console/remote/serving.ts");
    return answerAct(ctx, request(), hostFor(ctx));
  },
});

const hostFor = (ctx: Ctx) => ({
  examine: () => examineFor(ctx),
  file: () => fileSent()?.path ?? fail("BAD_REQUEST", "The file is missing."),
});

function request(): unknown {
  try {
    return JSON.parse(inputSent("input") ?? "");
  } catch (error) {
    if (error instanceof SyntaxError) return fail("INVALID_JSON", "The request is not valid JSON.");
    throw error;
  }
}
