import { knownTo } from "@/foundation/acquaintance/access.ts";
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { updatedSince } from "./board.ts";
import { type LegacyPresence, type ModernPresence, presenceTimes } from "./schema.ts";
import type { Presence } from "./store.ts";

export function presentModern({ active_at, connected_at }: Presence): ModernPresence {
  return { active_timestamp: active_at, idle_timestamp: connected_at };
}

// Wire: older clients expect one entry for each kind of client, and look under this name.
const client = "website";

export function presentLegacy({ active_at, connected_at }: Presence): LegacyPresence & { pushable: boolean } {
  const isActive = connected_at - active_at <= presenceTimes.stillActive;
  return {
    client,
    status: isActive ? "active" : "idle",
    timestamp: isActive ? active_at : connected_at,
    pushable: false,
  };
}

/** The form for older clients, which expect one entry for each kind of client. */
function presentByClient(row: Presence): Record<string, LegacyPresence> {
  const { pushable: _, ...aggregated } = presentLegacy(row);
  return { aggregated, [client]: presentLegacy(row) };
}

export interface PresenceView {
  isModern: boolean;
  /** Only presences updated after this ID; -1 for all. */
  since: number;
  days: number;
}

/** The presences of active users who let others see them. */
export function presentPresences(
  ctx: Ctx,
  { isModern, since, days }: PresenceView,
): Record<string, ModernPresence> | Record<string, Record<string, LegacyPresence>> {
  const from = Math.max(ctx.now - days * presenceTimes.day, 1);
  const here = usersUpTo(ctx, roles.guest);
  const known = knownTo(ctx, ctx.actor.id);
  const rows = [...updatedSince(ctx, since)].filter(
    ({ user_id, connected_at }) =>
      connected_at >= from &&
      days > 0 &&
      here.has(user_id) &&
      (known?.has(user_id) ?? true) &&
      isShown(ctx, user_id),
  );
  return isModern
    ? Object.fromEntries(rows.map((row) => [row.user_id, presentModern(row)]))
    : Object.fromEntries(rows.map((row) => [userFor(ctx, row.user_id).email, presentByClient(row)]));
}

/** Whether the user lets others see their presence. */
export function isShown(reads: Reads, userId: number): boolean {
  return settingOf(reads, userId, "presence_enabled");
}
