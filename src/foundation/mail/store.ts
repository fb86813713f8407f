import type { Mail } from "@/foundation/mail/schema.ts";
import type { Reads, Tx } from "@/kernel/context.ts";

export interface MailRow extends Mail {
  id: number;
  attempts: number;
  due_at: number;
}

const columns = "id, recipient, subject, body, sender_id, attempts, due_at, expires_at";

export function insertMail(tx: Tx, mail: Mail): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO mails (recipient, subject, body, sender_id, due_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
    mail.recipient,
    mail.subject,
    mail.body,
    mail.sender_id,
    tx.now,
    mail.expires_at,
  );
  return lastInsertRowid;
}

export function findMail({ db }: Reads, id: number): MailRow | null {
  return db.get<MailRow>(`SELECT ${columns} FROM mails WHERE id = ?`, id);
}

export function listDue({ db }: Reads, now: number, max: number): MailRow[] {
  return db.all<MailRow>(
    `SELECT ${columns} FROM mails WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`,
    now,
    max,
  );
}

export function setPutOff(tx: Tx, id: number, due_at: number): void {
  tx.run("UPDATE mails SET attempts = attempts + 1, due_at = ? WHERE id = ?", due_at, id);
}

export function deleteMail(tx: Tx, id: number): void {
  tx.run("DELETE FROM mails WHERE id = ?", id);
}
