import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/operation.ts";
import type { Steps } from "@/kernel/steps.ts";
import { presentReminder } from "./present.ts";
import type { Reminder } from "./schema.ts";
import * as store from "./store.ts";

/** The actor's undelivered reminders, by delivery time. */
export const listReminders = query(allow.user, function* (ctx): Steps<Reminder[]> {
  const rows = yield* store.listReminders(ctx, me(ctx).id);
  return rows.map(presentReminder);
});
