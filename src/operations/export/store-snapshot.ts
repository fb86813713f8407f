// A consistent snapshot of the database, read row by row while others write.

import { Database, type SQLQueryBindings } from "bun:sqlite";
import { isInMemory } from "@/kernel/store/database-file.ts";
import type { ExportSection } from "./sections.ts";

export type ExportDatabase = Database;
export type SnapshotRow = Record<string, unknown>;

/**
 * Opens a separate connection; close it with `closeSnapshot`. Copies an in-memory database, which no other connection
 * can open.
 */
export function openSnapshot(from: string | Database): Database {
  const path = typeof from === "string" ? from : from.filename;
  const snapshot =
    typeof from !== "string" && isInMemory(from)
      ? Database.deserialize(from.serialize(), { readonly: true })
      : new Database(path, { readonly: true });
  snapshot.run("PRAGMA temp_store = MEMORY");
  snapshot.run("BEGIN");
  return snapshot;
}

/** Ends the transaction even if statements are still open. */
export function closeSnapshot(snapshot: Database): void {
  snapshot.run("ROLLBACK");
  snapshot.close();
}

const stretch = 500;

/** The rows of a section. Yields null when some time has passed without a row. */
export function* rowsOf(
  snapshot: Database,
  section: ExportSection,
  params: readonly SQLQueryBindings[],
): Generator<SnapshotRow | null> {
  const statement = snapshot.prepare(statementOf(section));
  try {
    if (!section.walks)
      return yield* presentRows(section, statement.iterate(...params) as Iterable<SnapshotRow>);
    const last = lastId(snapshot, section.walks.table);
    for (let from = 1; from <= last; from += stretch) {
      yield* presentRows(
        section,
        statement.iterate(params[0] ?? null, from, from + stretch - 1) as Iterable<SnapshotRow>,
      );
      yield null;
    }
  } finally {
    statement.finalize();
  }
}

function statementOf({ columns, from, where, owner, walks, order }: ExportSection): string {
  const conditions = [where, owner && `${owner} = ?1`, walks && `${walks.by} BETWEEN ?2 AND ?3`];
  const all = conditions.filter((one) => one !== undefined).map((one) => `(${one})`);
  const filter = all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "";
  return `SELECT ${columns} FROM ${from}${filter}${order ? ` ORDER BY ${order}` : ""}`;
}

function lastId(snapshot: Database, table: string): number {
  return (snapshot.query(`SELECT IFNULL(MAX(id), 0) AS id FROM ${table}`).get() as { id: number }).id;
}

function* presentRows(
  { json = [], flags = [] }: ExportSection,
  rows: Iterable<SnapshotRow>,
): Generator<SnapshotRow> {
  for (const row of rows) {
    for (const name of json) row[name] = JSON.parse(String(row[name]));
    for (const name of flags) row[name] = row[name] === 1;
    yield row;
  }
}
