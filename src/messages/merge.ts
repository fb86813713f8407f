// Reading ordered lists of IDs together, none further than needed.
import type { Direction } from "./store-reads.ts";

/** Gives up to `most` IDs beyond `from`, nearest first; fewer only where there are no more. */
export type Lane = (from: number, most: number) => number[];

/** Gives the next IDs, in order and each once; fewer than `most` only at the end. */
export type Reader = (most: number) => number[];

interface Open {
  lane: Lane;
  ids: number[];
  at: number;
  size: number;
}

const firstRead = 16;
const longestRead = 1024;

/** One reader over many lanes; nothing is read before the first call. */
export function merged(lanes: readonly Lane[], direction: Direction, from: number): Reader {
  const sign = direction === "before" ? 1 : -1;
  const nearness = (open: Open) => sign * head(open);
  let open: Open[] | null = null;
  let last: number | null = null;

  return (most) => {
    open ??= opened(lanes, from, lanes.length === 1 ? most : firstRead).sort(
      (a, b) => nearness(a) - nearness(b),
    );
    const found: number[] = [];
    while (found.length < most) {
      const nearest = open.pop();
      if (!nearest) break;
      const id = head(nearest);
      if (id !== last) found.push(id);
      last = id;
      if (advance(nearest)) insert(open, nearest, nearness);
    }
    return found;
  };
}

function opened(lanes: readonly Lane[], from: number, size: number): Open[] {
  return lanes
    .map((lane) => ({ lane, ids: lane(from, size), at: 0, size }))
    .filter(({ ids }) => ids.length > 0);
}

function head({ ids, at }: Open): number {
  return ids[at] as number;
}

/** Steps over the head; false at the lane's end. */
function advance(open: Open): boolean {
  const last = head(open);
  open.at++;
  if (open.at < open.ids.length) return true;
  if (open.ids.length < open.size) return false;
  open.size = Math.max(open.size, Math.min(open.size * 2, longestRead));
  open.ids = open.lane(last, open.size);
  open.at = 0;
  return open.ids.length > 0;
}

/** Puts a lane back into its place; the nearest head is last. */
function insert(sorted: Open[], open: Open, nearness: (open: Open) => number): void {
  const own = nearness(open);
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nearness(sorted[middle] as Open) <= own) low = middle + 1;
    else high = middle;
  }
  sorted.splice(low, 0, open);
}

/** A lane over ascending IDs in memory. */
export function listLane(ids: readonly number[], direction: Direction): Lane {
  return (from, most) => {
    if (direction === "after") {
      const start = countUpTo(ids, from);
      return ids.slice(start, start + most);
    }
    const end = countUpTo(ids, from - 1);
    return ids.slice(Math.max(0, end - most), end).reverse();
  };
}

/** How many of the ascending IDs are at most `limit`. */
function countUpTo(ids: readonly number[], limit: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const longestBatch = 8192;

/**
 * The nearest `most` IDs that `accept` keeps, nearest first. Every plan lists all there are among others that are
 * not; they take turns with growing batches, so that the cost is near that of the best one, known or not.
 */
export function nearest(
  plans: readonly Reader[],
  most: number,
  accept: (ids: number[]) => number[],
): number[] {
  const found = plans.map((): number[] => []);
  for (
    let batch = most + firstRead;
    plans.length > 0;
    batch = Math.max(batch, Math.min(batch * 2, longestBatch))
  ) {
    for (const [i, plan] of plans.entries()) {
      const ids = plan(batch);
      const own = found[i] as number[];
      own.push(...accept(ids));
      if (own.length >= most || ids.length < batch) return own.slice(0, most);
    }
  }
  return [];
}
