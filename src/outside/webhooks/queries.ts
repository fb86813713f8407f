import { allow } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { WaitingCall } from "./store.ts";
import * as store from "./store.ts";

const maxListed = 1000;

/** The oldest calls of outgoing webhooks that wait for their turn or for a retry. */
export const listWaitingCalls = query(allow.admin, (ctx): WaitingCall[] => store.listWaiting(ctx, maxListed));

/** The number of waiting calls of outgoing webhooks. */
export function countWaitingCalls(reads: Reads): number {
  return store.countWaiting(reads);
}
