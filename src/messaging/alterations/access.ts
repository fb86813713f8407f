// Says whether messages of a conversation were changed, moved or deleted, for caches of what was read from them. New messages do
// not count: they raise the conversation's last seq.

import type { Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";
import * as store from "./store.ts";

interface Alterations {
  latest: number;
  /** For conversations that are not in `byConversation`. */
  floor: number;
  byConversation: Map<number, number>;
  /** Counts what the triggers cannot see: commits of other processes, and rollbacks. */
  unseen: number;
}

const maxKnown = 100_000;

const stateOf = perApp<Alterations>(() => ({
  latest: 0,
  floor: 0,
  byConversation: new Map(),
  unseen: -1,
}));

/**
 * Returns the number of a conversation's latest alteration: it grows whenever messages that are there, or were sent there, are
 * altered. Null inside a transaction, whose alterations may yet be rolled back.
 */
export function alterationsNow(reads: Reads): ((conversationId: number) => number) | null {
  if (reads.db.sqlite.inTransaction) return null;
  const state = stateOf(reads);
  // A name that no statement writes, so it counts only when all tables may have changed.
  const unseen = reads.db.watch("altered_conversations").n;
  const isWatching = store.isWatching(reads);
  if (!isWatching) store.watchMessages(reads);
  if (!isWatching || unseen !== state.unseen || state.byConversation.size > maxKnown) {
    state.unseen = unseen;
    state.byConversation.clear();
    state.floor = ++state.latest;
  }
  for (const id of store.takeAltered(reads)) state.byConversation.set(id, ++state.latest);
  return (id) => state.byConversation.get(id) ?? state.floor;
}
