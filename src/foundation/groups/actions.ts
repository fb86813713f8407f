import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, isAdmin, may, me, membersOf } from "@/foundation/permissions/access.ts";
import { changeGrant, giveGrant } from "@/foundation/permissions/actions.ts";
import { grantsNaming } from "@/foundation/permissions/grants.ts";
import {
  type GrantName,
  type GrantScope,
  type GroupSettingValue,
  groupGrants,
} from "@/foundation/permissions/schema.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { isPrintable } from "@/foundation/realm/texts.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { userReference } from "@/text/quoting/references.ts";
import {
  changeableGroup,
  checkAllowed,
  checkMoves,
  type GroupPurpose,
  groupFor,
  groupToManage,
  membersToMove,
  subgroupsToAdd,
} from "./access.ts";
import { groupHooks } from "./hooks.ts";
import { presentUserGroup } from "./queries.ts";
import {
  type GroupChange,
  type GroupMoves,
  type GroupPatch,
  type GroupRow,
  groupAdded,
  groupErrors,
  groupMembersAdded,
  groupMembersRemoved,
  groupRemoved,
  groupUpdated,
  maxGroupsMade,
  type NewGroup,
  subgroupsAdded,
  subgroupsRemoved,
  type UserGroup,
} from "./schema.ts";
import * as store from "./store.ts";

type SettingName = GrantName<"group">;

const settingNames = Object.keys(groupGrants) as SettingName[];

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
  if (holder && holder.id !== ownId)
    fail("BAD_REQUEST", sentence("User group ''{group}'' already exists.", { group: holder.name }));
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

