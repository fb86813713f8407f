import type { ReactionType } from "@/foundation/emoji/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";

/** Fields without a value are empty; the emoji fields are either all set or all empty. */
export interface StatusRow {
  status_text: string;
  emoji_name: string;
  emoji_code: string;
  reaction_type: ReactionType | "";
}

const noStatus: StatusRow = { status_text: "", emoji_name: "", emoji_code: "", reaction_type: "" };
const columns = "status_text, emoji_name, emoji_code, reaction_type";

export const findStatus = cache(["user_status"], ({ db }, userId: number): StatusRow => {
  return db.get<StatusRow>(`SELECT ${columns} FROM user_status WHERE user_id = ?`, userId) ?? noStatus;
});

export const listStatuses = cache(["user_status"], ({ db }): ReadonlyMap<number, StatusRow> => {
  const rows = db.all<StatusRow & { user_id: number }>(
    `SELECT user_id, ${columns} FROM user_status ORDER BY user_id`,
  );
  return new Map(rows.map(({ user_id, ...row }) => [user_id, row]));
});

export function setStatus(tx: Tx, userId: number, row: StatusRow): void {
  tx.run("DELETE FROM user_status WHERE user_id = ?", userId);
  if (row.status_text === "" && row.emoji_name === "") return;
  tx.run(
    `INSERT INTO user_status (user_id, ${columns}) VALUES (?, ?, ?, ?, ?)`,
    userId,
    row.status_text,
    row.emoji_name,
    row.emoji_code,
    row.reaction_type,
  );
}
