// Inserts the rows of our own export. Like restoring a backup, this writes tables of all folders.
import type { SqlValue, Tx } from "@/kernel/core/context.ts";

export function insertRow(tx: Tx, table: string, row: Readonly<Record<string, SqlValue | boolean>>): void {
  const names = Object.keys(row);
  const values = Object.values(row).map((value) => (typeof value === "boolean" ? Number(value) : value));
  const marks = names.map(() => "?").join(", ");
  tx.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`, ...values);
}

/** Checks foreign keys at the end of the transaction. */
export function deferChecks(tx: Tx): void {
  tx.run("PRAGMA defer_foreign_keys = ON");
}

/** Gives the next message this ID, which must be higher than all others. */
export function skipToMessage(tx: Tx, id: number): void {
  const { changes } = tx.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'", id - 1);
  if (changes === 0) tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('messages', ?)", id - 1);
}

export function setRendered(tx: Tx, id: number, rendered: string): void {
  tx.run("UPDATE messages SET rendered = ? WHERE id = ?", rendered, id);
}

/** When a message was sent; null if it does not exist. */
export function findSendingTime({ db }: Pick<Tx, "db">, id: number): number | null {
  return db.get<{ sent_at: number }>("SELECT sent_at FROM messages WHERE id = ?", id)?.sent_at ?? null;
}

/** The seq of the first message that each user sent in a conversation. */
export function firstOwnSeqs({ db }: Pick<Tx, "db">, conversationId: number): Map<number, number> {
  const sql = "SELECT sender_id AS id, MIN(seq) AS seq FROM messages WHERE home_id = ? GROUP BY sender_id";
  return new Map(db.all<{ id: number; seq: number }>(sql, conversationId).map(({ id, seq }) => [id, seq]));
}
