// New names survive a power cut once the folder that holds them has been synced; the content of a file is synced apart.
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes a folder that nobody else may look into, and those above it where they are missing; all survive a power cut. */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 }) ?? folder;
  let made = folder;
  syncFolderNow(dirname(made));
  while (made !== resolve(first) && made !== dirname(made)) {
    made = dirname(made);
    syncFolderNow(dirname(made));
  }
}

/** Stops everything else until the names in a folder are on disk: for start-up and commands, not for requests. */
export function syncFolderNow(folder: string): void {
  if (!isSyncable) return;
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throwUnlessBeyondUs(error);
  }
}

export async function syncFolder(folder: string): Promise<void> {
  if (!isSyncable) return;
  try {
    await syncFile(folder);
  } catch (error) {
    throwUnlessBeyondUs(error);
  }
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Windows cannot open folders, and keeps their order by itself. */
const isSyncable = process.platform !== "win32";

/** A folder that we may write to but not list, or a file system that syncs no folders: there is nothing more to do. */
function throwUnlessBeyondUs(error: unknown): void {
  const { code = "" } = error as { code?: string };
  if (!["EACCES", "EPERM", "EINVAL", "ENOTSUP"].includes(code)) throw error;
}
