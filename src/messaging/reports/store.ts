import type { Reads, Tx } from "@/kernel/context.ts";
import type { Report } from "./schema.ts";

export function insertReport(tx: Tx, report: Omit<Report, "id" | "reported_at">): void {
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
    "SELECT id, message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at " +
      "FROM reports WHERE id < ? ORDER BY id DESC LIMIT ?",
    before,
    limit,
  );
}
