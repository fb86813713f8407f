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

/** Reports below an ID, newest first. */
export function findReports({ db }: Reads, { before, limit }: { before: number; limit: number }): Report[] {
  return db.all<Report>(
    `SELECT ${columns} FROM reports WHERE id < ? ORDER BY id DESC LIMIT ?`,
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
