// The description of a webhook sender. To add one: a file in senders/, a line in senders.ts, and fixtures in the tests.
import type { PayloadValue } from "./payload.ts";

/** A request from a sender. */
export interface IncomingCall {
  payload: PayloadValue;
  /** The unparsed body, for checking its signature. */
  body: string;
  header(name: string): string;
  /** A parameter of the URL, such as `title_field`; empty if absent. */
  option(name: string): string;
}

/** The message about an event. */
export interface Said {
  /** The topic, if the URL names none. */
  topic: string;
  content: string;
}

/** Makes the message about an event; null if it is not worth one, such as a change to a draft. */
export type PayloadWording = (payload: PayloadValue, call: IncomingCall) => Said | null;

export interface WebhookSender {
  /** The name in URLs. */
  name: string;
  /** The name for people. */
  title: string;
  /** The event's name, followed by the action, if there is one: "issues.opened". */
  eventOf(call: IncomingCall): string;
  /** By event name. A name without an action is for all actions that have no entry. */
  events: Readonly<Record<string, PayloadWording>>;
  /** Patterns of events that are left out by default, such as `issues.*`. */
  quiet: readonly string[];
  /** An event to try a bot with; it must cause a message. */
  sample: { headers: Readonly<Record<string, string>>; payload: object };
  /** Whether the signature is right; absent for senders that do not sign. */
  isSigned?: (call: IncomingCall, secret: string) => boolean;
}

export function sender(parts: WebhookSender): WebhookSender {
  return parts;
}
