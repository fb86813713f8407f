import type { Clock } from "@/kernel/clock.ts";

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
      const now = clock.now();
      const recent = (attempts.get(key) ?? []).filter((at) => at > now - windowSeconds);
      const oldest = recent[0];
      if (recent.length >= most && oldest !== undefined) return oldest + windowSeconds - now;
      recent.push(now);
      attempts.delete(key);
      attempts.set(key, recent);
      if (attempts.size > maxKeys) forgetOldest(attempts);
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

function forgetOldest(attempts: Map<string, number[]>): void {
  const [oldest] = attempts.keys();
  if (oldest !== undefined) attempts.delete(oldest);
}
