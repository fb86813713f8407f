import type { Tx } from "@/kernel/core/context.ts";
import { type DoneWork, type TopicAt, type TopicWork, topicWorkSettings } from "./schema.ts";
import * as store from "./store.ts";

export interface NewWork extends Pick<TopicWork, "kind"> {
  from: TopicAt;
  to: TopicAt;
  readsAll: boolean;
  lastId: number;
  done: DoneWork;
}

/** Stores, in the transaction of the first messages, that others follow. Returns its ID, for `finishWork` after the commit. */
export function keepWork(tx: Tx, { kind, from, to, readsAll, lastId, done }: NewWork): number {
  return store.insert(tx, {
    kind,
    user_id: tx.actor.id,
    client: tx.actor.client,
    conversation_id: from.conversationId,
    topic: from.topic,
    to_conversation_id: to.conversationId,
    to_topic: to.topic,
    reads_all: readsAll ? 1 : 0,
    last_id: lastId,
    ...done,
  });
}

/** Stores what has been done so far. */
export function noteDone(tx: Tx, { id }: TopicWork, done: DoneWork): void {
  store.setDone(tx, id, done);
}

/** Stores why work does not go on; the time is that of the first failure since its last progress. */
export function noteFault(tx: Tx, id: number, reason: string): void {
  const work = store.find(tx, id);
  if (!work) return;
  const { faults } = topicWorkSettings.read(tx);
  const known = faults.find((one) => one.work_id === id && one.last_id === work.last_id);
  if (known?.reason === reason) return;
  const fault = { work_id: id, last_id: work.last_id, since: known?.since ?? tx.now, reason };
  const others = faults.filter((one) => one.work_id !== id);
  topicWorkSettings.write(tx, "faults", [...others, fault]);
}

/** Called when work has gone on. */
export function forgetFault(tx: Tx, id: number): void {
  const { faults } = topicWorkSettings.read(tx);
  const others = faults.filter((one) => one.work_id !== id);
  if (others.length < faults.length) topicWorkSettings.write(tx, "faults", others);
}
