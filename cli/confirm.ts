// What deletes or ends something says first what and how much, and asks in a terminal; scripts must pass --yes. The rule for all
// commands.
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { amountText, type CountedNoun, listText } from "@/kernel/lib/wording.ts";
import { flag } from "./args.ts";
import { readLine } from "./input.ts";
import { failUsage } from "./misuse.ts";
import { agreementSent } from "./prompts.ts";
import { streams } from "./streams.ts";

export const yes = flag(z.boolean().default(false), "do not ask");

/** What a command takes away, to be worded as one sentence. */
export interface Loss {
  /** As in "This deletes …". */
  does: string;
  count: CountedNoun;
  /** What matters more among these. */
  among?: readonly CountedNoun[];
  /** What goes with them. */
  along?: readonly CountedNoun[];
  /** The owner or the place of these: "of Ada", "in the folder Projects". */
  of?: string;
  names?: readonly string[];
  /** What stays, or what it means for people: a whole sentence. */
  note?: string;
}

const maxNamed = 5;

/** Returns if the operator agrees; throws if they do not, or if there is no terminal to ask in. */
export async function confirm(loss: Loss, agreed: boolean): Promise<void> {
  if (!agreed) await ask(`${sentenceOf(loss)} Go on?`);
}

/** Like `confirm`, for a sentence that holds the counts already. */
export async function confirmSentence(sentence: string, agreed: boolean): Promise<void> {
  if (!agreed) await ask(`${sentence} Go on?`);
}

/** Asks what this process, or a server that runs a command for it, wants to know. */
export async function ask(question: string): Promise<void> {
  if (agreementSent(question)) return;
  if (!streams().isTerminal() || !process.stderr.isTTY) failUsage(`${question} Add --yes to confirm`);
  if (!/^y(es)?$/i.test(readLine(`${question} [y/N] `))) fail("BAD_REQUEST", "Nothing was changed.");
}

function sentenceOf({ does, count, among = [], along = [], of, names = [], note }: Loss): string {
  const special = among.filter(([many]) => many > 0).map(amountText);
  const parts = along.filter(([many]) => many > 0).map(amountText);
  const said = [
    `This ${does} ${amountText(count)}`,
    of === undefined ? "" : ` ${of}`,
    special.length > 0 ? `, among them ${listText(special)}` : "",
    parts.length > 0 ? `${special.length > 0 ? "," : ""} with ${listText(parts)}` : "",
    names.length > 0 ? `: ${namesText(names)}` : "",
    note === undefined ? "." : `. ${note}`,
  ];
  return said.join("");
}

/** The first names, and how many more there are. */
export function namesText(names: readonly string[], most = maxNamed): string {
  const more = names.length - most;
  return more > 0
    ? `${names.slice(0, most).join(", ")} and ${more.toLocaleString("en")} more`
    : listText(names);
}
