import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/core/operation.ts";
import { membership } from "./host.ts";
import type { ClusterState, KnownNode } from "./schema.ts";

/** Asks all nodes for their states; for administrators. */
export const readCluster = operation(allow.admin, (ctx): Promise<ClusterState> => membership(ctx).state());

/** What is known of a node that is gone for good; throws if it cannot be removed. For owners. */
export const findRemovable = operation(
  allow.owner,
  (ctx, name: string): Promise<KnownNode> => membership(ctx).findRemovable(name),
);
