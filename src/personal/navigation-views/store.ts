import type { Reads, Tx } from "@/kernel/core/context.ts";
import { rowDeleter } from "@/kernel/store/owned-rows.ts";
import type { NavigationView } from "./schema.ts";

interface ViewRow {
  fragment: string;
  is_pinned: 0 | 1;
  name: string | null;
}

function asView({ fragment, is_pinned, name }: ViewRow): NavigationView {
  return { fragment, is_pinned: is_pinned === 1, ...(name === null ? {} : { name }) };
}

/** The user's views, in the order in which they were added. */
export function listViews({ db }: Reads, userId: number): NavigationView[] {
  const sql =
    "SELECT fragment, is_pinned, name FROM navigation_views WHERE user_id = ? ORDER BY added_at, fragment";
  return db.all<ViewRow>(sql, userId).map(asView);
}

export function insertView(tx: Tx, userId: number, view: NavigationView): void {
  tx.run(
    "INSERT INTO navigation_views (user_id, fragment, is_pinned, name, added_at) VALUES (?, ?, ?, ?, ?)",
    userId,
    view.fragment,
    view.is_pinned ? 1 : 0,
    view.name ?? null,
    tx.now,
  );
}

export function setView(tx: Tx, userId: number, view: NavigationView): void {
  tx.run(
    "UPDATE navigation_views SET is_pinned = ?, name = ? WHERE user_id = ? AND fragment = ?",
    view.is_pinned ? 1 : 0,
    view.name ?? null,
    userId,
    view.fragment,
  );
}

export function deleteView(tx: Tx, userId: number, fragment: string): void {
  tx.run("DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?", userId, fragment);
}

export const deleteSomeViews = rowDeleter({ table: "navigation_views", key: "user_id, fragment" });
