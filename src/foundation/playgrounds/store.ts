import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { NewPlayground, Playground } from "./schema.ts";

export const listPlaygrounds = cache(["playgrounds"], ({ db }): readonly Playground[] =>
  db.all<Playground>("SELECT id, name, pygments_language, url_template FROM playgrounds ORDER BY id"),
);

export function insertPlayground(tx: Tx, { name, pygments_language, url_template }: NewPlayground): number {
  return tx.run(
    "INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, ?, ?)",
    name,
    pygments_language,
    url_template,
  ).lastInsertRowid;
}

export function deletePlayground(tx: Tx, id: number): void {
  tx.run("DELETE FROM playgrounds WHERE id = ?", id);
}
