// Work on a topic that takes several transactions, of which no other may take a half: moves and deletions of large topics.

import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { actingAs, action } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { forgetFault, noteFault } from "./actions.ts";
import { nextOf } from "./hooks.ts";
import { runnerOf } from "./runner.ts";
import type { TopicAt, TopicWork } from "./schema.ts";
import * as store from "./store.ts";

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
  throw new NotYet((until) => runner.waitForEnd(ctx, other.id, until));
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

const runner = runnerOf<TopicWork>({
  job: "carry on with topics",
  list: store.list,
  find: store.find,
  progressOf: ({ last_id }) => String(last_id),
  doNext,
  keepFault,
  nameOf: ({ kind }) => `A ${kind} of a topic`,
  unfinished:
    "Messages of this topic are being moved or deleted, and that does not go on. Please try again later.",
});

export const { finish: finishWork, resuming } = runner;
