import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Report } from "./schema.ts";

type NewReport = Omit<Report, "id" | "reported_at" | "handled_at" | "handled_by" | "handled_note">;

const columns =
  "id, message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at, handled_at, handled_by, " +
  "handled_note";

export function insertReport(tx: Tx, report: NewReport): void {
  tx.run(
    "INSERT INTO reports (message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?)",
    report.message_id,
    report.reported_id,
    report.reporter_id,
    report.report_type,
    report.description,
    report.notice_id,
    tx.now,
  );
}

export interface ReportsWanted {
  /** Only those below this ID. */
  before?: number | undefined;
  /** Only those that are handled, or only those that are open. */
  is_handled?: boolean | undefined;
  limit: number;
}

/** Reports, newest first. */
export function findReports(
  { db }: Reads,
  { before = Number.MAX_SAFE_INTEGER, is_handled, limit }: ReportsWanted,
): Report[] {
  const state = is_handled === undefined ? "" : `AND handled_at IS ${is_handled ? "NOT NULL" : "NULL"} `;
  return db.all<Report>(
    `SELECT ${columns} FROM reports WHERE id < ? ${state}ORDER BY id DESC LIMIT ?`,
    before,
    limit,
  );
}

export function findReport({ db }: Reads, id: number): Report | null {
  return db.get<Report>(`SELECT ${columns} FROM reports WHERE id = ?`, id);
}

export function setHandled(
  tx: Tx,
  id: number,
  { handled_at, handled_by, handled_note }: Pick<Report, "handled_at" | "handled_by" | "handled_note">,
): void {
  tx.run(
    "UPDATE reports SET handled_at = ?, handled_by = ?, handled_note = ? WHERE id = ?",
    handled_at,
    handled_by,
    handled_note,
    id,
  );
}
