import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Act, Decision, Report, ReportFilter } from "./schema.ts";

/** A report with the whole text of the message as it was. */
export interface StoredReport extends Omit<Report, "excerpt"> {
  topic: string | null;
  content: string;
}

interface Row extends Omit<StoredReport, "is_dismissed" | "acts"> {
  is_dismissed: 0 | 1;
  acts: string;
}

const columns =
  "id, message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at, channel_id, topic, " +
  "handled_at, handled_by, handled_note, is_dismissed, acts";

const read = ({ is_dismissed, acts, ...row }: Row): StoredReport => ({
  ...row,
  is_dismissed: is_dismissed === 1,
  acts: JSON.parse(acts) as Act[],
});

type NewReport = Pick<
  StoredReport,
  | "message_id"
  | "reported_id"
  | "reporter_id"
  | "report_type"
  | "description"
  | "notice_id"
  | "channel_id"
  | "topic"
  | "content"
>;

export function insertReport(tx: Tx, report: NewReport): void {
  tx.run(
    "INSERT INTO reports (message_id, reported_id, reporter_id, report_type, description, notice_id, channel_id, topic, content, " +
      "reported_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    report.message_id,
    report.reported_id,
    report.reporter_id,
    report.report_type,
    report.description,
    report.notice_id,
    report.channel_id,
    report.topic,
    report.content,
    tx.now,
  );
}

/** Characters of a message that lists show. */
export const excerptLength = 200;

/** Reports, newest first; their `content` is only the beginning. */
export function findReports(
  { db }: Reads,
  {
    before = Number.MAX_SAFE_INTEGER,
    is_handled,
    report_type,
    reported_id,
    reporter_id,
    limit,
  }: ReportFilter & { limit: number },
): StoredReport[] {
  const values: (string | number)[] = [before];
  const conditions = ["id < ?"];
  const require = (column: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(`${column} = ?`);
    values.push(value);
  };
  if (is_handled !== undefined) conditions.push(`handled_at IS ${is_handled ? "NOT NULL" : "NULL"}`);
  require("report_type", report_type);
  require("reported_id", reported_id);
  require("reporter_id", reporter_id);
  return db
    .all<Row>(
      `SELECT ${columns}, substr(content, 1, ${excerptLength}) AS content FROM reports WHERE ${conditions.join(" AND ")} ` +
        "ORDER BY id DESC LIMIT ?",
      ...values,
      limit,
    )
    .map(read);
}

export function findReport({ db }: Reads, id: number): StoredReport | null {
  const row = db.get<Row>(`SELECT ${columns}, content FROM reports WHERE id = ?`, id);
  return row && read(row);
}

export function countOpen({ db }: Reads): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM reports WHERE handled_at IS NULL")?.n ?? 0;
}

export function countOpenOf({ db }: Reads, messageId: number): number {
  const sql = "SELECT COUNT(*) AS n FROM reports WHERE message_id = ? AND handled_at IS NULL";
  return db.get<{ n: number }>(sql, messageId)?.n ?? 0;
}

/** Open reports of a message, the oldest first. */
export function findOpenOf({ db }: Reads, messageId: number, max: number): StoredReport[] {
  return db
    .all<Row>(
      `SELECT ${columns}, content FROM reports WHERE message_id = ? AND handled_at IS NULL ORDER BY id LIMIT ?`,
      messageId,
      max,
    )
    .map(read);
}

export function insertDecision(
  tx: Tx,
  report_id: number,
  { decided_at, decided_by, decision, acts, warning, note }: Omit<Decision, "id">,
): void {
  tx.run(
    "INSERT INTO report_decisions (report_id, decided_at, decided_by, decision, acts, warning, note) VALUES (?, ?, ?, ?, ?, ?, ?)",
    report_id,
    decided_at,
    decided_by,
    decision,
    JSON.stringify(acts),
    warning,
    note,
  );
}

/** What was decided about a report, the latest first. */
export function findDecisions({ db }: Reads, reportId: number, max: number): Decision[] {
  return db
    .all<Omit<Decision, "acts"> & { acts: string }>(
      "SELECT id, decided_at, decided_by, decision, acts, warning, note FROM report_decisions WHERE report_id = ? " +
        "ORDER BY id DESC LIMIT ?",
      reportId,
      max,
    )
    .map((row) => ({ ...row, acts: JSON.parse(row.acts) as Act[] }));
}

export type State = Pick<Report, "handled_at" | "handled_by" | "handled_note" | "is_dismissed" | "acts">;

export function setState(tx: Tx, id: number, state: State): void {
  tx.run(
    "UPDATE reports SET handled_at = ?, handled_by = ?, handled_note = ?, is_dismissed = ?, acts = ? WHERE id = ?",
    state.handled_at,
    state.handled_by,
    state.handled_note,
    state.is_dismissed ? 1 : 0,
    JSON.stringify(state.acts),
    id,
  );
}

/** What people wrote in a report, and about it. */
type Texts = Pick<StoredReport, "content" | "description" | "handled_note">;

/** Those of the next reports, by ID. */
export function findTexts({ db }: Reads, after: number, max: number): (Texts & { id: number })[] {
  return db.all<Texts & { id: number }>(
    "SELECT id, content, description, handled_note FROM reports WHERE id > ? ORDER BY id LIMIT ?",
    after,
    max,
  );
}

export function setTexts(tx: Tx, id: number, { content, description, handled_note }: Texts): void {
  tx.run(
    "UPDATE reports SET content = ?, description = ?, handled_note = ? WHERE id = ?",
    content,
    description,
    handled_note,
    id,
  );
}

export function setWords(
  tx: Tx,
  decisionId: number,
  { note, warning }: Pick<Decision, "note" | "warning">,
): void {
  tx.run("UPDATE report_decisions SET note = ?, warning = ? WHERE id = ?", note, warning, decisionId);
}

/** Drops the text of these messages. */
export function dropTexts(tx: Tx, messageIds: readonly number[]): void {
  tx.run(
    "UPDATE reports SET content = '' WHERE message_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(messageIds),
  );
}

/** Drops the texts of some messages that were reported before a time; returns how many. */
export function dropTextsBefore(tx: Tx, until: number, max: number): number {
  return tx.run(
    "UPDATE reports SET content = '' WHERE id IN " +
      "(SELECT id FROM reports WHERE content <> '' AND reported_at < ? ORDER BY reported_at LIMIT ?)",
    until,
    max,
  ).changes;
}

/** Drops the texts of some messages of a sender; returns how many. */
export function dropTextsOf(tx: Tx, senderId: number, max: number): number {
  return tx.run(
    "UPDATE reports SET content = '' WHERE id IN (SELECT id FROM reports WHERE reported_id = ? AND content <> '' LIMIT ?)",
    senderId,
    max,
  ).changes;
}
