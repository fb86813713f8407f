// Keeps the IDs of the newest messages, with which most pages start.

import type { Reads } from "@/kernel/core/context.ts";
import { countUpTo } from "@/kernel/lib/merge.ts";
import { declareCache } from "@/kernel/store/cache.ts";
import { countMessageChanges } from "./cached-texts.ts";
import * as store from "./store.ts";

interface Newest {
  /** Ascending, without gaps up to the newest. */
  readonly ids: readonly number[];
  /** As `countMessageChanges` when they were read. */
  readonly changeCount: number;
  /** The database's count of changes when it was last checked that there are no newer ones. */
  readonly changes: number;
}

const maxKept = 4_000;
/** If there are more new ones, all are read again. */
const maxNew = 500;

const newestCache = declareCache<"all", Newest>({
  name: "newest messages",
  max: maxKept,
  sizeOf: ({ ids }) => ids.length,
});

const beyondAll = Number.MAX_SAFE_INTEGER;

/** As `idsAlong`, of all messages. */
export function idsOfAll(reads: Reads, batch: store.IdBatch): number[] {
  const changeCount = countMessageChanges(reads);
  const known = changeCount === null ? null : among(currentIds(reads, changeCount), batch);
  if (known) return known;
  const found = store.idsAlong(reads, store.everything, batch);
  const isNewest = batch.direction === "before" && batch.from === beyondAll;
  if (changeCount !== null && isNewest && found.length <= maxKept / 2)
    newestCache(reads).set("all", { ids: found.toReversed(), changeCount, changes: reads.db.changes });
  return found;
}

function currentIds(reads: Reads, changeCount: number): readonly number[] {
  const known = newestCache(reads).get("all");
  if (known?.changeCount !== changeCount) return [];
  const { changes } = reads.db;
  if (known.changes === changes) return known.ids;
  const ids = withNewer(reads, known.ids);
  newestCache(reads).set("all", { ids, changeCount, changes });
  return ids;
}

function withNewer(reads: Reads, ids: readonly number[]): readonly number[] {
  const from = ids.at(-1);
  if (from === undefined) return ids;
  const added = store.idsAlong(reads, store.everything, { direction: "after", from, max: maxNew });
  if (added.length === maxNew) return [];
  return added.length === 0 ? ids : [...ids, ...added].slice(-maxKept);
}

/** The IDs of a batch; null if some of them may not be known. */
function among(ids: readonly number[], { direction, from, max }: store.IdBatch): number[] | null {
  const isKnownFrom = from >= (ids[0] ?? Number.POSITIVE_INFINITY);
  if (direction === "after") {
    const start = countUpTo(ids, from);
    return isKnownFrom ? ids.slice(start, start + max) : null;
  }
  const end = countUpTo(ids, from - 1);
  return end >= max ? ids.slice(end - max, end).reverse() : null;
}
