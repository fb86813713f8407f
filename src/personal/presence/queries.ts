import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { allow, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { userByEmail, userFor, userKnownFor } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Reads, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { lastUpdateId, listUpdatedSince, presenceOf } from "./board.ts";
import { type LegacyPresence, type ModernPresence, type PresenceStatus, presenceTimes } from "./schema.ts";
import type { Presence } from "./store.ts";

interface SeenAt {
  status: PresenceStatus;
  timestamp: number;
}

/** When a user, given by ID or email address, was last present. */
export const getUserPresence = query(allow.user, (ctx, named: string): Record<string, SeenAt> => {
  const user = /^\d+$/.test(named) ? userKnownFor(ctx, Number(named)) : userByEmail(ctx, named);
  if (user.is_bot) fail("BAD_REQUEST", "Presence is not supported for bot users.");
  const row = presenceOf(ctx, user.id);
  if (row.connected_at === 0 || !user.is_active || !isShown(ctx, user.id)) noneOf(user);
  const { status, timestamp, client } = presentLegacy(row);
  return { aggregated: { status, timestamp }, [client]: { status, timestamp } };
});

function noneOf(user: UserRow): never {
  fail("BAD_REQUEST", sentence("No presence data for {email}", { email: user.email }));
}

/** All presences, in the legacy form. */
export const listPresences = query(allow.user, (ctx) =>
  presencesNow(ctx, everyoneOf(presenceTimes.historyDays, false)),
);

/** Current presences, with the ID that lets clients ask for later changes only. */
export function presencesNow(ctx: Ctx, view: PresenceView) {
  const presences = presentPresences(ctx, view);
  return { presences, server_timestamp: serverTime(ctx), presence_last_update_id: lastUpdateId(ctx) };
}

export function serverTime(ctx: Ctx): number {
  return ctx.db.clock.ms() / 1000;
}

function everyoneOf(days: number, isModern: boolean): PresenceView {
  return { days, isModern, since: -1 };
}

/** The `presence` section of the initial state. */
export function presenceState(ctx: Ctx, { options }: StateRequest): Record<string, unknown> {
  const days = Number(options.presence_history_limit_days);
  return presencesNow(ctx, everyoneOf(days, options.slim_presence === true));
}

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

interface PresenceView {
  isModern: boolean;
  /** Only presences updated after this ID; -1 for all. */
  since: number;
  days: number;
}

/** The presences of active users who let others see them. */
function presentPresences(
  ctx: Ctx,
  { isModern, since, days }: PresenceView,
): Record<string, ModernPresence> | Record<string, Record<string, LegacyPresence>> {
  const from = Math.max(ctx.now - days * presenceTimes.day, 1);
  const here = usersUpTo(ctx, roles.guest);
  const known = listKnownTo(ctx, ctx.actor.id);
  const rows = [...listUpdatedSince(ctx, since)].filter(
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
