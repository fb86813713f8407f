// Counts attempts and refuses those beyond a limit: failed logins, guessed invitation keys, changes of address, requests.

import type { Reads } from "@/kernel/core/context.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { sentence } from "@/text/language/tables.ts";
import { networkOf } from "./networks.ts";

interface AttemptLimit {
  /** Counts an attempt; returns null if it is allowed, else the seconds until the next one is. */
  take(key: string): number | null;
  /** Removes the newest attempt of a key, because it succeeded. */
  giveBack(key: string): void;
  /** Forgets the attempts of a key. */
  clear(key: string): void;
}

/** Allows `max` attempts of a key in `windowSeconds`; kept in memory, of bounded size. */
export function attemptLimit(clock: Clock, max: number, windowSeconds: number): AttemptLimit {
  const attempts = newest<string, number[]>();
  return {
    take(key) {
      const now = clock.steady() / 1000;
      const recent = (attempts.get(key) ?? []).filter((at) => at > now - windowSeconds);
      const oldest = recent[0];
      if (recent.length >= max && oldest !== undefined) return Math.ceil(oldest + windowSeconds - now);
      recent.push(now);
      attempts.set(key, recent);
      return null;
    },
    giveBack(key) {
      const recent = attempts.get(key);
      recent?.pop();
      if (recent?.length === 0) attempts.delete(key);
    },
    clear(key) {
      attempts.delete(key);
    },
  };
}

const maxKeys = 100_000;

/** A map of bounded size: a new key beyond it replaces the one that was set longest ago. */
export function newest<K, V>(): Pick<Map<K, V>, "get" | "delete"> & { set(key: K, value: V): void } {
  const entries = new Map<K, V>();
  return {
    get: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > maxKeys) entries.delete(entries.keys().next().value as K);
    },
  };
}

const windowSeconds = 1800;

/** How often may be guessed: docs/decisions/keys.md. */
const guesses = perApp(({ clock }) => {
  const limit = (max: number) => attemptLimit(clock, max, windowSeconds);
  return {
    /** Passwords of one account: from one place, and from all strangers' networks together. */
    password: { place: limit(5), everywhere: limit(100) },
    /** Codes of its second step, which are short, but which only those can try who have the password or a link. */
    code: { place: limit(5), everywhere: limit(30) },
    /** Passwords of whatever account from one network. */
    network: limit(30),
    /** Keys of links and invitations from one network. */
    key: limit(30),
  };
});

/** Who guesses at an account. */
export interface Guesser {
  /** The account, by `accountOf` or `nameTried`. Those who are no strangers to it are counted apart (`insider`). */
  account: string;
  /** What such guesses are counted by, so that strangers elsewhere stop nobody here. */
  place: string;
  /** Whether they also count together with those from all other places. */
  countsTogether: boolean;
}

export const placeOfNetwork = (address: string): string => `network ${networkOf(address)}`;

/** Counts a guess at an account, or throws RATE_LIMIT_HIT; returns a function to call if it was right. */
export function countGuess(
  reads: Reads,
  what: "password" | "code",
  { account, place, countsTogether }: Guesser,
): () => void {
  const limits = guesses(reads)[what];
  const here = `${account} ${place}`;
  refuseFor(limits.place.take(here));
  if (countsTogether) {
    // Only what was not refused here: one network alone must not use up what others may try.
    const seconds = limits.everywhere.take(account);
    if (seconds !== null) limits.place.giveBack(here);
    refuseFor(seconds);
  }
  return () => {
    limits.place.clear(here);
    if (countsTogether) limits.everywhere.giveBack(account);
  };
}

interface Guess {
  /** The network address of the client. */
  address: string;
  /** The name that was tried, for the log. */
  account: string | null;
}

/** Runs an attempt to log in by a password, which counts against the client's network unless it succeeds. */
export async function guessing<R>(
  reads: Reads,
  { address, account }: Guess,
  attempt: () => R | Promise<R>,
): Promise<R> {
  const { network: limit } = guesses(reads);
  const network = networkOf(address);
  await attempting(account, async () => refuseFor(limit.take(network)));
  const result = await attempt();
  // Only this attempt: a success must not allow more guesses at others' accounts.
  limit.giveBack(network);
  return result;
}

/**
 * Runs an attempt that shows the key of a link or an invitation. A right key always works: it is too long to guess, so the
 * client is no stranger. Wrong ones, for which the attempt throws RefusedLogin, are counted by network.
 */
export async function showingKey<R>(
  reads: Reads,
  { address, account }: Guess,
  attempt: () => R | Promise<R>,
): Promise<R> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof RefusedLogin) {
      const seconds = guesses(reads).key.take(networkOf(address));
      await attempting(account, async () => refuseFor(seconds, "attempts"));
    }
    throw error;
  }
}

/** Runs an attempt to log in to an account; makes its error a RefusedLogin, which is logged with the address. */
export async function attempting<R>(account: string | null, attempt: () => Promise<R>): Promise<R> {
  try {
    return await attempt();
  } catch (error) {
    const isPlain = error instanceof AppError && !(error instanceof RefusedLogin);
    throw isPlain ? new RefusedLogin(error, account) : error;
  }
}

/** Why somebody must wait. */
const waits = {
  requests:
    "API usage exceeded rate limit. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.",
  attempts:
    "There were too many attempts. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.",
  codes:
    "There were too many codes. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.",
  addresses:
    "You have changed your address too often. Try again in {seconds, plural, one {{seconds} second} other {{seconds} seconds}}.",
} as const;

/** Throws RATE_LIMIT_HIT if the next attempt must wait; `what` there were too many of. */
export function refuseFor(seconds: number | null, what: keyof typeof waits = "requests"): void {
  if (seconds === null) return;
  fail("RATE_LIMIT_HIT", sentence(waits[what], { seconds }), { "retry-after": seconds });
}
