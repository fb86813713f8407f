// The database as it is at one moment, for reading it row by row while others go on writing.
import { Database, type SQLQueryBindings } from "bun:sqlite";
import type { Section } from "./store-sections.ts";

export type { Database as Snapshot } from "bun:sqlite";
export type Row = Record<string, unknown>;

/** A connection of its own, for `closeSnapshot` to close. A database in memory is copied: nobody else can open it. */
export function openSnapshot(from: string | Database): Database {
  const path = typeof from === "string" ? from : from.filename;
  const snapshot =
    typeof from !== "string" && (path === ":memory:" || path === "")
      ? Database.deserialize(from.serialize(), { readonly: true })
      : new Database(path, { readonly: true });
  snapshot.run("PRAGMA temp_store = MEMORY");
  snapshot.run("BEGIN");
  return snapshot;
}

/** Ends its reading even where statements are still open. */
export function closeSnapshot(snapshot: Database): void {
  snapshot.run("ROLLBACK");
  snapshot.close();
}

const stretch = 500;

/** A section's rows; null where a while has passed without one. */
export function* rowsOf(
  snapshot: Database,
  section: Section,
  params: readonly SQLQueryBindings[],
): Generator<Row | null> {
  const statement = snapshot.prepare(statementOf(section));
  try {
    if (!section.walks) return yield* presented(section, statement.iterate(...params) as Iterable<Row>);
    const last = lastId(snapshot, section.walks.table);
    for (let from = 1; from <= last; from += stretch) {
      yield* presented(section, statement.iterate(from, from + stretch - 1) as Iterable<Row>);
      yield null;
    }
  } finally {
    statement.finalize();
  }
}

function statementOf({ columns, from, where, owner, walks, order }: Section): string {
  const conditions = [where, owner && `${owner} = ?1`, walks && `${walks.by} BETWEEN ?1 AND ?2`];
  const all = conditions.filter((one) => one !== undefined).map((one) => `(${one})`);
  const filter = all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "";
  return `SELECT ${columns} FROM ${from}${filter}${order ? ` ORDER BY ${order}` : ""}`;
}

function lastId(snapshot: Database, table: string): number {
  return (snapshot.query(`SELECT IFNULL(MAX(id), 0) AS id FROM ${table}`).get() as { id: number }).id;
}

function* presented({ json = [], flags = [] }: Section, rows: Iterable<Row>): Generator<Row> {
  for (const row of rows) {
    for (const name of json) row[name] = JSON.parse(String(row[name]));
    for (const name of flags) row[name] = row[name] === 1;
    yield row;
  }
}
