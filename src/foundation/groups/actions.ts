import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow, isAdmin, may, me } from "@/foundation/permissions/access.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  type GroupSettingValue,
  groupGrants,
} from "@/foundation/permissions/schema.ts";
import { giveGrant } from "@/foundation/permissions/tx.ts";
import { changeGrant } from "@/foundation/permissions/tx-grants.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { changeableGroup, groupFor, groupToManage, membersToMove, subgroupsToAdd } from "./access.ts";
import { groupHooks } from "./hooks.ts";
import { sendMoveNotices } from "./notices.ts";
import { presentUserGroup } from "./present.ts";
import type { GroupRow } from "./rows.ts";
import {
  type GroupChange,
  groupAdded,
  groupErrors,
  groupRemoved,
  groupUpdated,
  maxGroupsMade,
  type UserGroup,
} from "./schema.ts";
import * as store from "./store.ts";
import { type MovedMembers, type Moves, moveMembers } from "./tx-moves.ts";
import { objectionsTo } from "./tx-uses.ts";

type SettingName = GrantName<"group">;
const settingNames = Object.keys(groupGrants) as SettingName[];

export interface NewGroup extends Partial<Record<SettingName, GroupSettingValue>> {
  name: string;
  description: string;
  members: readonly number[];
  subgroups?: readonly number[];
}

/** Creates a user group and notifies the people in it. */
export const createGroup = operation(allow.user, async (ctx, input: NewGroup): Promise<UserGroup> => {
  const group = await insertGroup(ctx, input);
  await sendMoveNotices(ctx, group.id, { added: group.members, removed: [] });
  return group;
});

const insertGroup = action(allow.user, (tx, input: NewGroup): UserGroup => {
  if (!may(tx, "can_create_groups")) {
    fail("BAD_REQUEST", "You do not have permission to create user groups.");
  }
  checkMayMakeMore(tx);
  checkNameFree(tx, input.name, null);
  const members = membersToMove(tx, input.members);
  const subgroups = subgroupsToAdd(tx, null, input.subgroups ?? []);

  const { name, description } = input;
  const creator_id = tx.actor.kind === "user" ? tx.actor.id : null;
  const id = store.insertGroup(tx, { name, description, creator_id });
  store.insertMembers(tx, id, members);
  store.insertSubgroups(tx, id, subgroups);
  giveSettings(tx, id, input);
  recordAudit(tx, {
    event: "group_created",
    about: { kind: "group", id },
    data: { name, members, subgroups },
  });
  const group = presentUserGroup(tx, groupFor(tx, id));
  tx.emit(groupAdded, everyone, { group });
  return group;
});

/** Deactivated groups count too, because their names stay in use. */
function checkMayMakeMore(tx: Tx): void {
  if (tx.actor.kind === "system" || isAdmin(me(tx))) return;
  const made = store.listGroups(tx).filter(({ creator_id }) => creator_id === tx.actor.id).length;
  if (made >= maxGroupsMade) {
    fail("BAD_REQUEST", `You have made ${maxGroupsMade} user groups, and only administrators can make more.`);
  }
}

function checkNameFree(tx: Tx, name: string, ownId: number | null): void {
  const holder = store.findGroupByName(tx, name);
  if (holder && holder.id !== ownId) fail("BAD_REQUEST", `User group '${holder.name}' already exists.`);
}

/** By default, the creator of a group manages it and adds members. */
function giveSettings(tx: Tx, groupId: number, given: Partial<Record<SettingName, GroupSettingValue>>): void {
  const creator = tx.actor.kind === "user" ? [tx.actor.id] : [];
  for (const name of settingNames) {
    const byCreator = groupGrants[name].wireDefault === "group_creator";
    const value = given[name] ?? (byCreator ? { direct_members: creator, direct_subgroups: [] } : undefined);
    if (value !== undefined) giveGrant(tx, { scope: "group", ownerId: groupId, name }, value);
  }
}

