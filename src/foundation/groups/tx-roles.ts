import { strangersTo } from "@/foundation/acquaintance/access.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { directMembersOf, roleGroupsOf, systemGroup } from "@/foundation/permissions/closure.ts";
import type { Ctx, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { groupHooks } from "./hooks.ts";
import { groupMembersAdded, groupMembersRemoved } from "./schema.ts";
import * as store from "./store.ts";

/** The system groups that a person or bot is in directly. Call it before a change of role. */
export function roleGroups(ctx: Ctx, userId: number): number[] {
  return roleGroupsOf(ctx, memberOf(ctx, userId));
}

/** Emits which system groups a user has left and joined since `before`. */
export function emitRoleGroups(tx: Tx, userId: number, before: readonly number[]): void {
  const after = roleGroups(tx, userId);
  const about = (group_id: number) => ({ group_id, user_ids: [userId], deactivated: false });
  for (const id of before) if (!after.includes(id)) tx.emit(groupMembersRemoved, everyone, about(id));
  for (const id of after) if (!before.includes(id)) tx.emit(groupMembersAdded, everyone, about(id));
}

/** Emits which system groups new users are in: one event for each group, however many they are. */
export function emitNewInRoleGroups(tx: Tx, userIds: readonly number[]): void {
  const members = new Map<number, number[]>();
  for (const userId of userIds) {
    for (const id of roleGroups(tx, userId)) {
      const known = members.get(id);
      if (known) known.push(userId);
      else members.set(id, [userId]);
    }
  }
  for (const [group_id, user_ids] of members)
    tx.emit(groupMembersAdded, everyone, { group_id, user_ids, deactivated: false });
}

/** Emits to guests who may not know a deactivated user that this user is no longer in any group. */
export function emitGoneToStrangers(tx: Tx, userId: number): void {
  const strangers = strangersTo(tx, memberOf(tx, userId));
  if (strangers.length === 0) return;
  const named = store.namedGroupsOf(tx, userId);
  const ofRole = roleGroups(tx, userId).map((id) => ({ id, deactivated: 0 }));
  for (const { id: group_id, deactivated } of [...ofRole, ...named]) {
    const gone = { group_id, user_ids: [userId], deactivated: deactivated === 1 };
    tx.emit(groupMembersRemoved, { to: strangers }, gone);
  }
}

/** Emits that a reactivated user is in their groups again: clients removed them at the deactivation. */
export function emitBackInGroups(tx: Tx, userId: number): void {
  emitRoleGroups(tx, userId, []);
  for (const { id, deactivated } of store.namedGroupsOf(tx, userId)) {
    tx.emit(groupMembersAdded, everyone, {
      group_id: id,
      user_ids: [userId],
      deactivated: deactivated === 1,
    });
  }
}

/** The full members, and what to call once they have changed. */
export interface FullMembers {
  ids: ReadonlySet<number>;
  followUps: ((tx: Tx) => void)[];
}

/** Emits who has become a full member since `before`, and who no longer is one. */
export function emitFullMembers(tx: Tx, before: FullMembers): void {
  const group_id = systemGroup(tx, "role:fullmembers");
  const after = new Set(directMembersOf(tx, group_id));
  const added = [...after].filter((id) => !before.ids.has(id));
  const removed = [...before.ids].filter((id) => !after.has(id));
  const about = { group_id, deactivated: false };
  if (added.length > 0) tx.emit(groupMembersAdded, everyone, { ...about, user_ids: added });
  if (removed.length > 0) tx.emit(groupMembersRemoved, everyone, { ...about, user_ids: removed });
  for (const followUp of before.followUps) followUp(tx);
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
