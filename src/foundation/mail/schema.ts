import type { Html } from "@/kernel/html.ts";

/** What follows from the content of a mail; stored as JSON. */
export interface MailHeaders {
  /** The name before the sender's address. */
  from_name?: string;
  message_id?: string;
  /** The message ID that all mails of a thread refer to; no mail need have it. */
  thread?: string;
  list?: { id: string; name: string };
  /** The URL for unsubscribing with one click (RFC 8058). */
  unsubscribe?: string;
}

/** A mail in the queue. */
export interface Mail {
  recipient: string;
  subject: string;
  body: string;
  html: string | null;
  headers: MailHeaders;
  /** The user who caused the mail, or whom it is about. */
  sender_id: number;
  /** Whether to notify that user if it cannot be delivered. */
  tells_sender: boolean;
  /** UNIX seconds after which it must not be sent; null for never. */
  expires_at: number | null;
}

/** A part of a letter. */
export type Block =
  | { text: string }
  /** A button; the text form has the URL alone on its line. */
  | { label: string; url: string }
  /** Names and values in two columns. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** Lines that keep their breaks. */
  | { lines: string }
  | { message: QuotedMessage };

export interface QuotedMessage {
  sender: string;
  time: string;
  text: string;
  /** Without scripts, styles and anything that a mail program would have to load. */
  html: Html;
}

/** A mail before it becomes text and HTML. */
export interface Letter {
  subject: string;
  /** The first line in large type; by default the subject. */
  heading?: string;
  blocks: readonly Block[];
  /** Why the person gets it. */
  footer?: string;
}

/** What people may unsubscribe from. */
export const mailKinds = ["messages", "logins"] as const;
export type MailKind = (typeof mailKinds)[number];

export const delivery = {
  /** Seconds before each further attempt; after the last attempt the mail has failed. */
  pauses: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
  /** How long a mail that cannot be delivered stays in the list. */
  keptSeconds: 7 * 86_400,
  everySeconds: 1,
  atOnce: 20,
} as const;
