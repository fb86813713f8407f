import type { Folder } from "./schema.ts";
import type { FolderRow } from "./store.ts";

export function presentFolder({ position, is_archived, ...row }: FolderRow): Folder {
  return { ...row, order: position, is_archived: is_archived === 1 };
}
