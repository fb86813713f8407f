// Large moves go in portions, each in a transaction of its own: between two of them, other people write, read and move.

import type { Tx } from "@/kernel/context.ts";
import type { Movable } from "@/messaging/messages/rows.ts";
import { channelToPostIn, knownChannel } from "@/places/channels/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Move } from "./planned.ts";
import * as store from "./store.ts";
import { readableIn } from "./tx-move.ts";

/** So many messages take some ten milliseconds, besides what any move takes in a channel of ten thousand people. */
export const maxMovedAtOnce = 500;

/** The first messages of a move, among them the one given in the request, and the IDs of the others. */
export function firstPortion({ rows, target }: Move): { first: readonly Movable[]; ids: number[] } {
  if (rows.length <= maxMovedAtOnce) return { first: rows, ids: [] };
  const others = rows.filter((row) => row.id !== target.id);
  const first = [target, ...others.slice(0, maxMovedAtOnce - 1)].sort((a, b) => a.id - b.id);
  return { first, ids: others.slice(maxMovedAtOnce - 1).map((row) => row.id) };
}

/** The move with its channels as they are now. Throws if nobody may write in the new channel any more. */
export function movedOn(tx: Tx, move: Move): Move {
  const { from, to, isChannelNew } = move;
  const channel = isChannelNew ? channelToPostIn(tx, to.channel.id) : knownChannel(tx, to.channel.id);
  return { ...move, from: { ...from, channel: knownChannel(tx, from.channel.id) }, to: { ...to, channel } };
}

/** Those of these messages that are still where the move began, ascending. */
export function stillIn(tx: Tx, { from }: Move, ids: readonly number[]): Movable[] {
  return store.findAmong(tx, { conversationId: from.conversationId, topicKey: topicKey(from.topic) }, ids);
}

/** Messages that were sent to the old topic after the move began. They move with the others, unless one message moves alone. */
export function arrivedSince(tx: Tx, move: Move): readonly Movable[] {
  if (move.mode === "change_one") return [];
  return readableIn(tx, move, (move.rows.at(-1)?.id ?? 0) + 1);
}
