import { allow } from "@/foundation/permissions/access.ts";
import { knownUser, userByEmail } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { lastUpdateId, presenceOf } from "./board.ts";
import { isShown, type PresenceView, presentLegacy, presentPresences } from "./present.ts";
import { type PresenceStatus, presenceTimes } from "./schema.ts";

interface SeenAt {
  status: PresenceStatus;
  timestamp: number;
}

/** When a user, given by ID or email address, was last present. */
export const getUserPresence = query(allow.user, (ctx, named: string): Record<string, SeenAt> => {
  const user = /^\d+$/.test(named) ? knownUser(ctx, Number(named)) : userByEmail(ctx, named);
  if (user.is_bot) fail("BAD_REQUEST", "Presence is not supported for bot users.");
  const row = presenceOf(ctx, user.id);
  if (row.connected_at === 0 || !user.is_active || !isShown(ctx, user.id)) noneOf(user);
  const { status, timestamp, client } = presentLegacy(row);
  return { aggregated: { status, timestamp }, [client]: { status, timestamp } };
});

function noneOf(user: UserRow): never {
  fail("BAD_REQUEST", `No presence data for ${user.email}`);
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
