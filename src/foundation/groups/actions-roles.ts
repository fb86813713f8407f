import { strangersTo } from "@/foundation/acquaintance/access.ts";
import { memberOf, presentGrants } from "@/foundation/permissions/access.ts";
import { directMembersOf, systemGroup } from "@/foundation/permissions/closure.ts";
import { grantsNamingUser } from "@/foundation/permissions/grants.ts";
import type { GrantScope, GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { realmChanged } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { type FullMembers, groupFor, roleGroups } from "./access.ts";
import { groupHooks } from "./hooks.ts";
import { groupMembersAdded, groupMembersRemoved, groupUpdated } from "./schema.ts";
import * as store from "./store.ts";

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
  const named = store.listNamedGroupsOf(tx, userId);
  const ofRole = roleGroups(tx, userId).map((id) => ({ id, deactivated: 0 }));
  for (const { id: group_id, deactivated } of [...ofRole, ...named]) {
    const gone = { group_id, user_ids: [userId], deactivated: deactivated === 1 };
    tx.emit(groupMembersRemoved, { to: strangers }, gone);
  }
}

/** Emits that a reactivated user is in their groups again: clients removed them at the deactivation. */
export function emitBackInGroups(tx: Tx, userId: number): void {
  emitRoleGroups(tx, userId, []);
  for (const { id, deactivated } of store.listNamedGroupsOf(tx, userId)) {
    tx.emit(groupMembersAdded, everyone, {
      group_id: id,
      user_ids: [userId],
      deactivated: deactivated === 1,
    });
  }
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

type Values = Record<string, GroupSettingValue>;

const emitters: Record<GrantScope, (tx: Tx, ownerId: number, values: Values) => void> = {
  realm: (tx, _, data) => tx.emit(realmChanged, everyone, { property: "default", data }),
  channel: (tx, channelId, values) => groupHooks.channelGrantsChanged(tx, { channelId, values }),
  group: (tx, group_id, data) => {
    const deactivated = groupFor(tx, group_id).deactivated === 1;
    tx.emit(groupUpdated, everyone, { group_id, data, deactivated });
  },
};

/** Emits every permission setting that names a user, after the user was deactivated or reactivated. */
export function emitSettingsNaming(tx: Tx, userId: number): void {
  const byOwner = Map.groupBy(grantsNamingUser(tx, userId), ({ scope, owner_id }) => `${scope}:${owner_id}`);
  for (const rows of byOwner.values()) {
    const [first] = rows;
    if (!first) continue;
    const all: Values = presentGrants(tx, first.scope, first.owner_id);
    const named = rows.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
    emitters[first.scope](tx, first.owner_id, Object.fromEntries(named));
  }
}
