import type { Reads, SqlValue, Tx } from "@/kernel/context.ts";
import type { AuditEntry, AuditFilter, Subject } from "./schema.ts";

export function insertEntry(tx: Tx, entry: Omit<AuditEntry, "id" | "at">): void {
  tx.run(
    "INSERT INTO audit_log (at, actor_id, client, event, about, about_id, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
    tx.now,
    entry.actor_id,
    entry.client,
    entry.event,
    entry.about.kind,
    entry.about.id,
    JSON.stringify(entry.data),
  );
}

interface Row {
  id: number;
  at: number;
  actor_id: number | null;
  client: string;
  event: string;
  about: Subject;
  about_id: number | null;
  data: string;
}

export function listEntries({ db }: Reads, filter: AuditFilter): AuditEntry[] {
  const { before, actorId, event, about, since, limit } = filter;
  const terms: [string, SqlValue | undefined][] = [
    ["id < ?", before],
    ["actor_id = ?", actorId],
    ["event = ?", event],
    ["about = ?", about?.kind],
    ["about_id = ?", about?.id],
    ["at >= ?", since],
  ];
  const given = terms.filter((term): term is [string, SqlValue] => term[1] !== undefined);
  const where = given.map(([sql]) => ` AND ${sql}`).join("");
  const rows = db.all<Row>(
    `SELECT id, at, actor_id, client, event, about, about_id, data FROM audit_log WHERE 1${where} ORDER BY id DESC LIMIT ?`,
    ...given.map(([, value]) => value),
    limit,
  );
  return rows.map(({ about, about_id, data, ...entry }) => ({
    ...entry,
    about: { kind: about, id: about_id },
    data: JSON.parse(data),
  }));
}
