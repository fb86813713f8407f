import type { Reads, Tx } from "@/kernel/context.ts";
import { latestDue } from "@/kernel/due.ts";
import { calling, type Trigger } from "./schema.ts";

export interface CallRow {
  id: number;
  bot_id: number;
  message_id: number;
  trigger: Trigger;
  tries: number;
}

const columns = "c.id, c.bot_id, c.message_id, c.trigger, c.tries";

export function insertCall(tx: Tx, call: Pick<CallRow, "bot_id" | "message_id" | "trigger">): void {
  tx.run(
    "INSERT INTO webhook_calls (bot_id, message_id, trigger, due_at) VALUES (?, ?, ?, ?)",
    call.bot_id,
    call.message_id,
    call.trigger,
    tx.now,
  );
}

/** The oldest due calls of each bot, at most `max` per bot, in the order of bot IDs. */
export function listDue({ db }: Reads, now: number, max: number): CallRow[] {
  // Skips through the index from bot to bot, so that a bot with many calls costs no more than one with few.
  return db.all<CallRow>(
    `WITH RECURSIVE bots (id) AS (
       SELECT MIN(bot_id) FROM webhook_calls
       UNION ALL
       SELECT (SELECT MIN(bot_id) FROM webhook_calls WHERE bot_id > bots.id) FROM bots WHERE bots.id IS NOT NULL
     )
     SELECT ${columns} FROM bots CROSS JOIN webhook_calls c ON c.id IN (
       SELECT id FROM webhook_calls WHERE bot_id = bots.id AND (due_at <= ? OR due_at > ?) ORDER BY due_at, id LIMIT ?
     ) ORDER BY c.bot_id, c.due_at, c.id`,
    now,
    latestDue(now, calling.pauses),
    max,
  );
}

export function findCall({ db }: Reads, id: number): CallRow | null {
  return db.get<CallRow>(`SELECT ${columns} FROM webhook_calls c WHERE c.id = ?`, id);
}

export interface WaitingCall extends CallRow {
  due_at: number;
}

/** The oldest calls that wait. */
export function listWaiting({ db }: Reads, max: number): WaitingCall[] {
  return db.all(`SELECT ${columns}, c.due_at FROM webhook_calls c ORDER BY c.id LIMIT ?`, max);
}

export function hasCalls({ db }: Reads): boolean {
  return db.get("SELECT 1 FROM webhook_calls LIMIT 1") !== null;
}

export function countWaiting({ db }: Reads): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM webhook_calls")?.n ?? 0;
}

export function putOff(tx: Tx, id: number, pause: number): void {
  tx.run("UPDATE webhook_calls SET tries = tries + 1, due_at = ? WHERE id = ?", tx.now + pause, id);
}

export function setDue(tx: Tx, id: number, due_at: number): void {
  tx.run("UPDATE webhook_calls SET due_at = ? WHERE id = ?", due_at, id);
}

export function deleteCall(tx: Tx, id: number): void {
  tx.run("DELETE FROM webhook_calls WHERE id = ?", id);
}
