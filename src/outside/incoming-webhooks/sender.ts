// The description of a webhook sender. To add one: a file in senders/, a line in senders.ts, and fixtures in the tests.
import type { PayloadValue } from "./payload.ts";
import type { WebhookTemplate } from "./schema.ts";

/** A request from a sender. */
export interface IncomingCall {
  payload: PayloadValue;
  /** The unparsed body, for checking its signature. */
  body: string;
  /** The addresses at which the sender may have called, with their query: some sign it. */
  addresses: readonly string[];
  /** UNIX seconds, for checking when the call was signed. */
  now: number;
  header(name: string): string;
  /** The template that the bot has for what no sender words. */
  template: WebhookTemplate | null;
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
export type PayloadWording = (payload: PayloadValue, call: IncomingCall, event: string) => Said | null;

/** A request that a sender makes, unsigned, before it signs its events. */
export interface Handshake {
  event: string;
  /** With which the sender will sign. */
  secret: string;
  /** Headers of the answer. */
  headers?: Readonly<Record<string, string>>;
  /** What the bot's owner is told, in Markdown. */
  toOwner: string;
}

export interface WebhookSender {
  /** The name in URLs. */
  name: string;
  /** The name for people. */
  title: string;
  /** Where the address is entered there: the names of its pages, and of the field. */
  setup: {
    where: string;
    field: string;
    /** What is entered or run there besides; ADDRESS stands for the address. */
    paste?: string;
  };
  /** The event's name, followed by the action, if there is one: "issues.opened". */
  eventOf(call: IncomingCall): string;
  /**
   * By event name. A name without an action is for all actions that have no entry; "*" is for all other events, which are left
   * out unless the URL asks for them.
   */
  events: Readonly<Record<string, PayloadWording>>;
  /** Patterns of events that are left out by default, such as `issues.*`. */
  quiet: readonly string[];
  /** An event to try a bot with; it must cause a message. */
  sample: { headers: Readonly<Record<string, string>>; payload: object };
  /** How a form, or the query of the URL, becomes a payload; by default, its field `payload` is JSON, or each field is a text. */
  form?: {
    /** The field that has the whole payload as JSON, instead of `payload`. */
    whole?: string;
    /** Fields that are JSON. */
    json?: readonly string[];
    /** Whether the fields may be in the query of the URL, also of a GET request. */
    inQuery?: boolean;
  };
  /** Whether a template of the bot words what is posted, which is kept for trying that. */
  isForTemplates?: true;
  /** The ID of what is delivered, if a repetition has the same; by default, the header Idempotency-Key or Webhook-Id. */
  deliveryOf?: (call: IncomingCall) => string;
  /** What the request is, if it is a handshake. */
  handshake?: (call: IncomingCall) => Handshake | null;
  /** Whether the signature is right; absent for senders that do not sign. */
  isSigned?: (call: IncomingCall, secret: string) => boolean;
  /** What a refused sender has to do, where that is not to enter the secret in a tool. */
  signing?: string;
}

export function sender(parts: WebhookSender): WebhookSender {
  return parts;
}
