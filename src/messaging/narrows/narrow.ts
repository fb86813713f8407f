// Narrows: lists of terms, all of which a message must match (docs/design.md#finding-messages).
import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Traits } from "@/kernel/core/events.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { flagsFor, type MessageSent } from "@/messaging/messages/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { type Search, sizeOf, together } from "@/text/search/search.ts";
import { badNarrow, type Operand, searchRef } from "./operands.ts";
import { findOperator, takesKeyword } from "./operators.ts";
import type { CompiledTerm, NarrowSubject, OperatorRow, Within } from "./terms.ts";

export interface NarrowTerm {
  operator: string;
  operand: Operand;
  negated: boolean;
}

/** Limited, because each is looked up. */
const maxInOperand = 1_000;

const operandList = z
  .array(z.union([z.string(), z.int()]))
  .max(maxInOperand, `The operand of a narrow names at most ${maxInOperand} people.`);

const operand = z.union([z.string(), z.int(), operandList]);

/** Terms as objects, or as pairs, which old clients send. */
const narrowTerm = z.union([
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
  z.tuple([z.string(), operand]).transform(([operator, operand]) => ({ operator, operand, negated: false })),
]);

/** Limited, because every term is checked for every candidate. Duplicates count once. */
const maxTerms = 32;
const tooManyTerms = `A narrow has at most ${maxTerms} terms.`;
/** Before duplicates are removed. */
const maxTermsSent = 1_000;

export const narrowParam = z
  .array(narrowTerm)
  .max(maxTermsSent, tooManyTerms)
  .transform(withoutRepetitions)
  .refine((terms) => terms.length <= maxTerms, tooManyTerms);

