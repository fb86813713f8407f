// Merges ordered lists of IDs, and reads each no further than needed.
import { lowerBound } from "./binary-search.ts";
import type { Budget, Task } from "./tasks.ts";

/** Which way to read: `before` goes down from an ID, `after` up. */
export type Direction = "before" | "after";

/** Returns up to `max` IDs beyond `from`, nearest first; fewer only if there are no more. */
export interface PostingList {
  (from: number, max: number): Task<number[]>;
  /** A bound: no ID of the list is nearer than this. A list with a bound is first read when the merge reaches it. */
  readonly bound?: number;
}

/** Returns the next IDs, in order and each once; fewer than `max` only at the end. */
export type ReadNext = (max: number) => Task<number[]>;

interface OpenList {
  list: PostingList;
  ids: number[];
  at: number;
  size: number;
}

const firstRead = 16;
const maxRead = 1024;

/** A list that reads in one step. */
export function postingList(read: (from: number, max: number) => number[], bound?: number): PostingList {
  const list = function* (from: number, max: number): Task<number[]> {
    const ids = read(from, max);
    yield ids.length + 1;
    return ids;
  };
  return bound === undefined ? list : Object.assign(list, { bound });
}

/** Merges lists into one reader. It reads nothing before its first call. At first, it reads `first` IDs of a list. */
export function merge(
  lists: readonly PostingList[],
  direction: Direction,
  from: number,
  first: number = firstRead,
): ReadNext {
  const sign = direction === "before" ? 1 : -1;
  const nearness = (open: OpenList) => sign * head(open);
  let open: OpenList[] | null = null;
  /** Those that are not open yet, the one with the nearest bound last. */
  const waiting = lists.filter(isWaiting).sort((a, b) => sign * (a.bound - b.bound));
  let last: number | null = null;
  /** A list whose last read ID was just returned. It is read again only if more IDs are wanted. */
  let spent: OpenList | null = null;

  return function* (max) {
    if (!open) {
      const now = lists.filter((list) => !isWaiting(list));
      open = yield* openLists(now, from, lists.length === 1 ? max : first);
      open.sort((a, b) => nearness(a) - nearness(b));
    }
    if (spent && (yield* refill(spent))) insert(open, spent, nearness);
    spent = null;
    const found: number[] = [];
    while (found.length < max) {
      for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
        const end = open.at(-1);
        if (end && sign * next.bound < nearness(end)) break;
        waiting.pop();
        for (const one of yield* openLists([next], from, first)) insert(open, one, nearness);
      }
      const nearest = open.pop();
      if (!nearest) break;
      const id = head(nearest);
      if (id !== last) found.push(id);
      last = id;
      nearest.at++;
      if (nearest.at === nearest.ids.length && found.length === max) spent = nearest;
      else if (nearest.at < nearest.ids.length || (yield* refill(nearest))) insert(open, nearest, nearness);
    }
    return found;
  };
}

function* openLists(lists: readonly PostingList[], from: number, size: number): Task<OpenList[]> {
  const open: OpenList[] = [];
  for (const list of lists) {
    const ids = yield* list(from, size);
    if (ids.length > 0) open.push({ list, ids, at: 0, size });
  }
  return open;
}

function isWaiting(list: PostingList): list is PostingList & { readonly bound: number } {
  return list.bound !== undefined;
}

function head({ ids, at }: OpenList): number {
  return ids[at] as number;
}

/** Reads the next IDs of a list that is used up; false at its end. */
function* refill(open: OpenList): Task<boolean> {
  const last = open.ids.at(-1) as number;
  if (open.ids.length < open.size) return false;
  open.size = Math.max(open.size, Math.min(open.size * 2, maxRead));
  open.ids = yield* open.list(last, open.size);
  open.at = 0;
  return open.ids.length > 0;
}

/** Inserts a list in order; the list with the nearest head is last. */
function insert(sorted: OpenList[], open: OpenList, nearness: (open: OpenList) => number): void {
  const own = nearness(open);
  const place = lowerBound(sorted, (one) => nearness(one) <= own);
  sorted.splice(place, 0, open);
}

/** A list that reads ascending IDs in memory. */
export function postingListOf(ids: readonly number[], direction: Direction): PostingList {
  return postingList((from, max) => {
    if (direction === "after") {
      const start = countUpTo(ids, from);
      return ids.slice(start, start + max);
    }
    const end = countUpTo(ids, from - 1);
    return ids.slice(Math.max(0, end - max), end).reverse();
  });
}

/** How many of the ascending IDs are at most `limit`. */
export function countUpTo(ids: readonly number[], limit: number): number {
  return lowerBound(ids, (id) => id <= limit);
}

const maxBatch = 512;

export interface Nearest {
  /** In order, nearest first. */
  ids: number[];
  /** True if the search stopped early because of its cost, so that there may be more. */
  isCut: boolean;
}

interface Acceptance {
  accept: (ids: number[]) => Task<number[]>;
  budget: Budget | undefined;
}

/** The `max` nearest of a reader's IDs that `accept` keeps; fewer, but at least one, once the budget is spent. */
export function* nearest(reader: ReadNext, max: number, { accept, budget }: Acceptance): Task<Nearest> {
  const found: number[] = [];
  for (let batch = max + firstRead; ; batch *= 2) {
    const size = Math.min(batch, maxBatch);
    const ids = yield* reader(size);
    const isFirst = batch === max + firstRead;
    found.push(...(yield* accept(isFirst ? ids.slice(0, max) : ids)));
    const isEnough = found.length >= max || (budget?.isSpent && found.length > 0);
    // The others are only looked at if one of these was refused.
    if (isFirst && !isEnough && ids.length > max) found.push(...(yield* accept(ids.slice(max))));
    if (found.length >= max) return { ids: found.slice(0, max), isCut: false };
    if (budget?.isSpent && found.length > 0) return { ids: found, isCut: true };
    if (ids.length < size) return { ids: found, isCut: false };
    yield ids.length;
  }
}

/** The n-th range of `size` IDs, counted from 0; `above` and `below` may cut off a part of it. */
export interface MergeWindow {
  size: number;
  n: number;
  /** Both ends exclusive. */
  above: number;
  below: number;
}
