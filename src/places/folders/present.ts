import type { FolderRow } from "./rows.ts";
import type { Folder } from "./schema.ts";

export function presentFolder({ position, is_archived, ...row }: FolderRow): Folder {
  return { ...row, order: position, is_archived: is_archived === 1 };
}
