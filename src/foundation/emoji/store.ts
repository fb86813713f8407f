import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";

export interface EmojiRow {
  id: number;
  name: string;
  file: string;
  /** True for an animation, which also has a still form. */
  is_animated: 0 | 1;
  author_id: number | null;
  deactivated: 0 | 1;
}

/** All emoji, including deactivated ones, by ID. */
export const listEmoji = cache(["realm_emoji"], ({ db }) =>
  db.all<EmojiRow>("SELECT id, name, file, is_animated, author_id, deactivated FROM realm_emoji ORDER BY id"),
);

const active = cache(
  ["realm_emoji"],
  (reads) =>
    new Map(
      listEmoji(reads)
        .filter((row) => !row.deactivated)
        .map((row) => [row.name, row]),
    ),
);

export function findActive(reads: Parameters<typeof active>[0], name: string): EmojiRow | null {
  return active(reads).get(name) ?? null;
}

export function insertEmoji(
  tx: Tx,
  emoji: Pick<EmojiRow, "name" | "file" | "is_animated" | "author_id">,
): number {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO realm_emoji (name, file, is_animated, author_id) VALUES (?, ?, ?, ?)",
    emoji.name,
    emoji.file,
    emoji.is_animated,
    emoji.author_id,
  );
  return lastInsertRowid;
}

export function deactivate(tx: Tx, id: number): void {
  tx.run("UPDATE realm_emoji SET deactivated = 1 WHERE id = ?", id);
}
