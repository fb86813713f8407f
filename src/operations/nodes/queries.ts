import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/core/operation.ts";
import { membership } from "./host.ts";
import type { ClusterState } from "./schema.ts";

/** Asks all nodes for their states; for administrators. */
export const readCluster = operation(allow.admin, (ctx): Promise<ClusterState> => membership(ctx).state());
