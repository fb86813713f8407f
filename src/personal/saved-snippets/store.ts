import type { Reads, Tx } from "@/kernel/core/context.ts";
import { longRows } from "@/kernel/store/long-rows.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { SavedSnippet } from "./schema.ts";

const columns = "id, title, content, date_created";

export const listSnippets = longRows<SavedSnippet>({
  table: "saved_snippets",
  columns,
  where: "user_id = ? ORDER BY id",
});

export function countSnippets({ db }: Reads, userId: number): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM saved_snippets WHERE user_id = ?", userId)?.n ?? 0;
}

export function findSnippet({ db }: Reads, userId: number, id: number): SavedSnippet | null {
  return db.get<SavedSnippet>(
    `SELECT ${columns} FROM saved_snippets WHERE user_id = ? AND id = ?`,
    userId,
    id,
  );
}

export function insertSnippet(tx: Tx, userId: number, input: Omit<SavedSnippet, "id">): SavedSnippet {
  const { lastInsertRowid: id } = tx.run(
    "INSERT INTO saved_snippets (user_id, title, content, date_created) VALUES (?, ?, ?, ?)",
    userId,
    input.title,
    input.content,
    input.date_created,
  );
  return { id, ...input };
}

export function setSnippet(tx: Tx, { id, title, content }: SavedSnippet): void {
  tx.run("UPDATE saved_snippets SET title = ?, content = ? WHERE id = ?", title, content, id);
}

export function deleteSnippet(tx: Tx, id: number): void {
  tx.run("DELETE FROM saved_snippets WHERE id = ?", id);
}

export const deleteSomeSnippets = rowDeleter({ table: "saved_snippets", key: "id" });
