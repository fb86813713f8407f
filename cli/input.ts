// Reads standard input: text from pipes, and secrets typed in a terminal without echo.

import { readSync } from "node:fs";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { inputSent } from "./prompts.ts";
import { streams } from "./streams.ts";

/** Asks in a terminal, and returns the line that is typed. */
export function readLine(question: string): string {
  process.stderr.write(stripControlCharacters(question));
  // A terminal hands over whole lines, and its lines are at most this long.
  const line = new Uint8Array(4096);
  // Reading ahead would take what the next question, or a hidden one, is to read.
  const bytes = readSync(0, line);
  return bytes === 0 ? failInterrupted() : new TextDecoder().decode(line.subarray(0, bytes)).trim();
}

/** All of standard input, without the final line break. */
export async function readInput(): Promise<string> {
  const sent = inputSent("input");
  if (sent !== null) return sent;
  return (await streams().inputText()).replace(/\r?\n$/, "");
}

/** Reads a secret, which is one line: from a pipe as it is; in a terminal, typed twice without echo, or `once` if a mistake would show. */
export async function readSecret(label: string, { once = false } = {}): Promise<string> {
  const sent = inputSent("secret", label);
  if (sent !== null || !streams().isTerminal()) return oneLine(label, sent ?? (await readInput()));
  process.stdin.setRawMode(true);
  const letters = readLetters();
  try {
    const first = await readHiddenLine(`${label}: `, letters);
    if (once) return first;
    const second = await readHiddenLine(`${label}, once more: `, letters);
    return first === second ? first : fail("BAD_REQUEST", "The two entries differ: nothing was changed.");
  } finally {
    process.stdin.setRawMode(false);
    // Releases standard input, which would keep the process from ending.
    await letters.return();
  }
}

/** Nobody could type the line break between two lines, such as those of a file that holds more than the secret. */
function oneLine(label: string, secret: string): string {
  if (!/[\r\n]/.test(secret)) return secret;
  return fail(
    "BAD_REQUEST",
    `${label}: standard input holds several lines, but this is one. Nothing was changed.`,
  );
}

const enter = /[\r\n\x04]/;
const interrupt = "\x03";
const erase = /[\x7f\b]/;

async function* readLetters(): AsyncGenerator<string, void> {
  process.stdin.setEncoding("utf8");
  for await (const text of process.stdin) yield* text as string;
}

async function readHiddenLine(question: string, letters: AsyncGenerator<string, void>): Promise<string> {
  process.stderr.write(stripControlCharacters(question));
  let typed: string[] = [];
  for (;;) {
    const { value: letter, done } = await letters.next();
    if (done || letter === interrupt) return failInterrupted();
    if (enter.test(letter)) break;
    typed = erase.test(letter) ? typed.slice(0, -1) : [...typed, letter];
  }
  process.stderr.write("\n");
  return typed.join("");
}

function failInterrupted(): never {
  process.stderr.write("\n");
  return fail("BAD_REQUEST", "Interrupted: nothing was changed.");
}
