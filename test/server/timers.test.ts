// The server's periodic work: jobs that wait, and checks for other processes' commits.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type App, open } from "@/app.ts";
import { domains } from "@/domains.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { PeriodicJob } from "@/kernel/http/domain.ts";
import { type Log, silentLog } from "@/kernel/lib/log.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { missesOf, roundOf, startTimers } from "@/timers.ts";
import { openDatabaseOf } from "../support/database.ts";
import { temporaryFolders } from "../support/folder.ts";
import { kernel } from "../support/kernel.ts";
import { world } from "../support/world.ts";

const newPlace = temporaryFolders();

function rounds(nextDue?: PeriodicJob["nextDue"], error: Log["error"] = silentLog.error) {
  const { db, ctx, clock } = kernel();
  let runs = 0;
  let work = () => {};
  const run = () => {
    runs++;
    work();
  };
  const round = roundOf([{ name: "test", everySeconds: 1, run, nextDue }], {
    db,
    log: { ...silentLog, error },
    ctx: () => ctx,
  });
  const second = async () => {
    clock.advance(1);
    round.run();
    await Bun.sleep(0);
  };
  const write = () => db.write(ctx, (tx) => void tx.run("INSERT INTO notes (text) VALUES (?)", `n${runs}`));
  return {
    clock,
    second,
    write,
    pauseMs: round.pauseMs,
    runs: () => runs,
    setWork: (then: () => void) => (work = then),
  };
}

test("a job without a time at which it is next due runs every second", async () => {
  const { second, runs } = rounds();
  for (let n = 0; n < 3; n++) await second();
  expect(runs()).toBe(3);
});

test("a job with nothing to do waits until something is written", async () => {
  const { second, write, runs } = rounds(() => Number.POSITIVE_INFINITY);
  for (let n = 0; n < 5; n++) await second();
  expect(runs()).toBe(1);
  await write();
  for (let n = 0; n < 5; n++) await second();
  expect(runs()).toBe(2);
});

test("a job waits until it is next due, and no longer", async () => {
  const due = { at: 0 };
  const { clock, second, runs } = rounds(() => due.at);
  due.at = clock.now() + 4;
  for (let n = 0; n < 3; n++) await second();
  expect(runs()).toBe(1);
  await second();
  expect(runs()).toBe(2);
});

test("a job whose next time cannot be read, as when the database was closed meanwhile, is logged and runs again", async () => {
  const errors: unknown[] = [];
  const { second, runs } = rounds(
    () => {
      throw new Error("for this test");
    },
    (_, fields) => errors.push(fields?.name),
  );
  for (let n = 0; n < 2; n++) await second();
  expect([runs(), errors]).toEqual([2, ["test", "test"]]);
});

test("the next round is due with the first job that does not wait, or with the time for which it waits", async () => {
  const repeated = rounds();
  expect(repeated.pauseMs()).toBe(1000);
  const due = { at: 0 };
  const { clock, second, write, pauseMs } = rounds(() => due.at);
  due.at = clock.now() + 60;
  await second();
  expect(pauseMs()).toBe(59_000);
  await second();
  expect(pauseMs()).toBe(58_000);
  await write();
  expect(pauseMs()).toBeLessThanOrEqual(1000);
  due.at = Number.POSITIVE_INFINITY;
  await second();
  expect(pauseMs()).toBe(Number.POSITIVE_INFINITY);
});

test("a job that is due, that fails, or during which something is written, runs again", async () => {
  const due = rounds(({ db }) => db.clock.now());
  for (let n = 0; n < 3; n++) await due.second();
  expect(due.runs()).toBe(3);
  const failing = rounds(() => Number.POSITIVE_INFINITY);
  failing.setWork(() => {
    throw new Error("for this test");
  });
  for (let n = 0; n < 3; n++) await failing.second();
  expect(failing.runs()).toBe(3);
  const writing = rounds(() => Number.POSITIVE_INFINITY);
  writing.setWork(() => void writing.write());
  for (let n = 0; n < 3; n++) await writing.second();
  expect(writing.runs()).toBe(3);
});

