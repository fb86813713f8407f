import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { makeFolder, syncFile, syncFolder, syncFolderNow } from "@/kernel/store/durable.ts";
import { isBeginning, isVacant, listLeftStagings } from "./queries.ts";
import {
  beginningFile,
  databaseFile,
  diskReason,
  filesFolder,
  markerFile,
  noteFiles,
  processFile,
  readingReason,
  stagingStart,
  type Unfinished,
} from "./schema.ts";
import { foldLog } from "./store.ts";

const markerText =
  "This folder holds a Confab organization. Keep this file: it tells Confab so if the database is ever missing.\n";

/** Creates a data folder unless it already has a database. */
export function makeDataFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, databaseFile))) makeFolder(dataDir);
}

/** Marks a folder as holding an organization. */
export function markFolder(dataDir: string): void {
  const marker = join(dataDir, markerFile);
  if (!existsSync(marker)) writeFileSync(marker, markerText, { mode: 0o600 });
}

const beginningText =
  "The organization of this folder is being created. Confab removes this file when that is done.\n";

/** Notes in a vacant folder that an organization is being created. The caller holds the folder's lock. */
export function noteBeginning(dataDir: string): void {
  if (!isVacant(dataDir) || isBeginning(dataDir)) return;
  writeFileSync(join(dataDir, beginningFile), beginningText, { mode: 0o600, flush: true });
  syncFolderNow(dataDir);
}

/** Removes the note: the organization exists, or nothing of it. */
export function endBeginning(dataDir: string): void {
  rmSync(join(dataDir, beginningFile), { force: true });
}

/** Moves an organization from another folder into this one, which has none. If killed in here, it can be done again. */
export async function placeOrganization(from: string, dataDir: string): Promise<void> {
  await placeFiles(from, dataDir);
  await placeDatabase(from, dataDir);
  markFolder(dataDir);
  endBeginning(dataDir);
}

/**
 * Adds the files of another data folder to those of this one. Their random names are not in use here. Leaves out empty folders, as
 * those of files that were moved to an S3 store.
 */
export async function placeFiles(from: string, dataDir: string): Promise<void> {
  const files = join(from, filesFolder);
  if (existsSync(files)) await linkAll(files, join(dataDir, filesFolder));
}

async function linkAll(from: string, to: string): Promise<void> {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkAll(source, target);
    else {
      mkdirSync(to, { recursive: true, mode: 0o700 });
      if (!existsSync(target)) linkOrCopy(source, target);
      await syncFile(target);
    }
  }
  if (existsSync(to)) await syncFolder(to);
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Replaces the database by that of another data folder, which nobody uses: from now on, everything in it is visible. */
export async function placeDatabase(from: string, dataDir: string): Promise<void> {
  const [source, target] = [join(from, databaseFile), join(dataDir, databaseFile)];
  foldLog(source);
  await syncFile(source);
  for (const ending of ["-wal", "-shm", "-journal"]) rmSync(target + ending, { force: true });
  renameSync(source, target);
  syncFolderNow(dataDir);
}

/**
 * Locks a file for this process, creating it if necessary; returns the function that unlocks it, or null if another
 * process holds it. The operating system holds the lock for the process, so it ends with the process, however that
 * ends.
 */
