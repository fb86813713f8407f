import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import type { FolderRow } from "./schema.ts";
import * as store from "./store.ts";

/** A folder, archived or not. Every user may see every folder. */
export function folderFor(reads: Reads, id: number): FolderRow {
  return store.findFolder(reads, id) ?? fail("BAD_REQUEST", "Invalid channel folder ID");
}

/** A folder that channels may be added to: it is not archived. */
export function folderToFill(reads: Reads, id: number): FolderRow {
  const folder = folderFor(reads, id);
  if (folder.is_archived)
    fail("BAD_REQUEST", sentence("Channel folder ''{folder}'' is archived.", { folder: folder.name }));
  return folder;
}
