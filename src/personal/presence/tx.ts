import { knowersOf } from "@/foundation/acquaintance/access.ts";
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { presenceOf } from "./board.ts";
import { presentLegacy, presentModern } from "./present.ts";
import { serverTime } from "./queries.ts";
import { maxUsersForEvents, presenceChanged, presenceTimes } from "./schema.ts";
import type { Presence } from "./store.ts";

export function emitPresence(tx: Tx, row: Presence): void {
  if (usersUpTo(tx, roles.guest).size > maxUsersForEvents) return;
  const user = userFor(tx, row.user_id);
  tx.emit(presenceChanged, knowersOf(tx, user), {
    user_id: row.user_id,
    email: user.email,
    server_timestamp: serverTime(tx),
    modern: presentModern(row),
    legacy: presentLegacy(row),
  });
}

/**
 * Emits events that make a user who now hides their presence appear offline. Runs in the transaction of that change.
 */
export function hidePresence(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (!before.presence_enabled || now.presence_enabled) return;
  const { active_at, connected_at, ...row } = presenceOf(tx, userId);
  const left = tx.now - presenceTimes.offline - 1;
  if (connected_at <= left) return;
  emitPresence(tx, {
    ...row,
    active_at: Math.min(active_at, left),
    connected_at: Math.min(connected_at, left),
  });
}
