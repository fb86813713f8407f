import type { Tx } from "@/kernel/core/context.ts";
import { type ChannelRow, keyOf, type TopicsPolicy } from "@/places/channels/schema.ts";

export type NewChannelRow = Pick<ChannelRow, "name" | "description" | "rendered_description" | "creator_id"> &
  Partial<Pick<ChannelRow, "folder_id" | "message_retention_days" | "topics_policy">> & {
    invite_only: boolean;
    is_web_public?: boolean;
    history_public_to_subscribers: boolean;
  };

export function insertChannel(tx: Tx, channel: NewChannelRow): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO channels (name, name_key, description, rendered_description, date_created, creator_id, folder_id, " +
      "message_retention_days, topics_policy, invite_only, is_web_public, history_public_to_subscribers) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    channel.name,
    keyOf(channel.name),
    channel.description,
    channel.rendered_description,
    tx.now,
    channel.creator_id,
    channel.folder_id ?? null,
    channel.message_retention_days ?? null,
    channel.topics_policy ?? "inherit",
    channel.invite_only ? 1 : 0,
    channel.is_web_public ? 1 : 0,
    channel.history_public_to_subscribers ? 1 : 0,
  );
  return lastInsertRowid;
}

export function setName(tx: Tx, id: number, name: string): void {
  tx.run("UPDATE channels SET name = ?, name_key = ? WHERE id = ?", name, keyOf(name), id);
}

export function setDescription(tx: Tx, id: number, description: string, rendered: string): void {
  const sql = "UPDATE channels SET description = ?, rendered_description = ? WHERE id = ?";
  tx.run(sql, description, rendered, id);
}

export function setPrivacy(
  tx: Tx,
  id: number,
  privacy: { invite_only: boolean; is_web_public: boolean; history_public_to_subscribers: boolean },
): void {
  tx.run(
    "UPDATE channels SET invite_only = ?, is_web_public = ?, history_public_to_subscribers = ? WHERE id = ?",
    privacy.invite_only ? 1 : 0,
    privacy.is_web_public ? 1 : 0,
    privacy.history_public_to_subscribers ? 1 : 0,
    id,
  );
}

export function setRetention(tx: Tx, id: number, days: number | null): void {
  tx.run("UPDATE channels SET message_retention_days = ? WHERE id = ?", days, id);
}

export function setFolder(tx: Tx, id: number, folderId: number | null): void {
  tx.run("UPDATE channels SET folder_id = ? WHERE id = ?", folderId, id);
}

export function setTopicsPolicy(tx: Tx, id: number, policy: TopicsPolicy): void {
  tx.run("UPDATE channels SET topics_policy = ? WHERE id = ?", policy, id);
}

export function setArchived(tx: Tx, id: number, isArchived: boolean): void {
  tx.run("UPDATE channels SET is_archived = ? WHERE id = ?", isArchived ? 1 : 0, id);
}

export function setRecentlyActive(tx: Tx, id: number, isActive: boolean): void {
  tx.run("UPDATE channels SET is_recently_active = ? WHERE id = ?", isActive ? 1 : 0, id);
}

export function setWeeklyTraffic(tx: Tx, id: number, messages: number | null): void {
  tx.run("UPDATE channels SET stream_weekly_traffic = ? WHERE id = ?", messages, id);
}
