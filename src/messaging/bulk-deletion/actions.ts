import { allow } from "@/foundation/permissions/access.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { mayDeleteAny } from "@/messaging/messages/access.ts";
import { checkFree, completed, NotYet, onceReady } from "@/messaging/topic-work/running.ts";
import { keepWork } from "@/messaging/topic-work/tx.ts";
import { channelFor, sharesHistory } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { asTopic } from "@/places/topics/schema.ts";
import { deleteNewest, nothingRemoved } from "./tx.ts";

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
      return { complete: work === null || (await completed(ctx, work, until)) };
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
    fail("BAD_REQUEST", `You do not have permission to delete messages in channel '${channel.name}'.`);
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
