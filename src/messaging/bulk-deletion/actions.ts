import { allow, me } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { onceReady, type TopicWork, workingOnTopics } from "@/messaging/message-moves/under-way.ts";
import { mayDeleteAny, mayReadMessage } from "@/messaging/messages/access.ts";
import { deleteTogether } from "@/messaging/messages/tx-removal.ts";
import { channelFor } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { asTopic, topicKey } from "@/places/topics/schema.ts";
import { findNewestInTopic } from "./store.ts";

const batchSize = 100;
const maxMs = 50_000;

export interface TopicInChannel {
  channel_id: number;
  topic: string;
}

/**
 * Deletes the messages of a topic that the actor can read, newest first, in batches. If time runs out, returns
 * `complete: false`, and the client repeats the request. Waits for a move of the topic, and moves wait for it.
 */
export const deleteTopic = operation(
  allow.user,
  (ctx, topic: TopicInChannel): Promise<{ complete: boolean }> =>
    workingOnTopics(ctx, async (work) => {
      const { clock } = ctx.db;
      const end = clock.steady() + maxMs;
      let before: number | null = Number.MAX_SAFE_INTEGER;
      while (before !== null) {
        const batch: Batch = { ...topic, before, work };
        before = await onceReady(() => deleteNewest(ctx, batch));
        if (before !== null && clock.steady() >= end) return { complete: false };
      }
      return { complete: true };
    }),
);

interface Batch extends TopicInChannel {
  before: number;
  work: TopicWork;
}

/** Deletes a batch of messages below the ID `before`. Returns the `before` of the next batch, or null after the last. */
const deleteNewest = action(allow.user, (tx, input: Batch): number | null => {
  const channel = channelFor(tx, input.channel_id, "read");
  if (!mayDeleteAny(tx, channel.id)) {
    fail("BAD_REQUEST", `You do not have permission to delete messages in channel '${channel.name}'.`);
  }

  const conversationId = channelConversation(tx, channel.id);
  const topic = asTopic(input.topic);
  input.work.reserve(tx, [{ conversationId, topic }]);
  const rows = findNewestInTopic(tx, {
    conversationId,
    topicKey: topicKey(topic),
    before: input.before,
    max: batchSize,
  });
  const user = me(tx);
  deleteTogether(
    tx,
    rows.filter((row) => mayReadMessage(tx, user, row)),
  );
  return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
});
