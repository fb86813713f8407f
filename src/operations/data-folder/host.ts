import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, syncFolderNow } from "@/kernel/durable.ts";
import { databaseFile, filesFolder, markerFile, processFile } from "./schema.ts";

const markerText =
  "An organization of Confab lies in this folder. This file tells Confab so if the database is ever missing: keep it.\n";

/** Makes a data folder where no database is yet; one with a database has survived until now. */
export function makeDataFolder(dataDir: string): void {
  if (!existsSync(join(dataDir, databaseFile))) makeFolder(dataDir);
}

/** Notes that a folder holds an organization. */
export function markFolder(dataDir: string): void {
  const marker = join(dataDir, markerFile);
  if (!existsSync(marker)) writeFileSync(marker, markerText, { mode: 0o600 });
}

/**
 * Takes a file for this process, making it where there is none; returns what gives it back, null where another process
 * holds it. The lock belongs to the process in the kernel's eyes, so it ends with it however it ends.
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

/** A new folder within a data folder for a backup that is being made, and what removes it again. */
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

/** Removes what backups left that were cut off; one that another process makes just now goes on. */
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

/** Moves what a lost organization left into a folder of its own; returns that folder's name. */
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
