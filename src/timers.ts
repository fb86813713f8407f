// The server's periodic work: jobs, the sweep of queues, and checks for other processes' commits. An idle server wakes once a
// second for one check; jobs wait until they have work, and the file system reports other processes' writes.
import { type FSWatcher, watch } from "node:fs";
import type { App } from "@/app.ts";
import { domains } from "@/domains.ts";
import type { Ctx, Db } from "@/kernel/context.ts";
import type { Job } from "@/kernel/domain.ts";
import { type Queues, queueLimits } from "@/kernel/event-queue.ts";
import type { Log } from "@/kernel/log.ts";

/** All jobs share one timer, because each wake-up costs CPU; after one without changes it sleeps longer. */
const beatMs = { busy: 500, idle: 1000 };
/** How often to check for other processes' commits while clients listen. */
const lookMs = 100;
/** After this many checks without a change, the file system is asked to report writes instead. */
const looksUntilRest = 10;
/** A single one may be chance: a check just before the file system's report arrived. */
const missesUntilDistrust = 3;

/** Starts periodic work; returns a function that ends it. `hasJobs` says whether jobs run here now. */
export function startTimers(app: App, log: Log, hasJobs: () => boolean): () => void {
  const { env, system } = app;
  const { db } = env;
  const jobs = domains.flatMap((domain) => domain.jobs ?? []);
  const sweep = { name: "sweep", everySeconds: queueLimits.sweepMs / 1000, run: () => env.queues.sweep() };
  const here = (job: Job): Job => ({
    ...job,
    run: (ctx) => (job.onEachNode || hasJobs() ? job.run(ctx) : undefined),
  });
  const round = roundOf([sweep, ...jobs.map(here)], { db, log, ctx: () => app.ctx(system.actor) });
  const noticeOthers = guarded(log, "watch", () => db.noticeOthers(system));
  const look = () => void noticeOthers();
  const watching = watchWhileListening({ db, queues: env.queues, look });
  let { changes } = db;
  let timer = setTimeout(beat, beatMs.busy);
  function beat(): void {
    watching.check();
    round();
    timer = setTimeout(beat, db.changes === changes ? beatMs.idle : beatMs.busy);
    changes = db.changes;
  }
  return () => {
    clearTimeout(timer);
    watching.end();
  };
}

interface Round {
  db: Db;
  log: Log;
  ctx: () => Ctx;
}

interface Repeated {
  everyMs: number;
  due: number;
  run: () => Promise<boolean>;
  rest: { changes: number; since: number; until: number } | null;
}

/**
 * Returns the function that the timer calls: it runs each job that is due. After a run that changed nothing in the database, a
 * job waits for a change or for its `nextDue`.
 */
export function roundOf(jobs: readonly Job[], { db, log, ctx }: Round): () => void {
  const { clock } = db;
  const repeated = jobs.map((job) => {
    const everyMs = job.everySeconds * 1000;
    const one: Repeated = {
      everyMs,
      due: clock.steady() + everyMs,
      run: guarded(log, job.name, () => runOne(one, job)),
      rest: null,
    };
    return one;
  });
  async function runOne(one: Repeated, { run, nextDue }: Job): Promise<void> {
    const { changes } = db;
    one.rest = null;
    await run(ctx());
    if (nextDue && db.changes === changes) one.rest = { changes, since: clock.now(), until: nextDue(ctx()) };
  }
  return () => {
    const now = clock.steady();
    for (const one of repeated) {
      if (now < one.due - beatMs.busy / 2) continue;
      if (one.rest?.changes === db.changes && isWithin(one.rest, clock.now())) continue;
      one.due = now + one.everyMs;
      void one.run();
    }
  };
}

/** Not before `since` either: if the clock was set back, other things may be due. */
const isWithin = ({ since, until }: { since: number; until: number }, now: number) =>
  since <= now && now < until;

interface Watching {
  /** Checks as every beat does. */
  check(): void;
  end(): void;
}

/**
 * While clients listen, checks often for other processes' commits: only listeners need them at once. After a while without
 * changes, the file system reports the next write to the write-ahead log instead, and the frequent checks begin again.
 */
function watchWhileListening({ db, queues, look }: { db: Db; queues: Queues; look: () => void }): Watching {
  let timer: ReturnType<typeof setInterval> | undefined;
  let watcher: FSWatcher | undefined;
  /** Changes that the file system did not report; a network file system may report nothing. */
  let misses = 0;
  let quiet = 0;
  let { changes } = db;
  const endTimer = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const endWatcher = () => {
    watcher?.close();
    watcher = undefined;
  };
  const begin = () => {
    endWatcher();
    quiet = 0;
    timer ??= setInterval(tick, lookMs);
  };
  // A write is reported before its commit is complete, so one check is not enough.
  const wake = () => {
    begin();
    look();
  };
  const rest = () => {
    const { filename } = db.sqlite;
    if (misses >= missesUntilDistrust || filename === "" || filename === ":memory:") return;
    try {
      watcher = watch(`${filename}-wal`, wake);
    } catch {
      return; // too many watches on this machine, or a system without them
    }
    watcher.on("error", () => {
      misses = missesUntilDistrust;
      wake();
    });
    endTimer();
    look(); // for what was written before the watch began
  };
  const tick = () => {
    if (queues.all.size === 0) endTimer();
    look();
    quiet = db.changes === changes ? quiet + 1 : 0;
    ({ changes } = db);
    if (timer && quiet >= looksUntilRest) rest();
  };
  queues.onOpen(begin);
  return {
    check() {
      const before = db.changes;
      look();
      if (!watcher || db.changes === before) return;
      misses++;
      begin();
    },
    end() {
      endTimer();
      endWatcher();
    },
  };
}

/** Runs a function and logs its failure instead of throwing, so that other work continues; returns whether it succeeded. */
export function guarded(log: Log, name: string, run: () => Promise<void> | void): () => Promise<boolean> {
  return async () => {
    try {
      await run();
      return true;
    } catch (error) {
      log.error("job", {
        name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      return false;
    }
  };
}
