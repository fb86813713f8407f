import type { Tx } from "@/kernel/core/context.ts";
import { directConversation, keyOf } from "./access.ts";
import * as store from "./store.ts";

export function openChannelConversation(tx: Tx, channelId: number): number {
  return store.insertOfChannel(tx, channelId);
}

export function openDirectConversation(tx: Tx, userIds: Iterable<number>): number {
  return directConversation(tx, userIds) ?? store.insertOfParticipants(tx, keyOf(userIds));
}

/** Allocates the next seq of a conversation. */
export function takeSeq(tx: Tx, conversationId: number): number {
  const seq = store.lastSeq(tx, conversationId) + 1;
  store.setLastSeq(tx, conversationId, seq);
  return seq;
}
