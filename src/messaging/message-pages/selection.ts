// Selects the messages of a narrow that the actor may read.

import { viewer } from "@/foundation/permissions/access.ts";
import type { Member } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Budget, Task } from "@/kernel/lib/tasks.ts";
import { type Candidate, flagBits, type Reach } from "@/messaging/message-rows/schema.ts";
import { findCandidates } from "@/messaging/messages/access.ts";
import type { Narrow } from "@/messaging/narrows/narrow.ts";
import type { NarrowSubject } from "@/messaging/narrows/terms.ts";
import { flagsOf, viewOf } from "@/messaging/receipts/access.ts";
import { findChannel, isAllowed, sharesHistory } from "@/places/channels/access.ts";
import { conversation, directConversationsOf } from "@/places/conversations/access.ts";
import { mentionStart } from "@/text/rendering/render.ts";
import { SearchedText } from "@/text/search/search.ts";
import { findTextCache } from "./cached-texts.ts";
import type { ReceivedSpan } from "./store.ts";
import * as store from "./store.ts";

/** How much of a conversation the actor may read. */
export type Sight = "all" | "received" | "none";

export interface Selection {
  readonly narrow: Narrow;
  readonly userId: number;
  /** Whether only the user's own records count: messages they received, or that were added to their history later. */
  readonly ownRecords: boolean;
  /** Whether the first unread message is wanted: before it there may be many that are read. */
  readonly startsUnread?: boolean;
  sightOf(conversationId: number): Sight;
  /** The user received the message, or it was moved to a channel with protected history where they were subscribed. */
  isReached(message: Reach): boolean;
  isRead(message: Candidate): boolean;
}

/** The selection of a narrow. By default, the narrow decides about `ownRecords`. */
export function selectionOf(ctx: Ctx, narrow: Narrow, ownRecords = !narrow.opensHistory): Selection {
  const member = viewer(ctx);
  const sights = new Map<number, Sight>();
  const sightOf = (id: number) => {
    const known = sights.get(id);
    if (known) return known;
    const seen = sight(ctx, member, id);
    sights.set(id, seen);
    return seen;
  };
  const spansOf = once(() => store.groupReceivedByHome(ctx, member.id));
  const wasIn = (id: number, seq: number) =>
    spansOf()
      .get(id)
      ?.some((span) => covers(span, seq)) ?? false;
  return {
    narrow,
    userId: member.id,
    ownRecords: ownRecords || narrow.needsOwnRecords,
    sightOf,
    isReached: ({ home_id, seq, conversation_id, arrived_seq }) =>
      wasIn(home_id, seq) ||
      (arrived_seq !== null &&
        sightOf(conversation_id) === "received" &&
        wasIn(conversation_id, arrived_seq)),
    isRead: viewOf(ctx, member.id).isRead,
  };
}

function sight(ctx: Ctx, member: Member, conversationId: number): Sight {
  const { channel_id } = conversation(ctx, conversationId);
  if (channel_id === null) return directConversationsOf(ctx, member.id).has(conversationId) ? "all" : "none";
  const channel = findChannel(ctx, channel_id);
  if (!channel || !isAllowed(ctx, channel, "read")) return "none";
  return sharesHistory(channel) ? "all" : "received";
}

const covers = ({ from_seq, to_seq }: ReceivedSpan, seq: number) => seq >= from_seq && seq <= to_seq;

const portion = 256;

/**
 * The messages among `ids` that the selection shows, in the given order. If the budget is spent, returns only the first
 * ones, but at least one if there is any.
 */
export function* selectAmong(
  ctx: Ctx,
  selection: Selection,
  ids: readonly number[],
  budget?: Budget,
): Task<number[]> {
  const shown: number[] = [];
  for (let at = 0; at < ids.length; at += portion) {
    const { narrow } = selection;
    const some = ids.slice(at, at + portion);
    const candidates = candidatesAmong(ctx, some).filter(readableIn(selection));
    const rows = selectCandidates(ctx, selection, matching(ctx, selection, candidates, narrow.matches));
    yield some.length;
    if (narrow.confirms) yield* confirmCandidates(ctx, selection, { rows, shown, budget });
    else shown.push(...rows.map((row) => row.id));
    if (budget?.isSpent && shown.length > 0) break;
  }
  return shown;
}

