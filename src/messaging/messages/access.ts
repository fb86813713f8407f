import { holds, me, viewer } from "@/foundation/permissions/access.ts";
import type { GrantName, Member } from "@/foundation/permissions/schema.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { declareCache } from "@/kernel/store/cache.ts";
import { currentVersions } from "@/messaging/invalidation/access.ts";
import type { Candidate, MessageRow, Reach } from "@/messaging/message-rows/schema.ts";
import { hasReached } from "@/messaging/receipts/access.ts";
import { existingChannel, mayRead, sharesHistory, visibleChannel } from "@/places/channels/access.ts";
import { channelConversation, conversation, participantsOf } from "@/places/conversations/access.ts";
import * as store from "./store.ts";

/** A message by ID, without a permission check; null if it does not exist. */
export function findMessageById(reads: Reads, id: number): MessageRow | null {
  return store.findMessage(reads, id);
}

/** A message that the actor may read. Throws the same error if it does not exist or they may not read it. */
export function messageFor(ctx: Ctx, id: number): MessageRow {
  return readableMessage(ctx, id) ?? fail("BAD_REQUEST", "Invalid message(s)");
}

/** As `messageFor`, for changes that others see. Refuses messages of archived channels, which are read-only. */
export function messageToChange(ctx: Ctx, id: number): MessageRow {
  const row = messageFor(ctx, id);
  checkNotArchived(ctx, row);
  return row;
}

export function checkNotArchived(reads: Reads, row: MessageRow): void {
  if (isArchived(reads, row)) fail("BAD_REQUEST", "Messages of an archived channel cannot be changed.");
}

/** Whether a message is in an archived channel. */
export function isArchived(reads: Reads, { conversation_id }: MessageRow): boolean {
  const { channel_id } = conversation(reads, conversation_id);
  return channel_id !== null && existingChannel(reads, channel_id).is_archived === 1;
}

/** As `messageFor`, but returns null instead of throwing. */
export function readableMessage(ctx: Ctx, id: number): MessageRow | null {
  const row = store.findMessage(ctx, id);
  return row && mayReadMessage(ctx, viewer(ctx), row) ? row : null;
}

/** As `messageFor`, for many messages. Throws if the actor may not read one of them. */
export function messagesFor(ctx: Ctx, ids: readonly number[]): Candidate[] {
  const rows = readableAmong(ctx, ids);
  return rows.length === ids.length ? rows : fail("BAD_REQUEST", "Invalid message(s)");
}

/** Those of these messages that the actor may read. */
export function readableAmong(ctx: Ctx, ids: readonly number[]): Candidate[] {
  const member = me(ctx);
  return store.findCandidates(ctx, ids).filter((row) => mayReadMessage(ctx, member, row));
}

/**
 * Whether the member may read a message: with shared history, every message of the channel, else those that reached them.
 */
export function mayReadMessage(ctx: Ctx, member: Member, row: Reach): boolean {
  const place = conversation(ctx, row.conversation_id);
  if (place.channel_id === null) return participantsOf(place).includes(member.id);
  const channel = visibleChannel(ctx, place.channel_id);
  if (!channel || !mayRead(ctx, member, channel)) return false;
  return sharesHistory(channel) || hasReached(ctx, member.id, row);
}

/** Whether any message of the channel has a non-empty topic. */
export function hasNamedTopics(reads: Reads, channelId: number): boolean {
  return store.hasNamedTopics(reads, channelConversation(reads, channelId));
}

/** The highest ID ever given to a message, even if it was deleted; 0 before the first. */
export function lastMessageId(reads: Reads): number {
  return store.lastId(reads);
}

/** The oldest message of each of these channels; those without messages are missing. */
export function firstMessagesOf(reads: Reads, channelIds: readonly number[]): Map<number, number> {
  const channelOf = new Map(channelIds.map((id) => [channelConversation(reads, id), id]));
  const firsts = store.firstMessageIds(reads, [...channelOf.keys()]);
  return new Map(firsts.map((row) => [channelOf.get(row.conversation_id) ?? 0, row.id]));
}

/** By conversation; valid for one version of it. */
export const firstCache = declareCache<number, { id: number; version: number }>({
  name: "first messages",
  max: 50_000,
});

/** As `firstMessagesOf`, but reads only those that may have changed since the last call. */
export function cachedFirstMessagesOf(reads: Reads, channelIds: readonly number[]): Map<number, number> {
  const versionOf = currentVersions(reads);
  if (!versionOf) return firstMessagesOf(reads, channelIds);
  const known = firstCache(reads);
  const firsts = new Map<number, number>();
  const stale = new Map<number, number>();
  // Written out: this runs for each channel, in each registration.
  for (const channelId of channelIds) {
    const id = channelConversation(reads, channelId);
    const first = known.get(id);
    if (first?.version === versionOf(id)) firsts.set(channelId, first.id);
    else stale.set(id, channelId);
  }
  if (stale.size === 0) return firsts;
  for (const { conversation_id, id } of store.firstMessageIds(reads, [...stale.keys()])) {
    known.set(conversation_id, { id, version: versionOf(conversation_id) });
    firsts.set(stale.get(conversation_id) ?? 0, id);
  }
  return firsts;
}

type DeletePermission = GrantName<"realm"> & GrantName<"channel">;

/** Whether the actor has the permission in the organization, or in the channel if one is given. */
export function holdsEither(ctx: Ctx, channelId: number | null, name: DeletePermission): boolean {
  const member = me(ctx);
  if (holds(ctx, member, { scope: "realm", ownerId: 0, name })) return true;
  return channelId !== null && holds(ctx, member, { scope: "channel", ownerId: channelId, name });
}

/** Whether the actor may delete other users' messages: in general or in this channel. */
export function mayDeleteAny(ctx: Ctx, channelId: number | null): boolean {
  return holdsEither(ctx, channelId, "can_delete_any_message_group");
}

/** Those of these messages that exist, ascending, without a permission check. */
export function findCandidates(reads: Reads, ids: readonly number[]): Candidate[] {
  return store.findCandidates(reads, ids);
}

/** Messages by ID, ascending, without a permission check. */
export function findMessages(reads: Reads, ids: readonly number[]): MessageRow[] {
  return store.findMessages(reads, ids);
}

/** The ID of a topic's newest message, or null. */
export function newestInTopic(reads: Reads, conversationId: number, key: string): number | null {
  return store.newestInTopic(reads, conversationId, key);
}
