import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Steps } from "@/kernel/lib/steps.ts";
import { presentScheduled } from "./present.ts";
import type { ScheduledMessage } from "./schema.ts";
import * as store from "./store.ts";

/** The actor's undelivered scheduled messages, by delivery time. */
export const listScheduled = query(allow.user, function* (ctx): Steps<ScheduledMessage[]> {
  const rows = yield* store.listScheduled(ctx, me(ctx).id);
  return rows.map(presentScheduled);
});
