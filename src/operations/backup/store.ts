import { Database } from "bun:sqlite";

export interface Snapshot {
  organization: string;
  last_message_id: number;
}

/** Copies a database as it is at one moment, while others go on writing to it; the copy is compact and whole. */
export function copyDatabase(from: string, to: string): Snapshot {
  const source = new Database(from, { readonly: true });
  try {
    source.run("PRAGMA busy_timeout = 10000");
    source.query("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  return describe(to);
}

function describe(path: string): Snapshot {
  const copy = new Database(path, { readonly: true });
  try {
    const last = copy.query("SELECT MAX(id) AS id FROM messages").get() as { id: number | null };
    const named = copy
      .query("SELECT value FROM settings WHERE scope = 'realm' AND owner_id = 0 AND name = 'name'")
      .get() as { value: string } | null;
    return { organization: named ? JSON.parse(named.value) : "", last_message_id: last.id ?? 0 };
  } finally {
    copy.close();
  }
}

/** What SQLite finds wrong in a database file; nothing if it is whole. */
export function faultsOf(path: string): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const found = database.query("PRAGMA integrity_check(20)").all() as { integrity_check: string }[];
    return found.map((row) => row.integrity_check).filter((line) => line !== "ok");
  } finally {
    database.close();
  }
}
