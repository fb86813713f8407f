// Long JSON lists that are made of the same texts again and again, kept as bytes.
import type { JsonText } from "./json-text.ts";

interface CachedList {
  parts: readonly unknown[];
  made: readonly JsonText[];
}

/** Short lists count as this many bytes: their parts take memory, too, and all that is kept is compared with each request. */
const minBytes = 10_000;

/**
 * Keeps the lists made last, up to about `maxBytes`. Returns a function that makes lists only if none were made from equal parts;
 * parts are compared one by one, as objects or texts.
 */
export function createListCache(
  maxBytes: number,
): (parts: readonly unknown[], make: () => JsonText[]) => readonly JsonText[] {
  let kept: CachedList[] = [];
  return (parts, make) => {
    const known = kept.find((one) => areSame(one.parts, parts));
    const found = known ?? { parts, made: make() };
    let left = maxBytes;
    kept = [found, ...kept.filter((one) => one !== known)].filter(({ made }) => {
      left -= Math.max(
        minBytes,
        made.reduce((sum, { bytes }) => sum + bytes.length, 0),
      );
      return left >= 0;
    });
    return found.made;
  };
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
