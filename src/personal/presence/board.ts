// Who is present, in memory: each client says so every minute, which is too often for a disk.
import type { Db, Reads } from "@/kernel/context.ts";
import { presenceTimes } from "./schema.ts";
import { listPresences, type Presence } from "./store.ts";

interface Board {
  byUser: Map<number, Presence>;
  /** In the order of their updates; those that were updated again are left behind until there are too many. */
  log: Presence[];
  lastId: number;
  /** Not written down yet. */
  unsaved: Set<number>;
}

const boards = new WeakMap<Db, Board>();

/** More updates than there can be between two times of writing them down, which a crash would lose. */
const lostAtMost = 10_000;

function boardOf({ db }: Reads): Board {
  const known = boards.get(db);
  if (known) return known;
  const rows = listPresences({ db });
  const newest = rows.at(-1);
  const board: Board = {
    byUser: new Map(rows.map((row) => [row.user_id, row])),
    log: rows,
    lastId: newest ? newest.update_id + lostAtMost : 0,
    unsaved: new Set(),
  };
  boards.set(db, board);
  return board;
}

export function presenceOf(reads: Reads, userId: number): Presence {
  const never = { user_id: userId, active_at: 0, connected_at: 0, update_id: 0 };
  return boardOf(reads).byUser.get(userId) ?? never;
}

export function lastUpdateId(reads: Reads): number {
  return boardOf(reads).lastId;
}

/** Everyone updated after `updateId`, the newest update first. */
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

/** Takes in that a user is connected, and perhaps active. */
export function notePresence(reads: Reads, userId: number, { now, isActive }: Sign): void {
  const before = presenceOf(reads, userId);
  // A clock that is set back must not leave anybody present in the future.
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

/** What is not written down yet. */
export function unsavedPresences(reads: Reads): Presence[] {
  const { unsaved, byUser } = boardOf(reads);
  return [...unsaved].map((id) => byUser.get(id)).filter((row) => row !== undefined);
}

/** Notes that these are written down, as far as they have not changed since. */
export function markSaved(reads: Reads, rows: readonly Presence[]): void {
  const { unsaved, byUser } = boardOf(reads);
  for (const row of rows) if (byUser.get(row.user_id) === row) unsaved.delete(row.user_id);
}
