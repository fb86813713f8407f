import type { Ctx, Tx } from "@/kernel/context.ts";
import type { Trigger } from "./schema.ts";

type Reads = Pick<Ctx, "db">;

export interface CallRow {
  id: number;
  bot_id: number;
  message_id: number;
  trigger: Trigger;
  tries: number;
}

const columns = "id, bot_id, message_id, trigger, tries";

export function insertCall(tx: Tx, call: Pick<CallRow, "bot_id" | "message_id" | "trigger">): void {
  tx.run(
    "INSERT INTO webhook_calls (bot_id, message_id, trigger, due_at) VALUES (?, ?, ?, ?)",
    call.bot_id,
    call.message_id,
    call.trigger,
    tx.now,
  );
}

export function listDue({ db }: Reads, now: number, most: number): CallRow[] {
  return db.all<CallRow>(
    `SELECT ${columns} FROM webhook_calls WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`,
    now,
    most,
  );
}

export function findCall({ db }: Reads, id: number): CallRow | null {
  return db.get<CallRow>(`SELECT ${columns} FROM webhook_calls WHERE id = ?`, id);
}

export function putOff(tx: Tx, id: number, pause: number): void {
  tx.run("UPDATE webhook_calls SET tries = tries + 1, due_at = ? WHERE id = ?", tx.now + pause, id);
}

export function deleteCall(tx: Tx, id: number): void {
  tx.run("DELETE FROM webhook_calls WHERE id = ?", id);
}
