import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { longRows } from "@/kernel/store/long-rows.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { Draft } from "./schema.ts";

interface DraftRow {
  id: number;
  type: Draft["type"];
  recipients: string;
  topic: string;
  content: string;
  edited_at: number;
}

const columns = "id, type, recipients, topic, content, edited_at";

function asDraft({ id, type, recipients, topic, content, edited_at }: DraftRow): Draft {
  return { id, type, to: JSON.parse(recipients), topic, content, timestamp: edited_at };
}

export function* listDrafts(reads: Reads, userId: number): Task<Draft[]> {
  return (yield* listRows(reads, userId)).map(asDraft);
}

const listRows = longRows<DraftRow>({
  table: "drafts",
  columns,
  where: "user_id = ? ORDER BY edited_at DESC, id DESC",
});

export function countDrafts({ db }: Reads, userId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM drafts WHERE user_id = ?", userId)?.n ?? 0;
}

export function findDraft({ db }: Reads, userId: number, id: number): Draft | null {
  const row = db.get<DraftRow>(`SELECT ${columns} FROM drafts WHERE user_id = ? AND id = ?`, userId, id);
  return row && asDraft(row);
}

export function insertDraft(tx: Tx, userId: number, draft: Omit<Draft, "id">): Draft {
  const { lastInsertRowid: id } = tx.run(
    "INSERT INTO drafts (user_id, type, recipients, topic, content, edited_at) VALUES (?, ?, ?, ?, ?, ?)",
    userId,
    draft.type,
    JSON.stringify(draft.to),
    draft.topic,
    draft.content,
    draft.timestamp,
  );
  return { id, ...draft };
}

export function setDraft(tx: Tx, draft: Draft): void {
  tx.run(
    "UPDATE drafts SET type = ?, recipients = ?, topic = ?, content = ?, edited_at = ? WHERE id = ?",
    draft.type,
    JSON.stringify(draft.to),
    draft.topic,
    draft.content,
    draft.timestamp,
    draft.id,
  );
}

export function deleteDraft(tx: Tx, id: number): void {
  tx.run("DELETE FROM drafts WHERE id = ?", id);
}

export function deleteDrafts(tx: Tx, userId: number): void {
  tx.run("DELETE FROM drafts WHERE user_id = ?", userId);
}

export function isNamedInDrafts({ db }: Reads, userId: number, text: string): boolean {
  return db.get("SELECT 1 FROM drafts WHERE user_id = ? AND instr(content, ?) > 0", userId, text) !== null;
}

export const deleteSomeDrafts = rowDeleter({ table: "drafts", key: "id" });
