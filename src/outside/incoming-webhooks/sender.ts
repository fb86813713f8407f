// What a sender of webhooks is. Adding one: a file in senders/, a line in senders.ts, and its fixtures in the tests.
import type { Piece } from "./payload.ts";

/** A request from a sender. */
export interface Call {
  payload: Piece;
  /** The body as it came, which signatures are made of. */
  body: string;
  header(name: string): string;
  /** Parameters of the address, such as the title's field for `json`. */
  option(name: string): string;
}

/** What a bot says about an event. */
export interface Said {
  /** The topic, unless the address names one. */
  topic: string;
  content: string;
}

/** Says it in words; null if there is nothing to say, such as about a draft that nobody has asked to review. */
export type Wording = (payload: Piece, call: Call) => Said | null;

export interface Sender {
  /** As in the address. */
  name: string;
  /** As people call it. */
  title: string;
  /** The event's name, with what happened after a dot where the sender tells it: "issues.opened". */
  eventOf(call: Call): string;
  /** By the event's name; one without what happened stands for all that are not here by themselves. */
  events: Readonly<Record<string, Wording>>;
  /** Names of events that a chat can do without; the address may ask for them. `issues.*` stands for all of one kind. */
  quiet: readonly string[];
  /** Whether the signature of the sender fits the secret; absent for senders that do not sign. */
  isSigned?: (call: Call, secret: string) => boolean;
}

export function sender(parts: Sender): Sender {
  return parts;
}
