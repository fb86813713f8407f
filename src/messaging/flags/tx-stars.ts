import type { Tx } from "@/kernel/context.ts";
import { sightIn } from "@/messaging/message-moves/tx-readers.ts";
import { starsIn } from "@/messaging/receipts/access.ts";
import { announce } from "@/messaging/receipts/tx-reception.ts";
import type { AccessChange } from "@/places/channels/hooks.ts";
import { channelConversation } from "@/places/conversations/access.ts";

/**
 * Emits the stars on messages that users may no longer read as removed, and those on messages that they may read again as added.
 * They stay stored: whoever comes back has them again.
 */
export function emitStars(tx: Tx, changes: readonly AccessChange[]): void {
  for (const { channel, userIds } of changes) {
    const listening = tx.listeners(userIds);
    if (listening.length === 0) continue;
    const { rows, byUser } = starsIn(tx, channelConversation(tx, channel.id), listening);
    const sees = sightIn(tx, channel, rows, [...byUser.keys()]);
    for (const [user, starred] of byUser) {
      const seen = new Set(sees(user));
      const own = Map.groupBy(
        rows.filter(({ id }) => starred.has(id)),
        ({ id }) => seen.has(id),
      );
      announce(tx, user, { op: "add", flag: "starred" }, own.get(true) ?? []);
      announce(tx, user, { op: "remove", flag: "starred" }, own.get(false) ?? []);
    }
  }
}
