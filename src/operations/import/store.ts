import { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import type { Ctx, Reads } from "@/kernel/core/context.ts";

/** The highest ID that a table has ever used. */
export function lastIdOf({ db }: Reads, table: "users" | "channels" | "messages"): number {
  return db.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?", table)?.seq ?? 0;
}

/** Conversations with messages above an ID. */
export function conversationsAbove({ db }: Reads, id: number): number[] {
  const sql = "SELECT DISTINCT conversation_id AS id FROM messages WHERE messages.id > ? ORDER BY 1";
  return db.all<{ id: number }>(sql, id).map((row) => row.id);
}

const importOf =
  "SELECT at, data FROM audit_log WHERE event = 'imported' AND data ->> 'sha256' = ? ORDER BY id LIMIT 1";

/** Whether an export with this digest has been imported. */
export function isImported({ db }: Reads, sha256: string): boolean {
  return db.get(importOf, sha256) !== null;
}

/** The audit entry, as JSON, of an export with this digest, and its time (UNIX seconds); null if it was not imported. */
export function findImport(path: string, sha256: string): { at: number; data: string } | null {
  if (!existsSync(path) || statSync(path).size === 0) return null;
  const database = new Database(path, { readonly: true });
  try {
    return database.query<{ at: number; data: string }, [string]>(importOf).get(sha256);
  } finally {
    database.close();
  }
}

/** The audit event of people who were mailed an invitation after an import. */
export const invitedEvent = "invited_after_import";

/** Active people without a password, with IDs after one and up to another. */
export function listUninvited(
  { db }: Reads,
  { after, last, max }: { after: number; last: number; max: number },
): { id: number; wasMailed: boolean }[] {
  const sql =
    "SELECT id, EXISTS (SELECT 1 FROM audit_log WHERE about = 'user' AND about_id = users.id AND event = ?) AS mailed " +
    "FROM users WHERE id > ? AND id <= ? AND is_active AND NOT is_bot AND password_hash IS NULL ORDER BY id LIMIT ?";
  const rows = db.all<{ id: number; mailed: number }>(sql, `user_${invitedEvent}`, after, last, max);
  return rows.map(({ id, mailed }) => ({ id, wasMailed: mailed === 1 }));
}

/** Commits without waiting for the disk. A power cut may lose the last commits of the copy, but does not corrupt it. */
export function writeQuickly({ db }: Pick<Ctx, "db">): void {
  db.sqlite.run("PRAGMA synchronous = NORMAL");
  db.sqlite.run("PRAGMA cache_size = -65536");
}

/** All subscribers of a channel's conversation, including deactivated people. */
export function receiversIn({ db }: Reads, conversationId: number): number[] {
  const sql =
    "SELECT user_id AS id FROM receipt_spans WHERE conversation_id = ? AND to_seq IS NULL ORDER BY 1";
  return db.all<{ id: number }>(sql, conversationId).map((row) => row.id);
}

export function seqOf({ db }: Reads, messageId: number): number {
  return db.get<{ seq: number }>("SELECT seq FROM messages WHERE id = ?", messageId)?.seq ?? 0;
}

/**
 * Checkpoints a database, and keeps other processes from writing to it until `release`. Does nothing if it does not exist.
 */
export function holdWrites(path: string): { release(): void } {
  if (!existsSync(path) || statSync(path).size === 0) return { release: () => {} };
  const holder = new Database(path, { readwrite: true });
  let isHeld = true;
  holder.run("PRAGMA busy_timeout = 5000");
  holder.run("PRAGMA wal_checkpoint(TRUNCATE)");
  holder.run("BEGIN IMMEDIATE");
  return {
    release: () => {
      if (isHeld) holder.close();
      isHeld = false;
    },
  };
}
