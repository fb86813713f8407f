import type { Clock } from "@/kernel/lib/clock.ts";

export interface TestClock extends Clock {
  advance(seconds: number): void;
  /** Sets the wall clock ahead or back, as an administrator or a time server does; the monotonic clock does not move. */
  step(seconds: number): void;
}

const start = Date.UTC(2026, 2, 3, 9, 30) / 1000;

/** A clock that only moves when it is advanced. */
export function testClock(): TestClock {
  let ms = start * 1000;
  let steady = 0;
  return {
    now: () => Math.floor(ms / 1000),
    ms: () => ms,
    steady: () => steady,
    advance: (seconds) => {
      ms += seconds * 1000;
      steady += seconds * 1000;
    },
    step: (seconds) => {
      ms += seconds * 1000;
    },
  };
}
