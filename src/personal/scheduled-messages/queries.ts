import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/operation.ts";
import { presentScheduled } from "./present.ts";
import type { ScheduledMessage } from "./schema.ts";
import * as store from "./store.ts";

/** What the actor has scheduled and is not delivered, by time of delivery. */
export const listScheduled = query(allow.user, (ctx): ScheduledMessage[] =>
  store.listScheduled(ctx, me(ctx).id).map(presentScheduled),
);
