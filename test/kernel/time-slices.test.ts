// The order of time slices, on a loop of the test's own; and how work shares the real event loop, by a clock that the test holds.
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { nextSlice, runInSlices, runSoon, type Task } from "@/kernel/lib/tasks.ts";
import { Scheduler, sliceMs, TimeUsed } from "@/kernel/lib/time-slices.ts";

/** A loop that turns when the test says so. Its clock stands still unless the test moves it. */
function setUp() {
  const begun: string[] = [];
  let now = 0;
  let later: (() => void)[] = [];
  const scheduler = new Scheduler({ now: () => now, later: (run) => later.push(run) });
  const ranFor = (ms: number) => Object.assign(new TimeUsed(), { ranMs: ms });
  return {
    scheduler,
    begun,
    ask: (name: string, ranMs: number) => void scheduler.next(ranFor(ranMs)).then(() => begun.push(name)),
    pass(ms: number): void {
      now += ms;
    },
    /** Runs what was to run later, as one turn of the event loop. */
    async turn(): Promise<void> {
      const due = later;
      later = [];
      for (const run of due) run();
      await Promise.resolve();
    },
    isAtRest: () => later.length === 0,
  };
}

test("what has run least goes first; of equals, what asked first", async () => {
  const { ask, turn, begun } = setUp();
  ask("ten", 10);
  ask("five", 5);
  ask("new", 0);
  ask("five again", 5);
  ask("also new", 0);
  for (let i = 0; i < 5; i++) await turn();
  expect(begun).toEqual(["new", "also new", "five", "five again", "ten"]);
});

test("each turn of the event loop lets one go on, and it rests when none waits", async () => {
  const { ask, turn, begun, isAtRest } = setUp();
  expect(isAtRest()).toBe(true);
  ask("first", 0);
  ask("second", 0);
  await turn();
  expect(begun).toEqual(["first"]);
  await turn();
  expect(begun).toEqual(["first", "second"]);
  await turn();
  expect(isAtRest()).toBe(true);
});

test("what has run much goes on, although new work never ends", async () => {
  const { ask, turn, pass, begun } = setUp();
  ask("long", 100_000);
  let turns = 0;
  for (; !begun.includes("long"); turns++) {
    if (turns > 1000) throw new Error("It waits forever.");
    ask(`new ${turns}`, 0);
    ask(`newer ${turns}`, 0);
    await turn();
    pass(sliceMs);
  }
  // Before it, what asked within 20 ms: two in each.
  expect(turns).toBe(41);
});

test("new work begins at once, unless other work has used up the turn", async () => {
  const { scheduler, turn, pass, ask, begun } = setUp();
  expect(scheduler.mayRun()).toBe(true);
  pass(0.6 * sliceMs);
  expect(scheduler.mayRun()).toBe(true);
  pass(0.6 * sliceMs);
  expect(scheduler.mayRun()).toBe(false);
  ask("waiting", 0);
  await turn();
  expect(begun).toEqual(["waiting"]);
  expect(scheduler.mayRun()).toBe(true);
  pass(sliceMs);
  expect(scheduler.mayRun()).toBe(false);
  await turn();
  expect(scheduler.mayRun()).toBe(true);
});

describe("on the real event loop", () => {
  let now = 0;
  let clock: ReturnType<typeof spyOn<Performance, "now">>;
  beforeEach(async () => {
    // A whole number, so that parts of milliseconds add up exactly.
    now = Math.ceil(performance.now());
    clock = spyOn(performance, "now").mockImplementation(() => now);
    // Whatever turn another test has begun is over.
    now += sliceMs;
    await new Promise((resolve) => setImmediate(resolve));
  });
  afterEach(() => clock.mockRestore());

  /** Steps of so many milliseconds each, noted when they begin. */
  function* steps(name: string, count: number, ms: number, happened: string[]): Task<string> {
    for (let i = 0; i < count; i++) {
      happened.push(name);
      now += ms;
      yield 1;
    }
    return name;
  }

  test("work is cut into slices; a slice ends when it has used its time, and events are handled before the next", async () => {
    const happened: string[] = [];
    let isDone = false;
    const listen = () => {
      happened.push("event");
      if (!isDone) setImmediate(listen);
    };
    setImmediate(listen);
    await runInSlices(steps("step", 8, sliceMs / 4, happened));
    isDone = true;
    const slices = happened
      .join(" ")
      .split(/(?: ?event ?)+/)
      .filter((slice) => slice !== "");
    expect(slices).toEqual(["step step step step", "step step step step"]);
  });

  test("a step that takes longer than a slice is followed by no other", async () => {
    const happened: string[] = [];
    const work = new TimeUsed();
    setImmediate(() => happened.push("event"));
    await runInSlices(steps("first", 1, sliceMs, happened), work);
    await runInSlices(steps("second", 1, sliceMs, happened), work);
    expect(happened).toEqual(["first", "event", "second"]);
    expect(work.ranMs).toBe(2 * sliceMs);
  });

  test("short parts of a request do not wait for each other", async () => {
    const happened: string[] = [];
    setImmediate(() => happened.push("event"));
    for (const name of ["first", "second"]) await runInSlices(steps(name, 1, sliceMs / 4, happened));
    await nextSlice();
    expect(happened).toEqual(["first", "second", "event"]);
  });

  test("while long work runs, little work waits for no turn; what turns out long does", async () => {
    /** So many steps of 100 rows each. */
    function* reading(steps: number): Task<null> {
      for (let i = 0; i < steps; i++) yield 100;
      return null;
    }
    const long = runInSlices(steps("long", 20, sliceMs, []));
    const done: string[] = [];
    const little = runSoon(reading(2)).then(() => done.push("little"));
    const more = runSoon(reading(3)).then(() => done.push("more"));
    for (let i = 0; i < 10; i++) await null;
    expect(done).toEqual(["little"]);
    await Promise.all([long, little, more]);
    expect(done).toEqual(["little", "more"]);
  });
});
