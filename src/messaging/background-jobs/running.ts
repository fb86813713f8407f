// Work on a topic that takes several transactions, of which no other may take a half: moves and deletions of large topics. What is
// under way is stored, so that any process can do its next messages: the one that began it or, if that has died, another
// (docs/decisions/topic-work.md).

import { allow } from "@/foundation/permissions/access.ts";
import { type Ctx, type Reads, writesHere } from "@/kernel/core/context.ts";
import { actingAs, action, asSystem } from "@/kernel/core/operation.ts";
import type { PeriodicJob } from "@/kernel/http/domain.ts";
import { AppError, fail } from "@/kernel/lib/errors.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { runApart } from "@/kernel/store/forwarded-requests.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { forgetFault, noteFault } from "./actions.ts";
import { nextOf } from "./hooks.ts";
import type { TopicAt, TopicWork } from "./schema.ts";
import * as store from "./store.ts";

const lookMs = 50;
/** Work that has not gone on for so long, no process is at. Two at once would do no harm. Each failure doubles it, up to half a minute. */
const stallMs = 500;
const mostDoublings = 6;
/** How long to wait without progress: for a node that leads next or, here, for a disk that has space again. */
const patienceMs = 12_000;
const stopping = "The server is stopping. It goes on with this after its next start.";
const unfinished =
  "Messages of this topic are being moved or deleted, and that does not go on. Please try again later.";

interface Here {
  /** Work that this process carries on. */
  running: Map<number, Promise<void>>;
  /** How far work of other processes was, and since when, on the monotonic clock. */
  seen: Map<number, { lastId: number; since: number }>;
  /** How often this process has failed to carry on, without progress since. */
  failures: Map<number, number>;
  /** Why, as this process has logged it. */
  logged: Map<number, string>;
  isStopped: boolean;
}

const here = perApp(
  (): Here => ({
    running: new Map(),
    seen: new Map(),
    failures: new Map(),
    logged: new Map(),
    isStopped: false,
  }),
);

/** Thrown inside a transaction that has changed nothing: it is to run again once `wait` has returned true. */
export class NotYet extends Error {
  constructor(readonly wait: (until: number) => Promise<boolean>) {
    super("This waits for other work");
  }
}

/** Throws `NotYet` while work is under way that starts from one of these topics or leads there. */
export function checkFree(ctx: Ctx, topics: readonly TopicAt[]): void {
  const works = store.list(ctx);
  if (works.length === 0) return;
  const wished = new Set(topics.map(placeOf));
  const other = works.find((work) => placesOf(work).some((place) => wished.has(place)));
  if (!other) return;
  throw new NotYet((until) => waitForEnd(ctx, other.id, until));
}

const placeOf = ({ conversationId, topic }: TopicAt) => `${conversationId} ${topicKey(topic)}`;

const placesOf = (work: TopicWork) => [
  placeOf({ conversationId: work.conversation_id, topic: work.topic }),
  placeOf({ conversationId: work.to_conversation_id, topic: work.to_topic }),
];

/** For a check that takes long, before a transaction: `NotYet` has it run in slices. */
export function inSlicesFirst(check: () => Task<void>): NotYet {
  return new NotYet(async () => {
    await runInSlices(check());
    return true;
  });
}

/** Runs a transaction, again whenever it has to wait. Throws `NotYet` if it still has to at `until`, on the monotonic clock. */
export async function onceReady<T>(run: () => Promise<T>, until = Number.POSITIVE_INFINITY): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NotYet) || !(await error.wait(until))) throw error;
    }
  }
}

/** Carries on the work that this process has begun. Returns whether it has ended at `until`; if not, it goes on after that. */
export function finishWork(ctx: Ctx, id: number, until = Number.POSITIVE_INFINITY): Promise<boolean> {
  if (writesHere(ctx)) void ensureRunning(ctx, id);
  return waitForEnd(ctx, id, until);
}

