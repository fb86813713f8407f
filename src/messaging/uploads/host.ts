import { copyFileSync, existsSync, linkSync, statSync } from "node:fs";
import { makeFolderOf, pathOf } from "@/foundation/file-stores/disk.ts";
import { removeFile } from "@/foundation/files/files.ts";
import { recognizeFile } from "@/foundation/files/pictures.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { realmId } from "@/foundation/realm/schema.ts";
import type { Ctx, Env } from "@/kernel/core/context.ts";
import { action, atTime } from "@/kernel/core/operation.ts";
import { safeName } from "./schema.ts";
import * as store from "./store.ts";

export interface ImportedFile {
  /** Where its bytes lie now. */
  path: string;
  name: string;
  /** The name that it is to have on disk, made by `newName`. */
  file: string;
  ownerId: number;
  /** UNIX seconds. */
  at: number;
}

/** The address of a file that is imported under these names. */
export function addressOfImported({ file, name }: Pick<ImportedFile, "file" | "name">): string {
  return `${realmId}/${file}/${safeName(name)}`;
}

/** Adds a file from another place on the disk, by a link if the file system allows; does nothing if it exists. */
export async function importFile(ctx: Ctx, given: ImportedFile): Promise<void> {
  const path_id = addressOfImported(given);
  if (store.findUploadByPath(ctx, path_id)) return;
  const target = pathOf(ctx.env, "uploads", given.file);
  makeFolderOf(target);
  if (!existsSync(target)) linkOrCopy(given.path, target);
  const name = safeName(given.name);
  const { size } = statSync(target);
  const facts = await recognizeFile(target, name);
  const upload = { owner_id: given.ownerId, file: given.file, path_id, name, size, ...facts };
  await insertImported(ctx, { upload, at: given.at });
}

const insertImported = action(
  allow.system,
  (tx, { upload, at }: { upload: store.NewUpload; at: number }): void => {
    store.insertUpload(atTime(tx, at), upload);
  },
);

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Removes what is stored of deleted uploads. */
export async function removeFilesOf(env: Env, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await removeFile(env, { shelf: "uploads", name: file });
    await removeFile(env, { shelf: "thumbnails", name: `${file}.webp` });
  }
}
