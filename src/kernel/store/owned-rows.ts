// The rows of a table that belong to one owner, by ID: counting them, and deleting them a few at a time.
import type { Reads, Tx } from "@/kernel/core/context.ts";

export interface OwnedRows {
  count(reads: Reads, ownerId: number): number;
  /** Deletes at most `max` rows. Returns how many it deleted. */
  deleteSome(tx: Tx, ownerId: number, max: number): number;
}

export interface OwnedTable {
  table: string;
  /** The column with the owner's ID. */
  owner?: string;
  /** The columns of the primary key. */
  key: string;
  /** A condition for the rows, if the table has others, too. */
  where?: string;
}

export function ownedRows({ table, owner = "user_id", key, where = "1" }: OwnedTable): OwnedRows {
  const theirs = `FROM ${table} WHERE ${owner} = ? AND ${where}`;
  return {
    count: ({ db }, ownerId) => db.get<{ n: number }>(`SELECT COUNT(*) AS n ${theirs}`, ownerId)?.n ?? 0,
    deleteSome: (tx, ownerId, max) =>
      tx.run(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} ${theirs} LIMIT ?)`, ownerId, max)
        .changes,
  };
}
