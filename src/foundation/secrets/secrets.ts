import { timingSafeEqual } from "node:crypto";
import { Semaphore } from "@/kernel/lib/concurrency.ts";

const keyLength = 32;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A new API key: 32 letters and digits, about 190 bits. */
export function newKey(): string {
  let key = "";
  while (key.length < keyLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(keyLength))) {
      if (byte < alphabet.length * 4 && key.length < keyLength) key += alphabet[byte % alphabet.length];
    }
  }
  return key;
}

/** Without letters that look like others. */
const codeAlphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** A new code that people type, of so many groups of four letters, such as "f3kd-9mvt"; about 20 bits a group. */
export function newCode(groups: number): string {
  let letters = "";
  while (letters.length < 4 * groups) {
    letters += [...newKey().toLowerCase()].filter((letter) => codeAlphabet.includes(letter)).join("");
  }
  return Array.from({ length: groups }, (_, at) => letters.slice(4 * at, 4 * at + 4)).join("-");
}

/** A code without the blanks and hyphens that people type. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, "").toLowerCase();

/** One SHA-256 is enough, because keys have too much entropy to guess; every request computes it. */
export function hashKey(key: string): Uint8Array {
  const hash = new Uint8Array(Bun.SHA256.byteLength);
  Bun.SHA256.hash(key, hash);
  return hash;
}

/** Compares two texts of any length in a time that reveals neither. */
export function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hashKey(given), hashKey(wanted));
}

/** Like `isSame`, but quicker, and reveals whether the lengths differ. */
export function isSameText(given: string, wanted: string): boolean {
  const { length } = given;
  if (length !== wanted.length) return false;
  let differences = 0;
  for (let i = 0; i < length; i++) differences |= given.charCodeAt(i) ^ wanted.charCodeAt(i);
  return differences === 0;
}

/** The first of these that has the key's hash; compares with every one, in constant time. */
export function matching<K extends { readonly hash: Uint8Array }>(
  key: string,
  known: readonly K[],
): K | null {
  const given = hashKey(key);
  let found: K | null = null;
  for (const one of known) if (timingSafeEqual(given, one.hash)) found ??= one;
  return found;
}

const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Few password computations run at once: each takes 19 MB and nearly a tenth of a second. */
const semaphore = new Semaphore(2);

export function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => Bun.password.hash(password, argon2));
}

let nobodysHash: Promise<string> | null = null;

/** Checks a password. If `hash` is null, it takes as long and returns false. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword(newKey());
  const against = hash ?? (await nobodysHash);
  return (await semaphore.run(() => Bun.password.verify(password, against))) && hash !== null;
}
