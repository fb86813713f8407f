import { recordAudit } from "@/foundation/audit/tx.ts";
import { membersOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  changeableGroup,
  checkAllowed,
  checkMoves,
  type GroupPurpose,
  groupFor,
  membersToMove,
  subgroupsToAdd,
} from "./access.ts";
import { groupHooks } from "./hooks.ts";
import type { GroupRow } from "./rows.ts";
import { groupMembersAdded, groupMembersRemoved, subgroupsAdded, subgroupsRemoved } from "./schema.ts";
import * as store from "./store.ts";

export interface Moves {
  group_id: number;
  /** User IDs. */
  add?: readonly number[];
  delete?: readonly number[];
  /** Group IDs. */
  add_subgroups?: readonly number[];
  delete_subgroups?: readonly number[];
}

export interface MovedMembers {
  added: number[];
  removed: number[];
}

/** Adds and removes members and subgroups: all of them or none. */
export function moveMembers(tx: Tx, moves: Moves): MovedMembers {
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

function purposesOf(tx: Tx, moves: Moves): Set<GroupPurpose> {
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
  const emitMembers = (event: typeof groupMembersAdded, user_ids: number[]) => {
    if (user_ids.length > 0) tx.emit(event, everyone, { ...about, user_ids });
  };
  const emitSubgroups = (event: typeof subgroupsAdded, direct_subgroup_ids: number[]) => {
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
