// How to tell a data folder that has lost its database from one that never had any.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "@/kernel/errors.ts";
import { databaseFile, filesFolder, markerFile, processFile } from "./schema.ts";
import { holdsOrganization } from "./store.ts";

/** Whether a folder holds a database, whatever is in it. */
export function isDataFolder(dataDir: string): boolean {
  return existsSync(join(dataDir, databaseFile));
}

/** Throws where a folder that held an organization holds none now; changes nothing. */
export function checkNotLost(dataDir: string): void {
  if (!isLost(dataDir)) return;
  const database = join(dataDir, databaseFile);
  const state = sizeOf(database) > 0 ? "holds none" : existsSync(database) ? "is empty" : "is missing";
  fail(
    "BAD_REQUEST",
    `${dataDir} held an organization, but its ${databaseFile} ${state}. Restore a backup into a new folder with ` +
      "'confab restore', or give up what was there and begin anew with 'confab init --anew'.",
  );
}

/** Whether a folder held an organization and holds none now. */
export function isLost(dataDir: string): boolean {
  if (!canLookInto(dataDir) || !hasHeldOne(dataDir)) return false;
  const database = join(dataDir, databaseFile);
  // Even opening an empty database would drop the write-ahead log beside it.
  return sizeOf(database) === 0 || !holdsOrganization(database);
}

/** False for what is no folder, or somebody else's: whoever uses it finds out what is wrong with it. */
function canLookInto(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).length > 0;
  } catch {
    return false;
  }
}

function hasHeldOne(dataDir: string): boolean {
  if (existsSync(join(dataDir, markerFile)) || isFilled(join(dataDir, filesFolder))) return true;
  // A first start that was cut off leaves these two as well, but beside a database.
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

/** A server that was killed leaves its process ID; one that runs may still be making its database. */
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
