// Types for the table of operators: which messages match, and which indexes list them.

import type { Ctx } from "@/kernel/core/context.ts";
import type { FlagName } from "@/messaging/message-rows/schema.ts";
import type { Texts } from "@/text/search/search.ts";
import type { Operand } from "./operands.ts";

/** A message to be matched by a narrow, stored or just being sent. */
export interface NarrowSubject {
  readonly id: number;
  readonly conversation_id: number;
  readonly is_direct: boolean;
  readonly sender_id: number;
  readonly topic: string;
  /** Of `messageBits`. */
  readonly bits: number;
  /** Whether the viewer has this flag on it. */
  has(flag: FlagName): boolean;
  isReactedTo(): boolean;
  /** Whether its text mentions this user by name, and not silently. */
  mentions(userId: number): boolean;
  /** The texts that searches examine. */
  texts(): Texts;
}

/** One topic of one channel. */
export interface ThreadKey {
  readonly conversation_id: number;
  readonly topic_key: string;
}

/** Restrictions under which indexes find all matches. An absent field restricts nothing. */
export interface Within {
  readonly conversations?: readonly number[];
  readonly topics?: readonly string[];
  readonly threads?: readonly ThreadKey[];
  readonly senders?: readonly number[];
  readonly ids?: readonly number[];
  /** Each match has at least one of these rare flags, or, with `orWildcard`, mentions a whole channel. */
  readonly flags?: { readonly bits: number; readonly orWildcard?: true };
  readonly unread?: true;
  readonly reacted?: true;
  /** Tokens that the full-text index has for each match. */
  readonly tokens?: readonly string[];
  /** A text that each match contains in its content or topic, for searches that the index has no token for. */
  readonly containing?: string;
}

export interface Operator<V> {
  /** Old names that clients still send. */
  also?: readonly string[];
  /** The only kind of message it can match. A narrow cannot combine both. */
  side?: "channel" | "direct";
  /** Parses the operand and throws if it is invalid. Null leaves the term out. Absent if the name includes the operand. */
  operand?: (ctx: Ctx, given: Operand) => V | null;
  match: (subject: NarrowSubject, value: V) => boolean;
  /** Needs extra data for each message, so it is checked last. */
  isCostly?: true;
  /** Names a channel, topic or conversation. `with` replaces such terms. */
  isPlace?: true;
  within?: (value: V, ctx: Ctx) => Within;
  /** Matches every message of the conversations in `within`. */
  isWhole?: true;
  /** Whether it includes messages that are not the user's own records. */
  opens?: (value: V, ctx: Ctx) => boolean;
  /** Only the user's own records can match. */
  ownRecords?: true;
  /** May filter an event queue. */
  inQueues?: true;
}

/** An operator together with its operand. */
export interface CompiledTerm {
  readonly matches: (subject: NarrowSubject) => boolean;
  readonly within: (ctx: Ctx) => Within;
  readonly opens: (ctx: Ctx) => boolean;
}

type OperatorFlags = "side" | "ownRecords" | "inQueues" | "isCostly" | "isPlace" | "isWhole";

export interface OperatorRow extends Pick<Operator<unknown>, OperatorFlags> {
  readonly names: readonly string[];
  /** Null if the term filters nothing. */
  readonly term: (ctx: Ctx, given: Operand) => CompiledTerm | null;
}

/** One row of the table of operators. */
export function operator<V>(name: string, row: Operator<V>): OperatorRow {
  const { also = [], operand, match, within, opens, ...flags } = row;
  const term = (ctx: Ctx, given: Operand): CompiledTerm | null => {
    const value = operand?.(ctx, given) as V;
    if (value === null) return null;
    return {
      matches: (subject) => match(subject, value),
      within: (reads) => within?.(value, reads) ?? {},
      opens: (reads) => opens?.(value, reads) ?? false,
    };
  };
  return { names: [name, ...also], ...flags, term };
}
