// Repairs of `confab doctor` that are safe while the server runs.
import { chmodSync } from "node:fs";
import type { Reads } from "@/kernel/core/context.ts";
import { clearStaging } from "@/operations/data-folder/host.ts";
import { mergeWriteAheadLog } from "./store.ts";

/** Lets only the folder's owner read it. */
export function closeFolder(dataDir: string): void {
  chmodSync(dataDir, 0o700);
}

/** Removes what interrupted work has left. */
export function removeLeftovers(dataDir: string): void {
  clearStaging(dataDir);
}

/** Merges the write-ahead log into the database; false if a reader keeps part of it. */
export function mergeLog(reads: Reads): boolean {
  return mergeWriteAheadLog(reads);
}
