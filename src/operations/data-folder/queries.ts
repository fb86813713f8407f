// Distinguishes a data folder that lost its database from a new one.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { databaseFile, filesFolder, markerFile, noteFiles, processFile } from "./schema.ts";
import { holdsOrganization } from "./store.ts";

/** Whether the folder contains a database file, even an empty one. */
export function isDataFolder(dataDir: string): boolean {
  return existsSync(join(dataDir, databaseFile));
}

/** Throws if the folder held an organization and no longer does; changes nothing. */
export function checkNotLost(dataDir: string): void {
  if (!isLost(dataDir)) return;
  const database = join(dataDir, databaseFile);
  const state = sizeOf(database) > 0 ? "contains none" : existsSync(database) ? "is empty" : "is missing";
  fail(
    "BAD_REQUEST",
    `${dataDir} held an organization, but its ${databaseFile} ${state}. Restore a backup into a new folder with ` +
      "'confab restore', or give up the old data and start over with 'confab init --anew'.",
  );
}

/** Whether the folder held an organization and no longer does. */
export function isLost(dataDir: string): boolean {
  if (!canLookInto(dataDir) || !hasHeldOne(dataDir)) return false;
  const database = join(dataDir, databaseFile);
  // Even opening an empty database would delete the write-ahead log beside it.
  return sizeOf(database) === 0 || !holdsOrganization(database);
}

/** False if the folder cannot be read; the error is then reported by the code that uses it. */
function canLookInto(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).length > 0;
  } catch {
    return false;
  }
}

function hasHeldOne(dataDir: string): boolean {
  if (existsSync(join(dataDir, markerFile)) || isFilled(join(dataDir, filesFolder))) return true;
  if (noteFiles.some((name) => existsSync(join(dataDir, name)))) return true;
  // An interrupted first start leaves these two files as well, but together with a database.
  const isEmpty = sizeOf(join(dataDir, databaseFile)) === 0;
  const isLogged = sizeOf(join(dataDir, `${databaseFile}-wal`)) > 0;
  return isEmpty && (isLogged || namesGoneProcess(join(dataDir, processFile)));
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function isFilled(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** A killed server leaves its process ID; a running one may still be creating its database. */
function namesGoneProcess(file: string): boolean {
  const id = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  if (!Number.isInteger(id) || id <= 0) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "ESRCH";
  }
}

/** The names of folders that interrupted or running backups have made, also of those whose folder is gone. */
export function leftStagings(dataDir: string): string[] {
  const entries = readdirSync(dataDir, { withFileTypes: true }).filter(({ name }) => /^backup-/.test(name));
  const locked = entries.flatMap((entry) =>
    entry.isFile() ? (/^(backup-\w+)\.lock(?:-journal)?$/.exec(entry.name)?.[1] ?? []) : [],
  );
  const unlocked = entries
    .filter((entry) => entry.isDirectory() && !locked.includes(entry.name))
    .map(({ name }) => name)
    .filter((name) => !holdsArchive(join(dataDir, name)));
  return [...new Set([...locked, ...unlocked])];
}

/** Whether somebody keeps a packed file in a folder; a backup's own folder holds at most further links to such files. */
function holdsArchive(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some(
    (entry) =>
      entry.isFile() &&
      /\.(t?gz|tgz|tar|zip|zst|xz|bz2|7z|age|gpg)$/i.test(entry.name) &&
      statSync(join(entry.parentPath, entry.name)).nlink === 1,
  );
}
