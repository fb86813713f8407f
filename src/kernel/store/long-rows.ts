// Lists of rows whose texts may be long.

import type { Reads, SqlValue } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { loadUnmixed, tablesVersion } from "./cache.ts";

interface List {
  table: string;
  columns: string;
  /** The condition of the rows, and their order. */
  where: string;
}

/** Rows read in one step. */
const portion = 20;

/** A function that reads the rows of a list in steps, all as of the same moment. */
export function longRows<R extends { id: number }>({
  table,
  columns,
  where,
}: List): (reads: Reads, ...params: SqlValue[]) => Task<R[]> {
  const versionOf = tablesVersion([table]);
  const listed = `SELECT id FROM ${table} WHERE ${where}`;
  const some = `SELECT ${columns} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`;
  function* read({ db }: Reads, params: readonly SqlValue[]): Task<R[]> {
    const ids = db.all<{ id: number }>(listed, ...params).map(({ id }) => id);
    const rows = new Map<number, R>();
    for (let at = 0; at < ids.length; at += portion) {
      for (const row of db.all<R>(some, JSON.stringify(ids.slice(at, at + portion)))) rows.set(row.id, row);
      yield portion;
    }
    return ids.flatMap((id) => rows.get(id) ?? []);
  }
  return (reads, ...params) =>
    loadUnmixed(
      () => versionOf(reads),
      () => read(reads, params),
    );
}
