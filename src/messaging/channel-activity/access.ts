import type { Reads } from "@/kernel/core/context.ts";
import * as activity from "@/messaging/channel-activity/store.ts";
import { channelConversation } from "@/places/conversations/access.ts";

/** The ID from which on all messages were sent at that time or later. Without such messages, one above the newest. */
export function firstMessageSince(reads: Reads, time: number): number {
  return activity.findFirstSince(reads, time);
}

/** The number of messages in a channel from an ID on. */
export function countMessagesSince(reads: Reads, channelId: number, firstId: number): number {
  return activity.countSince(reads, channelConversation(reads, channelId), firstId);
}

/** When the newest message of a channel was sent; null if it has none. */
export function lastSentIn(reads: Reads, channelId: number): number | null {
  return activity.findLastSent(reads, channelConversation(reads, channelId));
}
