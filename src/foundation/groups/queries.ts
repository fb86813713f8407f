import { allow, isGuest, isMember, me, memberOf, membersOf } from "@/foundation/permissions/access.ts";
import {
  directMembersOf,
  directSubgroupsOf,
  groupsWithin,
  systemGroup,
} from "@/foundation/permissions/closure.ts";
import { permissionErrors } from "@/foundation/permissions/schema.ts";
import { knownUser } from "@/foundation/users/access.ts";
import { cache } from "@/kernel/cache.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { JsonText } from "@/kernel/json-text.ts";
import { query } from "@/kernel/operation.ts";
import { groupFor } from "./access.ts";
import { presentUserGroup } from "./present.ts";
import type { UserGroup } from "./schema.ts";
import * as store from "./store.ts";

function shown(ctx: Ctx, withDeactivated: boolean): UserGroup[] {
  return store
    .listGroups(ctx)
    .filter((row) => withDeactivated || !row.deactivated)
    .map((row) => presentUserGroup(ctx, row));
}

const groupTables = [
  "user_groups",
  "group_members",
  "group_subgroups",
  "grants",
  "users",
  "realm",
  "settings",
];
/** With and without deactivated groups, now and when the next member became a full one. */
const maxTexts = 4;

/** The texts made since one of these tables changed. */
const textsOf = cache(groupTables, (): Map<string, JsonText> => new Map());

/** The list is the same for everyone. Without a change of a table, it changes only when members become full members. */
function groupsText(ctx: Ctx, withDeactivated: boolean): JsonText {
  const texts = textsOf(ctx);
  const full = directMembersOf(ctx, systemGroup(ctx, "role:fullmembers")).length;
  const key = `${withDeactivated} ${full}`;
  const known = texts.get(key);
  if (known) return known;
  const made = new JsonText(JSON.stringify(shown(ctx, withDeactivated)));
  if (texts.size >= maxTexts) texts.clear();
  texts.set(key, made);
  return made;
}

/** All groups, system groups included. */
export const listGroups = query(
  allow.user,
  (ctx, input: { include_deactivated_groups?: boolean }): UserGroup[] => {
    if (ctx.actor.kind === "user" && isGuest(me(ctx))) {
      fail(permissionErrors.UNAUTHORIZED_PRINCIPAL, "Guests may not list user groups.");
    }
    return shown(ctx, input.include_deactivated_groups ?? false);
  },
);

/** The `realm_user_groups` section of the initial state. */
export function groupsState(
  ctx: Ctx,
  { capabilities }: { capabilities: ReadonlySet<string> },
): { realm_user_groups: UserGroup[] | JsonText } {
  const withDeactivated = capabilities.has("include_deactivated_groups");
  if (ctx.actor.kind !== "anonymous") return { realm_user_groups: groupsText(ctx, withDeactivated) };
  const groups = shown(ctx, withDeactivated);
  // Permission settings name system groups, but only users with an account see the members.
  const named = groups.filter((group) => group.is_system_group).map((group) => ({ ...group, members: [] }));
  return { realm_user_groups: named };
}

/** Active members of a group, ascending; includes those of subgroups unless `direct_member_only` is set. */
export const listMembers = query(
  allow.user,
  (ctx, input: { group_id: number; direct_member_only?: boolean }): number[] => {
    const { id } = groupFor(ctx, input.group_id);
    const members = input.direct_member_only ? directMembersOf(ctx, id) : membersOf(ctx, id);
    return [...members].sort((a, b) => a - b);
  },
);

/** Whether an active user is in a group, or with `direct_member_only` directly in it. */
export const isGroupMember = query(
  allow.user,
  (ctx, input: { group_id: number; user_id: number; direct_member_only?: boolean }): boolean => {
    const { id } = groupFor(ctx, input.group_id);
    const user = knownUser(ctx, input.user_id);
    if (!user.is_active) return false;
    if (input.direct_member_only) return directMembersOf(ctx, id).includes(user.id);
    return isMember(ctx, id, memberOf(ctx, user.id));
  },
);

/** Subgroups of a group, ascending; includes those of subgroups unless `direct_subgroup_only` is set. */
export const listSubgroups = query(
  allow.user,
  (ctx, input: { group_id: number; direct_subgroup_only?: boolean }): number[] => {
    const { id } = groupFor(ctx, input.group_id);
    if (input.direct_subgroup_only) return [...directSubgroupsOf(ctx, id)];
    return [...groupsWithin(ctx, id)].filter((one) => one !== id).sort((a, b) => a - b);
  },
);
