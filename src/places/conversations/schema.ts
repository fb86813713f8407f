/** A channel's conversation, or a direct one (`participants` holds sorted user IDs joined by commas). */
export interface Conversation {
  id: number;
  channel_id: number | null;
  participants: string | null;
}