/** Waits for work, and carries it on if no process does. Returns whether it has ended at `until`. */
async function waitForEnd(ctx: Ctx, id: number, until: number): Promise<boolean> {
  const { clock } = ctx.db;
  const state = here(ctx);
  let last = { id: -1, since: 0, error: null as unknown };
  for (;;) {
    if (state.isStopped) fail("SERVER_NOT_READY", stopping);
    const work = store.find(ctx, id);
    if (!work) {
      forget(state, id);
      return true;
    }
    const now = clock.steady();
    if (now >= until) return false;
    if (last.id !== work.last_id) last = { id: work.last_id, since: now, error: null };
    if (now >= last.since + patienceMs) throw last.error ?? new AppError("SERVER_NOT_READY", unfinished);
    const run = state.running.get(id) ?? (isStalled(ctx, work) ? ensureRunning(ctx, id) : null);
    const failed = run?.then(
      () => null,
      (error: unknown) => error,
    );
    last.error = (await Promise.race(failed ? [pause(), failed] : [pause()])) ?? last.error;
  }
}

const pause = () => new Promise<null>((resolve) => setTimeout(resolve, lookMs, null));

function isStalled(ctx: Ctx, { id, last_id }: TopicWork): boolean {
  const { seen, failures, logged } = here(ctx);
  const now = ctx.db.clock.steady();
  const before = seen.get(id);
  if (before?.lastId === last_id) {
    const patience = stallMs * 2 ** Math.min(failures.get(id) ?? 0, mostDoublings);
    return now >= before.since + patience && writesHere(ctx);
  }
  if (before) {
    failures.delete(id);
    logged.delete(id);
  }
  seen.set(id, { lastId: last_id, since: now });
  return false;
}

function forget({ seen, failures, logged }: Here, id: number): void {
  for (const known of [seen, failures, logged]) known.delete(id);
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
    while (!here(ctx).isStopped && (await doNext(ctx, id)));
  } catch (error) {
    // What keeps the work from going on may keep this from being stored.
    await keepFault(ctx, { id, reason: reasonOf(error) }).catch(() => {});
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

const keepFault = action(allow.system, (tx, { id, reason }: { id: number; reason: string }): void =>
  noteFault(tx, id, reason),
);

/** The next messages, in the name of the user who began, with the rights of that time. Returns whether there are more. */
const doNext = action(allow.system, (tx, id: number): boolean => {
  const work = store.find(tx, id);
  if (!work) return false;
  const asUser = actingAs(tx, { kind: "user", id: work.user_id, client: work.client });
  const lastId = nextOf[work.kind](asUser, work);
  forgetFault(tx, id);
  if (lastId === null) store.remove(tx, id);
  else store.setLast(tx, id, lastId);
  return lastId !== null;
});

/** Stops after the messages that are being done, so that the database can be closed. */
export function stopTopicWork(reads: Reads): void {
  here(reads).isStopped = true;
}

/** Carries on what another process, or a node that led before, has left. */
async function resume(ctx: Ctx): Promise<void> {
  const state = here(ctx);
  const { running, seen } = state;
  const works = store.list(ctx);
  const isThere = new Set(works.map(({ id }) => id));
  for (const id of seen.keys()) if (!isThere.has(id)) forget(state, id);
  const left = works.filter((work) => !running.has(work.id) && isStalled(ctx, work));
  const news: string[] = [];
  const logFailure =
    ({ id, kind }: TopicWork) =>
    (error: unknown) => {
      const reason = reasonOf(error);
      if (state.logged.get(id) === reason) return;
      state.logged.set(id, reason);
      const stack = error instanceof Error ? error.stack : undefined;
      news.push(
        `A ${kind} of a topic does not go on; this is logged once, and 'confab doctor' shows it: ${stack ?? reason}`,
      );
    };
  await Promise.all(left.map((work) => ensureRunning(ctx, work.id).catch(logFailure(work))));
  if (news.length > 0) throw new Error(news.join("\n"));
}

export const resuming: PeriodicJob = {
  name: "carry on with topics",
  everySeconds: 0.5,
  run: resume,
  nextDue: (reads) => (store.list(reads).length > 0 ? 0 : Number.POSITIVE_INFINITY),
};