export function holdFile(path: string): (() => void) | null {
  const lock = new Database(path, { create: true });
  try {
    lock.run("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === "SQLITE_BUSY") return null;
    throw error;
  }
}

/** Returns a function that runs `work`, which also runs if the process exits before. */
export function orAtExit(work: () => void): () => void {
  const once = () => {
    process.off("exit", once);
    work();
  };
  process.on("exit", once);
  return once;
}

/**
 * Creates a folder for unfinished work; returns it with the function that removes it. It is locked as long as this process works in
 * it, which distinguishes it from what an interrupted process has left.
 */
export function openStaging(what: Unfinished, dataDir: string): { folder: string; remove: () => void } {
  const folder = stagingStart(what, dataDir) + randomBytes(4).toString("hex");
  const lockFile = `${folder}.lock`;
  let release: (() => void) | null = null;
  const remove = orAtExit(() => {
    rmSync(folder, { recursive: true, force: true });
    release?.();
    rmSync(lockFile, { force: true });
  });
  try {
    release = holdFile(lockFile);
    mkdirSync(folder, { mode: 0o700 });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes what interrupted work has left. What cannot be removed stays, and the doctor still names it. */
export function clearStaging(dataDir: string): void {
  for (const folder of listLeftStagings(dataDir)) {
    try {
      removeStaging(folder);
    } catch {
      // A restore next to the data folder may belong to another user of the machine.
    }
  }
}

function removeStaging(folder: string): void {
  const lockFile = `${folder}.lock`;
  const release = holdFile(lockFile);
  if (!release) return;
  rmSync(folder, { recursive: true, force: true });
  release();
  for (const path of [lockFile, `${lockFile}-journal`]) rmSync(path, { force: true });
}

const leftBehind = [
  databaseFile,
  `${databaseFile}-wal`,
  `${databaseFile}-shm`,
  filesFolder,
  markerFile,
  beginningFile,
  processFile,
  ...noteFiles,
];

/** Writes a file that only its owner may read, whole or not at all; it survives a power cut. */
export function writePrivately(path: string, text: string): void {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) makeFolder(folder);
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
  renameSync(temporary, path);
  syncFolderNow(folder);
}

/** Deletes a file; after a power cut, it is still gone. */
export function deleteForGood(path: string): void {
  rmSync(path, { force: true });
  syncFolderNow(dirname(resolve(path)));
}

/** Moves the files of a lost organization into a subfolder; returns its name. */
export function putAside(dataDir: string, now: Date): string {
  const name = `former-${now.toISOString().replace(/\..*/, "").replaceAll(":", "")}`;
  mkdirSync(join(dataDir, name), { mode: 0o700 });
  for (const entry of leftBehind) {
    if (existsSync(join(dataDir, entry))) renameSync(join(dataDir, entry), join(dataDir, name, entry));
  }
  syncFolderNow(join(dataDir, name));
  syncFolderNow(dataDir);
  return name;
}

/** Throws unless a file can be written to this path. */
export function checkTarget(file: string, overwrite: boolean): void {
  try {
    lookAtTarget(file, overwrite);
  } catch (error) {
    notWritten(file, error);
  }
}

function lookAtTarget(file: string, overwrite: boolean): void {
  if (file === "-") fail("BAD_REQUEST", "Name a file: this command cannot write to standard output.");
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) fail("BAD_REQUEST", `${file} is a folder; name a file in it.`);
  // The complete file replaces what has its name: a device must not be replaced, nor a pipe that somebody reads.
  if (found && !found.isFile()) fail("BAD_REQUEST", `${file} is not a regular file; name another one.`);
  if (found && !overwrite) fail("BAD_REQUEST", `${file} already exists; name another file, or add --yes.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail("BAD_REQUEST", `There is no folder ${folder}.`);
  if (!statSync(folder).isDirectory()) fail("BAD_REQUEST", `${folder} is a file, not a folder.`);
}

/** Throws an error of reading, worded if the disk caused it. */
export function notRead(path: string, error: unknown): never {
  const reason = readingReason(error);
  if (reason === null) throw error;
  fail("BAD_REQUEST", `${path} cannot be read: ${reason}.`);
}

/** Writes a file that only its owner may read, whole or not at all. `report` gets the bytes so far. */
export async function writeWhole(
  file: string,
  content: AsyncIterable<Uint8Array>,
  report: (bytes: number) => void,
): Promise<void> {
  const partial = `${file}.partial`;
  let descriptor: number | null = null;
  try {
    descriptor = openPrivate(partial);
    let bytes = 0;
    for await (const piece of content) {
      for (let rest = piece; rest.length > 0; ) rest = rest.subarray(writeSync(descriptor, rest));
      bytes += piece.length;
      report(bytes);
    }
    fsyncSync(descriptor);
    renameSync(partial, file);
    syncFolderNow(dirname(resolve(file)));
  } catch (error) {
    notWritten(file, error);
  } finally {
    if (descriptor !== null) {
      closeSync(descriptor);
      rmSync(partial, { force: true });
    }
  }
}

/** Throws an error of writing, worded if the disk caused it; `what` begins the sentence. */
export function notWritten(what: string, error: unknown): never {
  const reason = diskReason(error);
  if (reason === null) throw error;
  fail("BAD_REQUEST", `${what} cannot be written: ${reason}.`);
}

/** Throws unless this is a file that can be read. */
export function checkReadable(file: string): void {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) fail("BAD_REQUEST", `There is no file ${file}.`);
    if (!found.isFile()) fail("BAD_REQUEST", `${file} is not a regular file.`);
    accessSync(file, constants.R_OK);
  } catch (error) {
    notRead(file, error);
  }
}

/** Creates a file that only the current user can read, replacing any that exists. */
export function openPrivate(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, "wx", 0o600);
}
