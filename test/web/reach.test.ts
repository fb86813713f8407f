// How soon the web client notices that the server is lost, and that it is back: by a clock that stands still unless the test moves it.
import { afterEach, beforeEach, describe, expect, jest, spyOn, test } from "bun:test";
import { type Reach, watchReach } from "@/web/api/reach.ts";

/** What a question meets on its way: an answer after some milliseconds, a closed connection, or nothing at all. */
type Way = number | "closed" | "silent" | "bad gateway";

let way: Way = 0;
let asked = 0;
let reach: Reach;
let page: EventTarget & { hidden: boolean };
let ends: (() => void)[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  way = 0;
  asked = 0;
  page = Object.assign(new EventTarget(), { hidden: false });
  Object.assign(globalThis, { document: page });
  // As in a browser: nothing but the clock and an answer move it.
  const fetching = spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(
      (_: unknown, how?: RequestInit) => {
        asked++;
        const { promise, resolve, reject } = Promise.withResolvers<Response>();
        if (way === "closed") reject(new TypeError("Failed to fetch"));
        else if (way === "bad gateway") resolve(new Response("", { status: 502 }));
        else if (way !== "silent") setTimeout(() => resolve(new Response("")), way);
        how?.signal?.addEventListener("abort", () => reject(new TypeError("Aborted")));
        return promise;
      },
      { preconnect: () => {} },
    ),
  );
  reach = watchReach();
  ends = [
    () => reach.stop(),
    () => fetching.mockRestore(),
    () => Reflect.deleteProperty(globalThis, "document"),
  ];
});
afterEach(() => {
  for (const end of ends) end();
  jest.useRealTimers();
});

/** Lets time pass, and what follows from it happen. */
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    jest.advanceTimersByTime(10);
    for (let n = 0; n < 8; n++) await Promise.resolve();
  }
}

/** The milliseconds until it is so; fails after a minute. */
async function waitedUntil(isReached: boolean): Promise<number> {
  const start = Date.now();
  while (reach.isReached.get() !== isReached) {
    if (Date.now() - start > 60_000) throw new Error("It is not noticed.");
    await pass(10);
  }
  return Date.now() - start;
}

const move = () => globalThis.dispatchEvent(new Event("keydown"));

describe("a loss is noticed within five seconds", () => {
  test.each(["closed", "silent", "bad gateway"] as const)("when connections are %s", async (loss) => {
    for (const early of [0, 250, 1_000]) {
      await pass(5_000 + early);
      move();
      way = loss;
      expect(await waitedUntil(false)).toBeLessThan(5_000);
      way = 0;
      await waitedUntil(true);
    }
  });

  test("soon after a request that has failed, and not by one alone", async () => {
    reach.noteFailure();
    await pass(1_000);
    expect([reach.isReached.get(), asked]).toEqual([true, 1]);
    way = "closed";
    reach.noteFailure();
    expect(await waitedUntil(false)).toBeLessThan(100);
  });
});

describe("the return is noticed within two seconds", () => {
  test.each(["closed", "silent", "bad gateway"] as const)("after connections were %s", async (loss) => {
    for (let late = 0; late < 1_600; late += 100) {
      move();
      way = loss;
      await waitedUntil(false);
      await pass(3_000 + late);
      way = 50;
      expect(await waitedUntil(true)).toBeLessThan(2_000);
    }
  });

  test("at once when somebody asks, or comes back to the page", async () => {
    way = "closed";
    reach.check();
    await waitedUntil(false);
    page.hidden = true;
    // A page that is not in sight asks seldom.
    await pass(30_000);
    const before = asked;
    await pass(60_000);
    expect(asked - before).toBeLessThan(6);
    way = 0;
    reach.check();
    expect(await waitedUntil(true)).toBeLessThan(100);
    way = "closed";
    reach.check();
    await waitedUntil(false);
    await pass(3_000);
    way = 0;
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    expect(await waitedUntil(true)).toBeLessThan(100);
  });
});

describe("what needs the server waits for its answer", () => {
  /** Whether it goes on after this time. */
  async function isConfirmed(ms: number): Promise<boolean> {
    let isOver = false;
    void reach.confirm().then(() => {
      isOver = true;
    });
    await pass(ms);
    return isOver;
  }

  test("which it does not ask for again right after another one", async () => {
    reach.noteAnswer();
    expect([await isConfirmed(10), asked]).toEqual([true, 0]);
    await pass(1_000);
    expect([await isConfirmed(10), asked]).toEqual([true, 1]);
  });

  test.each(["closed", "silent", "bad gateway"] as const)("while connections are %s", async (loss) => {
    way = loss;
    await pass(1_000);
    let isOver = false;
    void reach.confirm().then(() => {
      isOver = true;
    });
    await pass(10_000);
    expect(isOver).toBe(false);
    way = 50;
    await pass(2_000);
    expect(isOver).toBe(true);
  });
});

test("answers that are late are no loss, once that is known", async () => {
  way = 2_500;
  move();
  await waitedUntil(false);
  await waitedUntil(true);
  for (let n = 0; n < 10; n++) {
    move();
    await pass(3_000);
    expect(reach.isReached.get()).toBe(true);
  }
});

test("one answer that was held back for long makes no later loss less noticed", async () => {
  way = 4_500;
  move();
  await waitedUntil(false);
  await waitedUntil(true);
  way = 20;
  await pass(10_000);
  move();
  await pass(3_000);
  way = "silent";
  move();
  expect(await waitedUntil(false)).toBeLessThan(5_000);
});

test("nobody is asked for a page that nobody uses", async () => {
  await pass(60_000);
  const before = asked;
  await pass(600_000);
  expect(asked).toBe(before);
  page.hidden = true;
  move();
  await pass(60_000);
  expect(asked).toBe(before);
});
