// Which entries of the log nobody needs any more.
import type { Ends } from "./shared-log.ts";

export interface Margin {
  /** Entries younger than this are kept, so that a node which was away need not join anew, */
  readonly marginSeconds: number;
  /** unless there are more of them than this, */
  readonly maxEntries: number;
  /** or they occupy more bytes. */
  readonly maxBytes: number;
}

interface State {
  readonly ends: Ends;
  /** How far the nodes are that answer. */
  readonly positions: readonly number[];
  /** The entry of the newest snapshot. */
  readonly snapshot: number;
}

/** When an entry was taken, in milliseconds; null if it is not there. */
type TakenAt = (seq: number) => Promise<number | null>;

/**
 * The first entry to keep. The one that the newest snapshot holds is always kept: who joins by it compares the two. What a
 * node that answers has not read yet is kept, too, if it is within the margin.
 */
export async function firstKept(state: State, margin: Margin, takenAt: TakenAt): Promise<number> {
  const { ends, positions, snapshot } = state;
  const newest = await takenAt(ends.last);
  if (newest === null) return ends.first;
  const young = await firstYoung(ends, newest - margin.marginSeconds * 1_000, takenAt);
  const wanted = Math.max(young, firstAllowed(ends, margin));
  const needed = positions.map((at) => at + 1).filter((seq) => seq >= young);
  return Math.min(snapshot, wanted, ...needed);
}

/** By the store's clock alone: those of the nodes may be wrong. */
async function firstYoung({ first, last }: Ends, since: number, takenAt: TakenAt): Promise<number> {
  let [low, high] = [first, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = await takenAt(middle);
    if (at !== null && at >= since) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstAllowed({ first, last, bytes }: Ends, { maxEntries, maxBytes }: Margin): number {
  const count = last - first + 1;
  const fitting = count * Math.min(1, maxBytes / Math.max(1, bytes));
  return last + 1 - Math.floor(Math.min(fitting, maxEntries));
}
