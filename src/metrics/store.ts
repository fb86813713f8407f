import { statSync } from "node:fs";
import type { Ctx } from "@/kernel/context.ts";

type Reads = Pick<Ctx, "db">;

/** Bytes of the database and of its write-ahead log; 0 for one in memory. */
export function fileSizes({ db }: Reads): { database: number; wal: number } {
  const path = db.sqlite.filename;
  return { database: sizeOf(path), wal: sizeOf(`${path}-wal`) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Throws where the database cannot be read. */
export function readSomething({ db }: Reads): void {
  db.get("SELECT id FROM realm");
}

export function countRows({ db }: Reads): {
  users: number;
  bots: number;
  channels: number;
  messages: number;
} {
  const count = (sql: string) => db.get<{ n: number }>(sql)?.n ?? 0;
  return {
    users: count("SELECT COUNT(*) AS n FROM users WHERE is_active AND NOT is_bot"),
    bots: count("SELECT COUNT(*) AS n FROM users WHERE is_active AND is_bot AND system_bot IS NULL"),
    channels: count("SELECT COUNT(*) AS n FROM channels WHERE NOT is_archived"),
    // The newest ID: counting a million rows at every look would not do.
    messages: count("SELECT MAX(id) AS n FROM messages"),
  };
}
