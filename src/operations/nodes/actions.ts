import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/operation.ts";
import { membership } from "./host.ts";

/** Makes the node that is asked ready to be stopped; for owners. */
export const drainNode = operation(allow.owner, (ctx): Promise<void> => membership(ctx).drain());
