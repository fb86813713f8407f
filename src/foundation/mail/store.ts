import { delivery, type Mail, type MailHeaders } from "@/foundation/mail/schema.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { latestDue } from "@/kernel/lib/due.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";

export interface MailRow extends Mail {
  id: number;
  attempts: number;
  queued_at: number;
  due_at: number;
  /** What the mail server answered to the last attempt. */
  answer: string | null;
  /** When the last attempt failed; null while it waits. */
  given_up_at: number | null;
}

const columns =
  "id, recipient, subject, body, html, headers, sender_id, reader_id, tells_sender, attempts, queued_at, due_at, expires_at, answer, " +
  "given_up_at";

const never = 253_402_300_799;

type Row = Omit<MailRow, "headers" | "tells_sender"> & { headers: string; tells_sender: number };

const read = ({ headers, tells_sender, ...row }: Row): MailRow => ({
  ...row,
  headers: JSON.parse(headers) as MailHeaders,
  tells_sender: tells_sender === 1,
});

export function insertMail(tx: Tx, mail: Mail): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO mails (recipient, subject, body, html, headers, sender_id, tells_sender, queued_at, due_at, expires_at, reader_id) " +
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)",
    mail.recipient,
    mail.subject,
    mail.body,
    mail.html,
    JSON.stringify(mail.headers),
    mail.sender_id,
    mail.tells_sender ? 1 : 0,
    tx.now,
    mail.expires_at,
    mail.reader_id,
  );
  return lastInsertRowid;
}

/** Stores which messages a mail quotes. */
export function insertQuoted(tx: Tx, mailId: number, messageIds: readonly number[]): void {
  tx.run(
    "INSERT INTO mail_messages (mail_id, message_id) SELECT ?1, value FROM json_each(?2)",
    mailId,
    JSON.stringify(messageIds),
  );
}

export function findMail({ db }: Reads, id: number): MailRow | null {
  const row = db.get<Row>(`SELECT ${columns} FROM mails WHERE id = ?`, id);
  return row && read(row);
}

/** What a notice says to the sender of a mail. Can be read even if the rest of its row cannot. */
export type Outline = Pick<Mail, "recipient" | "subject" | "sender_id" | "tells_sender">;

export function findOutline({ db }: Reads, id: number): Outline | null {
  const sql = "SELECT recipient, subject, sender_id, tells_sender FROM mails WHERE id = ?";
  const row = db.get<Omit<Outline, "tells_sender"> & { tells_sender: number }>(sql, id);
  return row && { ...row, tells_sender: row.tells_sender === 1 };
}

/** When the next mail is due, in UNIX seconds; Infinity if none waits. */
export function nextDue({ db }: Reads): number {
  return db.get<{ at: number | null }>("SELECT MIN(due_at) AS at FROM mails")?.at ?? Number.POSITIVE_INFINITY;
}

const due = `(due_at <= ?1 OR (due_at > ?2 AND due_at < ${never}))`;
const dueAt = (now: number) => [now, latestDue(now, delivery.pauses)] as const;

/** IDs of due mails, no matter who caused them. */
export function listAllDue({ db }: Reads, now: number, max: number): number[] {
  const sql = `SELECT id FROM mails WHERE ${due} ORDER BY due_at, id LIMIT ?3`;
  return db.all<{ id: number }>(sql, ...dueAt(now), max).map(({ id }) => id);
}

/** Users above this one who have caused due mails, in the order of their IDs. */
export function listSenders(
  { db }: Reads,
  above: number,
  { now, max }: { now: number; max: number },
): number[] {
  // Skips through the index from user to user, so that one with many mails costs no more than one with few.
  const next = (after: string) => `(SELECT MIN(sender_id) FROM mails WHERE sender_id > ${after} AND ${due})`;
  const sql =
    `WITH RECURSIVE senders (id) AS (SELECT ${next("?3")} UNION ALL ` +
    `SELECT ${next("senders.id")} FROM senders WHERE senders.id IS NOT NULL LIMIT ?4) ` +
    "SELECT id FROM senders WHERE id IS NOT NULL";
  return db.all<{ id: number }>(sql, ...dueAt(now), above, max).map(({ id }) => id);
}

/** IDs of the due mails that a user has caused, the first due first. */
export function listDue(
  { db }: Reads,
  senderId: number,
  { now, max }: { now: number; max: number },
): number[] {
  const sql = `SELECT id FROM mails WHERE sender_id = ?3 AND ${due} ORDER BY due_at, id LIMIT ?4`;
  return db.all<{ id: number }>(sql, ...dueAt(now), senderId, max).map(({ id }) => id);
}

export function hasDue(reads: Reads, now: number): boolean {
  return listAllDue(reads, now, 1).length > 0;
}

/** The messages that a mail quotes. */
export function listQuoted({ db }: Reads, mailId: number): number[] {
  const sql = "SELECT message_id FROM mail_messages WHERE mail_id = ? ORDER BY message_id";
  return db.all<{ message_id: number }>(sql, mailId).map(({ message_id }) => message_id);
}

