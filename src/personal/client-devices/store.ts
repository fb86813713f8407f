import type { Reads, Tx } from "@/kernel/core/context.ts";

export function listDevices({ db }: Reads, userId: number): number[] {
  const sql = "SELECT id FROM client_devices WHERE user_id = ? ORDER BY id";
  return db.all<{ id: number }>(sql, userId).map(({ id }) => id);
}

export function insertDevice(tx: Tx, userId: number): number {
  return tx.run("INSERT INTO client_devices (user_id) VALUES (?)", userId).lastInsertRowid;
}

export function deleteDevice(tx: Tx, id: number): void {
  tx.run("DELETE FROM client_devices WHERE id = ?", id);
}
