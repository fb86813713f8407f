import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type MadeBackup, madeBackups, noteFile } from "./schema.ts";

/** The backups made of this data folder, newest first; they may have been moved or deleted since. */
export function listBackups(dataDir: string): MadeBackup[] {
  try {
    return madeBackups.parse(JSON.parse(readFileSync(join(dataDir, noteFile), "utf8")));
  } catch {
    return [];
  }
}
