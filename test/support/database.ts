import { Database } from "bun:sqlite";
import { join } from "node:path";
import { patience } from "./waiting.ts";

/** A second connection to the database of a folder: a server or a command may use it, too, so this one waits for locks. */
export function openDatabaseOf(dataDir: string, options?: { readonly: true }): Database {
  return openFile(join(dataDir, "confab.db"), options);
}

/** Lets the last proof of every session be ten minutes ago. */
export function ageProofs(dataDir: string): void {
  const database = openDatabaseOf(dataDir);
  database.run("UPDATE sessions SET proved_at = proved_at - 600");
  database.close();
}

export function openFile(path: string, options?: { readonly: true }): Database {
  const database = new Database(path, options);
  database.run(`PRAGMA busy_timeout = ${patience}`);
  return database;
}
