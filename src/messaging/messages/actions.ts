import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { atOnce } from "@/kernel/steps.ts";
import { type ContentChange, changeContent, plannedContent } from "@/messaging/message-edits/tx-content.ts";
import { emitContentChanged, emitMoved } from "@/messaging/message-edits/tx-news.ts";
import type { Change } from "@/messaging/message-history/schema.ts";
import { keepPast } from "@/messaging/message-history/tx.ts";
import type { Move, Moved, Way } from "@/messaging/message-moves/planned.ts";
import { carryOut, type MoveWish, plannedMove } from "@/messaging/message-moves/tx-move.ts";
import { type Extent, leaveNotices, type NoticesWanted } from "@/messaging/message-moves/tx-notices.ts";
import { firstPortion, isSmall, movedOn, nextPortion } from "@/messaging/message-moves/tx-portions.ts";
import { concernedBy, sightIn } from "@/messaging/message-moves/tx-readers.ts";
import { checkTimeLimit, earliestToMove } from "@/messaging/message-moves/tx-rules.ts";
import {
  inTurnsFirst,
  onceReady,
  type TopicWork,
  workingOnTopics,
} from "@/messaging/message-moves/under-way.ts";
import { forgetFlagsOfOthers } from "@/messaging/receipts/tx-marks.ts";
import { emitUnreadAgain } from "@/messaging/receipts/tx-reception.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { moveTopicPolicies } from "@/places/user-topics/tx.ts";
import { noteSending } from "@/places/user-topics/tx-automatic.ts";
import { findMessageById, holdsEither, mayDeleteAny, messageFor, newestInTopic } from "./access.ts";
import { messageHooks } from "./hooks.ts";
import { renderMessage } from "./lookup.ts";
import { resolveRecipient } from "./recipients.ts";
import type { MessageRow } from "./rows.ts";
import { checkedContent, graceSeconds } from "./schema.ts";
import * as store from "./store.ts";
import { letMentionedFollow } from "./tx-mentions.ts";
import { type Posting, post, type Sending } from "./tx-posting.ts";
import { deleteTogether, keepingFirst } from "./tx-removal.ts";

export interface NewMessageInput extends Sending {
  type: "channel" | "direct";
  /** A channel's name or ID, or the IDs or email addresses of users. An empty list means the sender. */
  to: readonly (string | number)[];
  content: string;
  topic?: string;
}

export interface Sent {
  id: number;
  /** The sender's new visibility policy for the topic, if sending changed it. */
  automatic_new_visibility_policy?: Policy;
}

/** Sends a message (docs/http-api.md#send-message; docs/design.md#the-life-of-a-send). */
export const sendMessage = action(
  allow.sender,
  (tx, input: NewMessageInput): Sent => {
    const content = checkedContent(input.content);
    const recipient = resolveRecipient(tx, input);
    const rendered = renderMessage(tx, content);
    const posting = { input, content, recipient, rendered };
    const row = post(tx, posting);
    messageHooks.sent(tx, { row, recipient, rendered });
    const policy = noteInTopic(tx, row, posting);
    return { id: row.id, ...(policy === null ? {} : { automatic_new_visibility_policy: policy }) };
  },
  { isRepeatable: true },
);

/** Applies the settings for following topics automatically. Returns the sender's new policy, or null if unchanged. */
function noteInTopic(tx: Tx, row: MessageRow, { recipient, rendered }: Posting): Policy | null {
  if (recipient.kind === "direct") return null;
  const topic = { channelId: recipient.channel.id, topic: recipient.topic };
  const policy = noteSending(tx, topic, () => !store.isInTopicBefore(tx, row));
  letMentionedFollow(
    tx,
    topic,
    rendered.mentionedUsers.filter((id) => recipient.subscribers.has(id)),
  );
  return policy;
}

/** Deletes a message for everyone. */
export const deleteMessage = action(allow.user, (tx, id: number): void => {
  const row = messageFor(tx, id);
  const { channel_id } = conversation(tx, row.conversation_id);
  if (!mayDeleteAny(tx, channel_id)) checkMayDeleteOwn(tx, row, channel_id);

  deleteTogether(tx, [row]);
});

/** Users may delete their own and their bots' messages within the time limit, if they have the permission. */
function checkMayDeleteOwn(tx: Tx, row: MessageRow, channelId: number | null): void {
  const actor = me(tx);
  const sender = memberOf(tx, row.sender_id);
  const isOwn = sender.id === actor.id || sender.bot_owner_id === actor.id;
  if (!isOwn || !holdsEither(tx, channelId, "can_delete_own_message_group")) {
    fail("BAD_REQUEST", "You don't have permission to delete this message");
  }
  const limit = realmSettings.read(tx).message_content_delete_limit_seconds;
  if (limit !== null && tx.now > row.sent_at + limit + graceSeconds) {
    fail("BAD_REQUEST", "The time limit for deleting this message has passed");
  }
}

export interface MessageUpdate extends ContentChange, MoveWish, NoticesWanted {
  message_id: number;
}

/**
 * Edits a message, moves it, or both. Returns the actor's files that the message linked to and that no message links to
 * any more. Many messages move in several transactions, so that other requests run in between; others who would move them wait.
 */
export const updateMessage = operation(
  allow.user,
  (ctx, update: MessageUpdate): Promise<Attachment[]> =>
    workingOnTopics(ctx, async (work) => {
      const beginning = { update, work, isInTime: false };
      const { detached, left } = await onceReady(() => beginUpdate(ctx, beginning));
      let more = left;
      while (more) more = await continueMove(ctx, more);
      return detached;
    }),
);

