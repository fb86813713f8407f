// Deleting the rows of a table that have one owner's ID, a few at a time: how each folder forgets an erased person.

import type { Tx } from "@/kernel/core/context.ts";

interface OwnedTable {
  table: string;
  /** The column with the owner's ID. */
  owner?: string;
  /** The columns of the primary key. */
  key: string;
  /** In SQL, which rows are meant; all if it is left out. */
  where?: string;
}

/** Returns a function that deletes at most `max` rows of an owner, and returns how many it deleted. */
export function rowDeleter({ table, owner = "user_id", key, where = "1" }: OwnedTable) {
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${owner} = ? AND ${where} LIMIT ?)`;
  return (tx: Tx, ownerId: number, max: number): number => tx.run(sql, ownerId, max).changes;
}
