import { describe, expect, test } from "bun:test";
import { firstKept } from "@/cluster/trimming.ts";

const day = 86_400;
const margin = { marginSeconds: day, maxEntries: 1_000_000, maxBytes: 1e9 };
/** One entry an hour, from entry 101 on. */
const hourly = (seq: number) => Promise.resolve(seq > 100 ? seq * 3_600_000 : null);
const ends = { first: 101, last: 200, bytes: 100_000 };
const caughtUp = [200, 200];

const kept = (more: { snapshot?: number; positions?: number[] }, bounds: Partial<typeof margin> = {}) =>
  firstKept({ ends, positions: caughtUp, snapshot: 200, ...more }, { ...margin, ...bounds }, hourly);

describe("the log behind the newest snapshot", () => {
  test("is removed, except for the last day", async () => {
    expect(await kept({})).toBe(200 - 24);
  });

  test("is kept from the entry of the snapshot on", async () => {
    expect(await kept({ snapshot: 150 })).toBe(150);
    expect(await kept({ snapshot: 90 })).toBe(90);
  });

  test("is removed down to the maximum size, if a day is more than that", async () => {
    expect(await kept({}, { maxEntries: 10 })).toBe(191);
    expect(await kept({}, { maxBytes: 5_000 })).toBe(196);
    expect(await kept({ snapshot: 180 }, { maxEntries: 10 })).toBe(180);
  });

  test("is kept as far as an answering node needs it, within the day", async () => {
    expect(await kept({ positions: [200, 185] }, { maxEntries: 10 })).toBe(186);
    expect(await kept({ positions: [200, 120] }, { maxEntries: 10 })).toBe(191);
    expect(await kept({ positions: [200, 120] })).toBe(176);
  });

  test("is kept while its newest entry is unknown", async () => {
    expect(await firstKept({ ends, positions: [], snapshot: 200 }, margin, () => Promise.resolve(null))).toBe(
      101,
    );
  });
});
