import type { Reads, Tx } from "@/kernel/core/context.ts";
import { latestDue } from "@/kernel/lib/due.ts";
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

const due = "(due_at <= ?1 OR due_at > ?2)";
const dueAt = (now: number) => [now, latestDue(now, calling.pauses)] as const;

/** The bots with due calls, in the order of their IDs. */
export function listBots({ db }: Reads, now: number): number[] {
  // Skips through the index from bot to bot, so that a bot with many calls costs no more than one with few.
  const next = (after: string) =>
    `(SELECT MIN(bot_id) FROM webhook_calls WHERE bot_id > ${after} AND ${due})`;
  const sql =
    `WITH RECURSIVE bots (id) AS (SELECT ${next("0")} UNION ALL ` +
    `SELECT ${next("bots.id")} FROM bots WHERE bots.id IS NOT NULL) SELECT id FROM bots WHERE id IS NOT NULL`;
  return db.all<{ id: number }>(sql, ...dueAt(now)).map(({ id }) => id);
}

/** A bot's due calls, the oldest first. */
export function listDue({ db }: Reads, botId: number, { now, max }: { now: number; max: number }): CallRow[] {
  const sql = `SELECT ${columns} FROM webhook_calls c WHERE c.bot_id = ?3 AND ${due} ORDER BY c.due_at, c.id LIMIT ?4`;
  return db.all<CallRow>(sql, ...dueAt(now), botId, max);
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
