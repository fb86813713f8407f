// What a row of the table of operators says: which messages match, and where an index lists them.
import type { Ctx } from "@/kernel/context.ts";
import type { FlagName } from "@/messaging/receipts/schema.ts";
import type { Texts } from "@/text/search/search.ts";
import type { Operand } from "./operands.ts";

/** A message as a narrow looks at it, stored or just being sent. */
export interface Subject {
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
  /** Where searches look. */
  texts(): Texts;
}

/** One topic of one channel. */
export interface ThreadKey {
  readonly conversation_id: number;
  readonly topic_key: string;
}

/** Where an index finds all that matches; what is absent says nothing. */
export interface Within {
  readonly conversations?: readonly number[];
  readonly topics?: readonly string[];
  readonly threads?: readonly ThreadKey[];
  readonly senders?: readonly number[];
  readonly ids?: readonly number[];
  /** Rare flags of which each match has at least one, or a channel wildcard. */
  readonly flags?: { readonly bits: number; readonly orWildcard?: true };
  readonly unread?: true;
  readonly reacted?: true;
  /** What the full-text index has for each match. */
  readonly tokens?: readonly string[];
  /** A text that the content or topic of each match contains, where the index has no token for it. */
  readonly containing?: string;
}

export interface Operator<V> {
  /** Old names that are still sent. */
  also?: readonly string[];
  /** The only kind of message it can match: no narrow asks for both. */
  side?: "channel" | "direct";
  /** Refuses an operand that means nothing; null where the term is to be left out. Absent where the name says it all. */
  operand?: (ctx: Ctx, given: Operand) => V | null;
  match: (subject: Subject, value: V) => boolean;
  /** Looks at what has to be read for each message, so that it is asked last. */
  isCostly?: true;
  /** Names a place, which `with` does instead. */
  isPlace?: true;
  within?: (value: V, ctx: Ctx) => Within;
  /** Matches everything in the conversations it is within. */
  isWhole?: true;
  /** Whether it shows more than the user's own records: all that they may read of it. */
  opens?: (value: V, ctx: Ctx) => boolean;
  /** Asks for something that only own records have, so that nothing else is looked through. */
  ownRecords?: true;
  /** May filter an event queue. */
  inQueues?: true;
}

/** An operator together with its operand. */
export interface Term {
  readonly matches: (subject: Subject) => boolean;
  readonly within: (ctx: Ctx) => Within;
  readonly opens: (ctx: Ctx) => boolean;
}

type Traits = "side" | "ownRecords" | "inQueues" | "isCostly" | "isPlace" | "isWhole";

export interface OperatorRow extends Pick<Operator<unknown>, Traits> {
  readonly names: readonly string[];
  /** Null where the term says nothing. */
  readonly term: (ctx: Ctx, given: Operand) => Term | null;
}

/** One row of the table of operators. */
export function operator<V>(name: string, row: Operator<V>): OperatorRow {
  const { also = [], operand, match, within, opens, ...traits } = row;
  const term = (ctx: Ctx, given: Operand): Term | null => {
    const value = operand?.(ctx, given) as V;
    if (value === null) return null;
    return {
      matches: (subject) => match(subject, value),
      within: (reads) => within?.(value, reads) ?? {},
      opens: (reads) => opens?.(value, reads) ?? false,
    };
  };
  return { names: [name, ...also], ...traits, term };
}
