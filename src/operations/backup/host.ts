// Backs up a data folder to one file and restores it: a compressed tar archive with a manifest of checksums.

import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { FileStore } from "@/foundation/file-stores/schema.ts";
import { makeFolder, syncFile, syncFolder } from "@/kernel/durable.ts";
import { fail } from "@/kernel/errors.ts";
import {
  checkTarget,
  markFolder,
  notWritten,
  openPrivate,
  openStaging,
} from "@/operations/data-folder/host.ts";
import { databaseFile, filesFolder } from "@/operations/data-folder/schema.ts";
import { version } from "../../../package.json";
import { bytesIn, checkRoom, checksums, pack, unpack } from "./archive.ts";
import { fetchFiles } from "./fetching.ts";
import {
  type Backup,
  backupFormat,
  type MadeBackup,
  type Manifest,
  madeBackups,
  manifest,
  manifestFile,
  type Report,
  type Restored,
} from "./schema.ts";
import { copyDatabase, faultIn, leaveCluster, placementIn, placeOnDisk, type Snapshot } from "./store.ts";

/** Files of the running process, and unfinished work; everything else in a data folder is backed up. */
const left =
  /^(confab\.(db.*|lock.*|pid|organization|history.*|backed-up|operator)|(backup|restore|former|join|snapshot)-.*|incoming|import)$/;

/** Where a cluster's node keeps its token for commands; earlier versions backed it up. */
const operatorFile = "confab.operator";

export interface BackupInput {
  dataDir: string;
  /** Path of the archive; it must not exist unless `overwrite`. */
  file: string;
  overwrite: boolean;
  /** Leaves out the files of an S3 store, which the restored organization then needs. */
  withoutFiles?: boolean;
  /** The S3 store of the settings, or null. */
  s3: () => FileStore | null;
  /** UNIX seconds. */
  now: number;
  report: Report;
}

/**
 * Writes a data folder to one file, while a server may be running on it. The archive contains everything that was
 * acknowledged before the call. The file gets its name only once it is complete and on disk.
 */
export async function createBackup(input: BackupInput): Promise<Backup> {
  const { dataDir, file, overwrite } = input;
  checkTarget(file, overwrite);
  const copying = (error: unknown) =>
    notWritten(`The copy of the database that a backup needs in ${dataDir}`, error);
  const staging = attempt(() => openStaging(dataDir), copying);
  try {
    const snapshot = await stage(input, staging.folder).catch(copying);
    const listed = list(input, staging.folder, snapshot).catch(copying);
    listed.catch(() => {}); // if packing fails first, nobody waits for it
    const packed = await packInto(input, staging.folder, listed).catch((error) => notWritten(file, error));
    const contents = await listed;
    noteBackup(dataDir, { at: input.now, file: resolve(file), bytes: packed.bytes });
    return { file, ...packed, files: contents.files.length, last_message_id: contents.last_message_id };
  } finally {
    staging.remove();
  }
}

const noteFile = "confab.backed-up";
const notesKept = 20;

/** Records the time of a backup, which `doctor` and the console show. A folder that cannot be written to can be backed up, too. */
function noteBackup(dataDir: string, made: MadeBackup): void {
  const notes = [made, ...listBackups(dataDir).filter(({ file }) => file !== made.file)].slice(0, notesKept);
  try {
    writeFileSync(join(dataDir, noteFile), JSON.stringify(notes), { mode: 0o600 });
  } catch {
    // The backup is what counts.
  }
}

/** The backups made of this data folder, newest first; they may have been moved or deleted since. */
export function listBackups(dataDir: string): MadeBackup[] {
  try {
    return madeBackups.parse(JSON.parse(readFileSync(join(dataDir, noteFile), "utf8")));
  } catch {
    return [];
  }
}

function attempt<T>(work: () => T, onError: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return onError(error);
  }
}

