// Presence, kept in memory: every client reports once a minute, which is too often to write to disk. Of several nodes, the
// leader numbers the updates, so that a client may ask any node for those after the last that it knows (sharing.ts).

import { type Db, type Reads, writesHere } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { presenceTimes } from "./schema.ts";
import { listPresences, type Presence } from "./store.ts";

interface Board {
  byUser: Map<number, Presence>;
  /** Ordered by update. Outdated entries stay until there are too many of them. */
  log: Presence[];
  lastId: number;
  /** Whether this process numbers updates, and has skipped the IDs that an earlier one may have used. */
  isNumbering: boolean;
  /** IDs of users whose presence changed since the last save. */
  unsaved: Set<number>;
}

/**
 * More updates than can happen between two saves. A process that begins to number updates skips this many IDs: a crash may have
 * lost them.
 */
const maxUnsaved = 10_000;

const boardOf = perApp((db: Db): Board => {
  const rows = listPresences({ db });
  const board = {
    byUser: new Map(rows.map((row) => [row.user_id, row])),
    log: rows,
    lastId: rows.at(-1)?.update_id ?? 0,
    isNumbering: false,
    unsaved: new Set<number>(),
  };
  if (!db.peers) beginNumbering(board);
  return board;
});

function beginNumbering(board: Board): void {
  if (!board.isNumbering && board.lastId > 0) board.lastId += maxUnsaved;
  board.isNumbering = true;
}

export function presenceOf(reads: Reads, userId: number): Presence {
  const never = { user_id: userId, active_at: 0, connected_at: 0, update_id: 0 };
  return boardOf(reads).byUser.get(userId) ?? never;
}

export function lastUpdateId(reads: Reads): number {
  return boardOf(reads).lastId;
}

/** The presences updated after `updateId`, the newest first. */
export function* listUpdatedSince(reads: Reads, updateId: number): Generator<Presence> {
  const { log, byUser } = boardOf(reads);
  for (let at = log.length - 1; at >= 0; at--) {
    const { user_id, update_id } = log[at] as Presence;
    if (update_id <= updateId) return;
    const row = byUser.get(user_id);
    if (row?.update_id === update_id) yield row;
  }
}

export interface Sign {
  now: number;
  isActive: boolean;
}

/** Records that a user is connected, and possibly active; returns whether that changed anything. */
export function notePresence(reads: Reads, userId: number, { now, isActive }: Sign): boolean {
  const before = presenceOf(reads, userId);
  // If the clock is set back, no presence may stay in the future.
  const past = (at: number) => Math.min(at, now);
  const renewTime = (at: number) => (Math.abs(now - at) >= presenceTimes.throttle ? now : past(at));
  const active_at = isActive ? renewTime(before.active_at) : past(before.active_at);
  const connected_at = Math.max(active_at, renewTime(before.connected_at));
  if (active_at === before.active_at && connected_at === before.connected_at) return false;

  const board = boardOf(reads);
  if (!writesHere(reads)) {
    // Has its effect here at once; clients that ask for updates get it once the leader has numbered it.
    board.isNumbering = false;
    board.byUser.set(userId, { ...before, active_at, connected_at });
    return true;
  }
  beginNumbering(board);
  put(board, { user_id: userId, active_at, connected_at, update_id: ++board.lastId });
  board.unsaved.add(userId);
  return true;
}

/** Takes an update that the leader has numbered, unless it is already here. */
export function takePresence(reads: Reads, row: Presence): void {
  const board = boardOf(reads);
  board.isNumbering = false;
  if (row.update_id <= board.lastId) return;
  board.lastId = row.update_id;
  put(board, row);
}

function put(board: Board, row: Presence): void {
  const { byUser, log } = board;
  byUser.set(row.user_id, row);
  log.push(row);
  if (log.length > 2 * byUser.size + 100) {
    board.log = log.filter((one) => byUser.get(one.user_id)?.update_id === one.update_id);
  }
}

export function listUnsavedPresences(reads: Reads): Presence[] {
  const { unsaved, byUser } = boardOf(reads);
  return [...unsaved].map((id) => byUser.get(id)).filter((row) => row !== undefined);
}

/** Marks these as saved, unless they have changed since. */
export function markSaved(reads: Reads, rows: readonly Presence[]): void {
  const { unsaved, byUser } = boardOf(reads);
  for (const row of rows) if (byUser.get(row.user_id) === row) unsaved.delete(row.user_id);
}
