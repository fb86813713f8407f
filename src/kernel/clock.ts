/** The only source of time: tests hold their own. */
export interface Clock {
  /** UNIX seconds UTC: what is stored and shown. */
  now(): number;
  /** The same in milliseconds. */
  ms(): number;
  /** Milliseconds since some moment, for intervals: it goes on evenly when somebody sets the clock. */
  steady(): number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  ms: () => Date.now(),
  steady: () => performance.now(),
};
