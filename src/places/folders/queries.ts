import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { foldersWithWebPublic } from "@/places/channels/access.ts";
import type { Folder, FolderRow } from "./schema.ts";
import * as store from "./store.ts";

/** Channel folders in order. Without an account, only those that hold a web-public channel. */
export const listFolders = query(allow.anyone, (ctx, input: { include_archived: boolean }): Folder[] => {
  const isKnown = ctx.actor.kind === "anonymous" ? foldersWithWebPublic(ctx) : null;
  return store
    .listFolders(ctx)
    .filter((row) => (input.include_archived || !row.is_archived) && (isKnown?.has(row.id) ?? true))
    .map(presentFolder);
});

export function presentFolder({ position, is_archived, ...row }: FolderRow): Folder {
  return { ...row, order: position, is_archived: is_archived === 1 };
}
