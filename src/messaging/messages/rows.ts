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

export type NewMessage = Omit<MessageRow, "id" | "arrived_seq"> & { topic_key: string };

/** The columns that decide who may move a message and who has read it. */
export type Movable = Pick<
  MessageRow,
  "id" | "conversation_id" | "home_id" | "seq" | "arrived_seq" | "sender_id" | "sent_at"
>;
