import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import {
  type GrantRow,
  type Member,
  nestedGroups,
  nobodyGroup,
  type Role,
  type SystemGroupName,
} from "./schema.ts";

export interface AnyGroupRow {
  id: number;
  kind: "system" | "named" | "anonymous";
  name: string;
  description: string;
  creator_id: number | null;
  date_created: number | null;
  deactivated: 0 | 1;
}

export const findMember = cache(["users"], ({ db }, id: number) =>
  db.get<Member>(
    "SELECT id, role, is_active, is_bot, bot_type, bot_owner_id, date_joined FROM users WHERE id = ?",
    id,
  ),
);

const groupColumns = "id, kind, name, description, creator_id, date_created, deactivated";

export const findGroup = cache(["user_groups"], ({ db }, id: number) =>
  db.get<AnyGroupRow>(`SELECT ${groupColumns} FROM user_groups WHERE id = ?`, id),
);

export const findGroupByName = cache(["user_groups"], ({ db }, name: string) =>
  db.get<AnyGroupRow>(`SELECT ${groupColumns} FROM user_groups WHERE name_key = ?`, name.toLowerCase()),
);

/** The ID of a system group. */
export function systemGroupId(reads: Reads, name: SystemGroupName): number {
  const group = findGroupByName(reads, name);
  if (!group) throw new Error(`The organization lacks the system group ${name}`);
  return group.id;
}

/** Direct members of a group, ascending; those of system groups follow from roles. */
export const directMembers = cache(["group_members", "users", "user_groups"], (reads, groupId: number) => {
  const { db } = reads;
  const role = roleOfGroup(findGroup(reads, groupId));
  const rows =
    role === null
      ? db.all<{ id: number }>(
          "SELECT user_id AS id FROM group_members JOIN users ON users.id = user_id " +
            "WHERE group_id = ? AND is_active ORDER BY user_id",
          groupId,
        )
      : db.all<{ id: number }>(
          "SELECT id FROM users WHERE role = ? AND is_active AND system_bot IS NULL ORDER BY id",
          role,
        );
  return rows.map((row) => row.id);
});

/** Whether a stored group has direct members, including deactivated people. */
export const namesPeople = cache(["group_members"], ({ db }, groupId: number): boolean => {
  return db.get("SELECT 1 FROM group_members WHERE group_id = ? LIMIT 1", groupId) !== null;
});

function roleOfGroup(group: AnyGroupRow | null): Role | null {
  if (group?.kind !== "system") return null;
  return nestedGroups.find((system) => system.name === group.name)?.role ?? null;
}

export const directSubgroups = cache(["group_subgroups"], ({ db }, groupId: number) =>
  db
    .all<{ id: number }>(
      "SELECT subgroup_id AS id FROM group_subgroups WHERE group_id = ? ORDER BY subgroup_id",
      groupId,
    )
    .map((row) => row.id),
);

export const supergroups = cache(["group_subgroups"], ({ db }, groupId: number) =>
  db
    .all<{ id: number }>("SELECT group_id AS id FROM group_subgroups WHERE subgroup_id = ?", groupId)
    .map((row) => row.id),
);

export function groupsNaming({ db }: Reads, userId: number): number[] {
  return db
    .all<{ id: number }>("SELECT group_id AS id FROM group_members WHERE user_id = ?", userId)
    .map((row) => row.id);
}

/** The stored group of each permission setting of an object; settings at their default are missing. */
export const findGrants = cache(["grants"], ({ db }, owner: `${string}:${number}`) => {
  const [scope = "", id = "0"] = owner.split(":");
  const rows = db.all<{ name: string; group_id: number }>(
    "SELECT name, group_id FROM grants WHERE scope = ? AND owner_id = ?",
    scope,
    Number(id),
  );
  return new Map(rows.map((row) => [row.name, row.group_id]));
});

/** The permission settings whose value is this group. */
export function grantsOf({ db }: Reads, groupId: number): GrantRow[] {
  return db.all<GrantRow>(
    "SELECT scope, owner_id, name FROM grants WHERE group_id = ? ORDER BY scope, owner_id, name",
    groupId,
  );
}

export function setGrant(tx: Tx, scope: string, ownerId: number, name: string, groupId: number): void {
  tx.run(
    "INSERT INTO grants (scope, owner_id, name, group_id) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (scope, owner_id, name) DO UPDATE SET group_id = excluded.group_id",
    scope,
    ownerId,
    name,
    groupId,
  );
}

export function insertAnonymousGroup(
  tx: Tx,
  members: readonly number[],
  subgroups: readonly number[],
): number {
  const { lastInsertRowid: id } = tx.run("INSERT INTO user_groups (kind, name) VALUES ('anonymous', '')");
  for (const member of members)
    tx.run("INSERT INTO group_members (group_id, user_id) VALUES (?, ?)", id, member);
  for (const subgroup of subgroups) insertSubgroup(tx, id, subgroup);
  return id;
}

export function deleteGroup(tx: Tx, id: number): void {
  tx.run("DELETE FROM group_members WHERE group_id = ?", id);
  tx.run("DELETE FROM group_subgroups WHERE group_id = ?", id);
  tx.run("DELETE FROM user_groups WHERE id = ?", id);
}

function insertSubgroup(tx: Tx, groupId: number, subgroupId: number): void {
  tx.run("INSERT INTO group_subgroups (group_id, subgroup_id) VALUES (?, ?)", groupId, subgroupId);
}

/** Creates the system groups of a new organization, nested in one another. */
export function insertSystemGroups(tx: Tx): void {
  let wider: number | null = null;
  for (const group of nestedGroups) {
    const id = insertSystemGroup(tx, group.name, group.description);
    if (wider !== null) insertSubgroup(tx, wider, id);
    wider = id;
  }
  insertSystemGroup(tx, nobodyGroup.name, nobodyGroup.description);
}

function insertSystemGroup(tx: Tx, name: string, description: string): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO user_groups (kind, name, name_key, description) VALUES ('system', ?, ?, ?)",
    name,
    name,
    description,
  );
  return lastInsertRowid;
}
