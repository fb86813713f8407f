import type { Tx } from "@/kernel/context.ts";
import { deleteTogether } from "@/messaging/messages/tx-removal.ts";
import { reachedBy } from "@/messaging/receipts/reach.ts";
import type { TopicAt, TopicWork } from "@/messaging/topic-work/rows.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { findNewestInTopic } from "./store.ts";

const batchSize = 100;

interface Batch {
  topic: TopicAt;
  before: number;
  /** Whether the actor may read all messages of the channel, and not only those that reached them. */
  readsAll: boolean;
}

/** Deletes a topic's newest messages below the ID `before`. Returns the `before` of the next batch, or null after the last. */
export function deleteNewest(tx: Tx, { topic, before, readsAll }: Batch): number | null {
  const rows = findNewestInTopic(tx, {
    conversationId: topic.conversationId,
    topicKey: topicKey(topic.topic),
    before,
    max: batchSize,
  });
  const reached = readsAll ? null : new Set(reachedBy(tx, rows, [tx.actor.id]).get(tx.actor.id));
  deleteTogether(
    tx,
    rows.filter((row) => reached?.has(row.id) ?? true),
  );
  return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
}

/** The next messages of a deletion that has begun. */
export function continueDeletion(tx: Tx, work: TopicWork): number | null {
  return deleteNewest(tx, {
    topic: { conversationId: work.conversation_id, topic: work.topic },
    before: work.last_id,
    readsAll: work.reads_all === 1,
  });
}
