import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listBackupNames, presentBackup, readIndex } from "./schedule/indexes.ts";
import { usingPlace } from "./schedule/places.ts";
import {
  type MadeBackup,
  madeBackups,
  noteFile,
  type PlaceSettings,
  type StoredBackup,
  type StoredBackups,
} from "./schema.ts";

/** The backups made of this data folder, newest first; they may have been moved or deleted since. */
export function listBackups(dataDir: string): MadeBackup[] {
  try {
    return madeBackups.parse(JSON.parse(readFileSync(join(dataDir, noteFile), "utf8")));
  } catch {
    return [];
  }
}

/** The complete backups of a place, newest first. */
export function listStored(settings: PlaceSettings): Promise<StoredBackups> {
  return usingPlace(settings, async ({ address, files }) => {
    const backups: StoredBackup[] = [];
    for (const name of await listBackupNames(files)) {
      backups.push(presentBackup(name, await readIndex(files, name)));
    }
    return { place: address, backups };
  });
}
