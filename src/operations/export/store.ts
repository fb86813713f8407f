import type { Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { latestPast } from "@/kernel/lib/due.ts";
import type { ExportType } from "./schema.ts";

export interface ExportRow {
  id: number;
  acting_user_id: number;
  export_type: ExportType;
  export_time: number;
  tries: number;
  /** Null unless the export is complete and not deleted. */
  file: string | null;
  failed_timestamp: number | null;
  deleted_timestamp: number | null;
}

/** Types are stored as the numbers that they once had. */
const codes: Readonly<Record<ExportType, number>> = { public: 1, full_with_consent: 2 };

const columns =
  "id, acting_user_id, CASE export_type WHEN 1 THEN 'public' ELSE 'full_with_consent' END AS export_type, export_time, tries, file, failed_timestamp, deleted_timestamp";
const isPending = "file IS NULL AND failed_timestamp IS NULL AND deleted_timestamp IS NULL";

export function listExports({ db }: Reads): ExportRow[] {
  return db.all<ExportRow>(`SELECT ${columns} FROM exports ORDER BY id`);
}

export function findExport({ db }: Reads, id: number): ExportRow | null {
  return db.get<ExportRow>(`SELECT ${columns} FROM exports WHERE id = ?`, id);
}

export function findExportByFile({ db }: Reads, file: string): ExportRow | null {
  return db.get<ExportRow>(`SELECT ${columns} FROM exports WHERE file = ?`, file);
}

/** The oldest pending export, or null. */
export function nextPending({ db }: Reads): ExportRow | null {
  return db.get<ExportRow>(`SELECT ${columns} FROM exports WHERE ${isPending} ORDER BY id LIMIT 1`);
}

/** Counts all exports of the last `seconds`, including failed and deleted ones. */
export function countOfLast({ db, now }: ReadsNow, seconds: number): number {
  const sql = "SELECT COUNT(*) AS n FROM exports WHERE export_time > ? AND export_time <= ?";
  return db.get<{ n: number }>(sql, now - seconds, latestPast(now))?.n ?? 0;
}

export function insertExport(tx: Tx, made: Pick<ExportRow, "acting_user_id" | "export_type">): number {
  return tx.run(
    "INSERT INTO exports (acting_user_id, export_type, export_time) VALUES (?, ?, ?)",
    made.acting_user_id,
    codes[made.export_type],
    tx.now,
  ).lastInsertRowid;
}

export function setTries(tx: Tx, id: number, tries: number): void {
  tx.run("UPDATE exports SET tries = ? WHERE id = ?", tries, id);
}

export function setFile(tx: Tx, id: number, file: string): void {
  tx.run("UPDATE exports SET file = ? WHERE id = ?", file, id);
}

export function setFailed(tx: Tx, id: number): void {
  tx.run("UPDATE exports SET failed_timestamp = ? WHERE id = ?", tx.now, id);
}

export function setDeleted(tx: Tx, id: number): void {
  tx.run("UPDATE exports SET file = NULL, deleted_timestamp = ? WHERE id = ?", tx.now, id);
}

/** Which of these names belong to finished exports. */
export function exportsAmong({ db }: Reads, names: readonly string[]): string[] {
  const sql = "SELECT file FROM exports WHERE file IN (SELECT value FROM json_each(?))";
  return db.all<{ file: string }>(sql, JSON.stringify(names)).map(({ file }) => file);
}
