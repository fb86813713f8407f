import type { Tx } from "@/kernel/context.ts";
import type { TopicAt, TopicWork } from "./rows.ts";
import * as store from "./store.ts";

export interface NewWork extends Pick<TopicWork, "kind"> {
  from: TopicAt;
  to: TopicAt;
  readsAll: boolean;
  lastId: number;
}

/** Stores, in the transaction of the first messages, that others follow. Returns its ID, for `completed` after the commit. */
export function keepWork(tx: Tx, { kind, from, to, readsAll, lastId }: NewWork): number {
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
  });
}
