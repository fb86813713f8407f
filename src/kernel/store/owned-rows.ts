// Deleting the rows of a table that belong to one owner, by ID, a few at a time.
import type { Tx } from "@/kernel/core/context.ts";

interface OwnedTable {
  table: string;
  /** The column with the owner's ID. */
  owner?: string;
  /** The columns of the primary key. */
  key: string;
  /** A condition for the rows, if the table has others, too. */
  where?: string;
}

/** A function that deletes at most `max` rows of an owner, and returns how many it deleted. */
export function deletingSome({ table, owner = "user_id", key, where = "1" }: OwnedTable) {
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${owner} = ? AND ${where} LIMIT ?)`;
  return (tx: Tx, ownerId: number, max: number): number => tx.run(sql, ownerId, max).changes;
}
