// Every message is in one conversation: that of a channel or of a set of people (docs/design.md#read-state).

import type { Reads } from "@/kernel/core/context.ts";
import type { Conversation } from "./schema.ts";
import * as store from "./store.ts";

export function conversation(reads: Reads, id: number): Conversation {
  const found = store.findConversation(reads, id);
  if (!found) throw new Error(`Conversation ${id} is missing`);
  return found;
}

/** The conversation of a channel. `openChannelConversation` creates it together with the channel. */
export function channelConversation(reads: Reads, channelId: number): number {
  const found = store.findOfChannel(reads, channelId);
  if (!found) throw new Error(`Channel ${channelId} lacks a conversation`);
  return found.id;
}

export const keyOf = (userIds: Iterable<number>) => [...new Set(userIds)].sort((a, b) => a - b);

/** The conversation of exactly these people, or null if they have never written. */
export function directConversation(reads: Reads, userIds: Iterable<number>): number | null {
  return store.findOfParticipants(reads, keyOf(userIds).join(","))?.id ?? null;
}

/** IDs of a direct conversation's participants, ascending. Empty for a channel's. */
export function participantsOf({ participants }: Pick<Conversation, "participants">): number[] {
  return participants === null ? [] : participants.split(",").map(Number);
}

export function lastSeqOf(reads: Reads, conversationId: number): number {
  return store.lastSeq(reads, conversationId);
}

/** Conversations that messages were moved into, ascending. */
export function conversationsMovedInto(reads: Reads): number[] {
  return store.listMovedInto(reads);
}

/** IDs of the direct conversations that a user takes part in. */
export function directConversationsOf(reads: Reads, userId: number): ReadonlySet<number> {
  return store.directConversationsOf(reads, userId);
}

/** IDs of the conversations of archived channels. */
export function archivedConversations(reads: Reads): ReadonlySet<number> {
  return store.archivedConversations(reads);
}

/** IDs of the conversations of public channels, or of web-public ones. */
export function openConversations(reads: Reads, kind: "public" | "web-public"): ReadonlySet<number> {
  return store.openConversations(reads, kind);
}
