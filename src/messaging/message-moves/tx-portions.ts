// Large moves go in portions, each in a transaction of its own: between two of them, other people write and read.

import type { Tx } from "@/kernel/context.ts";
import { channelToPostIn, knownChannel } from "@/places/channels/access.ts";
import { readableIn } from "./access.ts";
import type { Move, Way } from "./planned.ts";

export interface Portion {
  rows: Move["rows"];
  /** Where the next portion begins, after this ID; null after the last one. */
  after: number | null;
}

/** The first messages of a move, among them the one given in the request. */
export function firstPortion(tx: Tx, way: Way): Portion {
  const { target, mode } = way;
  if (mode === "change_one") return { rows: [target], after: null };
  const { rows, after } = readableIn(tx, way, mode === "change_later" ? target.id : 0);
  const isThere = rows.some((row) => row.id === target.id);
  return { rows: isThere ? rows : [...rows, target].sort((a, b) => a.id - b.id), after };
}

/**
 * The next messages of the old topic after an ID. Those that were sent to it since the move began move along. The one given in the
 * request has moved already, which the topic does not show if only its case changes.
 */
export function nextPortion(tx: Tx, way: Way, after: number): Portion {
  const portion = readableIn(tx, way, after + 1);
  return { ...portion, rows: portion.rows.filter((row) => row.id !== way.target.id) };
}

/** The move with its channels as they are now. Throws if nobody may write in the new channel any more. */
export function movedOn(tx: Tx, way: Way): Way {
  const { from, to, isChannelNew } = way;
  const channel = isChannelNew ? channelToPostIn(tx, to.channel.id) : knownChannel(tx, to.channel.id);
  return { ...way, from: { ...from, channel: knownChannel(tx, from.channel.id) }, to: { ...to, channel } };
}

/** Whether a move takes one portion. */
export function isSmall(tx: Tx, way: Way): boolean {
  return readableIn(tx, way, 0).after === null;
}