/** Changes a group's name, description and permission settings. */
export const updateGroup = action(allow.user, (tx, { group_id, ...update }: GroupPatch): void => {
  if (Object.values(update).every((value) => value === undefined)) {
    fail("BAD_REQUEST", "No changes were given.");
  }
  const group = groupToManage(tx, group_id);

  const data = applyUpdate(tx, group, update);
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
function applyUpdate(tx: Tx, group: GroupRow, update: Omit<GroupPatch, "group_id">): GroupChange {
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
export const updateMembers = operation(allow.user, async (ctx, moves: GroupMoves): Promise<void> => {
  await sendMoveNotices(ctx, moves.group_id, await movePrepared(ctx, moves));
});

/** The effects of so few moves need no preparation. */
const few = 500;

async function movePrepared(ctx: Ctx, moves: GroupMoves): Promise<MovedMembers> {
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

const move = action(allow.user, (tx, moves: GroupMoves): MovedMembers => moveMembers(tx, moves));

/** What depends on a group, as clients read it. */
export type Objection =
  | { type: "subgroup"; supergroup_ids: number[] }
  | { type: "realm"; settings: string[] }
  // Without the ID if the actor may not see the channel.
  | { type: "channel"; channel_id?: number; settings: string[] }
  | { type: "user_group"; group_id: number; settings: string[] };

const of: Record<GrantScope, (tx: Tx, ownerId: number, settings: string[]) => Objection> = {
  realm: (_, __, settings) => ({ type: "realm", settings }),
  channel: (tx, ownerId, settings) => {
    const known = groupHooks.isChannelVisible(tx, ownerId) ? { channel_id: ownerId } : {};
    return { type: "channel", ...known, settings };
  },
  group: (_, ownerId, settings) => ({ type: "user_group", group_id: ownerId, settings }),
};

/** Why a group cannot be deactivated: the groups that contain it, and other objects' settings that name it. */
function objectionsTo(tx: Tx, groupId: number): Objection[] {
  const supergroup_ids = store.listNamedSupergroups(tx, groupId);
  const objections: Objection[] = supergroup_ids.length > 0 ? [{ type: "subgroup", supergroup_ids }] : [];
  const uses = grantsNaming(tx, groupId).filter(
    ({ scope, owner_id }) => scope !== "group" || owner_id !== groupId,
  );
  const byOwner = Map.groupBy(uses, ({ scope, owner_id }) => `${scope}:${owner_id}`);
  for (const rows of byOwner.values()) {
    const [first] = rows;
    if (first) objections.push(of[first.scope](tx, first.owner_id, rows.map(({ name }) => name).sort()));
  }
  return objections;
}

/** Notices in one transaction, so that a large group does not block other requests. */
const atOnce = 20;

/** Sends each person a notice that somebody else added them to a group, or removed them. */
async function sendMoveNotices(
  ctx: Ctx,
  groupId: number,
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  await sendAll(ctx, groupId, { userIds: added, what: "added" });
  await sendAll(ctx, groupId, { userIds: removed, what: "removed" });
}

async function sendAll(
  ctx: Ctx,
  groupId: number,
  { userIds, what }: Omit<Notices, "groupId">,
): Promise<void> {
  const others = userIds.filter((id) => id !== ctx.actor.id && !userFor(ctx, id).is_bot);
  for (let from = 0; from < others.length; from += atOnce) {
    await sendSome(ctx, { groupId, userIds: others.slice(from, from + atOnce), what });
  }
}

interface Notices {
  groupId: number;
  userIds: readonly number[];
  what: "added" | "removed";
}

const sendSome = action(allow.user, (tx, { groupId, userIds, what }: Notices): void => {
  const group = nameIn(groupFor(tx, groupId));
  for (const id of userIds) {
    const { t } = translatorTo(tx, id);
    const { actor } = tx;
    const person = actor.kind === "user" ? userReference(userFor(tx, actor.id)) : t("An administrator");
    const content =
      what === "added"
        ? t("{person} added you to the user group {group}.", { person, group })
        : t("{person} removed you from the user group {group}.", { person, group });
    sendNotice(tx, { to: { people: [id] }, content });
  }
});

/** A silent mention, or the name of a group that cannot be mentioned. */
function nameIn({ name, deactivated }: GroupRow): string {
  return deactivated ? `**${name}**` : `@_*${name}*`;
}

interface MovedMembers {
  added: number[];
  removed: number[];
}

/** Adds and removes members and subgroups: all of them or none. */
export function moveMembers(tx: Tx, moves: GroupMoves): MovedMembers {
  const given = [moves.add, moves.delete, moves.add_subgroups, moves.delete_subgroups];
  if (given.every((ids) => (ids ?? []).length === 0)) {
    fail("BAD_REQUEST", "No members were given to add or remove.");
  }
  const group = changeableGroup(tx, moves.group_id);
  for (const purpose of purposesOf(tx, moves)) checkAllowed(tx, group, purpose);
  const members = { add: membersToMove(tx, moves.add ?? []), remove: membersToMove(tx, moves.delete ?? []) };
  const subgroups = {
    add: subgroupsToAdd(tx, group.id, moves.add_subgroups ?? []),
    remove: subgroupsToRemove(tx, moves.delete_subgroups ?? []),
  };
  checkMoves(tx, group.id, { members, subgroups });

  const userIds = [...members.add, ...members.remove];
  const subgroupIds = [...subgroups.add, ...subgroups.remove];
  const people = new Set([...userIds, ...subgroupIds.flatMap((id) => [...membersOf(tx, id)])]);
  const followUps = groupHooks.membersChange(tx, { groupId: group.id, userIds: people });
  store.insertMembers(tx, group.id, members.add);
  store.deleteMembers(tx, group.id, members.remove);
  store.insertSubgroups(tx, group.id, subgroups.add);
  store.deleteSubgroups(tx, group.id, subgroups.remove);
  announce(tx, group, { members, subgroups });
  for (const followUp of followUps) followUp(tx);
  return { added: members.add, removed: members.remove };
}

function purposesOf(tx: Tx, moves: GroupMoves): Set<GroupPurpose> {
  const { add = [], delete: remove = [], add_subgroups = [], delete_subgroups = [] } = moves;
  const isOther = (id: number) => id !== tx.actor.id;
  const purposes = new Set<GroupPurpose>();
  if (add.length > 0) purposes.add(add.some(isOther) ? "add" : "join");
  if (remove.length > 0) purposes.add(remove.some(isOther) ? "remove" : "leave");
  if (add_subgroups.length > 0) purposes.add("add");
  if (delete_subgroups.length > 0) purposes.add("remove");
  return purposes;
}

function subgroupsToRemove(tx: Tx, ids: readonly number[]): number[] {
  return [...new Set(ids.map((id) => groupFor(tx, id).id))].sort((a, b) => a - b);
}

interface Moved {
  members: { add: number[]; remove: number[] };
  subgroups: { add: number[]; remove: number[] };
}

function announce(tx: Tx, { id, deactivated }: GroupRow, { members, subgroups }: Moved): void {
  const about = { group_id: id, deactivated: deactivated === 1 };
  const emitMembers = (event: typeof groupMembersAdded | typeof groupMembersRemoved, user_ids: number[]) => {
    if (user_ids.length > 0) tx.emit(event, everyone, { ...about, user_ids });
  };
  const emitSubgroups = (
    event: typeof subgroupsAdded | typeof subgroupsRemoved,
    direct_subgroup_ids: number[],
  ) => {
    if (direct_subgroup_ids.length > 0) tx.emit(event, everyone, { ...about, direct_subgroup_ids });
  };
  emitMembers(groupMembersAdded, members.add);
  emitMembers(groupMembersRemoved, members.remove);
  emitSubgroups(subgroupsAdded, subgroups.add);
  emitSubgroups(subgroupsRemoved, subgroups.remove);
  recordAudit(tx, {
    event: "group_members_changed",
    about: { kind: "group", id },
    data: { members, subgroups },
  });
}

/** Adds an imported named group, unless its name is taken, without events. */
export function addImportedGroup(
  tx: Tx,
  { name, description, members }: { name: string; description: string; members: readonly number[] },
): void {
  if (name === "" || !isPrintable(name) || name.startsWith("role:") || store.findGroupByName(tx, name))
    return;
  const id = store.insertGroup(tx, { name, description, creator_id: null });
  store.insertMembers(tx, id, [...new Set(members)]);
}

/**
 * Part of erasing a person: deletes their memberships of groups, named ones and those that are values of permissions, at most `max`.
 * Returns how many it deleted.
 */
export function forgetSomeMemberships(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeMemberships(tx, userId, max);
}
