// The groups' subgroups and direct members.

import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads, ReadsNow } from "@/kernel/core/context.ts";
import { type Member, nestedGroups, roles, type SystemGroupName } from "./schema.ts";
import * as store from "./store.ts";

/** True once the account is older than the organization's waiting period. */
export function isFullMember(ctx: ReadsNow, member: Member): boolean {
  const days = realmSettings.read(ctx).waiting_period_threshold;
  return member.role === roles.member && ctx.now >= member.date_joined + days * 86_400;
}

/** Groups, and all groups that contain one of them. */
export function closureFrom(reads: Reads, direct: readonly number[]): ReadonlySet<number> {
  const found = new Set(direct);
  for (const group of found) for (const wider of store.supergroups(reads, group)) found.add(wider);
  return found;
}

/** A group and all its subgroups, direct or not. */
export function groupsWithin(reads: Reads, groupId: number): ReadonlySet<number> {
  const groups = new Set([groupId]);
  for (const group of groups)
    for (const narrower of store.directSubgroups(reads, group)) groups.add(narrower);
  return groups;
}

/** A group and all groups that contain it, direct or not, including anonymous ones. */
export function groupsAround(reads: Reads, groupId: number): ReadonlySet<number> {
  return closureFrom(reads, [groupId]);
}

/** Active direct members of a group, ascending; those of `role:fullmembers` as of now. */
export function directMembersOf(ctx: ReadsNow, groupId: number): readonly number[] {
  if (groupId !== store.systemGroupId(ctx, "role:fullmembers")) return store.directMembers(ctx, groupId);
  const members = store.directMembers(ctx, store.systemGroupId(ctx, "role:members"));
  if (realmSettings.read(ctx).waiting_period_threshold === 0) return members;
  return members.filter((id) => {
    const member = store.findMember(ctx, id);
    return member !== null && isFullMember(ctx, member);
  });
}

/** The ID of a system group. */
export function systemGroup(reads: Reads, name: SystemGroupName): number {
  return store.systemGroupId(reads, name);
}

/** Direct subgroups of a group, ascending. */
export function directSubgroupsOf(reads: Reads, groupId: number): readonly number[] {
  return store.directSubgroups(reads, groupId);
}

/** The system groups that an active member is in directly. */
export function roleGroupsOf(ctx: ReadsNow, member: Member): number[] {
  const ofRole = nestedGroups.filter((group) => group.role === member.role).map((group) => group.name);
  const names: SystemGroupName[] = isFullMember(ctx, member) ? [...ofRole, "role:fullmembers"] : ofRole;
  return names.map((name) => store.systemGroupId(ctx, name));
}
