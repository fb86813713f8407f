// Distinguishes a data folder that lost its database from a new one.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import {
  beginningFile,
  databaseFile,
  filesFolder,
  markerFile,
  noteFiles,
  processFile,
  stagingStart,
  unfinished,
} from "./schema.ts";
import { holdsOrganization, isHeld } from "./store.ts";

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
  // Even opening an empty database would delete the write-ahead log next to it.
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

/** Whether the folder holds nothing of an organization, as far as its files tell. */
export function isVacant(dataDir: string): boolean {
  return sizeOf(join(dataDir, databaseFile)) === 0 && !hasHeldOne(dataDir);
}

/** Whether a process began to create the organization of the folder, and has not finished. */
export function isBeginning(dataDir: string): boolean {
  return existsSync(join(dataDir, beginningFile));
}

/** When that process began, in UNIX seconds; null without one. */
export function beginningOf(dataDir: string): number | null {
  if (!isBeginning(dataDir)) return null;
  return Math.floor(statSync(join(dataDir, beginningFile)).mtimeMs / 1000);
}

/** Whether the folder's database contains an organization. */
export function hasOrganizationIn(dataDir: string): boolean {
  const database = join(dataDir, databaseFile);
  return sizeOf(database) > 0 && holdsOrganization(database);
}

/** Whether what began in the folder has left nothing there. */
export function isLeftVacant(dataDir: string): boolean {
  return isBeginning(dataDir) && !isDataFolder(dataDir) && !hasTraces(dataDir);
}

function hasHeldOne(dataDir: string): boolean {
  if (existsSync(join(dataDir, markerFile))) return true;
  // What a killed first start has left, the next one uses or replaces.
  return !isBeginning(dataDir) && hasTraces(dataDir);
}

function hasTraces(dataDir: string): boolean {
  if (isFilled(join(dataDir, filesFolder))) return true;
  // An empty one is all that a power cut has left of one that was never synced.
  if (noteFiles.some((name) => sizeOf(join(dataDir, name)) > 0)) return true;
  // An interrupted first start leaves these two files as well, but together with a database.
  const isEmpty = sizeOf(join(dataDir, databaseFile)) === 0;
  const isLogged = sizeOf(join(dataDir, `${databaseFile}-wal`)) > 0;
  return isEmpty && (isLogged || namesGoneProcess(join(dataDir, processFile)));
}

/** 0 for what does not exist, also where the folder is no folder. */
function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
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

/** Paths of the folders that interrupted work has left; of some, only the lock is left. */
export function listLeftStagings(dataDir: string): string[] {
  return unfinished
    .flatMap((what) => stagingsAt(stagingStart(what, dataDir)))
    .filter((folder) => !isHeld(`${folder}.lock`));
}

/** Only what has a lock was made by Confab: operators may keep folders and archives under similar names. */
function stagingsAt(start: string): string[] {
  const beginning = basename(start);
  const found = namesIn(dirname(start)).flatMap((name) => {
    const [, staging = "", rest = ""] = /^(.*?)(\.lock(?:-journal)?)$/.exec(name) ?? [];
    const isOne =
      rest !== "" && staging.startsWith(beginning) && /^\w+$/.test(staging.slice(beginning.length));
    return isOne ? [join(dirname(start), staging)] : [];
  });
  return [...new Set(found)];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Absent, or not readable; then nothing in it can be removed either.
    return [];
  }
}
