import { recordAudit } from "@/foundation/audit/actions.ts";
import type { ChangeOf } from "@/foundation/audit/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelsInFolder } from "@/places/channels/access.ts";
import { folderFor } from "./access.ts";
import { presentFolder } from "./queries.ts";
import {
  type Folder,
  type FolderChange,
  type FolderPatch,
  type FolderRow,
  folderAdded,
  foldersReordered,
  folderUpdated,
  type NewFolder,
} from "./schema.ts";
import * as store from "./store.ts";

/** Creates a folder, last in the order. */
export const createFolder = action(allow.admin, (tx, input: NewFolder): Folder => {
  checkNameIsFree(tx, input.name);

  const id = store.insertFolder(tx, {
    ...input,
    rendered_description: renderText(tx, input.description).html,
    position: store.listFolders(tx).length,
    creator_id: tx.actor.kind === "user" ? tx.actor.id : null,
  });
  const folder = presentFolder(folderFor(tx, id));
  recordAudit(tx, { event: "folder_created", about: { kind: "folder", id }, data: { name: folder.name } });
  tx.emit(folderAdded, everyone, { channel_folder: folder });
  return folder;
});

/** Ignores case. Archived folders keep their names. */
function checkNameIsFree(tx: Tx, name: string, own?: number): void {
  const taken = store.findFolderByName(tx, name);
  if (taken && taken.id !== own) fail("BAD_REQUEST", "Channel folder name already in use");
}

/** Changes the given properties of a folder and emits those that differ. */
export const updateFolder = action(allow.admin, (tx, input: FolderPatch): Folder => {
  const folder = folderFor(tx, input.channel_folder_id);
  const change: FolderChange = {
    ...renameFolder(tx, folder, input.name),
    ...describeFolder(tx, folder, input.description),
    ...setArchived(tx, folder, input.is_archived),
  };
  if (Object.keys(change).length > 0) {
    tx.emit(folderUpdated, everyone, { channel_folder_id: folder.id, data: change });
  }
  return presentFolder(folderFor(tx, folder.id));
});

function renameFolder(tx: Tx, folder: FolderRow, name: string | undefined): FolderChange {
  if (name === undefined || name === folder.name) return {};
  checkNameIsFree(tx, name, folder.id);

  store.setName(tx, folder.id, name);
  record(tx, folder, "renamed", { from: folder.name, to: name });
  return { name };
}

function describeFolder(tx: Tx, folder: FolderRow, description: string | undefined): FolderChange {
  if (description === undefined || description === folder.description) return {};

  const rendered_description = renderText(tx, description).html;
  store.setDescription(tx, folder.id, description, rendered_description);
  record(tx, folder, "described", { from: folder.description, to: description });
  return { description, rendered_description };
}

function setArchived(tx: Tx, folder: FolderRow, is_archived: boolean | undefined): FolderChange {
  if (is_archived === undefined || is_archived === (folder.is_archived === 1)) return {};
  if (is_archived && channelsInFolder(tx, folder.id).length > 0) {
    fail("BAD_REQUEST", "Only an empty channel folder can be archived: move its channels out first.");
  }

  store.setArchived(tx, folder.id, is_archived);
  record(tx, folder, is_archived ? "archived" : "unarchived");
  return { is_archived };
}

function record(tx: Tx, { id }: FolderRow, change: ChangeOf<"folder">, data?: Record<string, unknown>): void {
  recordAudit(tx, { event: `folder_${change}`, about: { kind: "folder", id }, data });
}

/** Reorders all folders, including archived ones. */
export const reorderFolders = action(allow.admin, (tx, order: readonly number[]): void => {
  const current = store.listFolders(tx).map(({ id }) => id);
  const given = new Set(order);
  if (order.length !== current.length || !current.every((id) => given.has(id))) {
    fail("BAD_REQUEST", "The order must contain every channel folder exactly once.");
  }
  if (current.every((id, i) => id === order[i])) return;

  store.setOrder(tx, order);
  recordAudit(tx, {
    event: "folders_reordered",
    about: { kind: "folder" },
    data: { from: current, to: order },
  });
  tx.emit(foldersReordered, everyone, { order: [...order] });
});
