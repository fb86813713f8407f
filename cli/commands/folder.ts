import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { createFolder, reorderFolders, updateFolder } from "@/places/folders/actions.ts";
import { listFolders } from "@/places/folders/queries.ts";
import { type Folder, type FolderPatch, folderPatch, newFolder } from "@/places/folders/schema.ts";
import { operand, operands, option } from "../args.ts";
import { command, isEmpty } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { table } from "../output.ts";
import { folderNamed } from "../values.ts";

const shape = z.object({
  folder_id: z.int(),
  name: z.string(),
  description: z.string(),
  order: z.int(),
  is_archived: z.boolean(),
});

const presentFolder = ({ id, name, description, order, is_archived }: Folder): z.infer<typeof shape> => ({
  folder_id: id,
  name,
  description,
  order,
  is_archived,
});
const named = operand("FOLDER", z.string().min(1), "the folder's name");

async function changeFolder(ctx: Ctx, name: string, patch: Omit<FolderPatch, "channel_folder_id">) {
  const { id: channel_folder_id } = folderNamed(ctx, name);
  return presentFolder(await updateFolder(ctx, { ...patch, channel_folder_id }));
}

export default [
  command({
    name: "folder create",
    summary: "Create a channel folder",
    examples: ["confab folder create Projects --description 'What we build'"],
    args: {
      folder: operand("NAME", newFolder.shape.name, "its name"),
      description: option("TEXT", newFolder.shape.description.default(""), "what belongs in it, in Markdown"),
    },
    result: shape,
    run: async (ctx, { folder, description }) =>
      presentFolder(await createFolder(ctx, { name: folder, description })),
    print: ({ name, folder_id }) => `Created the folder ${name} (ID ${folder_id}).`,
  }),

  command({
    name: "folder list",
    isUnaudited: true,
    summary: "List channel folders in their order",
    examples: ["confab folder list"],
    args: {},
    result: z.array(shape),
    run: (ctx) => listFolders(ctx, { include_archived: true }).map(presentFolder),
    print: (folders) =>
      table(
        ["ID", "NAME", "STATE", "DESCRIPTION"],
        folders.map((folder) => [
          String(folder.folder_id),
          folder.name,
          folder.is_archived ? "archived" : "active",
          folder.description,
        ]),
      ),
  }),

  command({
    name: "folder update",
    summary: "Change a folder's name or description",
    examples: ["confab folder update Projects --name Work", "confab folder update Work --description ''"],
    args: {
      folder: named,
      name: option("NAME", folderPatch.shape.name, "its new name"),
      description: option("TEXT", folderPatch.shape.description, "what belongs in it, in Markdown"),
    },
    result: shape,
    run: (ctx, { folder, ...patch }) => {
      if (isEmpty(patch)) failUsage("name a change: --name or --description");
      return changeFolder(ctx, folder, patch);
    },
    print: ({ name }) => `The folder is now ${name}.`,
  }),

  command({
    name: "folder archive",
    summary: "Archive an empty folder",
    examples: ["confab folder archive Projects --yes"],
    args: { folder: named, yes },
    result: shape,
    run: async (ctx, { folder, yes }) => {
      const { name, is_archived } = folderNamed(ctx, folder);
      if (!is_archived) await confirm({ does: "archives", count: [1, "folder"], names: [name] }, yes);
      return changeFolder(ctx, folder, { is_archived: true });
    },
    print: ({ name }) => `The folder ${name} is now archived.`,
  }),

  command({
    name: "folder unarchive",
    summary: "Unarchive a folder",
    examples: ["confab folder unarchive Projects"],
    args: { folder: named },
    result: shape,
    run: (ctx, { folder }) => changeFolder(ctx, folder, { is_archived: false }),
    print: ({ name }) => `The folder ${name} is no longer archived.`,
  }),

  command({
    name: "folder reorder",
    summary: "Change the order of folders",
    about: "Moves the named folders to the front, in the order given; the others follow in their old order.",
    examples: ["confab folder reorder Projects Teams"],
    args: { folders: operands("FOLDER", z.array(z.string()).min(1), "names of folders") },
    result: z.array(shape),
    run: async (ctx, { folders }) => {
      const first = folders.map((name) => folderNamed(ctx, name).id);
      const all = listFolders(ctx, { include_archived: true }).map(({ id }) => id);
      await reorderFolders(ctx, [...first, ...all.filter((id) => !first.includes(id))]);
      return listFolders(ctx, { include_archived: true }).map(presentFolder);
    },
    print: (folders) => folders.map(({ name }) => name).join("\n"),
  }),
];
