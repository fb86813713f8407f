// Decides which entries of the log are no longer needed.
import type { Ends } from "./shared-log.ts";

export interface Margin {
  /** Entries younger than this are kept within the limits below, so that a node that was down for a while need not join again. */
  readonly marginSeconds: number;
  /** The max number of entries to keep. */
  readonly maxEntries: number;
  /** The max size of the entries to keep. */
  readonly maxBytes: number;
}

interface State {
  readonly ends: Ends;
  /** The positions of the nodes that answer. */
  readonly positions: readonly number[];
  /** The position of the newest snapshot. */
  readonly snapshot: number;
  /** What the clocks of the nodes show, in milliseconds since 1970. */
  readonly clocks: readonly number[];
}

/** How many entries of a stretch are looked at. */
const looks = 16;

/** When an entry was appended, in milliseconds; null if it is not there. */
type FindTime = (seq: number) => Promise<number | null>;

/**
 * The first entry to keep. The entry of the newest snapshot is always kept: a joining node compares the two. Entries
 * that an answering node has not read yet are kept, too, if they are within the margin.
 */
export async function firstKept(state: State, margin: Margin, findTime: FindTime): Promise<number> {
  const { ends, positions, snapshot, clocks } = state;
  const newest = await findTime(ends.last);
  if (newest === null) return ends.first;
  // Any clock may be wrong. One that is behind only keeps more, within the limits.
  const now = Math.min(newest, ...clocks);
  const young = await firstYoung(ends, now - margin.marginSeconds * 1_000, findTime);
  const wanted = Math.max(young, firstAllowed(ends, margin));
  const needed = positions.map((at) => at + 1).filter((seq) => seq >= young);
  return Math.min(snapshot, wanted, ...needed);
}

/**
 * The first entry whose time is not before `since`. Times need not grow, because nats-servers whose clocks differ may have given them;
 * so this looks at several entries of a stretch, from its beginning on.
 */
async function firstYoung({ first, last }: Ends, since: number, findTime: FindTime): Promise<number> {
  let [low, high] = [first, last];
  while (low < high) {
    const step = Math.ceil((high - low) / looks);
    const looked = Array.from({ length: Math.ceil((high - low) / step) }, (_, n) => low + n * step);
    const times = await Promise.all(looked.map(findTime));
    const at = times.findIndex((time) => time !== null && time >= since);
    high = looked[at] ?? high;
    low = at === 0 ? high : (looked.at(at - 1) ?? low) + 1;
    if (at < 0) low = (looked.at(-1) ?? low) + 1;
  }
  return low;
}

function firstAllowed({ first, last, bytes }: Ends, { maxEntries, maxBytes }: Margin): number {
  const count = last - first + 1;
  const fitting = count * Math.min(1, maxBytes / Math.max(1, bytes));
  return last + 1 - Math.floor(Math.min(fitting, maxEntries));
}
