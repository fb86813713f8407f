// Notices that the server sends: moved topics, reports, failed deliveries.
import { provided } from "@/kernel/hooks.ts";

/** For whom a message arrives as read. */
export interface Reading {
  /** It arrives unread only for these users. */
  onlyFor?: readonly number[];
  /** It arrives read for these users. */
  readBy?: readonly number[];
}

export interface Notice extends Reading {
  /** A topic, or people who all see one another in a common direct conversation. */
  to: { channelId: number; topic: string } | { people: readonly number[] };
  content: string;
  /** The user ID of the bot that sends it; by default the notification bot. */
  from?: number;
}

/**
 * Sends a message as the notification bot, without permission checks; returns its ID. Mentions and links resolve as for
 * the actor of `tx`, and only people can be mentioned.
 */
export const sendNotice = provided<Notice, number>("sendNotice");
