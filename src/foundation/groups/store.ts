// Named groups; permissions/store has system and anonymous groups, and the members of all.

import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { GroupRow } from "./schema.ts";

const columns = "id, kind, name, description, creator_id, date_created, deactivated";

export const findGroup = cache(["user_groups"], ({ db }, id: number) =>
  db.get<GroupRow>(`SELECT ${columns} FROM user_groups WHERE id = ? AND kind <> 'anonymous'`, id),
);

export function findGroupByName({ db }: Reads, name: string): GroupRow | null {
  return db.get<GroupRow>(`SELECT ${columns} FROM user_groups WHERE name_key = ?`, name.toLowerCase());
}

export const listGroups = cache(["user_groups"], ({ db }): readonly GroupRow[] =>
  db.all<GroupRow>(`SELECT ${columns} FROM user_groups WHERE kind <> 'anonymous' ORDER BY id`),
);

export function insertGroup(
  tx: Tx,
  group: { name: string; description: string; creator_id: number | null },
): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO user_groups (kind, name, name_key, description, creator_id, date_created) VALUES ('named', ?, ?, ?, ?, ?)",
    group.name,
    group.name.toLowerCase(),
    group.description,
    group.creator_id,
    tx.now,
  );
  return lastInsertRowid;
}

export function setName(tx: Tx, id: number, name: string): void {
  tx.run("UPDATE user_groups SET name = ?, name_key = ? WHERE id = ?", name, name.toLowerCase(), id);
}

export function setDescription(tx: Tx, id: number, description: string): void {
  tx.run("UPDATE user_groups SET description = ? WHERE id = ?", description, id);
}

export function setDeactivated(tx: Tx, id: number, isDeactivated: boolean): void {
  tx.run("UPDATE user_groups SET deactivated = ? WHERE id = ?", isDeactivated ? 1 : 0, id);
}

export function insertMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  const sql = "INSERT INTO group_members (group_id, user_id) SELECT ?, value FROM json_each(?)";
  if (userIds.length > 0) tx.run(sql, groupId, JSON.stringify(userIds));
}

export function deleteMembers(tx: Tx, groupId: number, userIds: readonly number[]): void {
  const sql = "DELETE FROM group_members WHERE group_id = ? AND user_id IN (SELECT value FROM json_each(?))";
  if (userIds.length > 0) tx.run(sql, groupId, JSON.stringify(userIds));
}

export function insertSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  const sql = "INSERT INTO group_subgroups (group_id, subgroup_id) SELECT ?, value FROM json_each(?)";
  if (subgroupIds.length > 0) tx.run(sql, groupId, JSON.stringify(subgroupIds));
}

export function deleteSubgroups(tx: Tx, groupId: number, subgroupIds: readonly number[]): void {
  const sql =
    "DELETE FROM group_subgroups WHERE group_id = ? AND subgroup_id IN (SELECT value FROM json_each(?))";
  if (subgroupIds.length > 0) tx.run(sql, groupId, JSON.stringify(subgroupIds));
}

/** The named groups that have the group as a direct subgroup, ascending. */
export function listNamedSupergroups({ db }: Reads, id: number): number[] {
  return db
    .all<{ id: number }>(
      "SELECT user_groups.id FROM group_subgroups JOIN user_groups ON user_groups.id = group_id " +
        "WHERE subgroup_id = ? AND kind = 'named' ORDER BY user_groups.id",
      id,
    )
    .map((row) => row.id);
}

/** The named groups that a user is directly in, active or not, ascending. */
export function listNamedGroupsOf({ db }: Reads, userId: number): GroupRow[] {
  return db.all<GroupRow>(
    `SELECT ${columns} FROM group_members JOIN user_groups ON id = group_id WHERE user_id = ? AND kind = 'named' ORDER BY id`,
    userId,
  );
}

export const deleteSomeMemberships = rowDeleter({
  table: "group_members",
  key: "group_id, user_id",
  where: "group_id IN (SELECT id FROM user_groups WHERE kind <> 'system')",
});
