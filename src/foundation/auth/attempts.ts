import type { Clock } from "@/kernel/clock.ts";
import type { Db, Reads } from "@/kernel/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/errors.ts";

export interface AttemptLimit {
  /** Counts an attempt; null when it may go on, else the seconds until the next may. */
  take(key: string): number | null;
  /** Takes back the newest attempt of a key, which succeeded and so is not to count. */
  giveBack(key: string): void;
  /** Forgets the attempts of a key. */
  clear(key: string): void;
}

const maxKeys = 100_000;

/** At most `most` attempts of a key in `windowSeconds`; kept in memory, of bounded size. */
export function attemptLimit(clock: Clock, most: number, windowSeconds: number): AttemptLimit {
  const attempts = new Map<string, number[]>();
  return {
    take(key) {
      const now = clock.steady() / 1000;
      const recent = (attempts.get(key) ?? []).filter((at) => at > now - windowSeconds);
      const oldest = recent[0];
      if (recent.length >= most && oldest !== undefined) return Math.ceil(oldest + windowSeconds - now);
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

/** Keeps at most so many entries, those that were added last. */
export function forgetOldest<K>(entries: Map<K, unknown>, most: number): void {
  if (entries.size <= most) return;
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}

/** Limits for each database that a process has open, made when they are first asked for. */
export function limitsBy<L extends object>(make: (clock: Clock) => L): (reads: Reads) => L {
  const made = new WeakMap<Db, L>();
  return ({ db }) => {
    const limits = made.get(db) ?? make(db.clock);
    made.set(db, limits);
    return limits;
  };
}

/** Runs an attempt to get in to an account; what refuses it is logged with where it came from. */
export async function attempting<R>(account: string | null, attempt: () => Promise<R>): Promise<R> {
  try {
    return await attempt();
  } catch (error) {
    throw error instanceof AppError ? new RefusedLogin(error, account) : error;
  }
}

/** Throws RATE_LIMIT_HIT where the next attempt must wait; `why` is a sentence. */
export function refuseFor(seconds: number | null, why = "API usage exceeded rate limit."): void {
  if (seconds === null) return;
  fail("RATE_LIMIT_HIT", `${why} Try again in ${seconds} seconds.`, { "retry-after": seconds });
}
