import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { descriptionOf, nameOf } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import { folderId } from "@/places/channels/schema.ts";

export const folderName = nameOf("A channel folder", limits.max_channel_folder_name_length);

export const folderDescription = descriptionOf(
  "A channel folder",
  limits.max_channel_folder_description_length,
);

export const newFolder = z.object({ name: folderName, description: folderDescription });
export type NewFolder = z.infer<typeof newFolder>;

export const folderPatch = z.object({
  channel_folder_id: folderId,
  ...newFolder.partial().shape,
  is_archived: z.boolean().optional(),
});
export type FolderPatch = z.infer<typeof folderPatch>;

export const folderOrder = z.array(folderId);

export const folder = z.object({
  id: folderId,
  name: z.string(),
  order: z.int(),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  description: z.string(),
  rendered_description: z.string(),
  is_archived: z.boolean(),
});

export type Folder = z.infer<typeof folder>;

export const folderAdded = event("channel_folder", {
  about: "A channel folder was created.",
  op: "add",
  schema: z.object({ channel_folder: folder }),
});

/** The changed properties of a folder. `rendered_description` accompanies `description`. */
const folderChange = folder
  .pick({ name: true, description: true, rendered_description: true, is_archived: true })
  .partial();

export type FolderChange = z.infer<typeof folderChange>;

export const folderUpdated = event("channel_folder", {
  about: "A channel folder was changed. Carries the changed properties.",
  op: "update",
  schema: z.object({ channel_folder_id: folderId, data: folderChange }),
});

export const foldersReordered = event("channel_folder", {
  about: "The channel folders were reordered.",
  op: "reorder",
  schema: z.object({ order: folderOrder }),
});

export interface FolderRow {
  id: number;
  name: string;
  position: number;
  date_created: number;
  creator_id: number | null;
  description: string;
  rendered_description: string;
  is_archived: 0 | 1;
}
