import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

/** When a user was last active and connected; 0 means never. */
export interface Presence {
  readonly user_id: number;
  readonly active_at: number;
  readonly connected_at: number;
  /** Increases with each change that others may see. */
  readonly update_id: number;
}

export function listPresences({ db }: Reads): Presence[] {
  return db.all<Presence>(
    "SELECT user_id, active_at, connected_at, update_id FROM presence ORDER BY update_id",
  );
}

export function savePresence(tx: Tx, row: Presence): void {
  tx.run(
    "INSERT INTO presence (user_id, active_at, connected_at, update_id) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (user_id) DO UPDATE SET active_at = excluded.active_at, connected_at = excluded.connected_at, " +
      "update_id = excluded.update_id",
    row.user_id,
    row.active_at,
    row.connected_at,
    row.update_id,
  );
}

export const deleteSomePresence = rowDeleter({ table: "presence", key: "user_id" });
