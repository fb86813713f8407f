// Which messages of a narrow the actor sees, and the page of them around an anchor.

import { viewer } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Effort, Steps } from "@/kernel/steps.ts";
import type { Narrow, Subject } from "@/messaging/narrows/narrow.ts";
import { flagsOf, viewOf } from "@/messaging/receipts/access.ts";
import { flagBits } from "@/messaging/receipts/schema.ts";
import { mayRead, sharesHistory, visibleChannel } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import { SearchedText } from "@/text/search/search.ts";
import type { Candidate, Reach, ReceivedSpan } from "./store.ts";
import * as store from "./store.ts";

/** How much of a conversation the actor may read. */
export type Sight = "all" | "received" | "none";

export interface Selection {
  readonly narrow: Narrow;
  readonly userId: number;
  /** True where only the user's own records are considered: received, or taken into their history later. */
  readonly ownRecords: boolean;
  sightOf(conversationId: number): Sight;
  /** Received where it was sent; or, where history is protected, moved to where the user was. */
  reached(message: Reach): boolean;
  isRead(message: Candidate): boolean;
}

/** What the narrow considers; `ownRecords` by the narrow's own rule unless told. */
export function selectionOf(ctx: Ctx, narrow: Narrow, ownRecords = !narrow.opensHistory): Selection {
  const member = viewer(ctx);
  const spans = Map.groupBy(store.receivedSpans(ctx, member.id), (span) => span.home_id);
  const sights = new Map<number, Sight>();
  const sightOf = (id: number) => {
    const known = sights.get(id) ?? sight(ctx, id);
    sights.set(id, known);
    return known;
  };
  const wasIn = (id: number, seq: number) => spans.get(id)?.some((span) => covers(span, seq)) ?? false;
  return {
    narrow,
    userId: member.id,
    ownRecords: ownRecords || narrow.needsOwnRecords,
    sightOf,
    reached: ({ home_id, seq, conversation_id, arrived_seq }) =>
      wasIn(home_id, seq) ||
      (arrived_seq !== null &&
        sightOf(conversation_id) === "received" &&
        wasIn(conversation_id, arrived_seq)),
    isRead: viewOf(ctx, member.id).isRead,
  };
}

function sight(ctx: Ctx, conversationId: number): Sight {
  const member = viewer(ctx);
  const { channel_id } = conversation(ctx, conversationId);
  if (channel_id === null)
    return store.directConversationsOf(ctx, member.id).has(conversationId) ? "all" : "none";
  const channel = visibleChannel(ctx, channel_id);
  if (!channel || !mayRead(ctx, member, channel)) return "none";
  return sharesHistory(channel) ? "all" : "received";
}

const covers = ({ from_seq, to_seq }: ReceivedSpan, seq: number) => seq >= from_seq && seq <= to_seq;

const portion = 256;

/**
 * Those of these messages that the selection shows, in the given order; once the effort is spent, only the first of
 * them, but never none where there is one.
 */
export function* shownAmong(
  ctx: Ctx,
  selection: Selection,
  ids: readonly number[],
  effort?: Effort,
): Steps<number[]> {
  const shown: number[] = [];
  for (let at = 0; at < ids.length; at += portion) {
    const { narrow } = selection;
    const some = ids.slice(at, at + portion);
    const candidates = store.findCandidates(ctx, some).filter(readableIn(selection));
    const rows = considered(ctx, selection, matching(ctx, selection, candidates, narrow.matches));
    yield some.length;
    if (narrow.confirms) yield* confirmed(ctx, selection, { rows, shown, effort });
    else shown.push(...rows.map((row) => row.id));
    if (effort?.isSpent && shown.length > 0) break;
  }
  return shown;
}

/** So many texts are read at once. */
const texts = 16;

function* confirmed(
  ctx: Ctx,
  selection: Selection,
  { rows, shown, effort }: { rows: readonly Candidate[]; shown: number[]; effort: Effort | undefined },
): Steps<void> {
  const confirms = selection.narrow.confirms ?? (() => true);
  for (let at = 0; at < rows.length; at += texts) {
    const some = rows.slice(at, at + texts);
    const asSubject = subjects(ctx, selection, some);
    for (const row of some) {
      if (confirms(asSubject(row))) shown.push(row.id);
      yield 1;
      if (effort?.isSpent && shown.length > 0) return;
    }
  }
}

function matching(
  ctx: Ctx,
  selection: Selection,
  rows: readonly Candidate[],
  matches: (subject: Subject) => boolean,
): Candidate[] {
  const asSubject = subjects(ctx, selection, rows);
  return rows.filter((row) => matches(asSubject(row)));
}

/** Without what is not the user's own, where only that is considered. */
function considered(ctx: Ctx, selection: Selection, rows: Candidate[]): Candidate[] {
  const { userId, ownRecords, reached } = selection;
  const others = ownRecords ? rows.filter((row) => !reached(row)).map((row) => row.id) : [];
  if (others.length === 0) return rows;
  const historical = store.flaggedAmong(ctx, userId, flagBits.historical, others);
  const hidden = new Set(others.filter((id) => !historical.has(id)));
  return rows.filter((row) => !hidden.has(row.id));
}

/** Whether the actor may read a message. */
export function readableIn({ sightOf, reached }: Selection): (row: Candidate) => boolean {
  return (row) => {
    const seen = sightOf(row.conversation_id);
    return seen === "all" || (seen === "received" && reached(row));
  };
}

/** How narrows look at stored messages; what has to be read for it is read for all when the first is asked. */
function subjects(
  ctx: Ctx,
  { userId, isRead }: Selection,
  rows: readonly Candidate[],
): (row: Candidate) => Subject {
  const ids = () => rows.map((row) => row.id);
  const flags = once(() => flagsOf(ctx, userId, rows));
  const reacted = once(() => store.reactedAmong(ctx, ids()));
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
