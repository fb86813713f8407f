import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { Dialect } from "./patterns.ts";
import type { LinkifierRow, NewLinkifier } from "./schema.ts";

/** The linkifiers in the order in which they apply. */
export const listLinkifiers = cache(["linkifiers"], ({ db }): readonly LinkifierRow[] =>
  db.all<LinkifierRow>("SELECT id, pattern, url_template FROM linkifiers ORDER BY position, id"),
);

export interface StoredLinkifier extends LinkifierRow {
  dialect: Dialect;
}

/** The stored rows, in the order in which they apply. */
export const listRules = cache(["linkifiers"], ({ db }): readonly StoredLinkifier[] =>
  db.all<StoredLinkifier>("SELECT id, pattern, url_template, dialect FROM linkifiers ORDER BY position, id"),
);

/** Adds a linkifier that applies last. */
export function insertLinkifier(tx: Tx, { pattern, url_template }: NewLinkifier): number {
  return tx.run(
    "INSERT INTO linkifiers (position, pattern, url_template, dialect) " +
      "VALUES ((SELECT IFNULL(MAX(position), 0) + 1 FROM linkifiers), ?, ?, 'python')",
    pattern,
    url_template,
  ).lastInsertRowid;
}

export function setLinkifier(tx: Tx, { id, pattern, url_template, dialect }: StoredLinkifier): void {
  tx.run(
    "UPDATE linkifiers SET pattern = ?, url_template = ?, dialect = ? WHERE id = ?",
    pattern,
    url_template,
    dialect,
    id,
  );
}

export function deleteLinkifier(tx: Tx, id: number): void {
  tx.run("DELETE FROM linkifiers WHERE id = ?", id);
}

export function setOrder(tx: Tx, ids: readonly number[]): void {
  tx.run(
    "UPDATE linkifiers SET position = (SELECT key FROM json_each(?) WHERE value = linkifiers.id)",
    JSON.stringify(ids),
  );
}
