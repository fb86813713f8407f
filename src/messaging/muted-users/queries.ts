import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { listMuted } from "@/messaging/mute-spans/access.ts";
import type { MutedUser } from "./schema.ts";

export const listMutedUsers = query(allow.user, (ctx): MutedUser[] => listMuted(ctx, me(ctx).id));
