import type { Reads, SqlValue, Tx } from "@/kernel/core/context.ts";
import type { AuditEntry, AuditFilter, Subject } from "./schema.ts";

export type StoredEntry = Omit<AuditEntry, "details" | "actor_name" | "person_name">;

export function insertEntry(tx: Tx, entry: Omit<StoredEntry, "id" | "at">): void {
  tx.run(
    "INSERT INTO audit_log (at, actor_id, client, event, about, about_id, about_name, person_id, data) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    entry.actor_id,
    entry.client,
    entry.event,
    entry.about.kind,
    entry.about.id,
    entry.about.name,
    entry.person_id,
    JSON.stringify(entry.data),
  );
}

interface AuditRow {
  id: number;
  at: number;
  actor_id: number | null;
  client: string;
  event: string;
  about: Subject;
  about_id: number | null;
  about_name: string | null;
  person_id: number | null;
  data: string;
}

function parseRow({ about, about_id, about_name, data, ...entry }: AuditRow): StoredEntry {
  return {
    ...entry,
    about: { kind: about, id: about_id, name: about_name },
    data: JSON.parse(data),
  };
}

const columns = "id, at, actor_id, client, event, about, about_id, about_name, person_id, data";

/** Where what has a name keeps it. */
const named: Partial<Record<Subject, string>> = {
  user: "SELECT full_name AS name FROM users WHERE id = ?",
  bot: "SELECT full_name AS name FROM users WHERE id = ?",
  group: "SELECT name FROM user_groups WHERE id = ?",
  channel: "SELECT name FROM channels WHERE id = ?",
  folder: "SELECT name FROM channel_folders WHERE id = ?",
  invitation: "SELECT email AS name FROM invitations WHERE id = ?",
  linkifier: "SELECT pattern AS name FROM linkifiers WHERE id = ?",
  playground: "SELECT name FROM playgrounds WHERE id = ?",
  emoji: "SELECT name FROM realm_emoji WHERE id = ?",
  profile_field: "SELECT name FROM profile_fields WHERE id = ?",
  domain: "SELECT domain AS name FROM realm_domains WHERE id = ?",
  default_channel_group: "SELECT name FROM default_channel_groups WHERE id = ?",
};

/** What something is called now; null if it has no name or is gone. */
export function findName({ db }: Reads, kind: Subject, id: number): string | null {
  const sql = named[kind];
  return sql === undefined ? null : (db.get<{ name: string | null }>(sql, id)?.name ?? null);
}

export function listEntries({ db }: Reads, filter: AuditFilter): StoredEntry[] {
  const { before, actorId, personId, event, about, aboutName, since, until, limit } = filter;
  const terms: [string, SqlValue | undefined][] = [
    ["id < ?", before],
    ["actor_id = ?", actorId],
    ["(person_id = ? OR (about IN ('user', 'bot') AND about_id = ?))", personId],
    ["event = ?", event],
    ["about = ?", about?.kind],
    ["about_id = ?", about?.id],
    // Also under its other names; messages and topics are named after their place.
    [
      "(about_name = ? COLLATE NOCASE OR (about, about_id) IN " +
        "(SELECT about, about_id FROM audit_log WHERE about_name = ? COLLATE NOCASE))",
      aboutName,
    ],
    ["at >= ?", since],
    ["at < ?", until],
  ];
  const given = terms.filter((term): term is [string, SqlValue] => term[1] !== undefined);
  const where = given.map(([sql]) => ` AND ${sql}`).join("");
  const rows = db.all<AuditRow>(
    `SELECT ${columns} FROM audit_log WHERE 1${where} ORDER BY id DESC LIMIT ?`,
    ...given.flatMap(([sql, value]) => Array<SqlValue>(sql.split("?").length - 1).fill(value)),
    limit,
  );
  return rows.map(parseRow);
}

/** The first `max` entries after an ID, oldest first. */
export function listAfter({ db }: Reads, id: number, max: number): StoredEntry[] {
  const rows = db.all<AuditRow>(`SELECT ${columns} FROM audit_log WHERE id > ? ORDER BY id LIMIT ?`, id, max);
  return rows.map(parseRow);
}

export function setText(tx: Tx, { id, about, data }: Pick<StoredEntry, "id" | "about" | "data">): void {
  tx.run("UPDATE audit_log SET about_name = ?, data = ? WHERE id = ?", about.name, JSON.stringify(data), id);
}
