import type { PropagateMode } from "@/messaging/message-edits/schema.ts";
import type { MessageRow, Movable } from "@/messaging/messages/rows.ts";
import type { ChannelRow } from "@/places/channels/rows.ts";

/** A topic of a channel. */
export interface Thread {
  channel: ChannelRow;
  conversationId: number;
  topic: string;
}

export interface Course {
  mode: PropagateMode;
  from: Thread;
  to: Thread;
  isTopicNew: boolean;
  isChannelNew: boolean;
}

export interface Way extends Course {
  /** The message given in the request. Others may move with it. */
  target: MessageRow;
}

export interface Move extends Course {
  /** The message whose content the event has. */
  target: MessageRow;
  /** The messages to move in one transaction, ascending by ID. Only those that the actor may read. */
  rows: readonly Movable[];
}

/** What has moved in all portions. */
export interface Moved {
  count: number;
  /** The first of them. */
  firstId: number | null;
  /** Whether others wrote any of them. */
  concernsOthers: boolean;
}
