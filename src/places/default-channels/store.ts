import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";

/** Channels that new users are subscribed to, ascending. */
export const defaultChannelIds = cache(
  ["default_channels"],
  ({ db }): ReadonlySet<number> =>
    new Set(
      db
        .all<{ id: number }>("SELECT channel_id AS id FROM default_channels ORDER BY channel_id")
        .map((row) => row.id),
    ),
);

export function insertDefault(tx: Tx, channelId: number): void {
  tx.run("INSERT INTO default_channels (channel_id) VALUES (?)", channelId);
}

export function deleteDefault(tx: Tx, channelId: number): void {
  tx.run("DELETE FROM default_channels WHERE channel_id = ?", channelId);
}

export interface DefaultGroupRow {
  id: number;
  name: string;
  description: string;
}

export const listGroups = cache(["default_channel_groups"], ({ db }): readonly DefaultGroupRow[] =>
  db.all<DefaultGroupRow>("SELECT id, name, description FROM default_channel_groups ORDER BY id"),
);

/** IDs of a group's channels, ascending. */
export const channelsOfGroup = cache(["default_channel_group_channels"], ({ db }, groupId: number) =>
  db
    .all<{ id: number }>(
      "SELECT channel_id AS id FROM default_channel_group_channels WHERE group_id = ? ORDER BY channel_id",
      groupId,
    )
    .map((row) => row.id),
);

/** IDs of the groups that a channel is in. */
export const groupsOfChannel = cache(["default_channel_group_channels"], ({ db }, channelId: number) =>
  db
    .all<{ id: number }>(
      "SELECT group_id AS id FROM default_channel_group_channels WHERE channel_id = ?",
      channelId,
    )
    .map((row) => row.id),
);

const keyOf = (name: string) => name.toLowerCase();

export const findGroupByName = cache(["default_channel_groups"], ({ db }, name: string) =>
  db.get<{ id: number }>("SELECT id FROM default_channel_groups WHERE name_key = ?", keyOf(name)),
);

export function insertGroup(tx: Tx, { name, description }: Omit<DefaultGroupRow, "id">): number {
  return tx.run(
    "INSERT INTO default_channel_groups (name, name_key, description) VALUES (?, ?, ?)",
    name,
    keyOf(name),
    description,
  ).lastInsertRowid;
}

export function setGroup(tx: Tx, { id, name, description }: DefaultGroupRow): void {
  tx.run(
    "UPDATE default_channel_groups SET name = ?, name_key = ?, description = ? WHERE id = ?",
    name,
    keyOf(name),
    description,
    id,
  );
}

export function deleteGroup(tx: Tx, id: number): void {
  tx.run("DELETE FROM default_channel_group_channels WHERE group_id = ?", id);
  tx.run("DELETE FROM default_channel_groups WHERE id = ?", id);
}

export function insertIntoGroup(tx: Tx, groupId: number, channelId: number): void {
  tx.run(
    "INSERT INTO default_channel_group_channels (group_id, channel_id) VALUES (?, ?)",
    groupId,
    channelId,
  );
}

export function deleteFromGroup(tx: Tx, groupId: number, channelId: number): void {
  tx.run(
    "DELETE FROM default_channel_group_channels WHERE group_id = ? AND channel_id = ?",
    groupId,
    channelId,
  );
}
