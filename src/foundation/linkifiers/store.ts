import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { Dialect } from "./patterns.ts";
import type { LinkifierRow, LinkifierRule } from "./schema.ts";

/** The linkifiers in the order in which they apply. */
export const listLinkifiers = cache(["linkifiers"], (reads): readonly LinkifierRow[] =>
  listRules(reads).map(({ dialect, ...row }) => row),
);

export interface StoredLinkifier extends LinkifierRow {
  dialect: Dialect;
}

/** The stored rows, in the order in which they apply. */
export const listRules = cache(["linkifiers"], ({ db }): readonly StoredLinkifier[] =>
  db
    .all<Omit<StoredLinkifier, "alternative_url_templates"> & { alternative_url_templates: string }>(
      "SELECT id, pattern, url_template, example_input, reverse_template, alternative_url_templates, dialect " +
        "FROM linkifiers ORDER BY position, id",
    )
    .map((row) => ({ ...row, alternative_url_templates: JSON.parse(row.alternative_url_templates) })),
);

/** Adds a linkifier that applies last. */
export function insertLinkifier(tx: Tx, rule: LinkifierRule): number {
  return tx.run(
    "INSERT INTO linkifiers (position, pattern, url_template, example_input, reverse_template, " +
      "alternative_url_templates, dialect) " +
      "VALUES ((SELECT IFNULL(MAX(position), 0) + 1 FROM linkifiers), ?, ?, ?, ?, ?, 'python')",
    ...valuesOf(rule),
  ).lastInsertRowid;
}

const valuesOf = (rule: LinkifierRule) => [
  rule.pattern,
  rule.url_template,
  rule.example_input,
  rule.reverse_template,
  JSON.stringify(rule.alternative_url_templates),
];

export function setLinkifier(tx: Tx, { id, dialect, ...rule }: StoredLinkifier): void {
  tx.run(
    "UPDATE linkifiers SET pattern = ?, url_template = ?, example_input = ?, reverse_template = ?, " +
      "alternative_url_templates = ?, dialect = ? WHERE id = ?",
    ...valuesOf(rule),
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
