// Environment variables that look like ours.
import { complain } from "./output.ts";

const apart = ["CONFAB_DATA"];
/** Variables of our own tests and builds. */
const ours = /^CONFAB_(TEST|POWER|COMMIT|BENCH)/;

/** Warns of each unknown CONFAB_* variable, and names the one that is probably meant. */
export async function warnOfUnknownVariables(): Promise<void> {
  const given = Object.keys(process.env).filter(
    (name) => name.startsWith("CONFAB_") && !apart.includes(name) && !ours.test(name),
  );
  if (given.length === 0) return;
  const { serverSettings } = await import("./settings.ts");
  const known = [...apart, ...Object.values(serverSettings).flatMap(({ env = [] }) => env)];
  for (const name of given.filter((one) => !known.includes(one)).sort()) {
    const meant = nearest(name, known);
    complain(`the environment variable ${name} means nothing here${meant ? `: is ${meant} meant?` : "."}`);
  }
}

/** The most similar name, or null. */
function nearest(name: string, known: readonly string[]): string | null {
  const [best] = known.map((one) => ({ one, cost: distance(name, one) })).sort((a, b) => a.cost - b.cost);
  return best && best.cost <= Math.max(2, (name.length - "CONFAB_".length) / 3) ? best.one : null;
}

/** How many letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
