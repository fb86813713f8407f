// The server's periodic work: jobs, the sweep of queues, and checks for other processes' commits. An idle server wakes every five
// seconds; jobs wait until they have work, and the file system reports other processes' writes.

import { type FSWatcher, watch } from "node:fs";
import type { App } from "@/app.ts";
import { domains } from "@/domains.ts";
import type { Ctx, Db } from "./kernel/core/context.ts";
import type { Queues } from "./kernel/core/queue-types.ts";
import { queueLimits } from "./kernel/events/event-queue.ts";
import type { PeriodicJob } from "./kernel/http/domain.ts";
import type { Clock } from "./kernel/lib/clock.ts";
import type { Log } from "./kernel/lib/log.ts";
import { isInMemory } from "./kernel/store/database-file.ts";

/**
 * All jobs share one timer, because each wake-up costs CPU; after one without changes it sleeps longer. If the file system reports other
 * processes' writes, it sleeps until a job is due or something is written, but no longer than `resting`: the wall clock may be set.
 */
const beatMs = { busy: 500, idle: 1000, resting: 5000 };
/** How often to check for other processes' commits while clients listen. */
const lookMs = 100;
/** After this many checks without a change, the file system is asked to report writes instead. */
const looksUntilRest = 10;
/** A few may be chance: a check just before the file system's report arrived. Only those of the last hour count. */
const missesUntilDistrust = 3;
const missesCountMs = 3_600_000;

/** Starts periodic work; returns a function that ends it. `hasJobs` says whether jobs run here now. */
export function startTimers(app: App, log: Log, hasJobs: () => boolean): () => void {
  const { env, system } = app;
  const { db } = env;
  const jobs = domains.flatMap((domain) => domain.jobs ?? []);
  const sweep = { name: "sweep", everySeconds: queueLimits.sweepMs / 1000, run: () => env.queues.sweep() };
  const here = (job: PeriodicJob): PeriodicJob => ({
    ...job,
    run: (ctx) => (job.onEachNode || hasJobs() ? job.run(ctx) : undefined),
  });
  let isEnded = false;
  // A job that the end of the server interrupts goes on at its next start.
  const untilEnd: Log = {
    ...log,
    error(event, fields) {
      if (!isEnded) log.error(event, fields);
    },
  };
  const surroundings = { db, log: untilEnd, ctx: () => app.ctx(system.actor) };
  const round = roundOf([sweep, ...jobs.map(here)], surroundings);
  const noticeOthers = guard(log, "watch", () => db.noticeOthers(system));
  const look = () => void noticeOthers();
  let { changes } = db;
  let timer = setTimeout(beat, beatMs.busy);
  let isIdle = false;
  function beat(): void {
    isIdle = false;
    watching.check();
    round.run();
    const isResting = db.changes === changes && watching.rest();
    // Looking, which the watch begins with, may find a change.
    isIdle = db.changes === changes;
    changes = db.changes;
    timer = setTimeout(beat, pauseMs(isResting));
  }
  const pauseMs = (isResting: boolean) => {
    if (!isIdle) return beatMs.busy;
    return isResting ? Math.max(beatMs.idle, Math.min(round.pauseMs(), beatMs.resting)) : beatMs.idle;
  };
  const wake = () => {
    if (!isIdle) return;
    isIdle = false;
    clearTimeout(timer);
    timer = setTimeout(beat, beatMs.busy);
  };
  const watching = watchOthers({ db, queues: env.queues, look, onReport: wake });
  db.onChange = wake;
  return () => {
    isEnded = true;
    isIdle = false;
    clearTimeout(timer);
    watching.end();
  };
}

