import { allow, me } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import * as store from "./store.ts";

/** The key that browsers subscribe with, and the caller's subscriptions. */
export const pushState = query(allow.user, (ctx) => ({
  public_key: store.findKeys(ctx)?.public_key ?? null,
  subscriptions: store
    .subscriptionsOf(ctx, me(ctx).id)
    .map(({ id, endpoint, device, created_at }) => ({ id, endpoint, device, created_at })),
}));

/** How many notifications wait for push services. */
export function countWaitingPushes(reads: Reads): number {
  return store.countWaiting(reads);
}
