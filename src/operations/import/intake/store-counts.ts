// Counts what is in a spool, for the report.
import type { Database } from "bun:sqlite";
import type { Counts, ImportedChannel, ImportedMessage, ImportedPerson } from "@/operations/import/schema.ts";

const number = (db: Database, sql: string) => db.query<{ n: number }, []>(sql).get()?.n ?? 0;

/** All counts except `known_people`, which depends on the organization. */
export function countsIn(db: Database): Counts {
  const count = (from: string) => number(db, `SELECT COUNT(*) AS n FROM ${from}`);
  const direct = "SELECT COUNT(DISTINCT data ->> '$.place.people') AS n FROM messages";
  const threads =
    "SELECT COUNT(*) AS n FROM (SELECT DISTINCT data ->> '$.place.channel', data ->> '$.place.topic' FROM messages " +
    "WHERE data ->> '$.place.topic' <> '')";
  const edits = "SELECT IFNULL(SUM(json_array_length(data, '$.edits')), 0) AS n FROM messages";
  return {
    people: count("people WHERE NOT data ->> 'isBot'"),
    known_people: 0,
    bots: count("people WHERE data ->> 'isBot'"),
    deactivated: count("people WHERE NOT data ->> 'isActive' AND NOT data ->> 'isBot'"),
    channels: count("channels"),
    private_channels: count("channels WHERE data ->> 'isPrivate'"),
    archived_channels: count("channels WHERE data ->> 'isArchived'"),
    conversations: number(db, direct),
    messages: count("messages"),
    threads: number(db, threads),
    edits: number(db, edits),
    reactions: count("reactions WHERE message IN (SELECT key FROM messages)"),
    stars: count("stars WHERE message IN (SELECT key FROM messages)") + countPinned(db),
    emoji: count("emoji"),
    files: count("files"),
    file_bytes: number(db, "SELECT IFNULL(SUM(bytes), 0) AS n FROM files"),
  };
}

/** Pins become stars of everyone who received the message; counts those who have not starred it themselves. */
function countPinned(db: Database): number {
  const all = <T>(table: string) =>
    db
      .query<{ data: string }, []>(`SELECT data FROM ${table}`)
      .all()
      .map(({ data }) => JSON.parse(data) as T);
  const active = new Set(
    all<ImportedPerson>("people").flatMap(({ key, isActive }) => (isActive ? [key] : [])),
  );
  const members = new Map(
    all<ImportedChannel>("channels").map(({ key, members }) => [
      key,
      members.filter((person) => active.has(person)),
    ]),
  );
  const starred = db.query<{ person: string }, [string]>("SELECT person FROM stars WHERE message = ?");
  let count = 0;
  for (const { key, place, sender } of all<ImportedMessage>("messages WHERE data ->> 'isPinned'")) {
    const receivers = "people" in place ? [...place.people, sender] : (members.get(place.channel) ?? []);
    const already = new Set(starred.all(key).map(({ person }) => person));
    count += [...new Set(receivers)].filter((person) => !already.has(person)).length;
  }
  return count;
}
