import type { Html } from "@/kernel/http/html.ts";

/** Headers of a mail; stored as JSON. */
export interface MailHeaders {
  /** The sender's display name. */
  from_name?: string;
  message_id?: string;
  /** The message ID that all mails of a thread refer to; it need not be the ID of a mail. */
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
  /** The user who caused the mail, or the one it is about. */
  sender_id: number;
  /** Whose mail it is; null if it goes to the address whatever becomes of an account. */
  reader_id: number | null;
  /** Whether to notify the user who caused it if it cannot be delivered. */
  tells_sender: boolean;
  /** UNIX seconds after which it must not be sent; null for never. */
  expires_at: number | null;
}

/** A part of a letter. */
export type MailBlock =
  | { text: string }
  /** A button; in text, the URL is on a line of its own. */
  | { label: string; url: string }
  /** Names and values in two columns. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  /** Preformatted text. */
  | { lines: string }
  | { message: QuotedMessage };

export interface QuotedMessage {
  sender: string;
  time: string;
  text: string;
  /** Has no scripts, no styles, and nothing to load from the network. */
  html: Html;
}

/** The content of a mail, before it is rendered. */
export interface MailLetter {
  subject: string;
  /** The large heading; by default the subject. */
  heading?: string;
  blocks: readonly MailBlock[];
  /** Explains why the person got this mail. */
  footer?: string;
}

/** Kinds of mail that people can unsubscribe from. */
export const mailKinds = ["messages", "logins"] as const;
export type MailKind = (typeof mailKinds)[number];

export const brokenLink = "This link for unsubscribing does not work. Was it copied in full?";

export const delivery = {
  /** Seconds before each retry; after the last one, the mail has failed. */
  pauses: [60, 300, 1800, 7200, 21_600, 43_200, 86_400],
  /** How long failed mails stay in the list, in seconds. */
  keptSeconds: 7 * 86_400,
  everySeconds: 1,
  /** One mail server takes them one by one. */
  limits: { atOnce: 1, perOwner: 1, perHost: 1, perSlowHost: 1 },
  /** How many are put off without a pause. */
  putOffAtOnce: 20,
} as const;
