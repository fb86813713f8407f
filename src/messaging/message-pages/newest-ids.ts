// Keeps the IDs of the newest messages, with which most pages start.

import type { Reads } from "@/kernel/core/context.ts";
import { countUpTo } from "@/kernel/lib/merge.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { alterationsSeen } from "./cached-texts.ts";
import * as store from "./store.ts";

interface Newest {
  /** Ascending, without gaps up to the newest. */
  ids: number[];
  /** The count of alterations when they were read. */
  alterations: number;
  /** The database's count of changes when it was last checked that there are no newer ones. */
  changes: number;
}

const maxKept = 4_000;
/** If there are more new ones, all are read again. */
const maxNew = 500;

const newestOf = perApp<Newest>(() => ({ ids: [], alterations: -1, changes: -1 }));

const beyondAll = Number.MAX_SAFE_INTEGER;

/** As `idsAlong`, of all messages. */
export function idsOfAll(reads: Reads, batch: store.Batch): number[] {
  const newest = current(reads);
  if (!newest) return store.idsAlong(reads, store.everything, batch);
  const known = among(newest.ids, batch);
  if (known) return known;
  const found = store.idsAlong(reads, store.everything, batch);
  if (batch.direction === "before" && batch.from === beyondAll && found.length <= maxKept / 2) {
    Object.assign(newest, { ids: found.toReversed(), changes: reads.db.changes });
  }
  return found;
}

/** Null inside a transaction, which may yet be rolled back. */
function current(reads: Reads): Newest | null {
  const alterations = alterationsSeen(reads);
  if (alterations === null) return null;
  const newest = newestOf(reads);
  const { changes } = reads.db;
  const last = newest.ids.at(-1);
  if (newest.alterations !== alterations) Object.assign(newest, { ids: [], alterations });
  else if (newest.changes !== changes && last !== undefined) addNewer(reads, newest, last);
  newest.changes = changes;
  return newest;
}

function addNewer(reads: Reads, newest: Newest, last: number): void {
  const added = store.idsAlong(reads, store.everything, { direction: "after", from: last, max: maxNew });
  if (added.length === maxNew) newest.ids = [];
  else newest.ids.push(...added);
  if (newest.ids.length > maxKept) newest.ids = newest.ids.slice(-maxKept / 2);
}

/** The IDs of a batch; null if some of them may not be known. */
function among(ids: readonly number[], { direction, from, max }: store.Batch): number[] | null {
  const isKnownFrom = from >= (ids[0] ?? Number.POSITIVE_INFINITY);
  if (direction === "after") {
    const start = countUpTo(ids, from);
    return isKnownFrom ? ids.slice(start, start + max) : null;
  }
  const end = countUpTo(ids, from - 1);
  return end >= max ? ids.slice(end - max, end).reverse() : null;
}
