// Runs the statements of a batch again on a copy of the database.

import type { WriteResult } from "@/kernel/core/context.ts";
import { Divergence, type Written } from "./commit-log.ts";
import type { Connection } from "./connection.ts";

const deferring = /^\s*PRAGMA\s+defer_foreign_keys\b/i;

/** Runs a statement of an entry; throws `Divergence` if its effect differs from the original one. */
export function repeat(db: Connection, { sql, params, changes, rowid }: Written, seq: number): void {
  const { statement, counter } = db.prepare(sql);
  db.bump(counter);
  const here = db.effectOf(sql, statement.run(...params) as WriteResult);
  if (here.changes === changes && here.rowid === rowid) return;
  throw new Divergence(
    `Entry ${seq} of the log changed ${changes} rows (rowid ${rowid}) where it was made, and ${here.changes} (rowid ${here.rowid}) here: ${sql}`,
  );
}

/** Checks, before the batch is in the log, what SQLite checks only at a commit. */
export function checkReferences(db: Connection, written: readonly Written[]): void {
  if (!written.some(({ sql }) => deferring.test(sql))) return;
  const dangling = db.get<{ table: string }>('SELECT "table" FROM pragma_foreign_key_check LIMIT 1');
  if (dangling) throw new Error(`A row of ${dangling.table} refers to one that is not there`);
}
