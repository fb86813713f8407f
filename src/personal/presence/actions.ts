import { knowersOf } from "@/foundation/acquaintance/access.ts";
import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { noteHere, takeUnsaved } from "@/foundation/user-activity/access.ts";
import { noteActivity } from "@/foundation/user-activity/actions.ts";
import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import { type Ctx, type Tx, writesHere } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { lastUpdateId, listUnsavedPresences, markSaved, presenceOf } from "./board.ts";
import { isShown, presencesNow, presentLegacy, presentModern, serverTime } from "./queries.ts";
import { maxUsersForEvents, type PresenceReport, presenceChanged, presenceTimes } from "./schema.ts";
import { sendActivity, sharePresence } from "./sharing.ts";
import type { Presence } from "./store.ts";
import * as store from "./store.ts";

/** Records that the actor is present, and returns who else is. Writes nothing to disk (docs/design.md#events). */
export const reportPresence = operation(allow.user, async (ctx, report: PresenceReport) => {
  const { id, is_bot } = me(ctx);
  if (is_bot) fail("BAD_REQUEST", "This endpoint does not accept bot requests.");
  const before = presenceOf(ctx, id);
  const isActive = report.status === "active";
  if (isShown(ctx, id)) sharePresence(ctx, id, isActive);
  if (isActive || report.new_user_input) noteHere(ctx, id);
  const after = presenceOf(ctx, id);
  // If the clock was set back, the last report lies in the future.
  const gap = Math.abs(after.active_at - before.active_at);
  if (gap >= presenceTimes.offline) await emitPresenceChange(ctx, after);
  return answerTo(ctx, report);
});

function answerTo(ctx: Ctx, report: PresenceReport) {
  const { last_update_id: known = -1, slim_presence, history_limit_days: days } = report;
  if (report.ping_only) return { presence_last_update_id: known };
  // After a restore from a backup, a client may send an ID that this server has not reached yet.
  const since = known > lastUpdateId(ctx) ? -1 : known;
  return presencesNow(ctx, { since, days, isModern: slim_presence || report.last_update_id !== undefined });
}

const emitPresenceChange = action(allow.user, (tx, row: Presence): void => emitPresence(tx, row));

const saveBatch = 500;

/** Saves what has changed since the last time; a following node sends it to the leader instead. */
export const savePresences = operation(allow.system, async (ctx): Promise<void> => {
  if (!writesHere(ctx)) return sendActivity(ctx);
  const rows = listUnsavedPresences(ctx);
  for (let from = 0; from < rows.length; from += saveBatch) {
    const some = rows.slice(from, from + saveBatch);
    await save(ctx, some);
    markSaved(ctx, some);
  }
  const here = takeUnsaved(ctx);
  for (let from = 0; from < here.length; from += saveBatch) {
    await saveActivity(ctx, here.slice(from, from + saveBatch));
  }
});

const save = action(allow.system, (tx, rows: readonly Presence[]): void => {
  for (const row of rows) if (userFor(tx, row.user_id).is_active) store.savePresence(tx, row);
});

const saveActivity = action(allow.system, (tx, users: readonly number[]): void => {
  for (const user of users) if (userFor(tx, user).is_active) noteActivity(tx, user);
});

function emitPresence(tx: Tx, row: Presence): void {
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

/** Part of erasing a person: deletes the record of when they were here, at most `max`. Returns how many it deleted. */
export function forgetSomePresence(tx: Tx, userId: number, max: number): number {
  return store.deleteSomePresence(tx, userId, max);
}
