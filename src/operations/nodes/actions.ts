import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/core/operation.ts";
import { membership } from "./host.ts";
import type { MadeSnapshot } from "./schema.ts";

/** Drains the node that gets the request, so that it can be stopped; for owners. */
export const drainNode = operation(allow.owner, (ctx): Promise<void> => membership(ctx).drain());

/** Stores a copy of the database of the node that gets the request, for nodes that join; for owners. */
export const makeSnapshot = operation(allow.owner, (ctx): Promise<MadeSnapshot> => {
  return membership(ctx).makeSnapshot();
});
