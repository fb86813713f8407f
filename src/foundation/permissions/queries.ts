import { query } from "@/kernel/core/operation.ts";
import { allow, may, me } from "./access.ts";
import type { GrantName, Role } from "./schema.ts";

export const readOwnRole = query(allow.user, (ctx): Role => me(ctx).role);

/** Whether a permission of the organization includes the actor. */
export const readOwnGrant = query(allow.user, (ctx, name: GrantName<"realm">): boolean => may(ctx, name));
