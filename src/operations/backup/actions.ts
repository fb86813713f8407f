import { allow } from "@/foundation/permissions/access.ts";
import { operation } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { makeBackup } from "./schedule/running.ts";
import type { BackupPlan, LastBackup } from "./schema.ts";

/** Makes a scheduled backup at once. */
export const backUpNow = operation(allow.owner, async (ctx, plan: BackupPlan): Promise<LastBackup> => {
  return (await makeBackup(ctx, plan)) ?? fail("SERVER_NOT_READY", "The server stops.");
});
