import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { MutedUser } from "./schema.ts";
import * as store from "./store.ts";

export const listMutedUsers = query(allow.user, (ctx): MutedUser[] => store.listMuted(ctx, me(ctx).id));
