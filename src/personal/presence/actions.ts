import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import { knowersOf } from "@/foundation/users/acquaintance.ts";
import { noteActivity, noteHere, unsavedHere } from "@/foundation/users/activity.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action, query } from "@/kernel/operation.ts";
import { lastUpdateId, markSaved, notePresence, presenceOf, unsavedPresences } from "./board.ts";
import { isShown, presentLegacy, presentModern } from "./present.ts";
import { presencesNow, serverTime } from "./queries.ts";
import { mostUsersTold, type PresenceStatus, presenceChanged, presenceTimes } from "./schema.ts";
import type { Presence } from "./store.ts";
import * as store from "./store.ts";

export interface PresenceReport {
  status: PresenceStatus;
  new_user_input: boolean;
  /** Nothing is asked for in return. */
  ping_only: boolean;
  /** What the client knows already; absent: it reads the legacy form unless `slim_presence`. */
  last_update_id?: number;
  slim_presence: boolean;
  history_limit_days: number;
}

/** Records that the actor is present, and returns who else is. Writes nothing to disk (docs/design.md#events). */
export const reportPresence = query(allow.user, async (ctx, report: PresenceReport) => {
  const { id, is_bot } = me(ctx);
  if (is_bot) fail("BAD_REQUEST", "This endpoint does not accept bot requests.");
  const before = presenceOf(ctx, id);
  const isActive = report.status === "active";
  if (isShown(ctx, id)) notePresence(ctx, id, { now: ctx.now, isActive });
  if (isActive || report.new_user_input) noteHere(ctx, id);
  const after = presenceOf(ctx, id);
  // By a clock that was set back, the last sign lies in the future, and was just as long ago.
  const gap = Math.abs(after.active_at - before.active_at);
  if (gap >= presenceTimes.offline) await tellPresence(ctx, after);
  return answerTo(ctx, report);
});

function answerTo(ctx: Ctx, report: PresenceReport) {
  const { last_update_id: known = -1, slim_presence, history_limit_days: days } = report;
  if (report.ping_only) return { presence_last_update_id: known };
  // An ID of a future that a restored backup has undone tells nothing of what its client knows.
  const since = known > lastUpdateId(ctx) ? -1 : known;
  return presencesNow(ctx, { since, days, isModern: slim_presence || report.last_update_id !== undefined });
}

const tellPresence = action(allow.user, (tx, row: Presence): void => emitPresence(tx, row));

function emitPresence(tx: Tx, row: Presence): void {
  if (usersUpTo(tx, roles.guest).size > mostUsersTold) return;
  const user = userFor(tx, row.user_id);
  tx.emit(presenceChanged, knowersOf(tx, user), {
    user_id: row.user_id,
    email: user.email,
    server_timestamp: serverTime(tx),
    modern: presentModern(row),
    legacy: presentLegacy(row),
  });
}

/** Lets a user who no longer shows their presence look as if they had left; part of that change. */
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

const savedAtOnce = 500;

/** Writes down what has changed since the last time. */
export async function savePresences(ctx: Ctx): Promise<void> {
  const rows = unsavedPresences(ctx);
  for (let from = 0; from < rows.length; from += savedAtOnce) {
    const some = rows.slice(from, from + savedAtOnce);
    await save(ctx, some);
    markSaved(ctx, some);
  }
  const here = unsavedHere(ctx);
  for (let from = 0; from < here.length; from += savedAtOnce) {
    await saveActivity(ctx, here.slice(from, from + savedAtOnce));
  }
}

const save = action(allow.system, (tx, rows: readonly Presence[]): void => {
  for (const row of rows) store.savePresence(tx, row);
});

const saveActivity = action(allow.system, (tx, users: readonly number[]): void => {
  for (const user of users) noteActivity(tx, user);
});
