import type { Reads } from "@/kernel/core/context.ts";
import { flagBits, messageBits } from "@/messaging/message-rows/schema.ts";

const { channelWildcard, readBySender, quiet } = messageBits;
const bits = channelWildcard | readBySender | quiet;

// Temporary tables and triggers belong to the connection: they see every statement of this process, also those that a
// cluster's node repeats from the log, and a rollback takes back what they noted.

/** A temporary table of IDs, and how it is filled. */
interface Notes {
  readonly table: string;
  /** One more is noted, and nothing after that: it says that there were too many. */
  readonly max: number;
  /** SQL: the number of its parts that are there. */
  readonly count: string;
  readonly parts: number;
  /** The statements that make it. */
  readonly making: readonly string[];
}

/** When a trigger notes something, and which IDs. */
type Trigger = readonly [when: string, ...ids: string[]];

function notes(table: string, max: number, triggers: readonly Trigger[]): Notes {
  const filled = `IFNULL((SELECT MAX(n) FROM ${table}), 0)`;
  const names = triggers.map((_, i) => `${table}_${i}`);
  const all = [table, ...names].map((name) => `'${name}'`).join(", ");
  return {
    table,
    max,
    count: `SELECT COUNT(*) AS n FROM temp.sqlite_schema WHERE name IN (${all})`,
    parts: names.length + 1,
    making: [
      `CREATE TEMP TABLE IF NOT EXISTS ${table} (id INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE)`,
      ...triggers.map(([when, ...ids], i) => {
        // "OR IGNORE" would not work: a statement's own ON CONFLICT also counts for its triggers.
        const noted = ids.map((id) => {
          const isNew = `${filled} <= ${max} AND NOT EXISTS (SELECT 1 FROM ${table} WHERE id = ${id})`;
          return `INSERT INTO ${table} (id, n) SELECT ${id}, ${filled} + 1 WHERE ${isNew};`;
        });
        return `CREATE TEMP TRIGGER IF NOT EXISTS ${names[i]} AFTER ${when} BEGIN ${noted.join(" ")} END`;
      }),
    ],
  };
}

/** Conversations with altered messages. */
export const conversations = notes("altered_conversations", 100_000, [
  [
    "UPDATE OF conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq ON main.messages " +
      "WHEN old.conversation_id <> new.conversation_id OR old.home_id <> new.home_id OR old.seq <> new.seq " +
      `OR old.sender_id <> new.sender_id OR (old.bits & ${bits}) <> (new.bits & ${bits}) OR old.topic <> new.topic ` +
      "OR old.arrived_seq IS NOT new.arrived_seq",
    "old.home_id",
    "new.home_id",
    "old.conversation_id",
    "new.conversation_id",
  ],
  ["DELETE ON main.messages", "old.home_id", "old.conversation_id"],
]);

const hangingOnMessages = (table: string): Trigger[] => [
  [`INSERT ON main.${table}`, "new.message_id"],
  [`UPDATE ON main.${table}`, "old.message_id", "new.message_id"],
  [`DELETE ON main.${table}`, "old.message_id"],
];

/** Messages that were altered, or to which something was added that is shown with them. */
export const messages = notes("altered_messages", 1_000, [
  ["UPDATE ON main.messages", "new.id"],
  ["DELETE ON main.messages", "old.id"],
  ...["reactions", "submessages", "message_edits"].flatMap(hangingOnMessages),
]);

const ofUsers = (table: string): Trigger[] => [
  [`INSERT ON main.${table}`, "new.user_id"],
  [`UPDATE ON main.${table}`, "old.user_id", "new.user_id"],
  [`DELETE ON main.${table}`, "old.user_id"],
];

/** Users whose read marks or flags were changed. */
export const readers = notes("altered_readers", 1_000, ["read_marks", "message_flags"].flatMap(ofUsers));

const { starred } = flagBits;

/** Users whose stars were changed and, as negative numbers, conversations that messages were moved to or from. */
export const stars = notes("altered_stars", 1_000, [
  [`INSERT ON main.message_flags WHEN new.bits & ${starred}`, "new.user_id"],
  [
    `UPDATE OF bits ON main.message_flags WHEN (old.bits & ${starred}) <> (new.bits & ${starred})`,
    "new.user_id",
  ],
  [`DELETE ON main.message_flags WHEN old.bits & ${starred}`, "old.user_id"],
  [
    "UPDATE OF conversation_id ON main.messages WHEN old.conversation_id <> new.conversation_id",
    "-old.conversation_id",
    "-new.conversation_id",
  ],
]);

export function isWatching({ db }: Reads, { count, parts }: Notes): boolean {
  return db.get<{ n: number }>(count)?.n === parts;
}

export function watch({ db }: Reads, { making }: Notes): void {
  for (const statement of making) db.sqlite.run(statement);
}

/** The IDs noted since they were taken for the last time; null if they are too many. */
export function listNoted({ db }: Reads, { table, max }: Notes): number[] | null {
  const some = db.all<{ id: number }>(`SELECT id FROM temp.${table}`);
  return some.length > max ? null : some.map(({ id }) => id);
}

/** The IDs noted since the last call; null if they are too many. */
export function takeNoted({ db }: Reads, { table, max }: Notes): number[] | null {
  const some = db.all<{ id: number }>(`SELECT id FROM temp.${table}`);
  if (some.length > 0) db.all(`DELETE FROM temp.${table}`);
  return some.length > max ? null : some.map(({ id }) => id);
}
