// How turns are measured, on a server that stalls on request.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startStalling } from "../support/stalls/turns.ts";

let stalling: Awaited<ReturnType<typeof startStalling>>;
beforeAll(async () => {
  stalling = await startStalling();
});
afterAll(() => stalling.end());

async function sorted(tries: number, measure: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < tries; i++) all.push(await measure());
  return all.sort((a, b) => a - b);
}

test.each([
  ["computes", "compute"],
  ["computes after it has answered", "late"],
] as const)("a server that %s has long turns, each time", async (_, path) => {
  const [least = 0] = await sorted(5, () => stalling.longestDuring(path, 65));
  expect(least).toBeGreaterThanOrEqual(65);
});

test.skipIf(process.platform !== "linux")("so has one that sleeps, in one try at least", async () => {
  let most = 0;
  for (let i = 0; i < 30 && most <= 50; i++) most = Math.max(most, await stalling.longestDuring("sleep", 65));
  expect(most).toBeGreaterThan(50);
});

test("long work in short turns has no long turn", async () => {
  const [least] = await sorted(3, () => stalling.longestDuring("turns", 15));
  expect(least).toBeWithin(15, 50);
});

test("what other programs do does not count", async () => {
  const spin = "for (;;);";
  const others = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, "-e", spin]));
  try {
    const [least] = await sorted(6, () => stalling.longestDuring("compute", 15));
    expect(least).toBeWithin(15, 50);
  } finally {
    for (const other of others) other.kill();
    await Promise.all(others.map((other) => other.exited));
  }
});
