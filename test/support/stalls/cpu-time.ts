// What work of this process costs.
import { expect } from "bun:test";
import { work, workMs } from "./work.ts";

/** Milliseconds of CPU time: unlike the clock, it stands still while other processes use the core. */
async function cpuOf(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Fails if something takes more CPU time than this in each of a few tries. A slow or busy machine may take longer, in the proportion in
 * which it takes longer for a fixed amount of work.
 */
export async function expectCpu(mostMs: number, run: () => unknown, tries = 3): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const took = await cpuOf(run);
    if (took <= mostMs) return;
    for (let j = 0; j < 4; j++) work();
    const here = await cpuOf(work);
    least = Math.min(least, took / Math.max(1, here / workMs));
    if (least <= mostMs) return;
  }
  expect(least).toBeLessThanOrEqual(mostMs);
}
