import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { fileSettings, type Placement } from "@/foundation/file-stores/schema.ts";
import { migrations } from "@/migrations/all.ts";

export interface Snapshot {
  organization: string;
  last_message_id: number;
}

/** Copies a consistent snapshot of a database while others write to it. The copy is compacted. */
export function copyDatabase(from: string, to: string): Snapshot {
  const source = new Database(from, { readonly: true });
  try {
    source.run("PRAGMA busy_timeout = 10000");
    // The copy is read once and removed: it need not be on disk.
    source.run("PRAGMA synchronous = OFF");
    source.query("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  return describe(to);
}

/** Where the files of a database's organization are. */
export function placementIn(path: string): Placement {
  const database = new Database(path, { readonly: true });
  try {
    const row = database
      .query("SELECT value FROM settings WHERE scope = 'files' AND owner_id = 0 AND name = 'placement'")
      .get() as { value: string } | null;
    return row ? JSON.parse(row.value) : fileSettings.table.placement.fallback;
  } finally {
    database.close();
  }
}

/** Makes a copied database say that its files are on the disk. */
export function placeOnDisk(path: string): void {
  const copy = new Database(path);
  try {
    copy.run("DELETE FROM settings WHERE scope = 'files' AND owner_id = 0 AND name = 'placement'");
  } finally {
    copy.close();
  }
}

/** Makes the database of a node that of a single server. */
export function leaveCluster(path: string): void {
  const copy = new Database(path);
  try {
    copy.run("DROP TABLE IF EXISTS replication");
  } finally {
    copy.close();
  }
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

/** Why a database file cannot be restored, as a clause; null if it can. */
export function faultIn(path: string): string | null {
  if (!existsSync(path)) return "it contains no database";
  const database = new Database(path, { readonly: true });
  try {
    const found = database.query("PRAGMA integrity_check(1)").all() as { integrity_check: string }[];
    const damage = found.map((row) => row.integrity_check).find((line) => line !== "ok");
    if (damage !== undefined) return `its database is damaged (${damage})`;
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    if (user_version > migrations.length)
      return "a newer version of Confab wrote it; restore it with that version";
    const table = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'realm'").get();
    const isHeld = table !== null && database.query("SELECT 1 FROM realm").get() !== null;
    return isHeld ? null : "its database contains no organization";
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (code === "SQLITE_NOTADB") return "its confab.db is not a database";
    if (code.startsWith("SQLITE_CORRUPT")) return `its database is damaged (${message})`;
    throw error;
  } finally {
    database.close();
  }
}