/** What is left of a move after a portion of its messages. */
interface MoveLeft {
  way: Way;
  merges: boolean;
  wanted: NoticesWanted;
  moved: Moved;
  /** The others have higher IDs; null after the last message. */
  after: number | null;
}

interface Beginning {
  update: MessageUpdate;
  work: TopicWork;
  /** Set once the time limit was checked, before the transaction that moves. */
  isInTime: boolean;
}

const beginUpdate = action(
  allow.user,
  (tx, beginning: Beginning): { detached: Attachment[]; left: MoveLeft | null } => {
    const { update, work } = beginning;
    const row = messageFor(tx, update.message_id);
    const way = plannedMove(tx, row, update);
    if (way) checkInTime(tx, way, beginning);
    const content = plannedContent(tx, row, update);
    if (!way) {
      return {
        detached: content === null ? fail("BAD_REQUEST", "Nothing to change") : rewrite(tx, row, content),
        left: null,
      };
    }
    const { from, to } = way;
    work.reserve(tx, [from, to]);
    const merges = newestInTopic(tx, to.conversationId, topicKey(to.topic)) !== null;
    const { rows, after } = firstPortion(tx, way);
    const detached = moveMessages(tx, { ...way, rows }, content);
    const moved = { count: rows.length, firstId: rows[0]?.id ?? null };
    return { detached, left: concluded(tx, { way, merges, wanted: update, moved, after }) };
  },
);

/** Throws `NotYet` to have a large topic's messages checked in turns. */
function checkInTime(tx: Tx, way: Way, beginning: Beginning): void {
  const earliest = beginning.isInTime ? null : earliestToMove(tx, way);
  if (earliest === null) return;
  if (!isSmall(tx, way)) {
    throw inTurnsFirst(function* () {
      yield* checkTimeLimit(tx, way, earliest);
      beginning.isInTime = true;
    });
  }
  atOnce(checkTimeLimit(tx, way, earliest));
}

/** Moves the next messages, and concludes the move with the last ones. Returns what is left then, or null. */
const continueMove = action(allow.user, (tx, left: MoveLeft): MoveLeft | null => {
  const way = movedOn(tx, left.way);
  const { rows, after } = nextPortion(tx, way, left.after ?? 0);
  const target = rows[0] && findMessageById(tx, rows[0].id);
  if (target) moveMessages(tx, { ...way, target, rows }, null);
  const { count, firstId } = left.moved;
  return concluded(tx, { ...left, way, after, moved: { count: count + rows.length, firstId } });
});

/** After the last message, concludes the move and returns null. */
function concluded(tx: Tx, left: MoveLeft): MoveLeft | null {
  if (left.after !== null) return left;
  const { way, merges, wanted, moved } = left;
  const { conversationId, topic } = way.from;
  const isWhole = newestInTopic(tx, conversationId, topicKey(topic)) === null;
  conclude(tx, way, { isWhole, merges, moved }, wanted);
  return null;
}

function rewrite(tx: Tx, row: MessageRow, content: string): Attachment[] {
  keepPast(tx, row.id, [row.id], { rewritten: row.id, topic: null, channel: null });
  const { changed, detached } = changeContent(tx, row, content);
  emitContentChanged(tx, row, changed);
  return detached;
}

function moveMessages(tx: Tx, move: Move, content: string | null): Attachment[] {
  const { from, to } = move;
  const ids = move.rows.map((row) => row.id);
  keepPast(tx, move.target.id, ids, changeOf(move, content));
  const channels = move.isChannelNew ? [from.channel.id, to.channel.id] : [];
  return keepingFirst(tx, channels, () => {
    const after = carryOut(tx, move);
    // First: whoever has a message only in their history is known by their flags.
    const concerned = concernedBy(tx, move, after);
    if (move.isChannelNew) {
      forgetFlagsOfOthers(tx, ids, (userIds) => sightIn(tx, to.channel, after, userIds));
    }
    const moved = findMessageById(tx, move.target.id) as MessageRow;
    const rewritten = content === null ? null : changeContent(tx, moved, content);
    const target = rewritten?.changed ?? moved;
    emitMoved(tx, move, { concerned, target });
    if (move.isChannelNew) {
      const were = subscriberIds(tx, from.channel.id);
      emitUnreadAgain(
        tx,
        ids,
        [...subscriberIds(tx, to.channel.id)].filter((id) => !were.has(id)),
      );
    }
    return rewritten?.detached ?? [];
  });
}

function changeOf({ target, from, to, isTopicNew, isChannelNew }: Move, content: string | null): Change {
  return {
    rewritten: content === null ? null : target.id,
    topic: isTopicNew ? to.topic : null,
    channel: isChannelNew ? { from: from.channel.id, to: to.channel.id } : null,
  };
}

/** After a move: moves the visibility policies of a whole topic and sends the notices. */
function conclude(tx: Tx, move: Way, extent: Extent, wanted: NoticesWanted): void {
  const from = { channelId: move.from.channel.id, topic: move.from.topic };
  const to = { channelId: move.to.channel.id, topic: move.to.topic };
  if (extent.isWhole) moveTopicPolicies(tx, { from, to, merges: extent.merges });
  leaveNotices(tx, move, extent, wanted);
}
