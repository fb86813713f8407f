import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";

/** Whether a database file, which must not be empty, contains an organization; changes nothing. */
export function holdsOrganization(path: string): boolean {
  let database: Database | null = null;
  try {
    database = new Database(path, { readonly: true });
    database.run("PRAGMA busy_timeout = 5000");
    const table = database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'realm'").get();
    return table !== null && database.query("SELECT 1 FROM realm").get() !== null;
  } catch {
    // Unreadable: report that later, when it is used, but do not treat it as empty.
    return true;
  } finally {
    database?.close();
  }
}

/** Whether another process has locked a file with `holdFile`. */
export function isHeld(path: string): boolean {
  let database: Database | null = null;
  try {
    database = new Database(path, { readonly: true });
    database.query("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "SQLITE_BUSY";
  } finally {
    database?.close();
  }
}

/** Checkpoints the write-ahead log of a database that nobody uses, so that its file is complete by itself. */
export function foldLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  const database = new Database(path, { readwrite: true });
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
