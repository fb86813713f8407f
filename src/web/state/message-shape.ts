// The types of messages, their places, and windows of them.

/** A topic of a channel, or the direct conversation with these other people (with yourself: your own ID). */
export type Place = { stream_id: number; topic: string } | { user_ids: readonly number[] };

/** "c:5:lunch" or "d:3,9": equal for places that are the same conversation. */
export type PlaceKey = string;

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export interface Recipient {
  id: number;
  email: string;
  full_name: string;
  is_mirror_dummy: boolean;
}

export interface Message {
  id: number;
  sender_id: number;
  sender_email: string;
  sender_full_name: string;
  timestamp: number;
  avatar_url: string | null;
  type: "stream" | "private";
  stream_id?: number;
  display_recipient: string | Recipient[];
  subject: string;
  /** HTML, made by the server. */
  content: string;
  is_me_message: boolean;
  reactions: readonly Reaction[];
  submessages: readonly Submessage[];
  flags: readonly string[];
  /** Its ID in the outbox, if this client sent it. */
  local_id?: string;
  match_content?: string;
  match_subject?: string;
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
}

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
