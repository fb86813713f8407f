import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { atOnce, type Steps } from "@/kernel/lib/steps.ts";
import { presentReminder, unrenderedTextOf, waitingTextOf } from "./present.ts";
import type { Reminder } from "./schema.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** Counts as so many rows that are read. */
const renderingCost = 20;

/** The actor's undelivered reminders, by delivery time. */
export const listReminders = query(allow.user, function* (ctx): Steps<Reminder[]> {
  const rows = yield* store.listReminders(ctx, me(ctx).id);
  const isStale = staleIn(ctx);
  const reminders: Reminder[] = [];
  for (const row of rows) {
    if (isStale(row)) {
      reminders.push(presentReminder({ ...row, ...waitingTextOf(ctx, row) }));
      yield renderingCost;
    } else reminders.push(presentReminder(row));
  }
  return reminders;
});

/** As `listReminders`, without a pause: those that quote an earlier text are shown without markup, because rendering takes time. */
export const listRemindersAtOnce = query(allow.user, (ctx): Reminder[] => {
  const isStale = staleIn(ctx);
  return atOnce(store.listReminders(ctx, me(ctx).id)).map((row) =>
    presentReminder(isStale(row) ? { ...row, ...unrenderedTextOf(ctx, row) } : row),
  );
});

/** Whether a reminder quotes what its message was before an edit or deletion. */
function staleIn(ctx: Ctx): (row: Pick<ReminderRow, "id" | "message_id">) => boolean {
  const renewed = new Map(store.listStale(ctx).map(({ message_id, last_id }) => [message_id, last_id]));
  return ({ id, message_id }) => id > (renewed.get(message_id) ?? Number.POSITIVE_INFINITY);
}
