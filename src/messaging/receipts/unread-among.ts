// Which of a few messages each of many users has not read, without checking each pair.

import type { Reads } from "@/kernel/core/context.ts";
import { messageBits, type Receipt } from "@/messaging/message-rows/schema.ts";
import { usersWhoMuted } from "@/messaging/mute-spans/access.ts";
import { viewOf } from "./access.ts";
import { isRead, type Mark, unmarked } from "./marks.ts";
import { listReached } from "./reach.ts";
import * as people from "./store-readers.ts";

/**
 * The unread messages of each of these users, ignoring subscriptions. Equal lists are the same object. Users who have read
 * everything are missing.
 */
export function unreadAmong(
  reads: Reads,
  rows: readonly Receipt[],
  userIds: readonly number[],
): Map<number, readonly Receipt[]> {
  const special = specialReaders(reads, rows);
  const received = listReached(
    reads,
    rows.map((row) => ({ ...row, arrived_seq: null })),
    userIds,
  );
  const markOf = marksIn(reads, new Set(rows.map((row) => row.home_id)), userIds);
  const known = new Map<readonly number[], Map<string, readonly Receipt[]>>();
  const found = new Map<number, readonly Receipt[]>();
  for (const user of userIds) {
    const unread = special.has(user) ? specially(reads, rows, user) : commonly(user);
    if (unread.length > 0) found.set(user, unread);
  }
  return found;

  /** Considers only spans and marks, which is enough for most users. */
  function commonly(user: number): readonly Receipt[] {
    const ids = received.get(user);
    if (!ids) return [];
    const marks = markOf(user);
    const alike = known.get(ids) ?? new Map<string, readonly Receipt[]>();
    known.set(ids, alike);
    const unread = alike.get(marks.key) ?? unreadBy(rows, new Set(ids), marks.at);
    alike.set(marks.key, unread);
    return unread;
  }
}

function unreadBy(
  rows: readonly Receipt[],
  received: ReadonlySet<number>,
  markAt: (homeId: number) => Mark,
): readonly Receipt[] {
  return rows.filter(({ id, bits, home_id, seq }) => {
    return received.has(id) && (bits & messageBits.quiet) === 0 && !isRead(markAt(home_id), seq);
  });
}

function specially(reads: Reads, rows: readonly Receipt[], user: number): readonly Receipt[] {
  const { isReadAnywhere } = viewOf(reads, user);
  return rows.filter((row) => !isReadAnywhere(row));
}

/** Users whose read state depends on more than spans and marks: senders, users who muted them, and users with rare flags. */
function specialReaders(reads: Reads, rows: readonly Receipt[]): ReadonlySet<number> {
  const flagged = people.findFlaggedAmong(
    reads,
    rows.map((row) => row.id),
  );
  return new Set([
    ...flagged.map((row) => row.user_id),
    ...rows.flatMap((row) => [row.sender_id, ...usersWhoMuted(reads, row)]),
  ]);
}

function marksIn(reads: Reads, homeIds: ReadonlySet<number>, userIds: readonly number[]) {
  const marks = new Map([...homeIds].map((id) => [id, people.findMarks(reads, id, userIds)]));
  return (user: number) => {
    const at = (homeId: number) => marks.get(homeId)?.get(user) ?? unmarked;
    const key = [...homeIds].map((id) => `${at(id).upto}:${Buffer.from(at(id).bits ?? []).toString("hex")}`);
    return { at, key: key.join() };
  };
}
