import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reads } from "@/kernel/core/context.ts";
import { isInMemory } from "@/kernel/store/database-file.ts";
import { listBackupNames, presentBackup, readIndex } from "./schedule/indexes.ts";
import { usingPlace } from "./schedule/places.ts";
import {
  backupSettings,
  type FailedBackups,
  type LastBackup,
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

export interface BackupState {
  /** When the newest and the oldest known backup were made, by a command or by the schedule; null if none was. */
  newest_at: number | null;
  oldest_at: number | null;
  /** The last scheduled backup, and what went wrong since. */
  last: LastBackup | null;
  failed: FailedBackups | null;
}

/** What is known of the backups of an open data folder. */
export function backupState(reads: Reads): BackupState {
  const { sqlite } = reads.db;
  const { last, failed } = backupSettings.read(reads);
  const archives = isInMemory(sqlite) ? [] : listBackups(dirname(sqlite.filename)).map(({ at }) => at);
  const times = [...archives, ...(last ? [last.created_at, last.oldest_at] : [])];
  const [newest_at, oldest_at] = times.length === 0 ? [null, null] : [Math.max(...times), Math.min(...times)];
  return { newest_at, oldest_at, last, failed };
}

/** The complete backups of a place, newest first. */
export function listStoredBackups(settings: PlaceSettings): Promise<StoredBackups> {
  return usingPlace(settings, async ({ address, files }) => {
    const backups: StoredBackup[] = [];
    for (const name of await listBackupNames(files)) {
      backups.push(presentBackup(name, await readIndex(files, name)));
    }
    return { place: address, backups };
  });
}