test("a waiting job runs once the clock is set back, since other things may be due", async () => {
  const due = { at: 0 };
  const { clock, second, runs } = rounds(() => due.at);
  due.at = clock.now() + 60;
  for (let n = 0; n < 3; n++) await second();
  expect(runs()).toBe(1);
  clock.step(-3600);
  for (let n = 0; n < 3; n++) await second();
  expect(runs()).toBe(2);
});

test("a waiting job uses the wall clock, which may be set ahead", async () => {
  const due = { at: 0 };
  const { clock, second, runs } = rounds(() => due.at);
  due.at = clock.now() + 3600;
  await second();
  await second();
  expect(runs()).toBe(1);
  clock.step(7200);
  await second();
  expect(runs()).toBe(2);
});

test("in an organization that nobody uses, no job that runs every second has anything to do", async () => {
  const w = world();
  const jobs = domains.flatMap(({ jobs = [] }) => jobs).filter(({ everySeconds }) => everySeconds < 5);
  expect(jobs.filter(({ nextDue }) => !nextDue).map(({ name }) => name)).toEqual([]);
  const { env } = w.app;
  for (let n = 0; n < 5; n++) for (const { run } of jobs) await run(w.ctx("system"));
  const { changes } = env.db;
  for (const { run } of jobs) await run(w.ctx("system"));
  expect(env.db.changes).toBe(changes);
  for (const { name, nextDue } of jobs)
    expect([name, nextDue?.(w.ctx("system"))]).toEqual([name, Number.POSITIVE_INFINITY]);
});

test("scheduled messages, reminders and exports say when they are due", async () => {
  const { as, ctx, clock, user } = world();
  const dueOf = (name: string) =>
    domains
      .flatMap(({ jobs = [] }) => jobs)
      .find((job) => job.name === name)
      ?.nextDue?.(ctx("system"));
  const at = clock.now() + 600;
  const mel = user("mel").id;
  const sent = await as("mel").post("/messages", { type: "direct", to: [mel], content: "Tea" });
  expect(dueOf("index messages")).toBe(0);
  await as("mel").post("/scheduled_messages", {
    type: "direct",
    to: [mel],
    content: "Later",
    scheduled_delivery_timestamp: at,
  });
  expect(dueOf("deliver-scheduled-messages")).toBe(at);
  await as("mel").post("/reminders", {
    message_id: sent.body.id,
    scheduled_delivery_timestamp: at + 60,
  });
  expect(dueOf("deliver-reminders")).toBe(at + 60);
  expect(dueOf("write-exports")).toBe(Number.POSITIVE_INFINITY);
  expect((await as("ada").post("/export/realm")).status).toBe(200);
  expect(dueOf("write-exports")).toBe(0);
});

test("the file system is not asked for reports for an hour after it missed three, and single misses are forgotten", () => {
  const { clock } = kernel();
  const misses = missesOf(clock);
  for (let n = 0; n < 6; n++) {
    misses.note();
    expect(misses.areMany()).toBe(false);
    clock.advance(1801);
  }
  for (let n = 0; n < 3; n++) misses.note();
  clock.advance(3599);
  expect(misses.areMany()).toBe(true);
  clock.advance(2);
  expect(misses.areMany()).toBe(false);
});

test("while clients listen and nothing happens, the checks pause until another process writes", async () => {
  const { server, command, actor, looksIn, close } = await openWithCommand();
  /** Three while it checks frequently, at most the one of the beat otherwise. */
  const pace = () => looksIn(350);
  listen(server, actor.id);
  await until(async () => (await pace()) <= 1);
  await updateRealm(command.ctx(actor), { name: "Elsewhere" });
  await until(async () => (await pace()) > 1);
  await close();
});

test("what a job returns is logged under its name", async () => {
  const { db, ctx, clock } = kernel();
  const lines: unknown[] = [];
  const results = [{ messages: 3 }, undefined];
  const run = async () => results.shift();
  const log: Log = { ...silentLog, info: (event, fields) => void lines.push([event, fields]) };
  const round = roundOf([{ name: "sweep", everySeconds: 1, run }], { db, log, ctx: () => ctx });
  for (let n = 0; n < 2; n++) {
    clock.advance(1);
    round.run();
    await Bun.sleep(0);
  }
  expect(results).toEqual([]);
  expect(lines).toEqual([["sweep", { messages: 3 }]]);
});

