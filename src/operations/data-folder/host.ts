import { Database } from "bun:sqlite";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder, syncFolderNow } from "@/kernel/durable.ts";
import { fail } from "@/kernel/errors.ts";
import { diskReason } from "@/operations/data-folder/schema.ts";
import { databaseFile, filesFolder, markerFile, processFile } from "./schema.ts";

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

/** Creates a folder for a backup inside the data folder; returns it with the function that removes it. */
export function openStaging(dataDir: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(dataDir, "backup-"));
  const lockFile = `${folder}.lock`;
  let release: (() => void) | null = null;
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    release?.();
    rmSync(lockFile, { force: true });
  };
  try {
    release = holdFile(lockFile);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Removes what interrupted backups left, except backups that another process is making now. */
export function clearStaging(dataDir: string): void {
  const names = new Set(readdirSync(dataDir).filter((name) => name.startsWith("backup-")));
  for (const name of names) {
    const folder = join(dataDir, name.replace(/\.lock$/, ""));
    const lockFile = `${folder}.lock`;
    const release = existsSync(lockFile) ? holdFile(lockFile) : () => {};
    if (!release) continue;
    rmSync(folder, { recursive: true, force: true });
    release();
    rmSync(lockFile, { force: true });
  }
}

const leftBehind = [
  databaseFile,
  `${databaseFile}-wal`,
  `${databaseFile}-shm`,
  filesFolder,
  markerFile,
  processFile,
];

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
  if (file === "-") fail("BAD_REQUEST", "Name a file: this command cannot write to standard output.");
  if (existsSync(file) && statSync(file).isDirectory())
    fail("BAD_REQUEST", `${file} is a folder; name a file in it.`);
  if (existsSync(file) && !overwrite)
    fail("BAD_REQUEST", `${file} already exists; name another file, or add --yes.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) fail("BAD_REQUEST", `There is no folder ${folder}.`);
}

/** Throws an error of writing, worded if the disk caused it; `what` begins the sentence. */
export function notWritten(what: string, error: unknown): never {
  const reason = diskReason(error);
  if (reason === null) throw error;
  fail("BAD_REQUEST", `${what} cannot be written: ${reason}.`);
}

/** Creates a file that only the current user can read, replacing any that exists. */
export function openPrivate(file: string): number {
  rmSync(file, { force: true });
  return openSync(file, "wx", 0o600);
}
