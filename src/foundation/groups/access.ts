// Who may do what with a user group. Everyone but guests sees every group.

import { holds, me, memberOf } from "@/foundation/permissions/access.ts";
import {
  directMembersOf,
  directSubgroupsOf,
  groupsWithin,
  roleGroupsOf,
  systemGroup,
} from "@/foundation/permissions/closure.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import { checkActive } from "@/foundation/users/access.ts";
import type { Ctx, Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { fail, type KnownText } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { groupHooks } from "./hooks.ts";
import type { GroupRow } from "./schema.ts";
import * as store from "./store.ts";

/** A named group; the anonymous groups behind permission settings cannot be named. */
export function groupFor(reads: Reads, id: number): GroupRow {
  return (
    store.findGroup(reads, id) ??
    fail("BAD_REQUEST", sentence("Invalid user group ID: {id}", { id: String(id) }))
  );
}

export type GroupPurpose = "manage" | "add" | "remove" | "join" | "leave";

/** The settings that allow each purpose; users who may manage all groups have every purpose. */
const purposes: Record<GroupPurpose, { by: readonly GrantName<"group">[]; refusal: KnownText }> = {
  manage: {
    by: ["can_manage_group"],
    refusal: "You do not have permission to change this user group.",
  },
  add: {
    by: ["can_manage_group", "can_add_members_group"],
    refusal: "You do not have permission to add members to this user group.",
  },
  remove: {
    by: ["can_manage_group", "can_remove_members_group"],
    refusal: "You do not have permission to remove members from this user group.",
  },
  join: {
    by: ["can_manage_group", "can_add_members_group", "can_join_group"],
    refusal: "You do not have permission to join this user group.",
  },
  leave: {
    by: ["can_manage_group", "can_remove_members_group", "can_leave_group"],
    refusal: "You do not have permission to leave this user group.",
  },
};

function isAllowed(ctx: Ctx, group: GroupRow, purpose: GroupPurpose): boolean {
  if (ctx.actor.kind === "system") return true;
  const member = me(ctx);
  return (
    holds(ctx, member, { scope: "realm", ownerId: 0, name: "can_manage_all_groups" }) ||
    purposes[purpose].by.some((name) => holds(ctx, member, { scope: "group", ownerId: group.id, name }))
  );
}

export function checkAllowed(ctx: Ctx, group: GroupRow, purpose: GroupPurpose): void {
  if (!isAllowed(ctx, group, purpose)) fail("BAD_REQUEST", purposes[purpose].refusal);
}

/** A group that can be changed, so not a system group. */
export function changeableGroup(reads: Reads, id: number): GroupRow {
  const group = groupFor(reads, id);
  if (group.kind === "system") fail("BAD_REQUEST", "System groups follow from roles and cannot be changed.");
  return group;
}

/** A group whose name and settings the actor may change. */
export function groupToManage(ctx: Ctx, id: number): GroupRow {
  const group = changeableGroup(ctx, id);
  checkAllowed(ctx, group, "manage");
  return group;
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

/** Active people who can be added or removed, ascending and without duplicates. */
export function membersToMove(ctx: Ctx, ids: readonly number[]): number[] {
  checkActive(ctx, ids);
  return ascending(ids);
}

/** Groups that can become subgroups of a group without a cycle. */
export function subgroupsToAdd(ctx: Ctx, groupId: number | null, ids: readonly number[]): number[] {
  for (const id of ids) {
    const subgroup = groupFor(ctx, id);
    if (subgroup.deactivated)
      fail("BAD_REQUEST", sentence("User group ''{group}'' is deactivated.", { group: subgroup.name }));
    if (groupId !== null && groupsWithin(ctx, id).has(groupId)) {
      fail(
        "BAD_REQUEST",
        sentence("User group ''{group}'' is this group, or already contains it.", { group: subgroup.name }),
      );
    }
  }
  return ascending(ids);
}

/** Throws if a member to add is already in the group, or a member to remove is not. */
export function checkMoves(
  ctx: Ctx,
  groupId: number,
  moves: { members: { add: number[]; remove: number[] }; subgroups: { add: number[]; remove: number[] } },
): void {
  const members = new Set(directMembersOf(ctx, groupId));
  const subgroups = new Set(directSubgroupsOf(ctx, groupId));
  refuseFirst(moves.members.add, (id) => members.has(id), "User {id} is already a member of this group.");
  refuseFirst(moves.members.remove, (id) => !members.has(id), "User {id} is not a member of this group.");
  refuseFirst(
    moves.subgroups.add,
    (id) => subgroups.has(id),
    "User group {id} is already a subgroup of this group.",
  );
  refuseFirst(
    moves.subgroups.remove,
    (id) => !subgroups.has(id),
    "User group {id} is not a subgroup of this group.",
  );
}

type MoveRefusal =
  | "User {id} is already a member of this group."
  | "User {id} is not a member of this group."
  | "User group {id} is already a subgroup of this group."
  | "User group {id} is not a subgroup of this group.";

function refuseFirst(ids: readonly number[], isWrong: (id: number) => boolean, message: MoveRefusal): void {
  const wrong = ids.find(isWrong);
  if (wrong !== undefined) fail("BAD_REQUEST", sentence(message, { id: String(wrong) }));
}

/** The system groups that a person or bot is in directly. Call it before a change of role. */
export function roleGroups(ctx: Ctx, userId: number): number[] {
  return roleGroupsOf(ctx, memberOf(ctx, userId));
}

/** The full members, and what to call once they have changed. */
export interface FullMembers {
  ids: ReadonlySet<number>;
  followUps: ((tx: Tx) => void)[];
}

/** Call it before a change of the waiting period, or with an earlier time. */
export function fullMembers(ctx: ReadsNow): FullMembers {
  const group = systemGroup(ctx, "role:fullmembers");
  return {
    ids: new Set(directMembersOf(ctx, group)),
    followUps: groupHooks.membersChange(ctx, {
      groupId: group,
      userIds: directMembersOf(ctx, systemGroup(ctx, "role:members")),
    }),
  };
}

/** How many named groups a user is directly in. */
export function countGroupsOf(reads: Reads, userId: number): number {
  return store.listNamedGroupsOf(reads, userId).length;
}
