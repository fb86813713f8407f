import type { Ctx } from "@/kernel/core/context.ts";
import { listFolders } from "@/places/folders/queries.ts";
import { type Folder, folderDescription, folderName } from "@/places/folders/schema.ts";
import { createFolder, reorderFolders, updateFolder } from "../changes/places.ts";
import { auditFact, toAccount } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { allChannels, userNames } from "../names.ts";
import { type ActionOutcome, changeForm, form, type ScreenForm, screen } from "../screen.ts";
import { moveActions } from "./order.ts";

const name = { label: "Name", about: "As people see it.", rule: folderName, isOwn: true };
const description = {
  label: "Description",
  about: "What belongs in it, in Markdown.",
  rule: folderDescription,
  isOwn: true,
};

function newFolder(): ScreenForm {
  return form({
    title: "A new channel folder",
    fields: { name, description },
    async submit(ctx, input) {
      const made = await createFolder(ctx, input);
      const undo = (now: Ctx) => updateFolder(now, { channel_folder_id: made.id, is_archived: true });
      return { message: `Created the folder ${made.name}.`, undo };
    },
  });
}

function edit(_: Ctx, folder: Folder): ScreenForm {
  return changeForm({
    title: `The folder ${folder.name}`,
    fields: {
      name: { ...name, start: folder.name },
      description: { ...description, start: folder.description },
    },
    async submit(ctx, patch) {
      await updateFolder(ctx, { channel_folder_id: folder.id, ...patch });
      return { message: `Changed the folder ${patch.name ?? folder.name}.` };
    },
  });
}

async function toggleArchived(ctx: Ctx, { id, name: shown, is_archived }: Folder): Promise<ActionOutcome> {
  const set = (now: Ctx, to: boolean) => updateFolder(now, { channel_folder_id: id, is_archived: to });
  await set(ctx, !is_archived);
  return {
    message: `${shown} is ${is_archived ? "no longer archived" : "archived"}.`,
    undo: (now) => set(now, is_archived),
  };
}

export const folders = screen<Folder>({
  key: "8",
  title: "Folders",
  area: "Places",
  noun: "folder",
  about: "of channels, in their order",
  empty: "There are no folders.",
  rows: ({ ctx }) => listFolders(ctx(), { include_archived: true }),
  id: ({ id }) => id,
  copies: (folder) => folder.name,
  columns: [
    { title: "NAME", value: (folder) => folder.name },
    {
      title: "STATE",
      value: ({ is_archived }) => (is_archived ? "archived" : "active"),
      tone: ({ is_archived }) => (is_archived ? "dim" : "good"),
    },
    { title: "DESCRIPTION", value: (folder) => folder.description, grow: true, spare: true },
  ],
  facts({ ctx }, folder) {
    const now = ctx();
    const within = allChannels(now).filter(({ folder_id }) => folder_id === folder.id);
    return [
      ["Name", folder.name],
      ["ID", String(folder.id)],
      ["Description", folder.description],
      ["State", folder.is_archived ? "archived" : "active"],
      ["Created", folder.date_created === null ? "" : timeText(folder.date_created)],
      ["By", userNames(now)(folder.creator_id), toAccount(now, folder.creator_id)],
      [
        `Channels (${within.length})`,
        within.map((channel) => channel.name).join(", "),
        within.length === 0 ? null : { to: "Channels", filter: folder.name },
      ],
      auditFact(folder.name),
    ];
  },
  create: { title: "new folder", form: newFolder },
  edit,
  rowActions: [
    {
      key: "d",
      title: ({ is_archived }) => (is_archived ? "unarchive" : "archive"),
      confirm: (folder) => (folder.is_archived ? null : `Archive the folder ${folder.name}?`),
      run: toggleArchived,
    },
    ...moveActions<Folder>({
      ids: (ctx) => listFolders(ctx, { include_archived: true }).map(({ id }) => id),
      id: ({ id }) => id,
      reorder: reorderFolders,
    }),
  ],
});
