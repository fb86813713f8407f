import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { presentStoredEmoji } from "@/foundation/emoji/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { settingOf, usersWhoChanged } from "@/foundation/user-settings/access.ts";
import { userKnownFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { UserStatus } from "./schema.ts";
import type { StatusRow } from "./store.ts";
import * as store from "./store.ts";

/** A user's status; empty if they have set none. */
export const getUserStatus = query(allow.user, (ctx, userId: number): UserStatus => {
  const { id } = userKnownFor(ctx, userId);
  return presentStatus(ctx, id, store.findStatus(ctx, id));
});

// Wire: to older clients, hiding one's presence is the status `away`.
function presentStatus(ctx: Ctx, userId: number, row: StatusRow): UserStatus {
  const { status_text, reaction_type, ...emoji } = row;
  return {
    ...(settingOf(ctx, userId, "presence_enabled") ? {} : { away: true }),
    ...(status_text === "" ? {} : { status_text }),
    ...(reaction_type === "" ? {} : presentStoredEmoji(ctx, { ...emoji, reaction_type })),
  };
}

/** The `user_status` section of the initial state: everyone who has set a status. */
export function statusState(ctx: Ctx): { user_status: Record<number, UserStatus> } {
  const known = listKnownTo(ctx, ctx.actor.id);
  const users = [...store.listStatuses(ctx).keys(), ...usersWhoChanged(ctx, "presence_enabled")];
  const shown = [...new Set(users)].filter((id) => known?.has(id) ?? true);
  const statuses = shown.map((id) => [id, presentStatus(ctx, id, store.findStatus(ctx, id))]);
  return { user_status: Object.fromEntries(statuses) };
}
