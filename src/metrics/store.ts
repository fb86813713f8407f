import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** Messages that exist, and those of the last seconds; IDs grow with time, so that no index of times is needed. */
export function countMessages({ db }: Reads, since: number): number {
  const first = firstIdSince({ db }, since);
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE id >= ?", first)?.n ?? 0;
}

/** The first ID a message of that second or later can have; 1 above the newest where there is none. */
export function firstIdSince({ db }: Reads, since: number): number {
  let low = 1;
  let high = (db.get<{ n: number | null }>("SELECT MAX(id) AS n FROM messages")?.n ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = db.get<{ sent_at: number }>(
      "SELECT sent_at FROM messages WHERE id >= ? ORDER BY id LIMIT 1",
      middle,
    );
    if (row && row.sent_at < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function countByRole({ db }: Reads): { role: number; n: number }[] {
  return db.all(
    "SELECT role, COUNT(*) AS n FROM users WHERE is_active AND NOT is_bot GROUP BY role ORDER BY role",
  );
}

/** Bytes of everything that lies beside the database. */
export function folderSize({ db }: Reads): number {
  const folder = dirname(db.sqlite.filename);
  if (db.sqlite.filename === ":memory:" || db.sqlite.filename === "") return 0;
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("confab."))
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}
