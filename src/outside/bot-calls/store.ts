import type { Reads, Tx } from "@/kernel/core/context.ts";
import { type BotCall, keeping } from "./schema.ts";

export interface NewCall extends Omit<BotCall, "id" | "at"> {
  bot_id: number;
}

/** Adds a call, and deletes the oldest of the bot beyond what is kept. */
export function insertCall(tx: Tx, call: NewCall): void {
  tx.run(
    "INSERT INTO bot_calls (bot_id, at, direction, about, outcome, reason, message_id, is_test) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    call.bot_id,
    tx.now,
    call.direction,
    call.about,
    call.outcome,
    call.reason,
    call.message_id,
    call.is_test ? 1 : 0,
  );
  tx.run(
    "DELETE FROM bot_calls WHERE bot_id = ?1 AND id <= (SELECT id FROM bot_calls WHERE bot_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    call.bot_id,
    keeping.perBot,
  );
}

/** A bot's calls that are not too old, the newest first. */
export function listCalls({ db }: Reads, botId: number, now: number): BotCall[] {
  const sql =
    "SELECT id, at, direction, about, outcome, reason, message_id, is_test FROM bot_calls " +
    "WHERE bot_id = ? AND at > ? ORDER BY id DESC";
  return db
    .all<Omit<BotCall, "is_test"> & { is_test: 0 | 1 }>(sql, botId, now - keeping.seconds)
    .map((row) => ({ ...row, is_test: row.is_test === 1 }));
}

/** Whether the oldest call is too old. */
export function hasOld({ db }: Reads, now: number): boolean {
  const row = db.get<{ at: number }>("SELECT at FROM bot_calls ORDER BY id LIMIT 1");
  return row !== null && row.at <= now - keeping.seconds;
}

/** Deletes what is too old among the `max` oldest calls. */
export function deleteOld(tx: Tx, max: number): void {
  tx.run(
    "DELETE FROM bot_calls WHERE at <= ? AND id IN (SELECT id FROM bot_calls ORDER BY id LIMIT ?)",
    tx.now - keeping.seconds,
    max,
  );
}
