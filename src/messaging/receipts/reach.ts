// Which of many messages reached which of many people, without asking for each pair.

import type { Reads } from "@/kernel/context.ts";
import { alike } from "./alike.ts";
import type { Receipt } from "./rows.ts";
import * as people from "./store-readers.ts";

export type Reachable = Pick<Receipt, "id" | "conversation_id" | "home_id" | "seq" | "arrived_seq">;

interface Stretch {
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
 * The IDs of the messages that reached each of these users, in the given order, and the same list for the same IDs; whom
 * none reached is missing.
 */
export function reachedBy(
  reads: Reads,
  rows: readonly Reachable[],
  userIds: readonly number[],
): Map<number, readonly number[]> {
  return reachedWithin(rows, (stretch) => people.findSpansWithin(reads, stretch, userIds));
}

function reachedWithin(
  rows: readonly Reachable[],
  spansIn: (stretch: Stretch) => readonly people.SpanWithin[],
): Map<number, readonly number[]> {
  const spans = new Map<number, Within[]>();
  for (const stretch of stretchesOf(rows)) {
    for (const { user_id, from_seq, to_seq } of spansIn(stretch)) {
      const known = spans.get(user_id) ?? [];
      known.push({ homeId: stretch.homeId, from_seq, to_seq });
      spans.set(user_id, known);
    }
  }
  // Most people were there all along, so few lists tell for all of them.
  const lists = new Map<string, readonly number[]>();
  const same = alike<number>();
  const reached = new Map<number, readonly number[]>();
  for (const [user, own] of spans) {
    const key = own.map(({ homeId, from_seq, to_seq }) => `${homeId}:${from_seq}-${to_seq}`).join();
    const list = lists.get(key) ?? same(rows.filter((row) => isWithin(own, row)).map((row) => row.id));
    lists.set(key, list);
    if (list.length > 0) reached.set(user, list);
  }
  return reached;
}

/** Users outside a set who have any of these messages as a record: they received it, or took it into their history. */
export function recordHolders(
  reads: Reads,
  rows: readonly Reachable[],
  apartFrom: ReadonlySet<number>,
): ReadonlySet<number> {
  const ids = rows.map((row) => row.id);
  const asSent = rows.map((row) => ({ ...row, arrived_seq: null }));
  const reached = reachedWithin(asSent, (stretch) =>
    people.findAllSpansWithin(reads, stretch).filter(({ user_id }) => !apartFrom.has(user_id)),
  );
  const others = people.findHistorians(reads, ids).filter((id) => !apartFrom.has(id));
  return new Set([...reached.keys(), ...others]);
}

/** For each conversation that counts any of the messages, from the first of their seqs to the last. */
function stretchesOf(rows: readonly Reachable[]): Stretch[] {
  const found = new Map<number, Stretch>();
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
