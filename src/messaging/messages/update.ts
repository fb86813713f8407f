import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { tellUnreadAgain } from "@/messaging/flags/actions.ts";
import { type Change, keepPast } from "@/messaging/message-history/store.ts";
import { carryOut, type Move, type MoveWish, plannedMove } from "@/messaging/message-moves/move.ts";
import { type Extent, leaveNotices, type NoticesWanted } from "@/messaging/message-moves/notices.ts";
import { concernedBy, sightIn } from "@/messaging/message-moves/readers.ts";
import { forgetFlagsOfOthers } from "@/messaging/receipts/changes.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { moveTopicPolicies } from "@/places/user-topics/actions.ts";
import { type MessageRow, messageFor } from "./access.ts";
import { keepingFirst } from "./first-message.ts";
import { findMessage, newestInTopic } from "./store.ts";
import { type ContentChange, changeContent, plannedContent } from "./update-content.ts";
import { tellContentChanged, tellMoved } from "./update-news.ts";

export interface MessageUpdate extends ContentChange, MoveWish, NoticesWanted {
  message_id: number;
}

/**
 * Changes a message's content, its place, or both; returns the actor's files that were linked by it and are linked by no
 * message any more.
 */
export const updateMessage = action(allow.user, (tx, update: MessageUpdate): Attachment[] => {
  const row = messageFor(tx, update.message_id);
  const move = plannedMove(tx, row, update);
  const content = plannedContent(tx, row, update);
  if (move) return moveMessages(tx, move, { ...update, content });
  return content === null ? fail("BAD_REQUEST", "Nothing to change") : rewrite(tx, row, content);
});

function rewrite(tx: Tx, row: MessageRow, content: string): Attachment[] {
  keepPast(tx, row.id, [row.id], { rewritten: row.id, topic: null, channel: null });
  const { changed, detached } = changeContent(tx, row, content);
  tellContentChanged(tx, row, changed);
  return detached;
}

type Moving = NoticesWanted & { content: string | null };

function moveMessages(tx: Tx, move: Move, { content, ...wanted }: Moving): Attachment[] {
  const { from, to } = move;
  const ids = move.rows.map((row) => row.id);
  const merges = newestInTopic(tx, to.conversationId, topicKey(to.topic)) !== null;

  keepPast(tx, move.target.id, ids, changeOf(move, content));
  const channels = move.isChannelNew ? [from.channel.id, to.channel.id] : [];
  const detached = keepingFirst(tx, channels, () => {
    const after = carryOut(tx, move);
    if (move.isChannelNew) {
      forgetFlagsOfOthers(tx, ids, (userIds) => sightIn(tx, to.channel, after, userIds));
    }
    const moved = findMessage(tx, move.target.id) as MessageRow;
    const rewritten = content === null ? null : changeContent(tx, moved, content);
    const target = rewritten?.changed ?? moved;
    tellMoved(tx, move, { concerned: concernedBy(tx, move, after), target });
    if (move.isChannelNew) {
      const were = subscriberIds(tx, from.channel.id);
      tellUnreadAgain(
        tx,
        ids,
        [...subscriberIds(tx, to.channel.id)].filter((id) => !were.has(id)),
      );
    }
    return rewritten?.detached ?? [];
  });
  const isWhole = newestInTopic(tx, from.conversationId, topicKey(from.topic)) === null;
  conclude(tx, move, { isWhole, merges }, wanted);
  return detached;
}

function changeOf({ target, from, to, isTopicNew, isChannelNew }: Move, content: string | null): Change {
  return {
    rewritten: content === null ? null : target.id,
    topic: isTopicNew ? to.topic : null,
    channel: isChannelNew ? { from: from.channel.id, to: to.channel.id } : null,
  };
}

/** What follows from a move for those who follow or mute the topic, and for those who look for it. */
function conclude(tx: Tx, move: Move, extent: Extent, wanted: NoticesWanted): void {
  const from = { channelId: move.from.channel.id, topic: move.from.topic };
  const to = { channelId: move.to.channel.id, topic: move.to.topic };
  if (extent.isWhole) moveTopicPolicies(tx, { from, to, merges: extent.merges });
  leaveNotices(tx, move, extent, wanted);
}
