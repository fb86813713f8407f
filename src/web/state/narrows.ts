// Decides which messages match a narrow, as far as the client can tell.
import type { Recipient } from "@/messaging/messages/schema.ts";
import type { Message } from "./messages.ts";
import type { Self } from "./people.ts";
import { directPlace } from "./places.ts";
import { isMuted, resolvedSign, type Visibilities, visibility, visibilityOf } from "./topics.ts";

/** A condition on messages, as the API takes it; channels and people are given by their IDs. */
export interface Term {
  operator: string;
  operand: string;
  negated: boolean;
}

/** What decides whether a message matches. */
export type Deciding = Visibilities & { self: Self };

export function term(operator: string, operand: string | number, negated = false): Term {
  return { operator, operand: String(operand), negated };
}

/** What the narrow asks for by this operator; undefined if it has no such term, or only one that excludes. */
export function operandOf(terms: readonly Term[], operator: string): string | undefined {
  return terms.find((one) => one.operator === operator && !one.negated)?.operand;
}

/** A key that is equal for narrows with the same terms, ignoring case. */
export function narrowKey(terms: readonly Term[]): string {
  return terms
    .map(({ operator, operand, negated }) => `${negated ? "-" : ""}${operator}:${operand.toLowerCase()}`)
    .join("\n");
}

/** The combined feed. */
export const combined: readonly Term[] = [term("in", "home")];

type Test = (message: Message, operand: string, state: Deciding) => boolean | null;

/** By operator, or operator and operand; null where only the server can tell. */
const tests: Record<string, Test> = {
  channel: (message, operand) => message.type === "stream" && String(message.stream_id) === operand,
  topic: (message, operand) =>
    message.type === "stream" && message.subject.toLowerCase() === operand.toLowerCase(),
  dm: (message, operand, { self }) => {
    if (message.type !== "private") return false;
    const people = (message.display_recipient as Recipient[]).map(({ id }) => id);
    const asked = operand.split(",").map(Number);
    if (asked.some(Number.isNaN)) return null;
    return (
      directPlace(people, self.user_id).user_ids.join() === directPlace(asked, self.user_id).user_ids.join()
    );
  },
  "dm-including": (message, operand) =>
    message.type === "private" &&
    (message.display_recipient as Recipient[]).some(({ id }) => String(id) === operand),
  sender: (message, operand) => (/^\d+$/.test(operand) ? String(message.sender_id) === operand : null),
  "is:dm": ({ type }) => type === "private",
  "is:starred": ({ flags }) => flags.includes("starred"),
  "is:mentioned": ({ flags }) => mentionFlags.some((flag) => flags.includes(flag)),
  "is:alerted": ({ flags }) => flags.includes("has_alert_word"),
  "is:resolved": ({ type, subject }) => type === "stream" && subject.startsWith(resolvedSign),
  "is:followed": (message, _, state) =>
    message.type === "stream" &&
    visibilityOf(state, message.stream_id as number, message.subject) === visibility.followed,
  "in:home": (message, _, state) =>
    message.type === "private" ||
    !isMuted(state, { stream_id: message.stream_id as number, topic: message.subject }),
  "in:all": () => true,
};

const mentionFlags = [
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
  "wildcard_mentioned",
];

/** Whether the message matches the narrow; null if only the server can tell. */
export function holds(state: Deciding, terms: readonly Term[], message: Message): boolean | null {
  let isCertain = true;
  for (const { operator, operand, negated } of terms) {
    const test = tests[`${operator}:${operand}`] ?? tests[operator];
    const found = test?.(message, operand, state) ?? null;
    if (found === null) isCertain = false;
    else if (found === negated) return false;
  }
  return isCertain ? true : null;
}
