// What is stored of a message: its row, and the bits of its columns and of its users' flags.

/** Properties of a message that are the same for everyone, in `messages.bits`. */
export const messageBits = {
  channelWildcard: 1,
  hasLink: 2,
  hasImage: 4,
  readBySender: 8,
  isMe: 16,
  hasAttachment: 32,
  /** Has an edit history. */
  edited: 256,
  /** A quiet message: arrives as read for all but a few. */
  quiet: 512,
} as const;

/** The bits that follow from the content. */
export const contentBits =
  messageBits.channelWildcard |
  messageBits.hasLink |
  messageBits.hasImage |
  messageBits.hasAttachment |
  messageBits.isMe;

/** The columns that decide whether a message matches a narrow. */
export type Candidate = Pick<
  MessageRow,
  "id" | "conversation_id" | "home_id" | "seq" | "sender_id" | "bits" | "topic" | "arrived_seq"
>;

/** The columns that decide whether a message reached a user. */
export type Reach = Pick<MessageRow, "conversation_id" | "home_id" | "seq" | "arrived_seq">;

export interface MessageRow {
  id: number;
  conversation_id: number;
  home_id: number;
  seq: number;
  sender_id: number;
  client_id: number;
  sent_at: number;
  bits: number;
  topic: string;
  content: string;
  rendered: string;
  /** The seq it got in its current conversation, if it was sent elsewhere. */
  arrived_seq: number | null;
}

export type NewMessageRow = Omit<MessageRow, "id" | "arrived_seq"> & { topic_key: string };

/** The columns that decide who may move a message and who has read it. */
export type Movable = Pick<
  MessageRow,
  "id" | "conversation_id" | "home_id" | "seq" | "arrived_seq" | "sender_id" | "sent_at"
>;

/** The columns that decide whether a message is unread, and where. */
export interface Receipt {
  id: number;
  conversation_id: number;
  home_id: number;
  seq: number;
  sender_id: number;
  bits: number;
  topic: string;
  arrived_seq: number | null;
}

/** A user's flags on a message. `bit` is the flag's bit in `message_flags.bits`; `read` is stored in read marks instead. */
export const messageFlags = {
  read: { bit: 0, editable: true },
  starred: { bit: 1, editable: true },
  collapsed: { bit: 2, editable: true },
  mentioned: { bit: 4, editable: false },
  topic_wildcard_mentioned: { bit: 8, editable: false },
  has_alert_word: { bit: 16, editable: false },
  historical: { bit: 32, editable: false },
  stream_wildcard_mentioned: { bit: 0, editable: false },
  wildcard_mentioned: { bit: 0, editable: false },
} as const;
export type FlagName = keyof typeof messageFlags;

export const flagBits = {
  starred: messageFlags.starred.bit,
  mentioned: messageFlags.mentioned.bit,
  topicWildcard: messageFlags.topic_wildcard_mentioned.bit,
  alertWord: messageFlags.has_alert_word.bit,
  historical: messageFlags.historical.bit,
  /** Internal: the user keeps a message unread that arrived as read, because it is quiet or its sender is muted. */
  keptUnread: 64,
} as const;

/** The flags that follow from a message's content. */
export const contentFlags = flagBits.mentioned | flagBits.topicWildcard | flagBits.alertWord;
