// Large moves go in portions, each in a transaction of its own: between two of them, other people write and read.

import type { Tx } from "@/kernel/core/context.ts";
import { sharesHistory } from "@/places/channels/access.ts";
import { readableIn } from "./access.ts";
import type { Course, Move, Way } from "./planned.ts";

export interface Portion {
  rows: Move["rows"];
  /** Where the next portion begins, after this ID; null after the last one. */
  after: number | null;
}

/** The first messages of a move, among them the one given in the request. */
export function firstPortion(tx: Tx, { target, mode, from }: Way): Portion {
  if (mode === "change_one") return { rows: [target], after: null };
  const part = { from: mode === "change_later" ? target.id : 0, readsAll: sharesHistory(from.channel) };
  const { rows, after } = readableIn(tx, from, part);
  const isThere = rows.some((row) => row.id === target.id);
  return { rows: isThere ? rows : [...rows, target].sort((a, b) => a.id - b.id), after };
}

export interface Rest {
  course: Course;
  /** The message given in the request, which has moved already. */
  targetId: number;
  after: number;
  readsAll: boolean;
}

/**
 * The next messages of the old topic after an ID. Those that were sent to it since the move began move along. Where only the topic's
 * case changes, the one given in the request is still found there.
 */
export function nextPortion(tx: Tx, { course, targetId, after, readsAll }: Rest): Portion {
  const portion = readableIn(tx, course.from, { from: after + 1, readsAll });
  return { ...portion, rows: portion.rows.filter((row) => row.id !== targetId) };
}

/** Whether a move takes one portion. */
export function isSmall(tx: Tx, { from }: Way): boolean {
  return readableIn(tx, from, { from: 0, readsAll: sharesHistory(from.channel) }).after === null;
}
