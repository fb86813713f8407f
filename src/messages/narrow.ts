// Narrows: what a reader looks at, as a list of terms that all hold (API-REFERENCE 8).
import { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Traits } from "@/kernel/events.ts";
import { badNarrow, type Operand } from "./narrow-operands.ts";
import {
  findOperator,
  type OperatorRow,
  type Subject,
  takesKeyword,
  type Within,
} from "./narrow-operators.ts";
import { flagsFor, type MessageSent } from "./schema.ts";

export type { Subject, Within } from "./narrow-operators.ts";

export interface NarrowTerm {
  operator: string;
  operand: Operand;
  negated: boolean;
}

const operand = z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))]);

/** As objects, or as pairs the way old clients send them. */
const narrowTerm = z.union([
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
  z.tuple([z.string(), operand]).transform(([operator, operand]) => ({ operator, operand, negated: false })),
]);

/** Every term is asked of every message looked through. */
const mostTerms = 100;

export const narrowParam = z.array(narrowTerm).max(mostTerms, `A narrow has at most ${mostTerms} terms.`);

export interface Narrow {
  matches(subject: Subject): boolean;
  /** Where indexes find what matches; each list is all that its terms have in common. */
  readonly within: Within;
  /** Conversations in which nothing matches. */
  readonly without: ReadonlySet<number>;
  /** Looks at more than the user's own records: all that they may read of what is named. */
  readonly opensHistory: boolean;
  /** Asks for what only own records have. */
  readonly needsOwnRecords: boolean;
  readonly namesChannel: boolean;
}

/** Throws BAD_NARROW where a term means nothing, or two together cannot match anything. */
export function narrowOf(ctx: Ctx, terms: readonly NarrowTerm[]): Narrow {
  const parsed = terms.map(({ operator, operand, negated }) => {
    const row = findOperator(operator, operand) ?? unknownOperator(operator, operand);
    return { row, negated, term: row.term(ctx, operand) };
  });
  const wanted = parsed.filter(({ negated }) => !negated);
  const unwanted = parsed.filter(({ negated }) => negated);
  refuseBothSides(wanted.map(({ row }) => row));
  return {
    matches: (subject) => parsed.every(({ term, negated }) => term.matches(subject) !== negated),
    within: wanted.map(({ term }) => term.within(ctx)).reduce(common, {}),
    without: new Set(unwanted.flatMap(({ term }) => term.within(ctx).conversations ?? [])),
    opensHistory: wanted.some(({ term }) => term.opens(ctx)),
    needsOwnRecords: parsed.some(({ row }) => row.ownRecords),
    namesChannel: wanted.some(({ row }) => row.names.includes("channel")),
  };
}

function unknownOperator(operator: string, operand: Operand): never {
  if (takesKeyword(operator)) badNarrow(`unknown '${operator}' operand ${operand}`);
  badNarrow(`unknown operator ${operator}`);
}

function refuseBothSides(rows: readonly OperatorRow[]): void {
  const sides = new Set(rows.map((row) => row.side).filter((side) => side !== undefined));
  if (sides.size > 1) badNarrow("no message can be both a channel message and a direct message");
}

function common(some: Within, more: Within): Within {
  return {
    conversations: shared(some.conversations, more.conversations),
    topics: shared(some.topics, more.topics),
    senders: shared(some.senders, more.senders),
    ids: shared(some.ids, more.ids),
    flags: some.flags ?? more.flags,
    unread: some.unread ?? more.unread,
  };
}

function shared<T>(some: readonly T[] | undefined, more: readonly T[] | undefined): readonly T[] | undefined {
  if (!some || !more) return some ?? more;
  const others = new Set(more);
  return some.filter((one) => others.has(one));
}

/**
 * The filter of an event queue: which new messages it gets (API.md 4.21). Operators that queues do not know are
 * refused with BAD_REQUEST.
 */
export function queueFilter(
  ctx: Ctx,
  pairs: readonly (readonly [string, Operand])[],
): (sent: MessageSent, queue: Traits) => boolean {
  const terms = pairs.map(([operator, operand]) => {
    const row = findOperator(operator, operand);
    if (!row?.inQueues)
      fail("BAD_REQUEST", `Event queues cannot be narrowed by '${operator}' and this operand.`);
    return row.term(ctx, operand);
  });
  return (sent, queue) => {
    const subject = subjectOf(sent, queue);
    return terms.every((term) => term.matches(subject));
  };
}

function subjectOf(sent: MessageSent, queue: Traits): Subject {
  const { message } = sent;
  return {
    id: message.id,
    conversation_id: message.recipient_id,
    is_direct: message.type === "private",
    sender_id: message.sender_id,
    topic: message.subject,
    has: (flag) => flagsFor(sent, queue).includes(flag),
  };
}
