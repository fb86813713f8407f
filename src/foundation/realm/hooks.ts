import type { Ctx } from "@/kernel/core/context.ts";
import { soleHook } from "@/kernel/store/hooks.ts";
import type { Rendered } from "@/text/rendering/render.ts";

interface SettableChannel {
  name: string;
  is_archived: 0 | 1;
  invite_only: 0 | 1;
}

export const realmHooks = {
  /** A channel, by ID, for a setting of the organization; throws if the actor cannot see it. */
  channel: soleHook<number, SettableChannel>("realmHooks.channel"),
};

/** Which recipients get a message as read. */
export interface NoticeReaders {
  /** It arrives unread only for these users. */
  onlyFor?: readonly number[];
  /** It arrives read for these users. */
  readBy?: readonly number[];
}

export interface RealmNotice extends NoticeReaders {
  /** A topic, or people who all see one another in a common direct conversation. Write to one person in their language, to others in the organization's. */
  to: { channelId: number; topic: string } | { people: readonly number[] };
  content: string;
  /** The user ID of the bot that sends it; by default the notification bot. */
  from?: number;
}

/**
 * Sends a message as the notification bot, without permission checks; returns its ID. Mentions and links resolve as for
 * the actor of `tx`, and only people can be mentioned.
 */
export const sendNotice = soleHook<RealmNotice, number>("sendNotice");

/**
 * Renders a text by the actor, such as a description: mentions and links resolve as for the actor. Messages use
 * `renderMessage`, which also shows pictures.
 */
export const renderText = soleHook<string, Rendered, Ctx>("renderText");
