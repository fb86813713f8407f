import {
  allow,
  isGuest,
  isMember,
  me,
  memberOf,
  membersOf,
  presentGrants,
} from "@/foundation/permissions/access.ts";
import {
  directMembersOf,
  directSubgroupsOf,
  groupsWithin,
  systemGroup,
} from "@/foundation/permissions/closure.ts";
import { type GroupSettingValue, groupGrants, permissionErrors } from "@/foundation/permissions/schema.ts";
import { userKnownFor } from "@/foundation/users/access.ts";
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { AppError, fail } from "@/kernel/lib/errors.ts";
import { JsonText } from "@/kernel/lib/json-text.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { cacheInSteps, loadUnmixed, tablesVersion } from "@/kernel/store/cache.ts";
import { changeableGroup, checkAllowed, groupFor } from "./access.ts";
import type { GroupRow, UserGroup } from "./schema.ts";
import * as store from "./store.ts";

function rowsFor(ctx: Ctx, withDeactivated: boolean): GroupRow[] {
  return store.listGroups(ctx).filter((row) => withDeactivated || !row.deactivated);
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

const versionOf = tablesVersion(groupTables);

/** Groups presented in one step. */
const portion = 20;

/** Each group as `present` makes it, all as of the same moment. */
function eachShown<T>(ctx: Ctx, withDeactivated: boolean, present: (group: UserGroup) => T): Task<T[]> {
  return loadUnmixed(
    () => versionOf(ctx),
    function* () {
      const made: T[] = [];
      for (const row of rowsFor(ctx, withDeactivated)) {
        made.push(present(presentUserGroup(ctx, row)));
        if (made.length % portion === 0) yield portion;
      }
      return made;
    },
  );
}

/** With and without deactivated groups, now and when the next member became a full one. */
const maxTexts = 4;

const textFor = cacheInSteps(
  groupTables,
  function* (ctx: Ctx, key: string): Task<JsonText> {
    const groups = yield* eachShown(ctx, key.startsWith("true"), (group) => JSON.stringify(group));
    return new JsonText(`[${groups.join()}]`);
  },
  maxTexts,
);

/** The list is the same for everyone. Without a change of a table, it changes only when members become full members. */
function groupsText(ctx: Ctx, withDeactivated: boolean): Task<JsonText> {
  const full = directMembersOf(ctx, systemGroup(ctx, "role:fullmembers")).length;
  return textFor(ctx, `${withDeactivated} ${full}`);
}

interface GroupsWanted {
  include_deactivated_groups?: boolean;
}

function refuseGuest(ctx: Ctx): void {
  if (ctx.actor.kind === "user" && isGuest(me(ctx))) {
    fail(permissionErrors.UNAUTHORIZED_PRINCIPAL, "Guests may not list user groups.");
  }
}

/** All groups, system groups included. */
export const listGroups = query(allow.user, (ctx, input: GroupsWanted): UserGroup[] => {
  refuseGuest(ctx);
  return rowsFor(ctx, input.include_deactivated_groups ?? false).map((row) => presentUserGroup(ctx, row));
});

/** As `listGroups`, in slices, each group as `present` makes it. */
export async function listGroupsInSlices<T>(
  ctx: Ctx,
  input: GroupsWanted,
  present: (group: UserGroup) => T,
): Promise<T[]> {
  allow.user(ctx);
  refuseGuest(ctx);
  return runInSlices(eachShown(ctx, input.include_deactivated_groups ?? false, present));
}

/** The `realm_user_groups` section of the initial state. */
export function* groupsState(
  ctx: Ctx,
  { capabilities }: { capabilities: ReadonlySet<string> },
): Task<{ realm_user_groups: UserGroup[] | JsonText }> {
  const withDeactivated = capabilities.has("include_deactivated_groups");
  if (ctx.actor.kind !== "anonymous") return { realm_user_groups: yield* groupsText(ctx, withDeactivated) };
  const groups = yield* eachShown(ctx, withDeactivated, (group) => group);
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

/** Why the actor may not add others to a group; null if they may. */
export const refusalToAdd = query(allow.user, (ctx, groupId: number): string | null => {
  try {
    checkAllowed(ctx, changeableGroup(ctx, groupId), "add");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
});

/** Whether an active user is in a group, or with `direct_member_only` directly in it. */
export const isGroupMember = query(
  allow.user,
  (ctx, input: { group_id: number; user_id: number; direct_member_only?: boolean }): boolean => {
    const { id } = groupFor(ctx, input.group_id);
    const user = userKnownFor(ctx, input.user_id);
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

/** A user group as clients read it. */
export function presentUserGroup(ctx: ReadsNow, row: GroupRow): UserGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    members: [...directMembersOf(ctx, row.id)],
    direct_subgroup_ids: [...directSubgroupsOf(ctx, row.id)],
    is_system_group: row.kind === "system",
    creator_id: row.creator_id,
    date_created: row.date_created,
    deactivated: row.deactivated === 1,
    ...(row.kind === "system" ? settingsOfSystemGroups(ctx) : presentGrants(ctx, "group", row.id)),
  };
}

/** Nobody can change a system group; everyone can mention it silently. */
function settingsOfSystemGroups(ctx: Reads): ReturnType<typeof presentGrants<"group">> {
  const nobody: GroupSettingValue = systemGroup(ctx, "role:nobody");
  const closed = Object.fromEntries(Object.keys(groupGrants).map((name) => [name, nobody]));
  return {
    ...(closed as ReturnType<typeof presentGrants<"group">>),
    can_mention_group: systemGroup(ctx, "role:everyone"),
  };
}