/** Packs a folder into a file, which gets its name only once it is complete and on disk. */
async function packInto(
  { file, report }: BackupInput,
  folder: string,
  listed: Promise<unknown>,
): Promise<{ bytes: number; sha256: string }> {
  const partial = `${file}.partial`;
  const total = bytesIn(folder);
  const onBytes = (done: number) => report({ doing: "Packing", done, of: total });
  try {
    const descriptor = openPrivate(partial);
    const written = await pack(folder, { descriptor, listed }, onBytes).finally(() => closeSync(descriptor));
    await syncFile(partial);
    renameSync(partial, file);
    await syncFolder(dirname(resolve(file)));
    return written;
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Stages what to back up: first a copy of the database, then the files, which are always complete before a row names
 * them.
 */
async function stage(input: BackupInput, staging: string): Promise<Snapshot> {
  const { dataDir, report } = input;
  report({ doing: "Copying the database", done: 0, of: 0 });
  const copy = join(staging, databaseFile);
  const snapshot = copyDatabase(join(dataDir, databaseFile), copy);
  const { at, also } = placementIn(copy);
  if (input.withoutFiles && (at === "disk" || also === "disk")) {
    fail(
      "BAD_REQUEST",
      "The files are on the disk, and only a backup keeps them: leave --without-files out.",
    );
  }
  await linkAll(dataDir, staging);
  if (input.withoutFiles || (at !== "s3" && also !== "s3")) return snapshot;
  await fetchFiles(input, join(staging, filesFolder));
  placeOnDisk(copy);
  return snapshot;
}

/** Writes the manifest of a staged backup. */
async function list({ now }: BackupInput, staging: string, snapshot: Snapshot): Promise<Manifest> {
  const files = await checksums(staging, () => {});
  const contents: Manifest = { format: backupFormat, version, created_at: now, ...snapshot, files };
  writeFileSync(join(staging, manifestFile), JSON.stringify(contents, null, 1));
  return contents;
}

/**
 * Hard-links every file, which takes no space and keeps files that are deleted meanwhile. Copies them where the file
 * system cannot link.
 */
async function linkAll(from: string, to: string): Promise<void> {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (left.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: 0o700 });
      await linkAll(source, target);
    } else if (entry.isFile()) await linkOrCopy(source, target);
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as { code?: string };
    // Deleted meanwhile by a user, so not backed up.
    if (code === "ENOENT") return;
    await copyFile(from, to);
  }
}

/** Restores a data folder into an empty or absent one. Leaves nothing there if the backup is not intact. */
export async function restoreBackup(input: {
  file: string;
  dataDir: string;
  report: Report;
}): Promise<Restored> {
  const { file } = input;
  const dataDir = resolve(input.dataDir);
  if (!existsSync(file)) fail("BAD_REQUEST", `There is no file ${file}.`);
  const occupied = existsSync(dataDir) && readdirSync(dataDir).length > 0;
  if (occupied) {
    fail(
      "BAD_REQUEST",
      `${input.dataDir} is not empty; restore into a new folder, or move its contents away.`,
    );
  }
  const staging = attempt(
    () => stagingFor(dataDir),
    (error) => notWritten(input.dataDir, error),
  );
  try {
    const contents = await unpackInto(staging, input, dataDir);
    const { organization, last_message_id, created_at } = contents;
    return { organization, last_message_id, created_at, files: contents.files.length };
  } catch (error) {
    return notWritten(input.dataDir, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function stagingFor(dataDir: string): string {
  if (!existsSync(dirname(dataDir))) makeFolder(dirname(dataDir));
  return mkdtempSync(join(dirname(dataDir), `restore-${basename(dataDir)}-`));
}

async function unpackInto(
  staging: string,
  { file, report }: { file: string; report: Report },
  dataDir: string,
): Promise<Manifest> {
  await unpack(file, staging, report);
  const contents = await checked(staging, report);
  rmSync(join(staging, manifestFile));
  rmSync(join(staging, operatorFile), { force: true });
  leaveCluster(join(staging, databaseFile));
  markFolder(staging);
  await syncAll(staging);
  if (existsSync(dataDir)) rmdirSync(dataDir);
  renameSync(staging, dataDir);
  await syncFolder(dirname(dataDir));
  return contents;
}

/** Flushes a folder and all files in it to disk. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    await (entry.isDirectory() ? syncFolder(path) : syncFile(path));
  }
  await syncFolder(folder);
}

/** The manifest of an unpacked backup; throws if a file is missing, changed or unexpected. */
async function checked(folder: string, report: Report): Promise<Manifest> {
  const contents = manifestIn(folder);
  const expected = new Map(contents.files.map((file) => [file.path, file.sha256]));
  for (const { path, sha256 } of await checksums(folder, report)) {
    if (path === manifestFile) continue;
    if (expected.get(path) !== sha256) checkRoom(folder);
    if (expected.get(path) !== sha256)
      fail("BAD_REQUEST", `The backup is damaged: the checksum of ${path} does not match.`);
    expected.delete(path);
  }
  for (const path of expected.keys()) fail("BAD_REQUEST", `The backup is damaged: ${path} is missing.`);
  const fault = faultIn(join(folder, databaseFile));
  if (fault !== null) fail("BAD_REQUEST", `The backup cannot be restored: ${fault}.`);
  return contents;
}

function manifestIn(folder: string): Manifest {
  const path = join(folder, manifestFile);
  const parsed = existsSync(path) ? manifest.safeParse(jsonOf(readFileSync(path, "utf8"))) : null;
  if (!parsed?.success) fail("BAD_REQUEST", "The file is not a Confab backup, or a newer version wrote it.");
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
