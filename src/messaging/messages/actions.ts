import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { reindexMessages } from "@/messaging/message-index/actions.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import type { Reachable } from "@/messaging/receipts/reach.ts";
import { emitProperty } from "@/places/channel-administration/actions-properties.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import { displayTopic, topicKey } from "@/places/topics/schema.ts";
import { firstMessagesOf, holdsEither, mayDeleteAny, mayReadMessage, messageFor } from "./access.ts";
import { type Readership, readersOfAll } from "./audience.ts";
import { messageHooks } from "./hooks.ts";
import { graceSeconds, type MessagesDeleted, messagesDeleted } from "./schema.ts";
import * as store from "./store.ts";

/** Deletes a message for everyone. */
export const deleteMessage = action(allow.user, (tx, id: number): void => {
  const row = messageFor(tx, id);
  const { channel_id } = conversation(tx, row.conversation_id);
  if (!mayDeleteAny(tx, channel_id)) checkMayDeleteOwn(tx, row, channel_id);

  deleteTogether(tx, [row]);
  recordDeletion(tx, row);
});

/** Deletes a message that was reported, also for a moderator who cannot read it; part of another action. */
export function deleteReportedMessage(tx: Tx, id: number): void {
  const row = store.findMessage(tx, id) ?? fail("BAD_REQUEST", "This message is deleted already.");
  const { channel_id } = conversation(tx, row.conversation_id);
  if (!mayDeleteAny(tx, channel_id)) fail("BAD_REQUEST", "You don't have permission to delete this message");
  deleteTogether(tx, [row]);
  recordDeletion(tx, row);
}

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

type Placed = Reachable & Pick<MessageRow, "topic">;

/** Deletes messages of one conversation and emits this to their readers and to an actor who may read them. */
export function deleteTogether(tx: Tx, rows: readonly Placed[]): void {
  const [any] = rows;
  if (!any) return;
  const { channel_id: channelId } = conversation(tx, any.conversation_id);
  const topics = [...Map.groupBy(rows, (row) => topicKey(row.topic)).values()];
  const readerships = topics.flatMap(([first, ...others]) => {
    if (!first) return [];
    const place = channelId === null ? null : { stream_id: channelId, topic: first.topic };
    const all = [first, ...others] as const;
    return withActor(tx, readersOfAll(tx, all), all).map((readership) => ({ ...readership, place }));
  });

  keepingFirst(tx, channelId === null ? [] : [channelId], () => {
    const ids = rows.map((row) => row.id);
    messageHooks.removed(tx, ids);
    deleteMessages(tx, ids);
    for (const { audience, ...gone } of readerships) emitGone(tx, audience, gone);
  });
}

/** Adds the actor to the audience, once, for those messages that they may read, if they are not among the readers. */
function withActor(tx: Tx, readers: readonly Readership[], rows: readonly Placed[]): Readership[] {
  if (tx.actor.kind !== "user") return [...readers];
  const { id } = tx.actor;
  const includesActor = ({ audience: { to, also } }: Readership) =>
    to === "everyone" || (to instanceof Set ? to : new Set(to)).has(id) || also?.includes(id);
  if (readers.some(includesActor)) return [...readers];
  const ids = rows.filter((row) => mayReadMessage(tx, me(tx), row)).map((row) => row.id);
  if (ids.length === 0) return [...readers];
  const same = readers.find((one) => one.ids.length === ids.length);
  if (!same) return [...readers, { audience: { to: [id] }, ids }];
  return readers.map((one) =>
    one === same ? { ...one, audience: { ...one.audience, also: [...(one.audience.also ?? []), id] } } : one,
  );
}

/** Emits to users that messages are deleted, or no longer readable for them. */
export function emitGone(tx: Tx, audience: Audience, { ids, place }: Omit<MessagesDeleted, "form">): void {
  tx.emit(messagesDeleted, audience, { ids, place, form: "bulk" });
  // Wire: clients without bulk_message_deletion get one event for each message.
  for (const id of ids) tx.emit(messagesDeleted, audience, { ids: [id], place, form: "single" });
}

/** Runs `body`, which changes the messages of channels, and emits `first_message_id` where it changed. */
export function keepingFirst<T>(tx: Tx, channelIds: readonly number[], body: () => T): T {
  const before = firstMessagesOf(tx, channelIds);
  const result = body();
  const after = firstMessagesOf(tx, channelIds);
  for (const id of channelIds) {
    const value = after.get(id) ?? null;
    if (value !== (before.get(id) ?? null))
      emitProperty(tx, existingChannel(tx, id), { property: "first_message_id", value });
  }
  return result;
}

/** Deletes messages and queues this for the index. Rows that refer to them must be deleted before. */
export function deleteMessages(tx: Tx, ids: readonly number[]): void {
  store.deleteMessages(tx, ids);
  reindexMessages(tx, ids);
}

/** Whether one of these messages is neither the actor's nor of one of their bots. */
export function concernsOthers(tx: Tx, rows: readonly Pick<MessageRow, "sender_id">[]): boolean {
  const senders = new Set(rows.map(({ sender_id }) => sender_id));
  return [...senders].some((id) => id !== tx.actor.id && memberOf(tx, id).bot_owner_id !== tx.actor.id);
}

/** Names a conversation or topic in the audit log. The topics of a private channel are for its readers alone. */
export function placeNamed(tx: Tx, { conversation_id, topic }: Place): string {
  const { channel_id } = conversation(tx, conversation_id);
  if (channel_id === null) return "direct messages";
  const { name, invite_only } = existingChannel(tx, channel_id);
  return invite_only ? name : `${name} › ${displayTopic(topic, false)}`;
}

type Place = Pick<MessageRow, "conversation_id" | "topic">;

/** Records that the actor deleted somebody else's message. */
function recordDeletion(tx: Tx, row: MessageRow): void {
  if (!concernsOthers(tx, [row])) return;
  recordAudit(tx, {
    event: "message_deleted",
    about: { kind: "message", id: row.id, name: placeNamed(tx, row) },
    personId: row.sender_id,
    data: { sent_at: row.sent_at },
  });
}