describe("while nothing happens, the server sleeps for seconds", () => {
  test.concurrent("but works soon after a write of its own, even if a client has begun to listen", async () => {
    const { server, actor, sleep, close } = await openWithCommand();
    await sleep();
    listen(server, actor.id);
    expect(await firstAfter(server, server.ctx(actor))).toBe("indexed");
    await close();
  });

  test.concurrent("but works soon after another process's write", async () => {
    const { server, command, actor, sleep, close } = await openWithCommand();
    await sleep();
    expect(await firstAfter(server, command.ctx(actor))).toBe("indexed");
    await close();
  });

  test.concurrent("but looks soon after a commit that another process began to write long before", async () => {
    const { server, folder, sleep, close } = await openWithCommand();
    const other = openDatabaseOf(folder);
    other.run("PRAGMA cache_size = 10");
    await sleep();
    const { db } = server.env;
    const { changes } = db;
    other.run("BEGIN IMMEDIATE");
    other.run("CREATE TABLE scratch (text TEXT)");
    other.run("INSERT INTO scratch VALUES (hex(zeroblob(1000000)))");
    other.run("DROP TABLE scratch");
    await Bun.sleep(300);
    expect(db.changes).toBe(changes);
    other.run("COMMIT");
    expect(await beforeItWakes(() => db.changes !== changes, "seen")).toBe("seen");
    other.close();
    await close();
  });
});

/** A server, without clients, and another process next to it. */
async function openWithCommand() {
  const folder = newPlace();
  const { app, user } = world();
  await Bun.write(join(folder, "confab.db"), app.env.db.sqlite.serialize());
  const [server, command] = [open(folder, { hosting: true }), open(folder)];
  const actor = { kind: "user", id: user("olive").id, client: "confab" } as const;
  const { db } = server.env;
  const end = startTimers(server, silentLog, () => true);
  let looks = 0;
  const noticeOthers = db.noticeOthers.bind(db);
  db.noticeOthers = (ctx) => {
    looks++;
    noticeOthers(ctx);
  };
  const looksIn = async (ms: number) => {
    const before = looks;
    await Bun.sleep(ms);
    return looks - before;
  };
  const close = async () => {
    end();
    await command.close();
    await server.close();
  };
  /** Resolves when it begins to sleep for five seconds: it wakes from a shorter sleep because a job is due, and none is for longer. */
  const sleep = async () => {
    await until(async () => (await looksIn(1200)) === 0);
    const before = looks;
    await until(async () => looks > before);
  };
  return { folder, server, command, actor, looksIn, sleep, close };
}

function listen({ env }: App, userId: number): void {
  env.queues.open({ userId, capabilities: new Set(), types: null, taps: new Set(), options: {} });
}

/** What comes first: this, or the end of the server's sleep. Both are timers of this process, so its speed does not matter. */
function beforeItWakes(isSo: () => boolean, what: string): Promise<string> {
  const happens = until(async () => isSo()).then(() => what);
  return Promise.race([happens, Bun.sleep(4_000).then(() => "woken")]);
}

/** Sends a message as this sender, in any process: "indexed" if the server has indexed it before its sleep ends. */
async function firstAfter(server: App, sender: Ctx): Promise<string> {
  const indexing = domains.flatMap(({ jobs = [] }) => jobs).find(({ name }) => name === "index messages");
  const isIndexed = () => indexing?.nextDue?.(server.system) === Number.POSITIVE_INFINITY;
  await sendMessage(sender, { type: "direct", to: [], content: "Tea" });
  expect(isIndexed()).toBe(false);
  return beforeItWakes(isIndexed, "indexed");
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const latest = performance.now() + 30_000;
  while (!(await isSo())) {
    expect(performance.now()).toBeLessThan(latest);
    await Bun.sleep(10);
  }
}
