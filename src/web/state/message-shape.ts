// The types of messages, their places, and windows of them.
import type { Message as PlainMessage } from "@/messaging/messages/schema.ts";

/** A topic of a channel, or the direct conversation with these other people (with yourself: your own ID). */
export type Place = { stream_id: number; topic: string } | { user_ids: readonly number[] };

/** "c:5:lunch" or "d:3,9": equal for places that are the same conversation. */
export type PlaceKey = string;

export interface Message extends Omit<PlainMessage, "flags"> {
  flags: readonly string[];
  /** Its ID in the outbox, if this client sent it. */
  local_id?: string;
}

export type Recipient = Exclude<Message["display_recipient"], string>[number];

/** A condition on messages, as the API takes it; channels and people are given by their IDs. */
export interface Term {
  operator: string;
  operand: string;
  negated: boolean;
}

/** A continuous range of the messages of a narrow. */
export interface Window {
  terms: readonly Term[];
  /** Ascending. */
  ids: readonly number[];
  found_oldest: boolean;
  found_newest: boolean;
  /** A message in the range is missing, so the window must be fetched again. */
  is_stale?: boolean;
}

/** A message on its way to the server. */
export interface Outgoing {
  local_id: string;
  place: Place;
  content: string;
  /** Unix seconds. */
  timestamp: number;
  state: "sending" | "sent" | "failed";
  /** Once the server has accepted it. */
  message_id?: number;
  /** Why it failed, in the server's words. */
  error?: string;
}

export interface Typist {
  user_id: number;
  place: PlaceKey;
  /** Unix milliseconds, by this computer's clock. */
  since: number;
}

/** A topic of a channel. */
export interface TopicEntry {
  name: string;
  /** Its newest message. */
  max_id: number;
}
