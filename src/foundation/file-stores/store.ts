import type { Reads } from "@/kernel/core/context.ts";
import type { FilePlacement } from "./schema.ts";

/** The stored placement as it is now, even if another process has just changed it; null if none has been stored. */
export function findPlacement({ db }: Reads): FilePlacement | null {
  const sql = "SELECT value FROM settings WHERE scope = 'files' AND owner_id = 0 AND name = 'placement'";
  const row = db.get<{ value: string }>(sql);
  return row && JSON.parse(row.value);
}
