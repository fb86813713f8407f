/** The only source of time: tests hold their own. `now` is UNIX seconds UTC, `ms` milliseconds. */
export interface Clock {
  now(): number;
  ms(): number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now() / 1000),
  ms: () => Date.now(),
};
