// Which of many messages reached which of many users, without checking each pair.

import type { Reads } from "@/kernel/core/context.ts";
import { lowerBound } from "@/kernel/lib/binary-search.ts";
import { interner } from "@/kernel/lib/interning.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import * as people from "./store-readers.ts";

export type Reachable = Pick<Receipt, "id" | "conversation_id" | "home_id" | "seq" | "arrived_seq">;

interface ConversationRange {
  homeId: number;
  from: number;
  to: number;
}

interface Within {
  homeId: number;
  from_seq: number;
  to_seq: number;
}

/**
 * The IDs of the messages that reached each of these users, in the given order. Equal lists are the same object. Users
 * without such messages are missing.
 */
export function listReached(
  reads: Reads,
  rows: readonly Reachable[],
  userIds: readonly number[],
): Map<number, readonly number[]> {
  const spans = new Map<number, Within[]>();
  for (const range of rangesOf(rows)) {
    for (const { user_id, from_seq, to_seq } of people.findSpansWithin(reads, range, userIds)) {
      const known = spans.get(user_id) ?? [];
      known.push({ homeId: range.homeId, from_seq, to_seq });
      spans.set(user_id, known);
    }
  }
  // Most users received all of them, so there are few different lists.
  const lists = new Map<string, readonly number[]>();
  const same = interner<number>();
  const reached = new Map<number, readonly number[]>();
  for (const [user, own] of spans) {
    const key = own.map(({ homeId, from_seq, to_seq }) => `${homeId}:${from_seq}-${to_seq}`).join();
    const list = lists.get(key) ?? same(rows.filter((row) => isWithin(own, row)).map((row) => row.id));
    lists.set(key, list);
    if (list.length > 0) reached.set(user, list);
  }
  return reached;
}

/** Users, except those in `apartFrom`, who received any of these messages or have it in their history. */
export function recordHolders(
  reads: Reads,
  rows: readonly Reachable[],
  apartFrom: ReadonlySet<number>,
): ReadonlySet<number> {
  const holders = new Set(
    people.findHistorians(
      reads,
      rows.map((row) => row.id),
    ),
  );
  const seqsByHome = Map.groupBy(rows, (row) => row.home_id);
  for (const [homeId, sent] of seqsByHome) {
    const seqs = sent.map((row) => row.seq).sort((a, b) => a - b);
    const range = { homeId, from: seqs[0] ?? 0, to: seqs.at(-1) ?? 0 };
    for (const id of people.findReceiversOfAnEnd(reads, range)) holders.add(id);
    for (const { user_id, from_seq, to_seq } of people.findSpansInside(reads, range)) {
      const next = firstFrom(seqs, from_seq);
      if (next !== undefined && next <= to_seq) holders.add(user_id);
    }
  }
  for (const id of apartFrom) holders.delete(id);
  return holders;
}

/** The first number that is at least `least`, in an ascending list. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  return ascending[lowerBound(ascending, (number) => number < least)];
}

/** For each conversation in which the messages have seqs, the range from the lowest to the highest. */
function rangesOf(rows: readonly Reachable[]): ConversationRange[] {
  const found = new Map<number, ConversationRange>();
  const note = (homeId: number, seq: number) => {
    const known = found.get(homeId) ?? { homeId, from: seq, to: seq };
    found.set(homeId, { homeId, from: Math.min(known.from, seq), to: Math.max(known.to, seq) });
  };
  for (const { home_id, seq, conversation_id, arrived_seq } of rows) {
    note(home_id, seq);
    if (arrived_seq !== null) note(conversation_id, arrived_seq);
  }
  return [...found.values()];
}

function isWithin(spans: readonly Within[], row: Reachable): boolean {
  return spans.some(({ homeId, from_seq, to_seq }) => {
    const covers = (id: number, seq: number | null) =>
      id === homeId && seq !== null && seq >= from_seq && seq <= to_seq;
    return covers(row.home_id, row.seq) || covers(row.conversation_id, row.arrived_seq);
  });
}
