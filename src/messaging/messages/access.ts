import { holds, type Member, me, viewer } from "@/foundation/permissions/access.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { type Candidate, findCandidates, type Reach } from "@/messaging/message-pages/store.ts";
import { hasReached } from "@/messaging/receipts/access.ts";
import { knownChannel, mayRead, sharesHistory, visibleChannel } from "@/places/channels/access.ts";
import { channelConversation, conversation, participantsOf } from "@/places/conversations/access.ts";
import type { MessageRow } from "./store.ts";
import * as store from "./store.ts";
import * as activity from "./store-activity.ts";

export type { MessageRow } from "./store.ts";

/** A message by ID, whoever may read it; null where it is gone. */
export function findMessageById(reads: Reads, id: number): MessageRow | null {
  return store.findMessage(reads, id);
}

/** A message that the actor may read; throws the same error whether it does not exist or may not be read. */
export function messageFor(ctx: Ctx, id: number): MessageRow {
  return readableMessage(ctx, id) ?? fail("BAD_REQUEST", "Invalid message(s)");
}

/** As `messageFor`, of a message to which something is done that others see: an archived channel is for reading only. */
export function messageToChange(ctx: Ctx, id: number): MessageRow {
  const row = messageFor(ctx, id);
  checkNotArchived(ctx, row);
  return row;
}

export function checkNotArchived(reads: Reads, { conversation_id }: MessageRow): void {
  const { channel_id } = conversation(reads, conversation_id);
  if (channel_id === null || !knownChannel(reads, channel_id).is_archived) return;
  fail("BAD_REQUEST", "Messages of an archived channel cannot be changed.");
}

/** As `messageFor`; null where there is none. */
export function readableMessage(ctx: Ctx, id: number): MessageRow | null {
  const row = store.findMessage(ctx, id);
  return row && mayReadMessage(ctx, viewer(ctx), row) ? row : null;
}

/** As `messageFor`, of many at once: one that the actor may not read refuses all. */
export function messagesFor(ctx: Ctx, ids: readonly number[]): Candidate[] {
  const rows = readableAmong(ctx, ids);
  return rows.length === ids.length ? rows : fail("BAD_REQUEST", "Invalid message(s)");
}

/** Those of the messages that the actor may read. */
export function readableAmong(ctx: Ctx, ids: readonly number[]): Candidate[] {
  const member = me(ctx);
  return findCandidates(ctx, ids).filter((row) => mayReadMessage(ctx, member, row));
}

/** In a channel they may still read: all of it where history is shared, else what reached them. */
export function mayReadMessage(ctx: Ctx, member: Member, row: Reach): boolean {
  const place = conversation(ctx, row.conversation_id);
  if (place.channel_id === null) return participantsOf(place).includes(member.id);
  const channel = visibleChannel(ctx, place.channel_id);
  if (!channel || !mayRead(ctx, member, channel)) return false;
  return sharesHistory(channel) || hasReached(ctx, member.id, row);
}

/** Whether any message of a channel has a topic, other than the empty one. */
export function hasNamedTopics(reads: Reads, channelId: number): boolean {
  return store.hasNamedTopics(reads, channelConversation(reads, channelId));
}

/** The first ID from which on there are only messages of that time or later; 1 above the newest where there are none. */
export function firstMessageSince(reads: Reads, time: number): number {
  return activity.findFirstSince(reads, time);
}

/** How many messages a channel holds from an ID on. */
export function countMessagesSince(reads: Reads, channelId: number, firstId: number): number {
  return activity.countSince(reads, channelConversation(reads, channelId), firstId);
}

/** When the newest message of a channel was sent; null where there is none. */
export function lastSentIn(reads: Reads, channelId: number): number | null {
  return activity.findLastSent(reads, channelConversation(reads, channelId));
}

/** The ID of the newest message there ever was, deleted or not; 0 before the first. */
export function lastMessageId(reads: Reads): number {
  return store.lastId(reads);
}

/** The oldest message of each of these channels; those without messages are missing. */
export function firstMessagesOf(reads: Reads, channelIds: readonly number[]): Map<number, number> {
  const channelOf = new Map(channelIds.map((id) => [channelConversation(reads, id), id]));
  const firsts = store.firstMessageIds(reads, [...channelOf.keys()]);
  return new Map(firsts.map((row) => [channelOf.get(row.conversation_id) ?? 0, row.id]));
}

type DeletePermission = GrantName<"realm"> & GrantName<"channel">;

/** Held in the organization, or in the channel, if it is one. */
export function holdsEither(tx: Tx, channelId: number | null, name: DeletePermission): boolean {
  const member = me(tx);
  if (holds(tx, member, { scope: "realm", ownerId: 0, name })) return true;
  return channelId !== null && holds(tx, member, { scope: "channel", ownerId: channelId, name });
}

/** Whether the actor may delete what others wrote: everywhere, or in this channel. */
export function mayDeleteAny(tx: Tx, channelId: number | null): boolean {
  return holdsEither(tx, channelId, "can_delete_any_message_group");
}
