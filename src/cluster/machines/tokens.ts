// The token by which a machine joins: the authority's fingerprint, a secret, and the address of the machine that takes it.
import { createHash } from "node:crypto";
import { hashKey, matching, newKey } from "@/foundation/secrets/secrets.ts";
import type { Seat } from "./seat.ts";

const validMs = 24 * 3_600_000;
/** After its day, so that its holder hears why it is refused. */
const rememberedMs = 30 * validMs;

export interface Token {
  /** Of the authority's certificate, in hex. */
  readonly fingerprint: string;
  readonly secret: string;
  /** Of the machine that takes it. */
  readonly address: string;
}

/** Null if the text is no token. */
export function parseToken(text: string): Token | null {
  const [, fingerprint, secret, address] = /^([0-9a-f]{64})\.(\w{32})@([\w.:%-]{1,253})$/.exec(text) ?? [];
  if (fingerprint === undefined || secret === undefined || address === undefined) return null;
  return { fingerprint, secret, address };
}

export const formatToken = ({ fingerprint, secret, address }: Token) => `${fingerprint}.${secret}@${address}`;

/** `ca` is the authority's certificate in PEM. */
export const fingerprintOf = (ca: string) => createHash("sha256").update(ca.trim()).digest("hex");

type Known = Seat["tokens"][number];

/** A new secret, and what is kept of it. */
export function newToken(places: number, replaces: string | null = null): { secret: string; kept: Known } {
  const secret = newKey();
  const hash = Buffer.from(hashKey(secret)).toString("hex");
  return { secret, kept: { hash, until: Date.now() + validMs, places, replaces } };
}

/** The token with this secret, also if it was used or has expired; null if the secret is unknown. */
export function tokenWith(secret: string, tokens: readonly Known[]): Known | null {
  const hashed = dropForgotten(tokens).map((one) => ({ one, hash: Buffer.from(one.hash, "hex") }));
  return matching(secret, hashed)?.one ?? null;
}

export const hasExpired = ({ until }: Known) => until <= Date.now();

export function dropForgotten(tokens: readonly Known[]): Known[] {
  return tokens.filter(({ until }) => until + rememberedMs > Date.now());
}
