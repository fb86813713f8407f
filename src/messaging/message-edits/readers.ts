// The users that a move affects: those who can still read the messages, no longer can, or now can.

import type { Ctx } from "@/kernel/core/context.ts";
import type { Movable } from "@/messaging/message-rows/schema.ts";
import { sightIn } from "@/messaging/messages/audience.ts";
import { recordHolders } from "@/messaging/receipts/reach.ts";
import { viewersOf } from "@/places/channels/access.ts";
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
export function listConcerned(ctx: Ctx, move: Move, after: readonly Movable[]): Concerned[] {
  const { from, to, rows } = move;
  const subscribers = subscriberIds(ctx, from.channel.id);
  const had = new Set([...subscribers, ...recordHolders(ctx, rows, subscribers), ctx.actor.id]);
  const userIds = [...new Set([...had, ...subscriberIds(ctx, to.channel.id)])];
  const sawBefore = sightIn(ctx, from.channel, rows, userIds);
  const seesNow = move.isChannelNew ? sightIn(ctx, to.channel, after, userIds) : sawBefore;
  const isSourceKnown = move.isChannelNew ? viewersOf(ctx, from.channel) : null;

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
