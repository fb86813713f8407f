// Says which messages were changed, moved or deleted, or in which conversations, for caches of what was read from them. New messages
// do not count: they raise the conversation's last seq.

import type { Reads } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import * as store from "./store.ts";

interface ConversationVersions extends Seen {
  latest: number;
  /** For conversations that are not in `byConversation`. */
  floor: number;
  byConversation: Map<number, number>;
}

const stateOf = perApp<ConversationVersions>(() => ({
  latest: 0,
  floor: 0,
  byConversation: new Map(),
  unseen: -1,
}));

/**
 * Returns the version of a conversation's messages: it grows whenever messages that are there, or were sent there, are changed.
 * Null inside a transaction, whose changes may be rolled back.
 */
export function currentVersions(reads: Reads): ((conversationId: number) => number) | null {
  if (reads.db.sqlite.inTransaction) return null;
  const state = stateOf(reads);
  const altered = collectNoted(reads, store.conversations, state);
  if (!altered || state.byConversation.size > store.conversations.max) {
    state.byConversation.clear();
    state.floor = ++state.latest;
  }
  for (const id of altered ?? []) state.byConversation.set(id, ++state.latest);
  return (id) => state.byConversation.get(id) ?? state.floor;
}

const takenOf = perApp<Seen>(() => ({ unseen: -1 }));

/**
 * Takes the messages that were altered or deleted since the last call, or that got other reactions, submessages or past versions;
 * null if they are too many or unknown. For one caller, outside of transactions.
 */
export function takeAlteredMessages(reads: Reads): readonly number[] | null {
  return collectNoted(reads, store.messages, takenOf(reads));
}

const readersOf = perApp<Seen>(() => ({ unseen: -1 }));

/** As `takeAlteredMessages`: the users whose read marks or flags have changed since the last call. */
export function takeAlteredReaders(reads: Reads): readonly number[] | null {
  return collectNoted(reads, store.readers, readersOf(reads));
}

/** A moment from which on changes of stars are known. */
export interface StarsSeen extends Seen {
  /** How often the notes had been taken away. */
  round: number;
}

const starsOf = perApp(() => ({ round: 0 }));
/** With more, notes start over: anyone who looks up stars reads again those of all who are noted. */
const manyStarrers = 300;

/** Notes from now on whose stars change. Outside of transactions. */
export function seeStars(reads: Reads): StarsSeen {
  const state = starsOf(reads);
  if (!store.isWatching(reads, store.stars)) {
    store.watch(reads, store.stars);
    state.round++;
  } else if ((store.listNoted(reads, store.stars)?.length ?? manyStarrers) >= manyStarrers) {
    store.takeNoted(reads, store.stars);
    state.round++;
  }
  return { round: state.round, unseen: reads.db.watch(store.stars.table).n };
}

/**
 * All users whose stars may have changed since then; null if they are too many or unknown, or if messages were moved to or from the
 * conversation.
 */
export function starsChangedSince(
  reads: Reads,
  { round, unseen }: StarsSeen,
  conversationId: number,
): ReadonlySet<number> | null {
  const { db } = reads;
  const isKnown =
    round === starsOf(reads).round &&
    unseen === db.watch(store.stars.table).n &&
    store.isWatching(reads, store.stars);
  const noted = isKnown ? store.listNoted(reads, store.stars) : null;
  return noted === null || noted.includes(-conversationId) ? null : new Set(noted);
}

interface Seen {
  /** Counts what the triggers cannot see: commits of other processes, and rollbacks. */
  unseen: number;
}

function collectNoted(reads: Reads, notes: typeof store.conversations, seen: Seen): readonly number[] | null {
  // A name that no statement writes, so it counts only when all tables may have changed.
  const unseen = reads.db.watch(notes.table).n;
  const isWatching = store.isWatching(reads, notes);
  if (!isWatching) store.watch(reads, notes);
  const taken = store.takeNoted(reads, notes);
  const isKnown = isWatching && unseen === seen.unseen;
  seen.unseen = unseen;
  return isKnown ? taken : null;
}
