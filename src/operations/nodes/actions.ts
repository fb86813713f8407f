import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/operation.ts";
import { membership } from "./host.ts";

/** Drains the node that gets the request, so that it can be stopped; for owners. */
export const drainNode = operation(allow.owner, (ctx): Promise<void> => membership(ctx).drain());
