import type { Tx } from "@/kernel/core/context.ts";
import { sightIn } from "@/messaging/messages/audience.ts";
import { rowsOf } from "@/messaging/receipts/access.ts";
import { emitFlag } from "@/messaging/receipts/actions-reception.ts";
import type { AccessChange } from "@/places/channels/hooks.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { starsNow } from "./star-lookups.ts";

/**
 * Emits the stars on messages that users may no longer read as removed, and those on messages that they may read again as added.
 * They stay stored: anyone who comes back has them again.
 */
export function emitStars(tx: Tx, changes: readonly AccessChange[]): void {
  for (const { channel, userIds } of changes) {
    const listening = tx.listeners(userIds);
    if (listening.length === 0) continue;
    const stars = starsNow(tx, channelConversation(tx, channel.id), listening);
    const rows = rowsOf(tx, listStarred(stars));
    const sees = sightIn(tx, channel, rows, [...stars.keys()]);
    for (const { users, starred, sight } of alike(stars, sees)) {
      const seen = sight.length === rows.length ? null : new Set(sight);
      const added = seen ? starred.filter((id) => seen.has(id)) : starred;
      const removed = seen ? starred.filter((id) => !seen.has(id)) : [];
      emitFlag(tx, users, { op: "add", flag: "starred" }, added);
      emitFlag(tx, users, { op: "remove", flag: "starred" }, removed);
    }
  }
}

interface Alike {
  users: number[];
  starred: readonly number[];
  /** What they may read of all that is starred. */
  sight: readonly number[];
}

/** Users with the same stars and the same sight, who get the same events: both as the same lists. */
function alike(
  stars: ReadonlyMap<number, readonly number[]>,
  sees: (userId: number) => readonly number[],
): Alike[] {
  const groups = new Map<readonly number[], Map<readonly number[], Alike>>();
  const all: Alike[] = [];
  for (const [user, starred] of stars) {
    const sight = sees(user);
    const bySight = groups.get(starred) ?? new Map<readonly number[], Alike>();
    groups.set(starred, bySight);
    const group = bySight.get(sight);
    if (group) group.users.push(user);
    else {
      const added = { users: [user], starred, sight };
      bySight.set(sight, added);
      all.push(added);
    }
  }
  return all;
}

function listStarred(stars: ReadonlyMap<number, readonly number[]>): number[] {
  const all = new Set<number>();
  for (const ids of new Set(stars.values())) for (const id of ids) all.add(id);
  return [...all];
}
