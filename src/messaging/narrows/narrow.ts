// Narrows: lists of terms, all of which a message must match (docs/design.md#finding-messages).
import { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Traits } from "@/kernel/events.ts";
import { flagsFor, type MessageSent } from "@/messaging/messages/schema.ts";
import { type Search, sizeOf, together } from "@/text/search/search.ts";
import { badNarrow, type Operand, searchRef } from "./operands.ts";
import { findOperator, takesKeyword } from "./operators.ts";
import type { OperatorRow, Subject, Term, Within } from "./terms.ts";

export type { Subject, Within } from "./terms.ts";

export interface NarrowTerm {
  operator: string;
  operand: Operand;
  negated: boolean;
}

/** Each is looked up. */
const mostInOperand = 1_000;

const operandList = z
  .array(z.union([z.string(), z.int()]))
  .max(mostInOperand, `The operand of a narrow names at most ${mostInOperand} people.`);

const operand = z.union([z.string(), z.int(), operandList]);

/** As objects, or as pairs the way old clients send them. */
const narrowTerm = z.union([
  z.object({ operator: z.string(), operand, negated: z.boolean().default(false) }),
  z.tuple([z.string(), operand]).transform(([operator, operand]) => ({ operator, operand, negated: false })),
]);

/** Every term is asked of every message looked through; equal ones count once. */
const mostTerms = 32;
const tooManyTerms = `A narrow has at most ${mostTerms} terms.`;
/** Each is read before equal ones are found. */
const mostTermsSent = 1_000;

export const narrowParam = z
  .array(narrowTerm)
  .max(mostTermsSent, tooManyTerms)
  .transform(withoutRepetitions)
  .refine((terms) => terms.length <= mostTerms, tooManyTerms);

function withoutRepetitions(terms: NarrowTerm[]): NarrowTerm[] {
  const keyOf = ({ operator, operand, negated }: NarrowTerm) => JSON.stringify([operator, operand, negated]);
  return [...new Map(terms.map((term) => [keyOf(term), term])).values()];
}

export interface Narrow {
  matches(subject: Subject): boolean;
  /** What is left to ask of those that match: costly, or null. */
  readonly confirms: ((subject: Subject) => boolean) | null;
  /** Where indexes find what matches; each list is all that its terms have in common. */
  readonly within: Within;
  /** Conversations in which nothing matches. */
  readonly without: ReadonlySet<number>;
  /** Looks at more than the user's own records: all that they may read of what is named. */
  readonly opensHistory: boolean;
  /** Asks for what only own records have. */
  readonly needsOwnRecords: boolean;
  /** By name, or as the place of one of its messages. */
  readonly namesChannel: boolean;
  /** What to highlight; null where nothing is searched for. */
  readonly searches: readonly Search[] | null;
}

interface Parsed {
  row: OperatorRow;
  negated: boolean;
  term: Term;
}

/** Throws BAD_NARROW where a term means nothing, or two together cannot match anything. */
export function narrowOf(ctx: Ctx, terms: readonly NarrowTerm[]): Narrow {
  const parsed = parse(ctx, terms);
  const wanted = parsed.filter(({ negated }) => !negated);
  const unwanted = parsed.filter(({ negated }) => negated);
  refuseBothSides(wanted.map(({ row }) => row));
  const conversationsOf = (term: Term) => term.within(ctx).conversations ?? [];
  const costly = parsed.filter(({ row }) => row.isCostly);
  return {
    matches: allOf(parsed.filter(({ row }) => !row.isCostly)),
    confirms: costly.length > 0 ? allOf(costly) : null,
    within: wanted.map(({ term }) => term.within(ctx)).reduce(common, {}),
    without: new Set(unwanted.flatMap(({ row, term }) => (row.isWhole ? conversationsOf(term) : []))),
    opensHistory: wanted.some(({ term }) => term.opens(ctx)),
    needsOwnRecords: parsed.some(({ row }) => row.ownRecords),
    namesChannel: wanted.some(({ row }) => row.names.includes("channel") || row.names.includes("with")),
    searches: searchesIn(ctx, terms),
  };
}

/** Every word and phrase is looked for in every message looked through; equal ones count once. */
const mostParts = 32;

function searchesIn(ctx: Ctx, terms: readonly NarrowTerm[]): Search[] | null {
  const given = terms.filter(({ operator }) => operator === "search");
  if (given.length === 0) return null;
  const searches = given.map(({ operand, negated }) => ({ negated, search: searchRef(ctx, operand) }));
  const all = together(searches.map(({ search }) => search));
  if (sizeOf(all) > mostParts) badNarrow(`a search has at most ${mostParts} words and phrases`);
  return searches.filter(({ negated }) => !negated).map(({ search }) => search);
}

const allOf = (terms: readonly Parsed[]) => (subject: Subject) =>
  terms.every(({ term, negated }) => term.matches(subject) !== negated);

/** The terms that say something; `with` says where to look instead of those that name a place. */
function parse(ctx: Ctx, terms: readonly NarrowTerm[]): Parsed[] {
  const rows = terms.map(({ operator, operand, negated }) => {
    const row = findOperator(operator, operand) ?? unknownOperator(operator, operand);
    return { row, operand, negated };
  });
  const [place, another] = rows.filter(({ row }) => row.names.includes("with"));
  if (another) badNarrow("there can only be one 'with'");
  const isPlaced = place !== undefined && !place.negated && place.row.term(ctx, place.operand) !== null;
  return rows.flatMap(({ row, operand, negated }) => {
    if (isPlaced && row.isPlace) return [];
    const term = row.term(ctx, operand);
    return term ? [{ row, negated, term }] : [];
  });
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
    threads: some.threads ?? more.threads,
    flags: some.flags ?? more.flags,
    unread: some.unread ?? more.unread,
    reacted: some.reacted ?? more.reacted,
    containing: some.containing ?? more.containing,
    tokens: some.tokens && more.tokens ? [...some.tokens, ...more.tokens] : (some.tokens ?? more.tokens),
  };
}

function shared<T>(some: readonly T[] | undefined, more: readonly T[] | undefined): readonly T[] | undefined {
  if (!some || !more) return some ?? more;
  const others = new Set(more);
  return some.filter((one) => others.has(one));
}

/**
 * The filter of an event queue: which new messages it gets. Throws BAD_REQUEST for operators that cannot filter queues.
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
    return terms.every((term) => term?.matches(subject) ?? true);
  };
}

/** What no operator asks for that queues know. */
const unasked = { bits: 0, isReactedTo: () => false, texts: () => [] };

function subjectOf(sent: MessageSent, queue: Traits): Subject {
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
