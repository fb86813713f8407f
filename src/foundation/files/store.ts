import type { Reads, Tx } from "@/kernel/core/context.ts";

export function insertPicture(tx: Tx, file: string): void {
  tx.run("INSERT INTO pictures (file) VALUES (?)", file);
}

export function deletePicture(tx: Tx, file: string): void {
  tx.run("DELETE FROM pictures WHERE file = ?", file);
}

/** The names in this list that belong to pictures. */
export function picturesAmong({ db }: Reads, names: readonly string[]): string[] {
  const sql = "SELECT file FROM pictures WHERE file IN (SELECT value FROM json_each(?))";
  return db.all<{ file: string }>(sql, JSON.stringify(names)).map(({ file }) => file);
}