/** Whether a mail is due, as in `listDue`. */
export function isDue({ due_at }: MailRow, now: number): boolean {
  return due_at <= now || (due_at > latestDue(now, delivery.pauses) && due_at < never);
}

/** The oldest queued and failed mails, without their texts: those of a thousand mails take long to read. */
export function listUnsent({ db }: Reads, max: number): MailRow[] {
  const shown = columns.replace("body, html", "'' AS body, '' AS html");
  return db.all<Row>(`SELECT ${shown} FROM mails ORDER BY id LIMIT ?`, max).map(read);
}

export function countWaiting({ db }: Reads): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM mails WHERE given_up_at IS NULL")?.n ?? 0;
}

/** Postpones the next attempt, and stores the mail server's answer. */
export function setPutOff(tx: Tx, id: number, { due_at, answer }: { due_at: number; answer: string }): void {
  tx.run("UPDATE mails SET attempts = attempts + 1, due_at = ?, answer = ? WHERE id = ?", due_at, answer, id);
}

export function setDue(tx: Tx, id: number, due_at: number): void {
  tx.run("UPDATE mails SET due_at = ? WHERE id = ?", due_at, id);
}

/** Marks a mail as failed and deletes its text. */
export function setGivenUp(tx: Tx, id: number, answer: string): void {
  tx.run("DELETE FROM mail_messages WHERE mail_id = ?", id);
  tx.run(
    "UPDATE mails SET attempts = attempts + 1, given_up_at = ?, due_at = ?, answer = ?, body = '', html = NULL WHERE id = ?",
    tx.now,
    never,
    answer,
    id,
  );
}

export function deleteGivenUpBefore(tx: Tx, time: number): void {
  tx.run("DELETE FROM mails WHERE given_up_at < ?", time);
}

export function deleteMail(tx: Tx, id: number): void {
  tx.run("DELETE FROM mail_messages WHERE mail_id = ?", id);
  tx.run("DELETE FROM mails WHERE id = ?", id);
}

/** Deletes the mails that quote any of these messages: there may be one for everybody. */
export function deleteQuoting(tx: Tx, messageIds: readonly number[]): void {
  const quoting = "SELECT mail_id FROM mail_messages WHERE message_id IN (SELECT value FROM json_each(?))";
  const mailIds = JSON.stringify(
    tx.db.all<{ mail_id: number }>(quoting, JSON.stringify(messageIds)).map(({ mail_id }) => mail_id),
  );
  if (mailIds === "[]") return;
  tx.run("DELETE FROM mail_messages WHERE mail_id IN (SELECT value FROM json_each(?))", mailIds);
  tx.run("DELETE FROM mails WHERE id IN (SELECT value FROM json_each(?))", mailIds);
}

export function findSecret({ db }: Reads, name: string): Uint8Array | null {
  return db.get<{ value: Uint8Array }>("SELECT value FROM secrets WHERE name = ?", name)?.value ?? null;
}

export function insertSecret(tx: Tx, name: string, value: Uint8Array): void {
  tx.run("INSERT INTO secrets (name, value) VALUES (?, ?)", name, value);
}

export interface KnownLogin {
  userId: number;
  device: string;
  network: string;
}

/** Updates the time of a known login; returns false if the login is new. */
export function touchLogin(tx: Tx, { userId, device, network }: KnownLogin): boolean {
  const sql = "UPDATE known_logins SET last_at = ? WHERE user_id = ? AND device = ? AND network = ?";
  return tx.run(sql, tx.now, userId, device, network).changes > 0;
}

export function insertLogin(tx: Tx, { userId, device, network }: KnownLogin): void {
  tx.run(
    "INSERT INTO known_logins (user_id, device, network, last_at) VALUES (?, ?, ?, ?)",
    userId,
    device,
    network,
    tx.now,
  );
}

export function findLoginFrom({ db }: Reads, { userId, network }: Omit<KnownLogin, "device">): boolean {
  const sql = "SELECT 1 FROM known_logins WHERE user_id = ? AND network = ? LIMIT 1";
  return db.get(sql, userId, network) !== null;
}

/** Deletes all but the `kept` newest logins of a person. */
export function deleteOldLogins(tx: Tx, userId: number, kept: number): void {
  tx.run(
    "DELETE FROM known_logins WHERE user_id = ?1 AND (device, network) NOT IN (SELECT device, network FROM known_logins " +
      "WHERE user_id = ?1 ORDER BY last_at DESC, device, network LIMIT ?2)",
    userId,
    kept,
  );
}

export const deleteSomeLogins = rowDeleter({ table: "known_logins", key: "user_id, device, network" });

export function listMailsTo({ db }: Reads, addresses: readonly string[]): number[] {
  const sql = "SELECT id FROM mails WHERE lower(recipient) IN (SELECT value FROM json_each(?))";
  return db.all<{ id: number }>(sql, JSON.stringify(addresses)).map(({ id }) => id);
}
