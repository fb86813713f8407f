// Work that takes several transactions, and that is completed even if a process dies in the middle. What is under way is stored, so
// that any process can do the next part: the one that began it or, if that has died, another (docs/decisions/topic-work.md).

import { type Ctx, type Reads, writesHere } from "@/kernel/core/context.ts";
import { asSystem } from "@/kernel/core/operation.ts";
import type { PeriodicJob } from "@/kernel/http/domain.ts";
import { AppError, fail, type KnownText } from "@/kernel/lib/errors.ts";
import { runApart } from "@/kernel/store/forwarded-requests.ts";
import { perApp } from "@/kernel/store/per-app.ts";

const lookMs = 50;
/** After so long without progress, another process may carry on: two at once would do no harm. Each failure doubles it, up to half a minute. */
const stallMs = 500;
const mostDoublings = 6;
/** How long to wait without progress: for a node that leads next or, here, for a disk that has space again. */
const patienceMs = 12_000;
const stopping = "The server is stopping. It goes on with this after its next start.";

/** A kind of work: how it is stored, and how its next part is done. */
export interface Kind<W extends { id: number }> {
  /** Of the job that carries on what another process has left. */
  job: string;
  list: (reads: Reads) => W[];
  find: (reads: Reads, id: number) => W | null;
  /** Changes whenever the work has gone on. */
  progressOf: (work: W) => string;
  /** Does the next part, in a transaction of its own; resolves to whether there is more. */
  doNext: (ctx: Ctx, id: number) => Promise<boolean>;
  /** Stores why the work does not go on, for the doctor. */
  keepFault: (ctx: Ctx, fault: { id: number; reason: string }) => Promise<void>;
  /** As the log names it: "A move of a topic". */
  nameOf: (work: W) => string;
  /** What a request is told that has waited for too long. */
  unfinished: KnownText;
}

export interface Runner {
  /** Carries on the work that this process has begun. Returns whether it has ended at `until`; if not, it goes on after that. */
  finish: (ctx: Ctx, id: number, until?: number) => Promise<boolean>;
  /** Waits for work, and carries it on if no process does. Returns whether it has ended at `until`, on the monotonic clock. */
  waitForEnd: (ctx: Ctx, id: number, until: number) => Promise<boolean>;
  /** Carries on what another process, or a node that led before, has left. */
  resuming: PeriodicJob;
}

interface Here {
  /** Work that this process carries on. */
  running: Map<number, Promise<void>>;
  /** How far work of other processes was, and since when, on the monotonic clock. */
  seen: Map<number, { progress: string; since: number }>;
  /** How often this process has failed to carry on, without progress since. */
  failures: Map<number, number>;
  /** Why, as this process has logged it. */
  logged: Map<number, string>;
}

const stop = perApp(() => ({ isStopped: false }));

/** Stops after the parts that are being done, so that the database can be closed. */
export function stopWork(reads: Reads): void {
  stop(reads).isStopped = true;
}

export function runnerOf<W extends { id: number }>(kind: Kind<W>): Runner {
  const here = perApp(
    (): Here => ({ running: new Map(), seen: new Map(), failures: new Map(), logged: new Map() }),
  );

  const finish: Runner["finish"] = (ctx, id, until = Number.POSITIVE_INFINITY) => {
    if (writesHere(ctx)) void ensureRunning(ctx, id);
    return waitForEnd(ctx, id, until);
  };

  const waitForEnd: Runner["waitForEnd"] = async (ctx, id, until) => {
    const { clock } = ctx.db;
    const state = here(ctx);
    let last = { progress: "", since: 0, error: null as unknown };
    for (;;) {
      if (stop(ctx).isStopped) fail("SERVER_NOT_READY", stopping);
      const work = kind.find(ctx, id);
      if (!work) {
        forget(state, id);
        return true;
      }
      const now = clock.steady();
      if (now >= until) return false;
      const progress = kind.progressOf(work);
      if (last.progress !== progress) last = { progress, since: now, error: null };
      if (now >= last.since + patienceMs)
        throw last.error ?? new AppError("SERVER_NOT_READY", kind.unfinished);
      const run = state.running.get(id) ?? (isStalled(ctx, work) ? ensureRunning(ctx, id) : null);
      const failed = run?.then(
        () => null,
        (error: unknown) => error,
      );
      last.error = (await Promise.race(failed ? [pause(), failed] : [pause()])) ?? last.error;
    }
  };

  function isStalled(ctx: Ctx, work: W): boolean {
    const { seen, failures, logged } = here(ctx);
    const { id } = work;
    const progress = kind.progressOf(work);
    const now = ctx.db.clock.steady();
    const before = seen.get(id);
    if (before?.progress === progress) {
      const patience = stallMs * 2 ** Math.min(failures.get(id) ?? 0, mostDoublings);
      return now >= before.since + patience && writesHere(ctx);
    }
    if (before) {
      failures.delete(id);
      logged.delete(id);
    }
    seen.set(id, { progress, since: now });
    return false;
  }

  function ensureRunning(ctx: Ctx, id: number): Promise<void> {
    const state = here(ctx);
    const { running, seen, failures } = state;
    const known = running.get(id);
    if (known) return known;
    // Not a part of the request that waits for it, which a cluster may run again.
    const run = runApart(() => carryOn(asSystem(ctx), id)).finally(() => {
      running.delete(id);
      seen.delete(id);
    });
    // The waiting request fails; the job tries again.
    run.then(
      () => forget(state, id),
      () => failures.set(id, (failures.get(id) ?? 0) + 1),
    );
    running.set(id, run);
    return run;
  }

  async function carryOn(ctx: Ctx, id: number): Promise<void> {
    try {
      while (!stop(ctx).isStopped && (await kind.doNext(ctx, id)));
    } catch (error) {
      // What keeps the work from going on may keep this from being stored.
      await kind.keepFault(ctx, { id, reason: reasonOf(error) }).catch(() => {});
      throw error;
    }
  }

  async function resume(ctx: Ctx): Promise<void> {
    const state = here(ctx);
    const { running, seen } = state;
    const works = kind.list(ctx);
    const isThere = new Set(works.map(({ id }) => id));
    for (const id of seen.keys()) if (!isThere.has(id)) forget(state, id);
    const left = works.filter((work) => !running.has(work.id) && isStalled(ctx, work));
    const news: string[] = [];
    const logFailure = (work: W) => (error: unknown) => {
      const reason = reasonOf(error);
      if (state.logged.get(work.id) === reason) return;
      state.logged.set(work.id, reason);
      const stack = error instanceof Error ? error.stack : undefined;
      news.push(
        `${kind.nameOf(work)} does not go on; this is logged once, and 'confab doctor' shows it: ${stack ?? reason}`,
      );
    };
    await Promise.all(left.map((work) => ensureRunning(ctx, work.id).catch(logFailure(work))));
    if (news.length > 0) throw new Error(news.join("\n"));
  }

  const resuming: PeriodicJob = {
    name: kind.job,
    everySeconds: 0.5,
    run: resume,
    nextDue: (reads) => (kind.list(reads).length > 0 ? 0 : Number.POSITIVE_INFINITY),
  };
  return { finish, waitForEnd, resuming };
}

const pause = () => new Promise<null>((resolve) => setTimeout(resolve, lookMs, null));

function forget({ seen, failures, logged }: Here, id: number): void {
  for (const known of [seen, failures, logged]) known.delete(id);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
