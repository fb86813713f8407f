// Gathers what to back up in a folder next to the data.
import { accessSync, constants, type Dirent, existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FilePlacement, OpenStore, SharedKind } from "@/foundation/file-stores/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { checkReadable, notRead } from "@/operations/data-folder/host.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { fetchFiles } from "./fetching.ts";
import type { ReportProgress } from "./schema.ts";
import {
  type BackupFacts,
  copyDatabase,
  type HeldDatabase,
  holdDatabase,
  placementIn,
  placeOnDisk,
} from "./store.ts";

export interface BackupInput {
  dataDir: string;
  /** Path of the archive; it must not exist unless `overwrite`. */
  file: string;
  overwrite: boolean;
  /** Leaves out the files of an S3 store, which the restored organization then needs. */
  withoutFiles?: boolean;
  /** Paths in the data folder of settings and what they name, such as keys, that are backed up as well; by default none. */
  config?: readonly string[];
  stores: OpenStore;
  /** UNIX seconds. */
  now: number;
  report: ReportProgress;
}

const unfinishedFiles = "incoming";

interface Staged {
  snapshot: BackupFacts;
  /** The database, if it needs no copy. The caller releases it. */
  held: HeldDatabase | null;
}

/**
 * Stages what to back up: first the database, then the files, which are always complete before a row names them. The
 * database is packed from its own file if that can be held; a copy is made if it cannot, or must differ.
 */
export async function stage(input: BackupInput, staging: string): Promise<Staged> {
  const { dataDir } = input;
  checkReadable(join(dataDir, databaseFile));
  const held = await holdDatabase(join(dataDir, databaseFile));
  try {
    const isCopied = !held || (sharedOf(held.placement).length > 0 && !input.withoutFiles);
    if (isCopied) held?.release();
    const snapshot = isCopied ? await stageCopy(input, staging) : held.snapshot;
    if (!isCopied) await stageFiles(input, staging, held.placement);
    return { snapshot, held: isCopied ? null : held };
  } catch (error) {
    held?.release();
    throw error;
  }
}

/** The stores elsewhere that have files. */
const sharedOf = ({ at, also }: FilePlacement): SharedKind[] =>
  [at, also].filter((kind) => kind !== "disk" && kind !== null);

async function stageCopy(input: BackupInput, staging: string): Promise<BackupFacts> {
  input.report({ doing: "Copying the database", done: 0, of: 0 });
  const copy = join(staging, databaseFile);
  const snapshot = copyDatabase(join(input.dataDir, databaseFile), copy);
  const placement = placementIn(copy);
  await stageFiles(input, staging, placement);
  const shared = sharedOf(placement);
  if (input.withoutFiles || shared.length === 0) return snapshot;
  for (const kind of shared) await fetchFiles(input, { kind, folder: join(staging, filesFolder) });
  placeOnDisk(copy);
  return snapshot;
}

async function stageFiles(input: BackupInput, staging: string, { at, also }: FilePlacement): Promise<void> {
  const isElsewhere = [at, also].every((kind) => kind === "s3" || kind === null);
  if (input.withoutFiles && !isElsewhere) {
    fail(
      "BAD_REQUEST",
      "The files are not in an S3 store, and only a backup keeps them: leave --without-files out.",
    );
  }
  const [from, to] = [join(input.dataDir, filesFolder), join(staging, filesFolder)];
  if (existsSync(from)) await linkAll(from, to);
  for (const path of input.config ?? []) await copyConfig(join(input.dataDir, path), join(staging, path));
}

/** Copies a file that may be a link to another. */
async function copyConfig(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    accessSync(from, constants.R_OK);
  } catch (error) {
    notRead(from, error);
  }
  await copyFile(from, to);
}

/**
 * Hard-links every file, which takes no space and keeps files that are deleted meanwhile. Copies them where the file
 * system cannot link.
 */
async function linkAll(from: string, to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of entriesIn(from)) {
    if (entry.name === unfinishedFiles) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkAll(source, target);
    else if (entry.isFile()) await linkOrCopy(source, target);
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return notRead(folder, error);
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    accessSync(from, constants.R_OK);
  } catch (error) {
    // Deleted meanwhile by a user, so not backed up.
    if ((error as { code?: string }).code === "ENOENT") return;
    notRead(from, error);
  }
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return;
    await copyFile(from, to);
  }
}
