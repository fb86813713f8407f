// Destructive commands ask for confirmation in a terminal; scripts must pass --yes.
import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { harmless } from "@/kernel/harmless.ts";
import { flag } from "./args.ts";
import { agreementSent } from "./desk.ts";
import { misused } from "./misuse.ts";

export const yes = flag(z.boolean().default(false), "do not ask");

/** Returns if the operator agrees; throws if they do not, or if there is no terminal to ask in. */
export async function confirm(question: string, agreed: boolean): Promise<void> {
  if (agreed || agreementSent(question)) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) misused(`${question} Add --yes to confirm`);
  process.stderr.write(`${harmless(question)} [y/N] `);
  const answer = await firstLine();
  if (!/^y(es)?$/i.test(answer.trim())) fail("BAD_REQUEST", "Nothing was changed.");
}

async function firstLine(): Promise<string> {
  for await (const line of console) return line;
  return "";
}
