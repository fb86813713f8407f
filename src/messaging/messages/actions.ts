import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { atOnce } from "@/kernel/lib/steps.ts";
import { recordDeletion } from "@/messaging/alterations/tx-records.ts";
import { type ContentChange, changeContent, plannedContent } from "@/messaging/message-edits/tx-content.ts";
import { emitContentChanged } from "@/messaging/message-edits/tx-news.ts";
import { keepPast } from "@/messaging/message-history/tx.ts";
import type { Way } from "@/messaging/message-moves/planned.ts";
import { type MoveWish, plannedMove } from "@/messaging/message-moves/tx-move.ts";
import { type Begun, beginMove } from "@/messaging/message-moves/tx-moving.ts";
import type { NoticesWanted } from "@/messaging/message-moves/tx-notices.ts";
import { isSmall } from "@/messaging/message-moves/tx-portions.ts";
import { checkTimeLimit, earliestToMove } from "@/messaging/message-moves/tx-rules.ts";
import { checkFree, completed, inTurnsFirst, onceReady } from "@/messaging/topic-work/running.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { noteSending } from "@/places/user-topics/tx-automatic.ts";
import { holdsEither, mayDeleteAny, messageFor } from "./access.ts";
import { messageHooks } from "./hooks.ts";
import { renderMessage } from "./lookup.ts";
import { resolveRecipient } from "./recipients.ts";
import type { MessageRow } from "./rows.ts";
import { checkedContent, graceSeconds } from "./schema.ts";
import * as store from "./store.ts";
import { letMentionedFollow } from "./tx-mentions.ts";
import { type Posting, post, type Sending } from "./tx-posting.ts";
import { deleteTogether } from "./tx-removal.ts";

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

/** Sends a message (docs/reference/http-api.md#send-message; docs/design.md#the-life-of-a-send). */
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
  recordDeletion(tx, row);
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
  async (ctx, update: MessageUpdate): Promise<Attachment[]> => {
    const beginning = { update, isInTime: false };
    const { detached, work } = await onceReady(() => beginUpdate(ctx, beginning));
    if (work !== null) await completed(ctx, work);
    return detached;
  },
);

interface Beginning {
  update: MessageUpdate;
  /** Set once the time limit was checked, before the transaction that moves. */
  isInTime: boolean;
}

const beginUpdate = action(allow.user, (tx, beginning: Beginning): Begun => {
  const { update } = beginning;
  const row = messageFor(tx, update.message_id);
  const way = plannedMove(tx, row, update);
  if (way) checkInTime(tx, way, beginning);
  const content = plannedContent(tx, row, update);
  if (way) {
    checkFree(tx, [way.from, way.to]);
    return beginMove(tx, way, { content, wanted: update });
  }
  const detached = content === null ? fail("BAD_REQUEST", "Nothing to change") : rewrite(tx, row, content);
  return { detached, work: null };
});

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

function rewrite(tx: Tx, row: MessageRow, content: string): Attachment[] {
  keepPast(tx, row.id, [row.id], { rewritten: row.id, topic: null, channel: null });
  const { changed, detached } = changeContent(tx, row, content);
  emitContentChanged(tx, row, changed);
  return detached;
}
