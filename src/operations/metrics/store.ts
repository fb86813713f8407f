import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { cache } from "@/kernel/store/cache.ts";
import { isInMemory } from "@/kernel/store/database-file.ts";

/** Bytes of the database and of its write-ahead log; 0 if in memory. */
export function fileSizes({ db }: Reads): { database: number; wal: number } {
  const path = db.sqlite.filename;
  return { database: sizeOf(path), wal: sizeOf(`${path}-wal`) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export interface TokenRow {
  id: number;
  name: string;
  hash: Uint8Array;
  /** UNIX seconds. */
  made_at: number;
}

export const listTokens = cache(["metrics_tokens"], ({ db }) =>
  db.all<TokenRow>("SELECT id, name, hash, made_at FROM metrics_tokens ORDER BY name"),
);

export function insertToken(tx: Tx, { name, hash }: Pick<TokenRow, "name" | "hash">): void {
  tx.run("INSERT INTO metrics_tokens (name, hash, made_at) VALUES (?, ?, ?)", name, hash, tx.now);
}

export function deleteToken(tx: Tx, id: number): void {
  tx.run("DELETE FROM metrics_tokens WHERE id = ?", id);
}

/** Throws if the database cannot be read. */
export function readSomething({ db }: Reads): void {
  db.get("SELECT id FROM realm");
}

/** Active people and bots, without the organization's own bots. */
const countUsers = cache(["users"], ({ db }) =>
  db.get<{ users: number; bots: number }>(
    "SELECT COUNT(*) FILTER (WHERE NOT is_bot) AS users, COUNT(*) FILTER (WHERE is_bot AND system_bot IS NULL) AS bots " +
      "FROM users WHERE is_active",
  ),
);

const countChannels = cache(["channels"], ({ db }) =>
  db.get<{ channels: number }>("SELECT COUNT(*) AS channels FROM channels WHERE NOT is_archived"),
);

export function countRows(reads: Reads): {
  users: number;
  bots: number;
  channels: number;
  last_message_id: number;
} {
  const { users, bots } = countUsers(reads) ?? { users: 0, bots: 0 };
  const { channels } = countChannels(reads) ?? { channels: 0 };
  // The last ID instead of the count, which would take too long with a million rows.
  return { users, bots, channels, last_message_id: lastMessageId(reads) };
}

export function lastMessageId({ db }: Reads): number {
  return db.get<{ id: number | null }>("SELECT MAX(id) AS id FROM messages")?.id ?? 0;
}

/** 0 if nothing was sent. */
export function firstMessageId({ db }: Reads): number {
  return db.get<{ id: number | null }>("SELECT MIN(id) AS id FROM messages")?.id ?? 0;
}

/** Counts messages by pages of the smallest index. */
export function countMessages({ db }: Reads): number {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages")?.n ?? 0;
}

/** For more messages, an index is read, which is a hundredth of the table. */
const manyMessages = 20_000;
/** So many are counted in one step. */
const stretch = 100_000;

/** Counts the messages from an ID on, and before another. */
export function* countMessagesBetween({ db }: Reads, first: number, end: number): Task<number> {
  const sql =
    end - first > manyMessages
      ? "SELECT SUM((SELECT COUNT(*) FROM messages INDEXED BY messages_by_conversation " +
        "WHERE conversation_id = conversations.id AND messages.id >= ?1 AND messages.id < ?2)) AS n FROM conversations"
      : "SELECT COUNT(*) AS n FROM messages WHERE id >= ?1 AND id < ?2";
  let count = 0;
  for (let from = first; from < end; from += stretch) {
    const until = Math.min(end, from + stretch);
    count += db.get<{ n: number }>(sql, from, until)?.n ?? 0;
    yield until - from;
  }
  return count;
}

export function countByRole({ db }: Reads): { role: number; n: number }[] {
  return db.all(
    "SELECT role, COUNT(*) AS n FROM users WHERE is_active AND NOT is_bot GROUP BY role ORDER BY role",
  );
}

/** Bytes of all files that people have uploaded. */
export function sumUploadedBytes({ db }: Reads): number {
  return db.get<{ used: number }>("SELECT used FROM upload_space")?.used ?? 0;
}

/** Bytes of all files in the data folder except the database. */
export function* folderSize({ db }: Reads): Task<number> {
  return isInMemory(db.sqlite) ? 0 : yield* sizeWithin(dirname(db.sqlite.filename));
}

function* sizeWithin(folder: string): Task<number> {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) size += yield* sizeWithin(path);
    else if (entry.isFile() && !entry.name.startsWith("confab.")) size += sizeOf(path);
    yield 1;
  }
  return size;
}
