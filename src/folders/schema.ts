import { z } from "zod";
import { event } from "@/kernel/events.ts";
import { limits } from "@/realm/schema.ts";

export const folderId = z.int();

const nameLength = limits.max_channel_folder_name_length;
const descriptionLength = limits.max_channel_folder_description_length;

/** Names are counted in code points, and must be printable (API-REFERENCE 1.1). */
export const folderName = z
  .string()
  .trim()
  .min(1, "A channel folder needs a name.")
  .refine(
    (name) => [...name].length <= nameLength,
    `A channel folder's name has at most ${nameLength} characters.`,
  )
  .refine(
    (name) => !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name),
    "A channel folder's name must be made of printable characters.",
  );

export const folderDescription = z
  .string()
  .trim()
  .refine(
    (text) => [...text].length <= descriptionLength,
    `A channel folder's description has at most ${descriptionLength} characters.`,
  )
  .refine((text) => !text.includes("\0"), "A channel folder's description must not contain null bytes.");

/** A channel folder as clients read it (API.md 2). */
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

export const folderAdded = event<{ channel_folder: Folder }>("channel_folder", {
  op: "add",
  schema: z.object({ channel_folder: folder }),
});

/** What of a folder has changed; its rendered description goes with its description. */
const folderChange = folder
  .pick({ name: true, description: true, rendered_description: true, is_archived: true })
  .partial();
export type FolderChange = z.infer<typeof folderChange>;

export const folderUpdated = event<{ channel_folder_id: number; data: FolderChange }>("channel_folder", {
  op: "update",
  schema: z.object({ channel_folder_id: folderId, data: folderChange }),
});

export const foldersReordered = event<{ order: number[] }>("channel_folder", {
  op: "reorder",
  schema: z.object({ order: z.array(folderId) }),
});
