// Every message is in one conversation: that of a channel or of a set of people (docs/design.md#read-state).
import type { Reads, Tx } from "@/kernel/context.ts";
import type { Conversation } from "./store.ts";
import * as store from "./store.ts";

export type { Conversation } from "./store.ts";

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

export function openChannelConversation(tx: Tx, channelId: number): number {
  return store.insertOfChannel(tx, channelId);
}

const keyOf = (userIds: Iterable<number>) => [...new Set(userIds)].sort((a, b) => a - b);

/** The conversation of exactly these people, or null if they have never written. */
export function directConversation(reads: Reads, userIds: Iterable<number>): number | null {
  return store.findOfParticipants(reads, keyOf(userIds).join(","))?.id ?? null;
}

export function openDirectConversation(tx: Tx, userIds: Iterable<number>): number {
  return directConversation(tx, userIds) ?? store.insertOfParticipants(tx, keyOf(userIds));
}

/** IDs of a direct conversation's participants, ascending. Empty for a channel's. */
export function participantsOf({ participants }: Pick<Conversation, "participants">): number[] {
  return participants === null ? [] : participants.split(",").map(Number);
}

export function lastSeqOf(reads: Reads, conversationId: number): number {
  return store.lastSeq(reads, conversationId);
}

/** Allocates the next seq of a conversation. */
export function takeSeq(tx: Tx, conversationId: number): number {
  const seq = store.lastSeq(tx, conversationId) + 1;
  store.setLastSeq(tx, conversationId, seq);
  return seq;
}

/** Conversations that messages were moved into, ascending. */
export function conversationsMovedInto(reads: Reads): number[] {
  return store.listMovedInto(reads);
}
