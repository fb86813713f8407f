// What a user has not read, in order of ID and read no further than needed: never by looking at all messages.

import type { Ctx } from "@/kernel/context.ts";
import { type Direction, type Lane, merged, plainLane } from "@/kernel/merge.ts";
import { atOnce } from "@/kernel/steps.ts";
import { conversationsMovedInto } from "@/places/conversations/access.ts";
import { viewOf } from "./access.ts";
import { type Stretch, unreadStretches } from "./marks.ts";
import type { Behind, Receipt } from "./store.ts";
import * as store from "./store.ts";

type Reads = Pick<Ctx, "db">;

/** Conversations that are looked at: all but those in `not`, or those in `only`. */
export interface Places {
  only?: readonly number[];
  not?: ReadonlySet<number>;
}

interface Along extends Places {
  direction: Direction;
  /** Exclusive. */
  from: number;
}

/** Gives the next unread messages beyond `from`, nearest first; fewer than `most` only at the end. */
export function unreadReader(reads: Reads, userId: number, along: Along): (most: number) => Receipt[] {
  const rows = new Map<number, Receipt>();
  const lanes = sourcesOf(reads, userId, along).map((source) => laneOf(source, rows));
  const next = merged(lanes, along.direction, along.from);
  return (most) => atOnce(next(most)).map((id) => rows.get(id) as Receipt);
}

/** The `most` newest of the user's unread messages, ascending. */
export function unreadOf(
  reads: Reads,
  userId: number,
  { most, ...places }: Places & { most: number },
): Receipt[] {
  const next = unreadReader(reads, userId, { ...places, direction: "before", from: endless });
  return next(most).reverse();
}

/** All unread messages that lie in the conversation, or were sent there. */
export function unreadConcerning(reads: Reads, userId: number, conversationId: number): Receipt[] {
  const { isRead } = viewOf(reads, userId);
  const accepts = (row: Receipt) => !isRead(row);
  const wanted: Wanted = { along: { direction: "after", from: 0 }, accepts };
  const homes = store.findBehind(reads, userId, [conversationId]);
  return [
    ...homes.flatMap((home) => [...unreadAtHome(reads, userId, { ...wanted, home })]),
    ...unreadMovedInto(reads, conversationId, wanted),
  ];
}

const endless = Number.MAX_SAFE_INTEGER;

/** One source for each home the user is behind in, and one for each conversation that something was moved into. */
function sourcesOf(reads: Reads, userId: number, along: Along): Generator<Receipt>[] {
  const { only, not } = along;
  const named = only && new Set(only);
  const isLookedAt = (id: number) => (named?.has(id) ?? true) && !not?.has(id);
  const view = viewOf(reads, userId);
  const accepts = (row: Receipt) => isLookedAt(row.conversation_id) && !view.isRead(row);

  const behind = store.findBehind(reads, userId, only);
  const homes = behind.filter((home) => isLookedAt(home.conversation_id));
  const isPartial = only !== undefined || homes.length < behind.length;
  const movedInto = isPartial ? (only ?? conversationsMovedInto(reads)).filter(isLookedAt) : [];
  return [
    ...homes.map((home) => unreadAtHome(reads, userId, { home, along, accepts })),
    ...movedInto.map((id) => unreadMovedInto(reads, id, { along, accepts })),
  ];
}

interface Wanted {
  along: Along;
  accepts: (row: Receipt) => boolean;
}

const firstChunk = 16;
const longestChunk = 1024;

function* unreadAtHome(
  reads: Reads,
  userId: number,
  { home, along, accepts }: Wanted & { home: Behind },
): Generator<Receipt> {
  const { direction } = along;
  const homeId = home.conversation_id;
  const isBeyond = beyond(along);
  for (const stretch of stretchesAlong(reads, home, along)) {
    let { from, to } = stretch;
    for (let most = firstChunk; from <= to; most = Math.min(most * 2, longestChunk)) {
      const rows = store.findReceipts(reads, userId, { homeId, from, to, most, direction });
      for (const row of rows) if (isBeyond(row.id) && accepts(row)) yield row;
      const last = rows.at(-1);
      if (!last || rows.length < most) break;
      if (direction === "after") from = last.seq + 1;
      else to = last.seq - 1;
    }
  }
}

/** Where in a home something may be unread beyond `from`, nearest first. */
function stretchesAlong(reads: Reads, home: Behind, { direction, from }: Along): Stretch[] {
  const all = unreadStretches(home, home.top);
  const isFromAnEnd = direction === "after" ? from === 0 : from === endless;
  const near = isFromAnEnd ? null : store.findSeqNear(reads, home.conversation_id, { direction, from });
  if (direction === "after") return all.map((one) => ({ ...one, from: Math.max(one.from, near ?? 0) }));
  return all.map((one) => ({ ...one, to: Math.min(one.to, near ?? endless) })).reverse();
}

function* unreadMovedInto(
  reads: Reads,
  conversationId: number,
  { along, accepts }: Wanted,
): Generator<Receipt> {
  const { direction } = along;
  let { from } = along;
  for (let most = firstChunk; ; most = Math.min(most * 2, longestChunk)) {
    const rows = store.findMovedInto(reads, conversationId, { direction, from, most });
    for (const row of rows) if (accepts(row)) yield row;
    const last = rows.at(-1);
    if (!last || rows.length < most) return;
    from = last.id;
  }
}

const beyond = ({ direction, from }: Along) =>
  direction === "after" ? (id: number) => id > from : (id: number) => id < from;

function laneOf(source: Generator<Receipt>, rows: Map<number, Receipt>): Lane {
  return plainLane((_, most) => {
    const ids: number[] = [];
    while (ids.length < most) {
      const { done, value } = source.next();
      if (done) break;
      rows.set(value.id, value);
      ids.push(value.id);
    }
    return ids;
  });
}
