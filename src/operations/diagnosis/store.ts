import { Database } from "bun:sqlite";
import { migrations } from "@/migrations/all.ts";

export interface DatabaseFacts {
  schema: number;
  knownSchema: number;
  /** What SQLite finds wrong; nothing if the file is whole. */
  faults: string[];
  brokenReferences: number;
  activeOwners: number;
  site: string;
  /** UNIX seconds; 0 before the first message. */
  newestMessageAt: number;
}

/** Reads a database without changing it, beside whoever has it open. */
export function examineDatabase(path: string): DatabaseFacts {
  const database = new Database(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const one = (sql: string) => Object.values((database.query(sql).get() ?? {}) as object)[0];
    const number = (sql: string) => Number(one(sql) ?? 0);
    const faults = database.query("PRAGMA integrity_check(5)").all() as { integrity_check: string }[];
    const site = one("SELECT value FROM settings WHERE scope = 'realm' AND owner_id = 0 AND name = 'site'");
    return {
      schema: number("PRAGMA user_version"),
      knownSchema: migrations.length,
      faults: faults.map((row) => row.integrity_check).filter((line) => line !== "ok"),
      brokenReferences: database.query("PRAGMA foreign_key_check").all().length,
      activeOwners: number("SELECT COUNT(*) FROM users WHERE role = 100 AND is_active AND NOT is_bot"),
      site: typeof site === "string" ? JSON.parse(site) : "",
      newestMessageAt: number("SELECT sent_at FROM messages ORDER BY id DESC LIMIT 1"),
    };
  } finally {
    database.close();
  }
}
