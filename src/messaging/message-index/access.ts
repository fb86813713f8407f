// Posting lists that search: they read one window of IDs at a time, so that each step is short, however rare the matches are.

import type { Ctx } from "@/kernel/core/context.ts";
import type { Direction, MergeWindow, PostingList } from "@/kernel/lib/merge.ts";
import { declareCache } from "@/kernel/store/cache.ts";
import { type AnyOf, blockOf, blockSize } from "./schema.ts";
import { idsContaining, idsWithTokens, newestId } from "./store.ts";

/** How a posting list reads its windows. */
interface IndexReading {
  /** Of the next window. */
  size: number;
  /** All matches, ascending. */
  read: (window: MergeWindow) => number[];
  /** Sets `size` from the matches of the last window, and returns what that has cost, in rows. */
  finishWindow: (found: number, tookMs: number) => number;
}

/** Larger windows could keep other requests waiting. */
const sizes = { least: blockSize, first: 65_536, largest: 262_144 };

/**
 * Messages that the full-text index lists under one token of each set. It may list others, too. Shares are looked up when the
 * posting list is first read, because there may be one for each of a thousand conversations.
 */
export function indexList(ctx: Ctx, wanted: readonly AnyOf[], direction: Direction): PostingList {
  const end = newestId(ctx) + 1;
  let list: PostingList | null = null;
  return function* (from, max) {
    list ??= windowList(indexReading(ctx, wanted, direction), { direction, end });
    return yield* list(from, max);
  };
}

const maxTokens = 5;
const maxConsidered = 10;
/** What one found message costs, and a query besides, compared with passing an entry of a list. */
const entriesPerFound = 24;
const entriesPerQuery = 25_000;
/** About a millisecond. */
const entriesPerWindow = 100_000;
const entriesPerRow = 250;
/** The first window should find about as many as a page wants. */
const firstFound = 128;
/** If so many more were found than expected, the shares are looked up again, but not often. */
const unexpected = { found: 300, times: 3 };

/**
 * Looks up the tokens that help most by their shares. The work is counted in entries of lists, and not measured: on a busy
 * machine, time would say little about it.
 */
function indexReading(ctx: Ctx, wanted: readonly AnyOf[], direction: Direction): IndexReading {
  const considered = wanted.slice(0, maxConsidered);
  const usual = blockOf(powerOfTwo(newestId(ctx) + 1) - 1);
  let chosen = mostHelpful(
    considered.map((tokens) => usualShare(ctx, tokens, usual)),
    maxTokens,
  );
  let beyond = 0;
  let again = 0;

  const perMessage = (found: number) =>
    chosen.reduce((sum, { share }) => sum + share, 0) + found * entriesPerFound;
  const expectedShare = () => chosen.reduce((product, { share }) => product * share, 1);
  const sizeFor = (found: number, most: number) =>
    Math.max(sizes.least, Math.min(powerOfTwo(entriesPerWindow / perMessage(found)), most));

  const reading: IndexReading = {
    size: sizeFor(expectedShare(), Math.min(powerOfTwo(firstFound / expectedShare()), sizes.first)),
    read({ above, below, ...window }) {
      if (beyond > unexpected.found && again < unexpected.times) {
        const block = blockOf(direction === "before" ? below - 1 : above + 1);
        const shares = considered.map((tokens) => shareIn(ctx, tokens, block));
        chosen = mostHelpful(shares, maxTokens);
        beyond = 0;
        again++;
      }
      const sets = chosen.map(({ tokens }) => tokens);
      return idsWithTokens(ctx, sets, { ...window, above, below });
    },
    finishWindow(found) {
      const { size } = reading;
      beyond += found - 2 * expectedShare() * size;
      reading.size = sizeFor(Math.max(found / size, expectedShare()), Math.min(4 * size, sizes.largest));
      return Math.ceil((entriesPerQuery + size * perMessage(found / size)) / entriesPerRow);
    },
  };
  return reading;
}

function powerOfTwo(n: number): number {
  return 2 ** Math.floor(Math.log2(n));
}

/** The share in one block. */
function shareIn(ctx: Ctx, tokens: AnyOf, n: number): Share {
  const [above, below] = [n * blockSize - 1, (n + 1) * blockSize];
  const { length } = idsWithTokens(ctx, [tokens], { size: blockSize, n, above, below });
  return { tokens, share: (length + 0.5) / blockSize };
}

const shareCache = declareCache<string, Share>({ name: "shares of words", max: 2_000 });

/** The share in block `n`, of the younger half of all messages. Kept, until there are twice as many messages. */
function usualShare(ctx: Ctx, tokens: AnyOf, n: number): Share {
  const cache = shareCache(ctx);
  const key = `${n} ${tokens.join(" ")}`;
  const known = cache.get(key) ?? shareIn(ctx, tokens, n);
  cache.set(key, known);
  return known;
}

/** Small, because each message may have the maximum length. */
const textSize = 256;
/** Converts time into rows, the unit of work. */
const rowsPerMs = 300;

/** Messages that contain this text in their content or topic, found by scanning, without an index. */
export function textList(ctx: Ctx, text: string, direction: Direction): PostingList {
  const read = (window: MergeWindow) => idsContaining(ctx, text, window);
  const finishWindow = (_: number, tookMs: number) => Math.ceil(tookMs * rowsPerMs);
  return windowList({ size: textSize, read, finishWindow }, { direction, end: newestId(ctx) + 1 });
}

/** A posting list that can be read once, in one direction. */
function windowList(
  reading: IndexReading,
  { direction, end }: { direction: Direction; end: number },
): PostingList {
  const isDown = direction === "before";
  let at: number | null = null;
  let rest: number[] = [];

  return function* (from, max) {
    at ??= Math.min(from, end);
    while (rest.length < max && (isDown ? at > 1 : at + 1 < end)) {
      const { size } = reading;
      const n = Math.floor((isDown ? at - 1 : at + 1) / size);
      const [first, last] = [n * size, (n + 1) * size - 1];
      const start = performance.now();
      const ids = reading.read(
        isDown ? { size, n, above: first - 1, below: at } : { size, n, above: at, below: last + 1 },
      );
      rest = rest.concat(isDown ? ids.reverse() : ids);
      at = isDown ? first : last;
      yield reading.finishWindow(ids.length, performance.now() - start);
    }
    const given = rest.slice(0, max);
    rest = rest.slice(max);
    return given;
  };
}

/** Tokens, and the share of all messages that are listed under one of them. */
export interface Share {
  readonly tokens: AnyOf;
  readonly share: number;
}

/** Checking a message costs as much as passing this many entries of a list. */
const checkCost = 400;
/** Lists with less than this cost next to nothing. */
const small = 0.01;

/**
 * Which of a search's tokens to look up: each more leaves fewer messages to check, but its list has to be passed. At least one, the
 * shortest list first.
 */
export function mostHelpful(shares: readonly Share[], max: number): Share[] {
  const chosen: Share[] = [];
  let left = 1;
  for (const one of shares.toSorted((a, b) => a.share - b.share)) {
    const saved = left * (1 - one.share) * checkCost;
    if (chosen.length > 0 && one.share >= small && one.share > saved) break;
    chosen.push(one);
    left *= one.share;
    if (chosen.length === max) break;
  }
  return chosen;
}
