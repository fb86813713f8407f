import { allow } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/context.ts";
import { query } from "@/kernel/operation.ts";
import type { WaitingCall } from "./store.ts";
import * as store from "./store.ts";

const maxListed = 1000;

/** The oldest calls of bots elsewhere that wait for their turn or for another try. */
export const listWaitingCalls = query(allow.admin, (ctx): WaitingCall[] => store.listWaiting(ctx, maxListed));

/** How many calls of bots elsewhere wait. */
export function countWaitingCalls(reads: Reads): number {
  return store.countWaiting(reads);
}
