// Presence, kept in memory: every client reports once a minute, which is too often to write to disk.

import type { Db, Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";
import { presenceTimes } from "./schema.ts";
import { listPresences, type Presence } from "./store.ts";

interface Board {
  byUser: Map<number, Presence>;
  /** Ordered by update. Outdated entries stay until there are too many of them. */
  log: Presence[];
  lastId: number;
  /** IDs of users whose presence changed since the last save. */
  unsaved: Set<number>;
}

/** More updates than can happen between two saves. A restart skips this many IDs: a crash may have lost them. */
const maxUnsaved = 10_000;

const boardOf = perApp((db: Db): Board => {
  const rows = listPresences({ db });
  const newest = rows.at(-1);
  return {
    byUser: new Map(rows.map((row) => [row.user_id, row])),
    log: rows,
    lastId: newest ? newest.update_id + maxUnsaved : 0,
    unsaved: new Set(),
  };
});

export function presenceOf(reads: Reads, userId: number): Presence {
  const never = { user_id: userId, active_at: 0, connected_at: 0, update_id: 0 };
  return boardOf(reads).byUser.get(userId) ?? never;
}

export function lastUpdateId(reads: Reads): number {
  return boardOf(reads).lastId;
}

/** The presences updated after `updateId`, the newest first. */
export function* updatedSince(reads: Reads, updateId: number): Generator<Presence> {
  const { log, byUser } = boardOf(reads);
  for (let at = log.length - 1; at >= 0; at--) {
    const row = log[at] as Presence;
    if (row.update_id <= updateId) return;
    if (byUser.get(row.user_id) === row) yield row;
  }
}

export interface Sign {
  now: number;
  isActive: boolean;
}

/** Records that a user is connected, and possibly active. */
export function notePresence(reads: Reads, userId: number, { now, isActive }: Sign): void {
  const before = presenceOf(reads, userId);
  // If the clock is set back, no presence may stay in the future.
  const past = (at: number) => Math.min(at, now);
  const renewed = (at: number) => (Math.abs(now - at) >= presenceTimes.throttle ? now : past(at));
  const active_at = isActive ? renewed(before.active_at) : past(before.active_at);
  const connected_at = Math.max(active_at, renewed(before.connected_at));
  if (active_at === before.active_at && connected_at === before.connected_at) return;

  const board = boardOf(reads);
  put(board, { user_id: userId, active_at, connected_at, update_id: ++board.lastId });
}

function put(board: Board, row: Presence): void {
  const { byUser, log, unsaved } = board;
  byUser.set(row.user_id, row);
  unsaved.add(row.user_id);
  log.push(row);
  if (log.length > 2 * byUser.size + 100) board.log = log.filter((one) => byUser.get(one.user_id) === one);
}

export function unsavedPresences(reads: Reads): Presence[] {
  const { unsaved, byUser } = boardOf(reads);
  return [...unsaved].map((id) => byUser.get(id)).filter((row) => row !== undefined);
}

/** Marks these as saved, unless they have changed since. */
export function markSaved(reads: Reads, rows: readonly Presence[]): void {
  const { unsaved, byUser } = boardOf(reads);
  for (const row of rows) if (byUser.get(row.user_id) === row) unsaved.delete(row.user_id);
}
