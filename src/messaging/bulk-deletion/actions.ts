import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { releaseRetention } from "@/foundation/retention/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { keepWork, noteDone } from "@/messaging/background-jobs/actions.ts";
import { checkFree, finishWork, NotYet, onceReady } from "@/messaging/background-jobs/running.ts";
import type { DoneWork, TopicAt, TopicWork } from "@/messaging/background-jobs/schema.ts";
import { mayDeleteAny } from "@/messaging/messages/access.ts";
import { concernsOthers, deleteTogether, placeNamed } from "@/messaging/messages/actions.ts";
import { listReached } from "@/messaging/receipts/reach.ts";
import { channelFor, sharesHistory } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { asTopic, topicKey } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { findNewestInTopic } from "./store.ts";

const maxMs = 50_000;

export interface TopicInChannel {
  channel_id: number;
  topic: string;
}

/**
 * Deletes the messages of a topic that the actor can read, newest first, in batches. If that takes long, returns
 * `complete: false` and goes on; a request that is repeated waits for it. Waits for a move of the topic, and moves wait for it.
 */
export const deleteTopic = operation(
  allow.user,
  async (ctx, topic: TopicInChannel): Promise<{ complete: boolean }> => {
    const until = ctx.db.clock.steady() + maxMs;
    try {
      const work = await onceReady(() => beginDeletion(ctx, topic), until);
      return { complete: work === null || (await finishWork(ctx, work, until)) };
    } catch (error) {
      if (error instanceof NotYet) return { complete: false };
      throw error;
    }
  },
);

/** Deletes the newest messages. Returns the work that is left, or null if all is done. */
const beginDeletion = action(allow.user, (tx, input: TopicInChannel): number | null => {
  const channel = channelFor(tx, input.channel_id, "read");
  if (!mayDeleteAny(tx, channel.id)) {
    fail(
      "BAD_REQUEST",
      sentence("You do not have permission to delete messages in channel ''{channel}''.", {
        channel: channel.name,
      }),
    );
  }
  const topic = { conversationId: channelConversation(tx, channel.id), topic: asTopic(input.topic) };
  checkFree(tx, [topic]);

  const readsAll = sharesHistory(channel);
  const batch = { topic, before: Number.MAX_SAFE_INTEGER, readsAll, done: nothingRemoved };
  const { lastId, done } = deleteNewest(tx, batch);
  return lastId === null
    ? null
    : keepWork(tx, { kind: "deletion", from: topic, to: topic, readsAll, lastId, done });
});

/** Lets the next sweep delete what a shorter retention, an import or a backup still makes it wait for. */
export const sweepNow = action(allow.owner, (tx, channelId: number | null): void => {
  const channel = channelId === null ? null : channelFor(tx, channelId, "administer");
  releaseRetention(tx, channel?.id ?? 0);
  recordAudit(tx, {
    event: "retention_released",
    about: channel ? { kind: "channel", id: channel.id } : { kind: "realm" },
  });
});

const batchSize = 100;

interface Batch {
  topic: TopicAt;
  before: number;
  /** Whether the actor may read all messages of the channel, and not only those that reached them. */
  readsAll: boolean;
  /** By earlier batches. */
  done: DoneWork;
}

interface Deleted {
  /** The `before` of the next batch; null after the last. */
  lastId: number | null;
  /** By all batches so far. */
  done: DoneWork;
}

const nothingRemoved: DoneWork = { removed: 0, concerns_others: 0 };

/** Deletes a topic's newest messages below the ID `before`. After the last batch, the audit log tells how many went. */
function deleteNewest(tx: Tx, { topic, before, readsAll, done: earlier }: Batch): Deleted {
  const rows = findNewestInTopic(tx, {
    conversationId: topic.conversationId,
    topicKey: topicKey(topic.topic),
    before,
    max: batchSize,
  });
  const reached = readsAll ? null : new Set(listReached(tx, rows, [tx.actor.id]).get(tx.actor.id));
  const gone = rows.filter((row) => reached?.has(row.id) ?? true);
  const isOthers = earlier.concerns_others === 1 || concernsOthers(tx, gone);
  const done: DoneWork = { removed: earlier.removed + gone.length, concerns_others: isOthers ? 1 : 0 };
  deleteTogether(tx, gone);
  const lastId = rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
  if (lastId === null && isOthers) record(tx, topic, done);
  return { lastId, done };
}

function record(tx: Tx, { conversationId, topic }: TopicAt, { removed }: DoneWork): void {
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
