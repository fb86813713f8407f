/** The only source of time; tests replace it. */
export interface Clock {
  /** UNIX seconds: what is stored and shown. */
  now(): number;
  /** The same in milliseconds. */
  ms(): number;
  /** Milliseconds of a monotonic clock, for intervals: setting the system's clock does not affect it. */
  steady(): number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  ms: () => Date.now(),
  steady: () => performance.now(),
};
