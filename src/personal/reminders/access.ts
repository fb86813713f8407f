import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** One of the actor's undelivered reminders. */
export function reminderFor(ctx: Ctx, id: number): ReminderRow {
  const row = store.findReminder(ctx, id);
  return row?.user_id === me(ctx).id ? row : fail("MISSING", "Reminder does not exist");
}

/** How many reminders a person has. */
export function countRemindersOf(reads: Reads, userId: number): number {
  return store.countReminders(reads, userId);
}
