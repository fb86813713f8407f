// The users that a move affects: those who can still read the messages, no longer can, or now can.

import { memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { Movable } from "@/messaging/message-rows/schema.ts";
import { type Reachable, reachedBy, recordHolders } from "@/messaging/receipts/reach.ts";
import { channelReaders, mayRead, sharesHistory, viewersOf } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/rows.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import type { Move } from "./schema.ts";

/** Users on which a move has the same effect. */
export interface Concerned {
  userIds: number[];
  /** Messages they may read after the move, ascending. */
  kept: readonly number[];
  /** Messages they may no longer read. */
  lost: readonly number[];
  /** Whether they may see the channel the messages came from. */
  knowsSource: boolean;
}

/**
 * The actor, everyone who has a record of the moved messages, and the subscribers of the old and the new channel. `after`
 * holds the rows after the move.
 */
export function concernedBy(tx: Tx, move: Move, after: readonly Movable[]): Concerned[] {
  const { from, to, rows } = move;
  const subscribers = subscriberIds(tx, from.channel.id);
  const had = new Set([...subscribers, ...recordHolders(tx, rows, subscribers), tx.actor.id]);
  const userIds = [...new Set([...had, ...subscriberIds(tx, to.channel.id)])];
  const sawBefore = sightIn(tx, from.channel, rows, userIds);
  const seesNow = move.isChannelNew ? sightIn(tx, to.channel, after, userIds) : sawBefore;
  const isSourceKnown = move.isChannelNew ? viewersOf(tx, from.channel) : null;

  const groups = new Map<number, Concerned>();
  const numberOf = numbering<readonly number[]>();
  const lossOf = losses();
  for (const id of userIds) {
    const before = had.has(id) ? sawBefore(id) : nothing;
    const kept = seesNow(id);
    if (before.length === 0 && kept.length === 0) continue;
    const lost = lossOf(before, kept);
    const knowsSource = isSourceKnown?.has(id) ?? true;
    const key = (numberOf(kept) * userIds.length * 2 + numberOf(lost)) * 2 + (knowsSource ? 1 : 0);
    const group = groups.get(key) ?? { userIds: [], kept, lost, knowsSource };
    group.userIds.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const nothing: readonly number[] = [];

/** The messages of a channel that each of these users may read. Users who may read the same ones share a list object. */
export function sightIn(
  tx: Tx,
  channel: ChannelRow,
  rows: readonly Reachable[],
  userIds: readonly number[],
): (userId: number) => readonly number[] {
  const readers = channelReaders(tx, channel);
  const isReader = (id: number) => readers.has(id) || isAwayReader(tx, channel, id);
  if (sharesHistory(channel)) {
    const all = rows.map((row) => row.id);
    return (id) => (isReader(id) ? all : nothing);
  }
  const reached = reachedBy(tx, rows, userIds);
  return (id) => (isReader(id) ? (reached.get(id) ?? nothing) : nothing);
}

/** Deactivated readers keep their messages, in case they are reactivated. */
function isAwayReader(tx: Tx, channel: ChannelRow, userId: number): boolean {
  const member = memberOf(tx, userId);
  return member.is_active === 0 && mayRead(tx, member, channel);
}

/** Returns the IDs in `before` but not in `kept`. Computed once for each pair of list objects. */
function losses(): (before: readonly number[], kept: readonly number[]) => readonly number[] {
  const known = new Map<readonly number[], Map<readonly number[], readonly number[]>>();
  return (before, kept) => {
    const byKept = known.get(before) ?? new Map();
    known.set(before, byKept);
    const lost = byKept.get(kept) ?? without(before, kept);
    byKept.set(kept, lost);
    return lost;
  };
}

function without(ids: readonly number[], others: readonly number[]): readonly number[] {
  if (others.length === 0) return ids;
  const kept = new Set(others);
  const left = ids.filter((id) => !kept.has(id));
  return left.length === 0 ? nothing : left;
}

function numbering<T>(): (thing: T) => number {
  const numbers = new Map<T, number>();
  return (thing) => {
    const number = numbers.get(thing) ?? numbers.size;
    numbers.set(thing, number);
    return number;
  };
}