interface Surroundings {
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

interface Round {
  /** Runs each job that is due. */
  run(): void;
  /** How long until the next job is due, unless something is written. */
  pauseMs(): number;
}

/** After a run that changed nothing in the database, a job waits for a change or for its `nextDue`. */
export function roundOf(jobs: readonly PeriodicJob[], { db, log, ctx }: Surroundings): Round {
  const { clock } = db;
  const repeated = jobs.map((job) => {
    const everyMs = job.everySeconds * 1000;
    const one: Repeated = {
      everyMs,
      due: clock.steady() + everyMs,
      run: guard(log, job.name, () => runOne(one, job)),
      rest: null,
    };
    return one;
  });
  async function runOne(one: Repeated, job: PeriodicJob): Promise<void> {
    const { run, nextDue } = job;
    const { changes } = db;
    one.rest = null;
    const done = await run(ctx());
    if (done) log.info(job.name, done);
    if (nextDue && db.changes === changes) one.rest = { changes, since: clock.now(), until: nextDue(ctx()) };
  }
  const isResting = ({ rest }: Repeated) => rest?.changes === db.changes && isWithin(rest, clock.now());
  return {
    run() {
      const now = clock.steady();
      for (const one of repeated) {
        if (now < one.due - beatMs.busy / 2 || isResting(one)) continue;
        one.due = now + one.everyMs;
        void one.run();
      }
    },
    pauseMs() {
      const untilDue = (one: Repeated) =>
        Math.max(
          one.due - clock.steady(),
          one.rest && isResting(one) ? one.rest.until * 1000 - clock.ms() : 0,
        );
      return Math.min(...repeated.map(untilDue));
    },
  };
}

/** Not before `since` either: if the clock was set back, other things may be due. */
const isWithin = ({ since, until }: { since: number; until: number }, now: number) =>
  since <= now && now < until;

interface Watching {
  /** Checks as every beat does. */
  check(): void;
  /** Begins to rest unless checks are frequent; returns whether the file system reports other processes' writes. */
  rest(): boolean;
  end(): void;
}

interface WatchOptions {
  db: Db;
  queues: Queues;
  look: () => void;
  /** Another process has written, and may be about to commit; or this one has. */
  onReport: () => void;
}

/**
 * While clients listen, checks often for other processes' commits: only listeners need them at once. After a while without
 * changes, the file system reports the next write to the write-ahead log instead, and the frequent checks begin again. Without
 * listeners, the server's beats ask it for that.
 */
function watchOthers({ db, queues, look, onReport }: WatchOptions): Watching {
  let timer: ReturnType<typeof setInterval> | undefined;
  let watcher: FSWatcher | undefined;
  const misses = missesOf(db.clock);
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
  const report = () => {
    begin();
    look();
    onReport();
  };
  const askForReports = () => {
    if (misses.areMany() || isInMemory(db.sqlite)) return;
    try {
      watcher = watch(`${db.sqlite.filename}-wal`, report);
    } catch {
      return; // too many watches on this machine, or a system without them
    }
    watcher.on("error", () => {
      for (let n = 0; n < missesUntilDistrust; n++) misses.note();
      report();
    });
    endTimer();
    look(); // for what was written before the watch began
  };
  const tick = () => {
    if (queues.all.size === 0) endTimer();
    look();
    quiet = db.changes === changes ? quiet + 1 : 0;
    ({ changes } = db);
    if (timer && quiet >= looksUntilRest) askForReports();
  };
  queues.onOpen(begin);
  return {
    rest() {
      if (!timer && !watcher) askForReports();
      return watcher !== undefined;
    },
    check() {
      const before = db.changes;
      look();
      if (!watcher || db.changes === before) return;
      misses.note();
      begin();
    },
    end() {
      endTimer();
      endWatcher();
    },
  };
}

interface Misses {
  note(): void;
  /** Whether the file system seems not to report. After an hour it is tried again. */
  areMany(): boolean;
}

/** Counts changes that the file system did not report; a network file system may report nothing. */
export function missesOf(clock: Pick<Clock, "steady">): Misses {
  let times: number[] = [];
  return {
    note() {
      times = [...times, clock.steady()].slice(-missesUntilDistrust);
    },
    areMany() {
      times = times.filter((at) => at > clock.steady() - missesCountMs);
      return times.length >= missesUntilDistrust;
    },
  };
}

/** Runs a function and logs its failure instead of throwing, so that other work continues; returns whether it succeeded. */
export function guard(log: Log, name: string, run: () => Promise<void> | void): () => Promise<boolean> {
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
