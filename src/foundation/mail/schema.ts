import type { Html } from "@/kernel/http/html.ts";
import { english, type Language } from "@/text/language/languages.ts";
import type { Translator } from "@/text/language/translator.ts";

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
  /** Writes in the language of the letter. */
  translator: Translator;
  subject: string;
  /** The large heading; by default the subject. */
  heading?: string;
  blocks: readonly MailBlock[];
  /** Explains why the person got this mail. */
  footer?: string;
}

/** A date in digits, as the language writes it; in UTC, for readers whose time zone is unknown. */
export function dateInUtc(language: Language, seconds: number): string {
  return figures(language, {}).format(seconds * 1000);
}

/** The same, with the time of day. */
export function timeInUtc(language: Language, seconds: number): string {
  return figures(language, { hour: "2-digit", minute: "2-digit" }).format(seconds * 1000);
}

function figures(language: Language, time: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // In English, day and month could be taken for each other, so dates are in ISO 8601, as in Swedish.
  const tag = language === english ? "sv" : language.tag;
  const day = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat(tag, { ...day, ...time, timeZone: "UTC" });
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
