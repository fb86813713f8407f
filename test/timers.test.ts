// The server's periodic work: jobs that wait, and checks for other processes' commits.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "@/app.ts";
import { domains } from "@/domains.ts";
import { updateRealm } from "@/foundation/realm/actions-changes.ts";
import type { Job } from "@/kernel/domain.ts";
import { type Log, silentLog } from "@/kernel/log.ts";
import { roundOf, startTimers } from "@/timers.ts";
import { temporaryFolders } from "./support/folder.ts";
import { kernel } from "./support/kernel.ts";
import { world } from "./support/world.ts";

const newPlace = temporaryFolders();

function rounds(nextDue?: Job["nextDue"], error: Log["error"] = silentLog.error) {
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
    round();
    await Bun.sleep(0);
  };
  const write = () => db.write(ctx, (tx) => void tx.run("INSERT INTO notes (text) VALUES (?)", `n${runs}`));
  return { clock, second, write, runs: () => runs, setWork: (then: () => void) => (work = then) };
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

test("while clients listen and nothing happens, the checks pause until another process writes", async () => {
  const folder = newPlace();
  const { app, user } = world();
  await Bun.write(join(folder, "confab.db"), app.env.db.sqlite.serialize());
  const [server, command] = [open(folder, { hosting: true }), open(folder)];
  const actor = { kind: "user", id: user("olive").id, client: "confab" } as const;
  const { db, queues } = server.env;
  const end = startTimers(server, silentLog, () => false);
  let looks = 0;
  const noticeOthers = db.noticeOthers.bind(db);
  db.noticeOthers = (ctx) => {
    looks++;
    noticeOthers(ctx);
  };
  /** Checks within a third of a second: three while it checks frequently, at most the one of the beat otherwise. */
  const pace = async () => {
    const before = looks;
    await Bun.sleep(350);
    return looks - before;
  };
  const until = async (isSo: () => Promise<boolean>) => {
    const latest = performance.now() + 30_000;
    while (!(await isSo())) expect(performance.now()).toBeLessThan(latest);
  };
  queues.open({ userId: actor.id, capabilities: new Set(), types: null, taps: new Set(), options: {} });
  await until(async () => (await pace()) <= 1);
  await updateRealm(command.ctx(actor), { name: "Elsewhere" });
  await until(async () => (await pace()) > 1);
  end();
  await command.close();
  await server.close();
});
