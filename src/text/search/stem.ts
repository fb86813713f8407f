import { stem as stemOf } from "porter2";

const remembered = new Map<string, string>();
const maxRemembered = 20_000;

/** The stem of a lower-case English word: "run" for "running" and "runs". Words of other scripts and with digits stay. */
export function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const found = stemOf(word);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(word, found);
  return found;
}