function withoutRepetitions(terms: NarrowTerm[]): NarrowTerm[] {
  const keyOf = ({ operator, operand, negated }: NarrowTerm) => JSON.stringify([operator, operand, negated]);
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

export interface Narrow {
  /** Null if all messages match. */
  readonly matches: ((subject: NarrowSubject) => boolean) | null;
  /** A costly check for messages that match so far, or null. */
  readonly confirms: ((subject: NarrowSubject) => boolean) | null;
  /** Where indexes find the matches. Each list is the intersection of its terms' lists. */
  readonly within: Within;
  /** Conversations without matches. */
  readonly without: ReadonlySet<number>;
  /** Includes messages that are not the user's own records: everything readable in the named channels. */
  readonly opensHistory: boolean;
  /** Has a term that only own records can match. */
  readonly needsOwnRecords: boolean;
  /** Names a channel, directly or by one of its messages. */
  readonly namesChannel: boolean;
  /** What to highlight; null without a search. */
  readonly searches: readonly Search[] | null;
}

interface Parsed {
  row: OperatorRow;
  negated: boolean;
  term: CompiledTerm;
}

/** Throws BAD_NARROW if a term is invalid, or two terms contradict each other. */
export function narrowOf(ctx: Ctx, terms: readonly NarrowTerm[]): Narrow {
  const parsed = parse(ctx, terms);
  const wanted = parsed.filter(({ negated }) => !negated);
  const unwanted = parsed.filter(({ negated }) => negated);
  refuseBothSides(wanted.map(({ row }) => row));
  const conversationsOf = (term: CompiledTerm) => term.within(ctx).conversations ?? [];
  const costly = parsed.filter(({ row }) => row.isCostly);
  return {
    matches: allOf(parsed.filter(({ row }) => !row.isCostly)),
    confirms: allOf(costly),
    within: wanted.map(({ term }) => term.within(ctx)).reduce(common, {}),
    without: new Set(unwanted.flatMap(({ row, term }) => (row.isWhole ? conversationsOf(term) : []))),
    opensHistory: wanted.some(({ term }) => term.opens(ctx)),
    needsOwnRecords: parsed.some(({ row }) => row.ownRecords),
    namesChannel: wanted.some(({ row }) => row.names.includes("channel") || row.names.includes("with")),
    searches: searchesIn(ctx, terms),
  };
}

/** Limited, because every word and phrase is checked for every candidate. Duplicates count once. */
const maxParts = 32;

function searchesIn(ctx: Ctx, terms: readonly NarrowTerm[]): Search[] | null {
  const given = terms.filter(({ operator }) => operator === "search");
  if (given.length === 0) return null;
  const searches = given.map(({ operand, negated }) => ({ negated, search: searchRef(ctx, operand) }));
  const all = together(searches.map(({ search }) => search));
  if (sizeOf(all) > maxParts)
    badNarrow(`Invalid narrow operator: a search has at most ${maxParts} words and phrases`);
  return searches.filter(({ negated }) => !negated).map(({ search }) => search);
}

function allOf(terms: readonly Parsed[]): ((subject: NarrowSubject) => boolean) | null {
  if (terms.length === 0) return null;
  return (subject) => terms.every(({ term, negated }) => term.matches(subject) !== negated);
}

/** Parses the terms that filter. `with` replaces the terms that name a channel or topic. */
function parse(ctx: Ctx, terms: readonly NarrowTerm[]): Parsed[] {
  const rows = terms.map(({ operator, operand, negated }) => {
    const row = findOperator(operator, operand) ?? unknownOperator(operator, operand);
    return { row, operand, negated };
  });
  const [place, another] = rows.filter(({ row }) => row.names.includes("with"));
  if (another) badNarrow("Invalid narrow operator: a narrow can have only one 'with' term");
  const isPlaced = place !== undefined && !place.negated && place.row.term(ctx, place.operand) !== null;
  return rows.flatMap(({ row, operand, negated }) => {
    if (isPlaced && row.isPlace) return [];
    const term = row.term(ctx, operand);
    return term ? [{ row, negated, term }] : [];
  });
}

function unknownOperator(operator: string, operand: Operand): never {
  if (takesKeyword(operator))
    badNarrow(
      sentence("Invalid narrow operator: unknown ''{operator}'' operand {operand}", {
        operator,
        operand: String(operand),
      }),
    );
  badNarrow(sentence("Invalid narrow operator: unknown operator {operator}", { operator }));
}

function refuseBothSides(rows: readonly OperatorRow[]): void {
  const sides = new Set(rows.map((row) => row.side).filter((side) => side !== undefined));
  if (sides.size > 1)
    badNarrow("Invalid narrow operator: no message can be both a channel message and a direct message");
}

function common(some: Within, more: Within): Within {
  return {
    conversations: intersect(some.conversations, more.conversations),
    topics: intersect(some.topics, more.topics),
    senders: intersect(some.senders, more.senders),
    ids: intersect(some.ids, more.ids),
    threads: some.threads ?? more.threads,
    flags: some.flags ?? more.flags,
    unread: some.unread ?? more.unread,
    reacted: some.reacted ?? more.reacted,
    containing: some.containing ?? more.containing,
    tokens: some.tokens && more.tokens ? [...some.tokens, ...more.tokens] : (some.tokens ?? more.tokens),
  };
}

function intersect<T>(
  some: readonly T[] | undefined,
  more: readonly T[] | undefined,
): readonly T[] | undefined {
  if (!some || !more) return some ?? more;
  const others = new Set(more);
  return some.filter((one) => others.has(one));
}

/**
 * The filter for new messages of an event queue. Throws BAD_REQUEST for operators that queues do not support.
 */
export function queueFilter(
  ctx: Ctx,
  pairs: readonly (readonly [string, Operand])[],
): (sent: MessageSent, queue: Traits) => boolean {
  const terms = pairs.map(([operator, operand]) => {
    const row = findOperator(operator, operand);
    if (!row?.inQueues)
      fail(
        "BAD_REQUEST",
        sentence("Event queues do not support narrowing by ''{operator}'' with this operand.", { operator }),
      );
    return row.term(ctx, operand);
  });
  return (sent, queue) => {
    const subject = subjectOf(sent, queue);
    return terms.every((term) => term?.matches(subject) ?? true);
  };
}

/** Properties that no operator for queues reads. */
const unasked = { bits: 0, isReactedTo: () => false, mentions: () => false, texts: () => [] };

function subjectOf(sent: MessageSent, queue: Traits): NarrowSubject {
  const { message } = sent;
  return {
    id: message.id,
    conversation_id: message.recipient_id,
    is_direct: message.type === "private",
    sender_id: message.sender_id,
    topic: message.subject,
    has: (flag) => flagsFor(sent, queue).includes(flag),
    ...unasked,
  };
}
