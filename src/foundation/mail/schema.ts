/** A mail of plain text. */
export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  /** Who is told where it cannot be delivered. */
  sender_id: number;
  /** UNIX seconds from which on it is of no use; null: never. */
  expires_at: number | null;
}

export const delivery = {
  /** Seconds until each further attempt; after the last the mail is given up. */
  pauses: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
  everySeconds: 1,
  atOnce: 20,
} as const;
