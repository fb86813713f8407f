// What a user has not read, in order of ID and read no further than needed: never by looking at all messages.

import type { Reads } from "@/kernel/context.ts";
import { type Direction, type Lane, merged, plainLane } from "@/kernel/merge.ts";
import { atOnce } from "@/kernel/steps.ts";
import { conversationsMovedInto } from "@/places/conversations/access.ts";
import { viewOf } from "./access.ts";
import { type Stretch, unreadStretches } from "./marks.ts";
import type { Receipt } from "./rows.ts";
import type { Behind } from "./store.ts";
import * as store from "./store.ts";

/** Conversations that are looked at: all but those in `not`, or those in `only`. */
export interface Places {
  only?: readonly number[];
  not?: ReadonlySet<number>;
  /** With what lies in channels the user is not in, which counts as read otherwise. */
  everywhere?: boolean;
}

interface Along extends Places {
  direction: Direction;
  /** Exclusive. */
  from: number;
}

/** Lanes whose first message is known already are opened without reading on. */
const firstRead = 1;

/** Gives the next unread messages beyond `from`, nearest first; fewer than `most` only at the end. */
export function unreadReader(reads: Reads, userId: number, along: Along): (most: number) => Receipt[] {
  const rows = new Map<number, Receipt>();
  const lanes = sourcesOf(reads, userId, along).map((source) => laneOf(source, rows));
  const next = merged(lanes, along.direction, along.from, firstRead);
  return (most) => atOnce(next(most)).map((id) => rows.get(id) as Receipt);
}

/** The `most` newest of the user's unread messages, ascending. */
export function unreadOf(
  reads: Reads,
  userId: number,
  { most, ...places }: Places & { most: number },
): Receipt[] {
  const along: Along = { ...places, direction: "before", from: endless };
  const all = readAtOnce(reads, userId, { ...along, most });
  return all ?? unreadReader(reads, userId, along)(most).reverse();
}

/** As `unreadOf`, by one statement for all homes; null where that could read many more than are wanted. */
function readAtOnce(reads: Reads, userId: number, along: Along & { most: number }): Receipt[] | null {
  const { homes, movedInto, accepts } = placesOf(reads, userId, along);
  const stretches = homes.flatMap((home) => {
    return unreadStretches(home, home.top).map((one) => ({ ...one, homeId: home.conversation_id }));
  });
  const bound = stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (movedInto.length > 0 || bound > Math.min(along.most, mostAtOnce)) return null;
  const found = store.findReceiptsIn(reads, userId, stretches).filter(accepts);
  return found.sort((a, b) => a.id - b.id);
}

/** All unread messages that lie in the conversation, or were sent there, those in channels the user is not in included. */
export function unreadConcerning(reads: Reads, userId: number, conversationId: number): Receipt[] {
  const { isReadAnywhere } = viewOf(reads, userId);
  const accepts = (row: Receipt) => !isReadAnywhere(row);
  const wanted: Wanted = { along: { direction: "after", from: 0 }, accepts };
  const homes = store.findBehind(reads, userId, [conversationId]);
  return [
    ...homes.flatMap((home) => {
      const stretches = stretchesAlong(reads, home, wanted.along);
      return [...unreadAtHome(reads, userId, { ...wanted, home, stretches })];
    }),
    ...unreadMovedInto(reads, conversationId, wanted),
  ];
}

const endless = Number.MAX_SAFE_INTEGER;

const mostAtOnce = 100_000;

interface LookedAt {
  homes: Behind[];
  /** Conversations into which messages of homes that are not looked at may have been moved. */
  movedInto: readonly number[];
  accepts: (row: Receipt) => boolean;
}

function placesOf(reads: Reads, userId: number, { only, not, everywhere = false }: Places): LookedAt {
  const named = only && new Set(only);
  const isLookedAt = (id: number) => (named?.has(id) ?? true) && !not?.has(id);
  const view = viewOf(reads, userId);
  const isRead = everywhere ? view.isReadAnywhere : view.isRead;
  const behind = store.findBehind(reads, userId, only);
  const homes = behind.filter((home) => isLookedAt(home.conversation_id));
  const isPartial = only !== undefined || homes.length < behind.length;
  return {
    homes,
    movedInto: isPartial ? (only ?? conversationsMovedInto(reads)).filter(isLookedAt) : [],
    accepts: (row) => isLookedAt(row.conversation_id) && !isRead(row),
  };
}

/** One source for each home the user is behind in, and one for each conversation that something was moved into. */
function sourcesOf(reads: Reads, userId: number, along: Along): Generator<Receipt>[] {
  const { homes, movedInto, accepts } = placesOf(reads, userId, along);
  const stretches = new Map(homes.map((home) => [home, stretchesAlong(reads, home, along)]));
  const heads = headsOf(reads, userId, stretches, along);
  return [
    ...homes.map((home) => {
      const wanted = { home, along, accepts, stretches: stretches.get(home) ?? [] };
      return unreadAtHome(reads, userId, { ...wanted, head: heads.get(home.conversation_id) });
    }),
    ...movedInto.map((id) => unreadMovedInto(reads, id, { along, accepts })),
  ];
}

/** The nearest message of each home's nearest stretch, by home, in one statement. */
function headsOf(
  reads: Reads,
  userId: number,
  stretches: ReadonlyMap<Behind, Stretch[]>,
  { direction }: Along,
): Map<number, Receipt> {
  const nearest = [...stretches].flatMap(([home, [first]]) => {
    return first && first.from <= first.to ? [{ ...first, homeId: home.conversation_id }] : [];
  });
  const rows = nearest.length > 1 ? store.findReceiptsAtEnd(reads, userId, nearest, direction) : [];
  return new Map(rows.map((row) => [row.home_id, row]));
}

interface Wanted {
  along: Along;
  accepts: (row: Receipt) => boolean;
}

const firstChunk = 16;
const longestChunk = 1024;

interface AtHome extends Wanted {
  home: Behind;
  /** Nearest first. */
  stretches: readonly Stretch[];
  /** The nearest message of the nearest stretch, where it has been read already. */
  head?: Receipt;
}

function* unreadAtHome(
  reads: Reads,
  userId: number,
  { home, along, accepts, stretches, head }: AtHome,
): Generator<Receipt> {
  const { direction } = along;
  const homeId = home.conversation_id;
  const isBeyond = beyond(along);
  if (head && isBeyond(head.id) && accepts(head)) yield head;
  for (const [i, stretch] of stretches.entries()) {
    let { from, to } = head && i === 0 ? without(stretch, head.seq, direction) : stretch;
    for (let most = firstChunk; from <= to; most = Math.min(most * 2, longestChunk)) {
      const rows = store.findReceipts(reads, userId, { homeId, from, to, most, direction });
      for (const row of rows) if (isBeyond(row.id) && accepts(row)) yield row;
      const last = rows.at(-1);
      if (!last || rows.length < most) break;
      ({ from, to } = without({ from, to }, last.seq, direction));
    }
  }
}

/** What is left of a stretch behind a seq. */
function without({ from, to }: Stretch, seq: number, direction: Direction): Stretch {
  return direction === "after" ? { from: seq + 1, to } : { from, to: seq - 1 };
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
