import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { FolderRow } from "./schema.ts";

const columns =
  "id, name, position, date_created, creator_id, description, rendered_description, is_archived";

/** All folders in display order. */
export const listFolders = cache(["channel_folders"], ({ db }): readonly FolderRow[] =>
  db.all<FolderRow>(`SELECT ${columns} FROM channel_folders ORDER BY position, id`),
);

export const findFolder = cache(["channel_folders"], ({ db }, id: number) =>
  db.get<FolderRow>(`SELECT ${columns} FROM channel_folders WHERE id = ?`, id),
);

export const findFolderByName = cache(["channel_folders"], ({ db }, name: string) =>
  db.get<FolderRow>(`SELECT ${columns} FROM channel_folders WHERE name_key = ?`, keyOf(name)),
);

function keyOf(name: string): string {
  return name.toLowerCase();
}

export type NewFolderRow = Pick<
  FolderRow,
  "name" | "description" | "rendered_description" | "position" | "creator_id"
>;

export function insertFolder(tx: Tx, folder: NewFolderRow): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO channel_folders (name, name_key, description, rendered_description, position, date_created, creator_id) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?)",
    folder.name,
    keyOf(folder.name),
    folder.description,
    folder.rendered_description,
    folder.position,
    tx.now,
    folder.creator_id,
  );
  return lastInsertRowid;
}

export function setName(tx: Tx, id: number, name: string): void {
  tx.run("UPDATE channel_folders SET name = ?, name_key = ? WHERE id = ?", name, keyOf(name), id);
}

export function setDescription(tx: Tx, id: number, description: string, rendered: string): void {
  const sql = "UPDATE channel_folders SET description = ?, rendered_description = ? WHERE id = ?";
  tx.run(sql, description, rendered, id);
}

export function setArchived(tx: Tx, id: number, isArchived: boolean): void {
  tx.run("UPDATE channel_folders SET is_archived = ? WHERE id = ?", isArchived ? 1 : 0, id);
}

/** Sets each folder's position to its index in `ids`. */
export function setOrder(tx: Tx, ids: readonly number[]): void {
  ids.forEach((id, position) => {
    tx.run("UPDATE channel_folders SET position = ? WHERE id = ?", position, id);
  });
}
