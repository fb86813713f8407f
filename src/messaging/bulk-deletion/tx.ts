import { recordAudit } from "@/foundation/audit/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { concernsOthers, deleteTogether, placeNamed } from "@/messaging/messages/tx-removal.ts";
import { reachedBy } from "@/messaging/receipts/reach.ts";
import type { Done, TopicAt, TopicWork } from "@/messaging/topic-work/rows.ts";
import { noteDone } from "@/messaging/topic-work/tx.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { findNewestInTopic } from "./store.ts";

const batchSize = 100;

interface Batch {
  topic: TopicAt;
  before: number;
  /** Whether the actor may read all messages of the channel, and not only those that reached them. */
  readsAll: boolean;
  /** By earlier batches. */
  done: Done;
}

interface Deleted {
  /** The `before` of the next batch; null after the last. */
  lastId: number | null;
  /** By all batches so far. */
  done: Done;
}

export const nothingRemoved: Done = { removed: 0, concerns_others: 0 };

/** Deletes a topic's newest messages below the ID `before`. After the last batch, the audit log tells how many went. */
export function deleteNewest(tx: Tx, { topic, before, readsAll, done: earlier }: Batch): Deleted {
  const rows = findNewestInTopic(tx, {
    conversationId: topic.conversationId,
    topicKey: topicKey(topic.topic),
    before,
    max: batchSize,
  });
  const reached = readsAll ? null : new Set(reachedBy(tx, rows, [tx.actor.id]).get(tx.actor.id));
  const gone = rows.filter((row) => reached?.has(row.id) ?? true);
  const isOthers = earlier.concerns_others === 1 || concernsOthers(tx, gone);
  const done: Done = { removed: earlier.removed + gone.length, concerns_others: isOthers ? 1 : 0 };
  deleteTogether(tx, gone);
  const lastId = rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
  if (lastId === null && isOthers) record(tx, topic, done);
  return { lastId, done };
}

function record(tx: Tx, { conversationId, topic }: TopicAt, { removed }: Done): void {
  const name = placeNamed(tx, { conversation_id: conversationId, topic });
  recordAudit(tx, { event: "topic_deleted", about: { kind: "topic", name }, data: { messages: removed } });
}

/** The next messages of a deletion that has begun. */
export function continueDeletion(tx: Tx, work: TopicWork): number | null {
  const { lastId, done } = deleteNewest(tx, {
    topic: { conversationId: work.conversation_id, topic: work.topic },
    before: work.last_id,
    readsAll: work.reads_all === 1,
    done: work,
  });
  noteDone(tx, work, done);
  return lastId;
}
