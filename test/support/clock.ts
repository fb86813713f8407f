import type { Clock } from "@/kernel/clock.ts";

export interface TestClock extends Clock {
  advance(seconds: number): void;
}

const start = Date.UTC(2026, 2, 3, 9, 30) / 1000;

/** A clock that stands still until it is told to go on. */
export function testClock(): TestClock {
  let ms = start * 1000;
  return {
    now: () => Math.floor(ms / 1000),
    ms: () => ms,
    advance: (seconds) => {
      ms += seconds * 1000;
    },
  };
}
