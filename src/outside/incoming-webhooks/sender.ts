// The description of a webhook sender. To add one: a file in senders/, a line in senders.ts, and fixtures in the tests.
import type { Piece } from "./payload.ts";

/** A request from a sender. */
export interface Call {
  payload: Piece;
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
export type Wording = (payload: Piece, call: Call) => Said | null;

export interface Sender {
  /** The name in URLs. */
  name: string;
  /** The name for people. */
  title: string;
  /** The event's name, followed by the action, if there is one: "issues.opened". */
  eventOf(call: Call): string;
  /** By event name. A name without an action is for all actions that have no entry. */
  events: Readonly<Record<string, Wording>>;
  /** Patterns of events that are left out by default, such as `issues.*`. */
  quiet: readonly string[];
  /** Whether the signature is right; absent for senders that do not sign. */
  isSigned?: (call: Call, secret: string) => boolean;
}

export function sender(parts: Sender): Sender {
  return parts;
}