export interface GroupUpdate extends Partial<Record<SettingName, GroupSettingUpdate>> {
  group_id: number;
  name?: string;
  description?: string;
  /** False reactivates a deactivated group. */
  deactivated?: boolean;
}

/** Changes a group's name, description and permission settings. */
export const updateGroup = action(allow.user, (tx, { group_id, ...update }: GroupUpdate): void => {
  if (Object.values(update).every((value) => value === undefined)) {
    fail("BAD_REQUEST", "No changes were given.");
  }
  const group = groupToManage(tx, group_id);

  const data = applied(tx, group, update);
  if (Object.keys(data).length > 0) {
    recordAudit(tx, { event: "group_changed", about: { kind: "group", id: group.id }, data });
    tx.emit(groupUpdated, everyone, { group_id, data, deactivated: group.deactivated === 1 });
  }
  const { deactivated } = update;
  if (deactivated !== undefined && deactivated !== (group.deactivated === 1)) {
    if (deactivated) deactivate(tx, group);
    else reactivate(tx, group);
  }
});

/** Stores the values that differ, and returns them as clients read them. */
function applied(tx: Tx, group: GroupRow, update: Omit<GroupUpdate, "group_id">): GroupChange {
  const data: GroupChange = {};
  const { name, description } = update;
  if (name !== undefined && name !== group.name) {
    checkNameFree(tx, name, group.id);
    store.setName(tx, group.id, name);
    data.name = name;
  }
  if (description !== undefined && description !== group.description) {
    store.setDescription(tx, group.id, description);
    data.description = description;
  }
  for (const setting of settingNames) {
    const given = update[setting];
    const value = given && changeGrant(tx, { scope: "group", ownerId: group.id, name: setting }, given);
    if (value != null) data[setting] = value;
  }
  return data;
}

/** Deactivates a group, unless something depends on it. */
export const deactivateGroup = action(allow.user, (tx, groupId: number): void => {
  const group = groupToManage(tx, groupId);
  if (group.deactivated) fail("BAD_REQUEST", "User group is already deactivated.");
  deactivate(tx, group);
});

function deactivate(tx: Tx, { id }: GroupRow): void {
  const objections = objectionsTo(tx, id);
  if (objections.length > 0) {
    fail(groupErrors.CANNOT_DEACTIVATE_GROUP_IN_USE, "Cannot deactivate user group in use.", { objections });
  }
  store.setDeactivated(tx, id, true);
  recordAudit(tx, { event: "group_deactivated", about: { kind: "group", id } });
  tx.emit(groupUpdated, everyone, { group_id: id, data: { deactivated: true }, deactivated: true });
  tx.emit(groupRemoved, everyone, { group_id: id });
}

function reactivate(tx: Tx, { id }: GroupRow): void {
  store.setDeactivated(tx, id, false);
  recordAudit(tx, { event: "group_reactivated", about: { kind: "group", id } });
  tx.emit(groupUpdated, everyone, { group_id: id, data: { deactivated: false }, deactivated: true });
  tx.emit(groupAdded, everyone, { group: presentUserGroup(tx, groupFor(tx, id)), isBack: true });
}

/** Adds people and subgroups to a group and removes others, and notifies the people. */
export const updateMembers = operation(allow.user, async (ctx, moves: Moves): Promise<void> => {
  await sendMoveNotices(ctx, moves.group_id, await movePrepared(ctx, moves));
});

/** The effects of so few moves need no preparation. */
const few = 500;

async function movePrepared(ctx: Ctx, moves: Moves): Promise<MovedMembers> {
  const { add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] } = moves;
  const isFew = add.length + remove.length <= few && add_subgroups.length + delete_subgroups.length === 0;
  if (isFew) return move(ctx, moves);
  const { id } = changeableGroup(ctx, moves.group_id);
  const endings = await Promise.all(groupHooks.membersMayChange(ctx, id));
  try {
    return await move(ctx, moves);
  } finally {
    for (const end of endings) end();
  }
}

const move = action(allow.user, (tx, moves: Moves): MovedMembers => moveMembers(tx, moves));
