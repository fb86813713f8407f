import type { Clock } from "@/kernel/clock.ts";
import type { Db, Reads } from "@/kernel/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/errors.ts";

export interface AttemptLimit {
  /** Counts an attempt; returns null if it is allowed, else the seconds until the next one is. */
  take(key: string): number | null;
  /** Removes the newest attempt of a key, because it succeeded. */
  giveBack(key: string): void;
  /** Forgets the attempts of a key. */
  clear(key: string): void;
}

const maxKeys = 100_000;

/** Allows `max` attempts of a key in `windowSeconds`; kept in memory, of bounded size. */
export function attemptLimit(clock: Clock, max: number, windowSeconds: number): AttemptLimit {
  const attempts = new Map<string, number[]>();
  return {
    take(key) {
      const now = clock.steady() / 1000;
      const recent = (attempts.get(key) ?? []).filter((at) => at > now - windowSeconds);
      const oldest = recent[0];
      if (recent.length >= max && oldest !== undefined) return Math.ceil(oldest + windowSeconds - now);
      recent.push(now);
      attempts.delete(key);
      attempts.set(key, recent);
      forgetOldest(attempts, maxKeys);
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

/** Keeps the `max` newest entries. */
export function forgetOldest<K>(entries: Map<K, unknown>, max: number): void {
  if (entries.size <= max) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

/** Limits for each open database, created on first use. */
export function limitsBy<L extends object>(make: (clock: Clock) => L): (reads: Reads) => L {
  const made = new WeakMap<Db, L>();
  return ({ db }) => {
    const limits = made.get(db) ?? make(db.clock);
    made.set(db, limits);
    return limits;
  };
}

/** Runs an attempt to log in to an account; makes its error a RefusedLogin, which is logged with the address. */
export async function attempting<R>(account: string | null, attempt: () => Promise<R>): Promise<R> {
  try {
    return await attempt();
  } catch (error) {
    throw error instanceof AppError ? new RefusedLogin(error, account) : error;
  }
}

/** Throws RATE_LIMIT_HIT if the next attempt must wait; `why` is a sentence. */
export function refuseFor(seconds: number | null, why = "API usage exceeded rate limit."): void {
  if (seconds === null) return;
  fail("RATE_LIMIT_HIT", `${why} Try again in ${seconds} seconds.`, { "retry-after": seconds });
}
