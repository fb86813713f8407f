import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { backupSettings, type LastBackup } from "./schema.ts";

/** Records a backup that is complete. */
export const noteStored = action(allow.system, (tx, last: LastBackup): void => {
  backupSettings.write(tx, "last", last);
  if (backupSettings.read(tx).failed) backupSettings.write(tx, "failed", null);
});

/** Records that a scheduled backup failed, and why (the end of a sentence). */
export const noteFailed = action(allow.system, (tx, reason: string): void => {
  const count = (backupSettings.read(tx).failed?.count ?? 0) + 1;
  backupSettings.write(tx, "failed", { count, at: tx.now, reason });
});
