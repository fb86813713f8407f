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
