// The order of turns, on a loop of the test's own; and how long work shares the real event loop.
import { expect, test } from "bun:test";
import { inTurns, nextTurn, type Steps, soon } from "@/kernel/steps.ts";
import { Turns, turnMs, Work } from "@/kernel/turns.ts";

/** A loop that turns when the test says so. Its clock stands still unless the test moves it. */
function setUp() {
  const begun: string[] = [];
  let now = 0;
  let later: (() => void)[] = [];
  const turns = new Turns({ now: () => now, later: (run) => later.push(run) });
  const ranFor = (ms: number) => Object.assign(new Work(), { ranMs: ms });
  return {
    turns,
    begun,
    ask: (name: string, ranMs: number) => void turns.next(ranFor(ranMs)).then(() => begun.push(name)),
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

test("what has run much goes on beside an endless stream of new work", async () => {
  const { ask, turn, pass, begun } = setUp();
  ask("long", 100_000);
  let turns = 0;
  for (; !begun.includes("long"); turns++) {
    if (turns > 1000) throw new Error("It waits forever.");
    ask(`new ${turns}`, 0);
    ask(`newer ${turns}`, 0);
    await turn();
    pass(turnMs);
  }
  // Before it, what asked within 20 ms: two in each.
  expect(turns).toBe(41);
});

test("new work begins at once, unless other work has used up the turn", async () => {
  const { turns, turn, pass, ask, begun } = setUp();
  expect(turns.mayRun()).toBe(true);
  pass(0.6 * turnMs);
  expect(turns.mayRun()).toBe(true);
  pass(0.6 * turnMs);
  expect(turns.mayRun()).toBe(false);
  ask("waiting", 0);
  await turn();
  expect(begun).toEqual(["waiting"]);
  expect(turns.mayRun()).toBe(true);
  pass(turnMs);
  expect(turns.mayRun()).toBe(false);
  await turn();
  expect(turns.mayRun()).toBe(true);
});

test("parts of a request, which take a turn each, let other events be handled in between", async () => {
  const happened: string[] = [];
  const part = function* (name: string): Steps<void> {
    yield 1;
    Bun.sleepSync(turnMs + 1);
    happened.push(name);
  };
  const work = new Work();
  await Bun.sleep(1);
  setImmediate(() => happened.push("an event"));
  await inTurns(part("first"), work);
  await inTurns(part("second"), work);
  expect(happened).toEqual(["first", "an event", "second"]);
  expect(work.ranMs).toBeGreaterThanOrEqual(2 * (turnMs + 1));
});

test("short parts of a request do not wait for each other", async () => {
  const happened: string[] = [];
  await Bun.sleep(1);
  setImmediate(() => happened.push("an event"));
  for (const name of ["first", "second"]) {
    await inTurns(
      (function* () {
        happened.push(name);
        yield 1;
      })(),
    );
  }
  await nextTurn();
  expect(happened).toEqual(["first", "second", "an event"]);
});

test("beside long work, little work waits for no turn; what turns out long does", async () => {
  function* busy(): Steps<null> {
    for (const end = performance.now() + 20; performance.now() < end; ) yield 1;
    return null;
  }
  /** So many steps of 100 rows each. */
  function* reading(steps: number): Steps<null> {
    for (let i = 0; i < steps; i++) yield 100;
    return null;
  }
  const long = inTurns(busy());
  const done: string[] = [];
  const little = soon(reading(2)).then(() => done.push("little"));
  const more = soon(reading(3)).then(() => done.push("more"));
  for (let i = 0; i < 10; i++) await null;
  expect(done).toEqual(["little"]);
  await Promise.all([long, little, more]);
  expect(done).toEqual(["little", "more"]);
});
