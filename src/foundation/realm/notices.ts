// Notices that the organization sends by itself: moved topics, reports, failed deliveries.
import { provided } from "@/kernel/hooks.ts";

/** Who does not come upon a message as unread. */
export interface Reading {
  /** It arrives unread for these alone. */
  onlyFor?: readonly number[];
  /** It arrives read for these. */
  readBy?: readonly number[];
}

export interface Notice extends Reading {
  /** A topic, or people, to each other of whom the notice is then visible. */
  to: { channelId: number; topic: string } | { people: readonly number[] };
  content: string;
  /** The user ID of the bot that sends it; absent: the notification bot. */
  from?: number;
}

/**
 * Sends a message as the notification bot, which needs nobody's leave; returns its ID. Names and links in it mean what
 * they mean to the actor of `tx`, and only people can be mentioned.
 */
export const sendNotice = provided<Notice, number>("sendNotice");
