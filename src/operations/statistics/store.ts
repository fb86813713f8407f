import { statSync } from "node:fs";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { DayMessages } from "./schema.ts";

const columns = "day, messages, direct_messages, senders, channels";

/** By day, from a day on; days without messages are left out. */
export function listDays({ db }: Reads, from: number): DayMessages[] {
  return db.all<DayMessages>(`SELECT ${columns} FROM daily_messages WHERE day >= ? ORDER BY day`, from);
}

/** Adds to the counts of a day. */
export function addToDay(
  tx: Tx,
  { day, messages, direct_messages, senders, channels }: DayMessages,
  sign: 1 | -1 = 1,
): void {
  tx.run(
    `INSERT INTO daily_messages (${columns}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (day) DO UPDATE SET ` +
      "messages = messages + excluded.messages, direct_messages = direct_messages + excluded.direct_messages, " +
      "senders = senders + excluded.senders, channels = channels + excluded.channels",
    day,
    sign * messages,
    sign * direct_messages,
    sign * senders,
    sign * channels,
  );
}

export function deleteDays(tx: Tx): void {
  tx.run("DELETE FROM daily_messages");
}

export interface CountedMessage {
  id: number;
  sender_id: number;
  /** Null in direct conversations. */
  channel_id: number | null;
  sent_at: number;
}

/** The first messages from an ID on. */
export function listMessages({ db }: Reads, from: number, max: number): CountedMessage[] {
  return db.all<CountedMessage>(
    "SELECT m.id, m.sender_id, c.channel_id, m.sent_at FROM messages AS m " +
      "CROSS JOIN conversations AS c ON c.id = m.conversation_id WHERE m.id >= ? ORDER BY m.id LIMIT ?",
    from,
    max,
  );
}

export interface CountedFile {
  id: number;
  size: number;
  content_type: string;
}

export function listFiles({ db }: Reads, after: number, max: number): CountedFile[] {
  return db.all<CountedFile>(
    "SELECT id, size, content_type FROM attachments WHERE id > ? ORDER BY id LIMIT ?",
    after,
    max,
  );
}

interface Begun {
  day: number;
  count: number;
}

/** How many of the channels that are not archived were created on each day. */
export const countCreated = cache(["channels"], ({ db }) =>
  db.all<Begun>(
    "SELECT date_created / 86400 AS day, COUNT(*) AS count FROM channels WHERE NOT is_archived GROUP BY 1 ORDER BY 1",
  ),
);

/** How many of the active people joined on each day. */
export const countJoined = cache(["users"], ({ db }) =>
  db.all<Begun>(
    "SELECT date_joined / 86400 AS day, COUNT(*) AS count FROM users WHERE is_active AND NOT is_bot GROUP BY 1 ORDER BY 1",
  ),
);

/** Of the database with its write-ahead log; 0 if it is in memory. */
export function databaseBytes({ db }: Reads): number {
  const path = db.sqlite.filename;
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
