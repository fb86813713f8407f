// A new file name survives a power cut once its folder is synced; the file's content must be synced separately.
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Creates a folder and its missing parents, with mode 0700 for the new ones, and syncs their names to disk. Leaves the mode of an existing folder. */
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

/** Syncs the names in a folder and blocks until they are on disk: for start-up and commands, not for requests. */
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
    throwUnlessUnsyncable(error);
  }
}

export async function syncFolder(folder: string): Promise<void> {
  if (!isSyncable) return;
  try {
    await syncFile(folder);
  } catch (error) {
    throwUnlessUnsyncable(error);
  }
}

export async function syncFile(path: string): Promise<void> {
  // Windows syncs only files that are open for writing; elsewhere, a file that may only be read can be synced, too.
  const handle = await open(path, process.platform === "win32" ? "r+" : "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Windows cannot open folders, and its file system journals their changes. */
const isSyncable = process.platform !== "win32";

/** Ignores folders that we may write but not read, and file systems that cannot sync folders. */
function throwUnlessUnsyncable(error: unknown): void {
  const { code = "" } = error as { code?: string };
  if (!["EACCES", "EPERM", "EINVAL", "ENOTSUP"].includes(code)) throw error;
}
