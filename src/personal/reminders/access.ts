import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** One of the actor's undelivered reminders. */
export function reminderFor(ctx: Ctx, id: number): ReminderRow {
  const row = store.findReminder(ctx, id);
  return row?.user_id === me(ctx).id ? row : fail("MISSING", "Reminder does not exist");
}
