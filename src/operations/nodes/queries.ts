import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/operation.ts";
import { membership } from "./host.ts";
import type { ClusterState } from "./schema.ts";

/** Asks all nodes how they are; for administrators. */
export const readCluster = operation(allow.admin, (ctx): Promise<ClusterState> => membership(ctx).state());
