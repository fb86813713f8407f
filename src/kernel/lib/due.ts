// Times that are stored to wait for, as UNIX seconds: unlike intervals in memory, they cannot use the monotonic clock.

/** How far the clocks of several nodes may differ, in seconds. */
const slack = 60;

/**
 * The latest time at which anything is due that waits for one of these pauses. Whatever is stored for later has waited since
 * before the clock was set back, and is due now: it must not wait for the clock to get there again.
 */
export function latestDue(now: number, pauses: readonly number[]): number {
  return now + Math.max(...pauses) + slack;
}

/** The latest time of anything in the past; a later time was stored before the clock was set back. */
export function latestPast(now: number): number {
  return now + slack;
}