/** Those of these messages that exist, in the given order. */
function candidatesAmong(ctx: Ctx, ids: readonly number[]): Candidate[] {
  const kept = findTextCache(ctx);
  const rows = ids.map((id) => kept.find(id)?.row);
  const others = ids.filter((_, i) => !rows[i]);
  if (others.length === 0) return rows as Candidate[];
  const read = new Map(findCandidates(ctx, others).map((row) => [row.id, row]));
  return ids.flatMap((id, i) => rows[i] ?? read.get(id) ?? []);
}

/** Texts read at once. */
const texts = 16;

function* confirmCandidates(
  ctx: Ctx,
  selection: Selection,
  { rows, shown, budget }: { rows: readonly Candidate[]; shown: number[]; budget: Budget | undefined },
): Task<void> {
  const confirms = selection.narrow.confirms ?? (() => true);
  for (let at = 0; at < rows.length; at += texts) {
    const some = rows.slice(at, at + texts);
    const asSubject = subjects(ctx, selection, some);
    for (const row of some) {
      if (confirms(asSubject(row))) shown.push(row.id);
      yield 1;
      if (budget?.isSpent && shown.length > 0) return;
    }
  }
}

function matching(
  ctx: Ctx,
  selection: Selection,
  rows: readonly Candidate[],
  matches: ((subject: NarrowSubject) => boolean) | null,
): readonly Candidate[] {
  if (!matches) return rows;
  const asSubject = subjects(ctx, selection, rows);
  return rows.filter((row) => matches(asSubject(row)));
}

/** Drops messages that are not the user's own records, if only those count. */
function selectCandidates(ctx: Ctx, selection: Selection, rows: readonly Candidate[]): readonly Candidate[] {
  const { userId, ownRecords, isReached } = selection;
  const others = ownRecords ? rows.filter((row) => !isReached(row)).map((row) => row.id) : [];
  if (others.length === 0) return rows;
  const historical = store.findFlaggedAmong(ctx, userId, flagBits.historical, others);
  const hidden = new Set(others.filter((id) => !historical.has(id)));
  return rows.filter((row) => !hidden.has(row.id));
}

/** Whether the actor may read a message. */
export function readableIn({ sightOf, isReached }: Selection): (row: Candidate) => boolean {
  return (row) => {
    const seen = sightOf(row.conversation_id);
    return seen === "all" || (seen === "received" && isReached(row));
  };
}

/** Adapts stored messages for narrows. Extra data is read for all of them when it is first needed. */
function subjects(
  ctx: Ctx,
  { userId, isRead }: Selection,
  rows: readonly Candidate[],
): (row: Candidate) => NarrowSubject {
  const ids = () => rows.map((row) => row.id);
  const flags = once(() => flagsOf(ctx, userId, rows));
  const reacted = once(() => store.findReactedAmong(ctx, ids()));
  const htmls = once(() => new Map(store.findHtml(ctx, ids()).map((row) => [row.id, row.rendered])));
  const texts = once(
    () => new Map(store.findTexts(ctx, ids()).map((row) => [row.id, new SearchedText(row.content)])),
  );
  return (row) => ({
    id: row.id,
    conversation_id: row.conversation_id,
    is_direct: conversation(ctx, row.conversation_id).channel_id === null,
    sender_id: row.sender_id,
    topic: row.topic,
    bits: row.bits,
    has: (flag) => (flag === "read" ? isRead(row) : (flags().get(row.id)?.includes(flag) ?? false)),
    isReactedTo: () => reacted().has(row.id),
    mentions: (id) => htmls().get(row.id)?.includes(mentionStart(id)) ?? false,
    texts: () => [texts().get(row.id) ?? new SearchedText(""), new SearchedText(row.topic)],
  });
}

function once<T>(load: () => T): () => T {
  let loaded: { value: T } | null = null;
  return () => {
    loaded ??= { value: load() };
    return loaded.value;
  };
}
