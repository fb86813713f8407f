/** A mail of plain text. */
export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  /** The user to notify if it cannot be delivered. */
  sender_id: number;
  /** UNIX seconds after which it must not be sent; null for never. */
  expires_at: number | null;
}

export const delivery = {
  /** Seconds before each further attempt; after the last attempt the mail has failed. */
  pauses: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
  everySeconds: 1,
  atOnce: 20,
} as const;
