import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, syncFolderNow } from "@/kernel/durable.ts";
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
