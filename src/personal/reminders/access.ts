import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** A reminder of the actor's that is not delivered. */
export function reminderFor(ctx: Ctx, id: number): ReminderRow {
  const row = store.findReminder(ctx, id);
  return row?.user_id === me(ctx).id ? row : fail("MISSING", "Reminder does not exist");
}
