/** The part of a message that decides whether it is unread, and where it counts. */
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
