import { describe, expect, test } from "bun:test";
import { isDue } from "@/cluster/snapshots.ts";
import { firstKept } from "@/cluster/trimming.ts";

const day = 86_400;
const margin = { marginSeconds: day, maxEntries: 1_000_000, maxBytes: 1e9 };
/** One entry an hour, from entry 101 on. */
const hourly = (seq: number) => Promise.resolve(seq > 100 ? seq * 3_600_000 : null);
const ends = { first: 101, last: 200, bytes: 100_000 };
const caughtUp = [200, 200];

const now = 200 * 3_600_000;
const found = { ends, positions: caughtUp, snapshot: 200, clocks: [now] };

const kept = (
  more: { snapshot?: number; positions?: number[]; clocks?: number[] },
  bounds: Partial<typeof margin> = {},
  findTime = hourly,
) => firstKept({ ...found, ...more }, { ...margin, ...bounds }, findTime);

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
    expect(await kept({ positions: [] }, {}, () => Promise.resolve(null))).toBe(101);
  });

  test("is kept for a day by the slowest clock, so that a nats-server or node whose clock is ahead removes nothing early", async () => {
    const from = (wrong: number, ms: number) => async (seq: number) =>
      (await hourly(seq)) === null ? null : seq * 3_600_000 + (seq >= wrong ? ms : 0);
    const ahead = 86_400_000;
    for (const wrong of [101, 150, 190, 200]) {
      expect(await kept({}, {}, from(wrong, ahead))).toBeLessThanOrEqual(176);
      expect(await kept({ clocks: [now + ahead, now] }, {}, from(wrong, ahead))).toBeLessThanOrEqual(176);
    }
    expect(await kept({ clocks: [now + ahead, now + ahead] })).toBe(176);
    expect(await kept({ clocks: [now - 10 * 3_600_000, now] })).toBe(166);
  });

  test("is kept where a nats-server whose clock was behind led it for some hours", async () => {
    const behind = async (seq: number) =>
      ((await hourly(seq)) ?? 0) - (seq >= 185 && seq <= 195 ? 2 * 86_400_000 : 0);
    expect(await kept({}, {}, behind)).toBe(176);
  });

  test("is looked at in few places, however long it is", async () => {
    let looks = 0;
    const long = { first: 1, last: 5_000_000, bytes: 1e9 };
    const each = async (seq: number) => {
      looks++;
      return seq * 100;
    };
    const at = { ...found, ends: long, snapshot: long.last, positions: [], clocks: [long.last * 100] };
    expect(await firstKept(at, { ...margin, maxEntries: 9e6 }, each)).toBe(long.last - 864_000);
    expect(looks).toBeLessThan(120);
  });
});

describe("a snapshot", () => {
  const rules = { everyEntries: 1_000, everySeconds: 6 * 3_600, restBytes: 2_500_000 };
  const newest = { seq: 500, at: 1_000_000_000, bytes: 1_000_000 };
  const due = (position: number, seconds: number, bytes = newest.bytes) =>
    isDue({ ...newest, bytes }, { position, now: newest.at + seconds * 1_000 }, rules);

  test("is due after a number of entries, or after some hours if there was any entry", () => {
    expect(isDue(undefined, { position: 1, now: 0 }, rules)).toBe(true);
    expect(isDue(undefined, { position: 0, now: 0 }, rules)).toBe(false);
    expect([due(1_499, 60), due(1_500, 60)]).toEqual([false, true]);
    expect([due(500, 7 * 3_600), due(501, 5 * 3_600), due(501, 7 * 3_600)]).toEqual([false, false, true]);
  });

  test("of a large database is not repeated soon, however much is written", () => {
    const large = 100e9;
    expect([due(9_000_000, 11 * 3_600, large), due(9_000_000, 12 * 3_600, large)]).toEqual([false, true]);
    expect(due(501, 7 * 3_600, large)).toBe(false);
  });

  test("by a node with a wrong clock does not delay the next one", () => {
    expect(due(1_500, -3_600)).toBe(true);
  });
});
