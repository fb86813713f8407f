import { Database } from "bun:sqlite";

/** Runs the migrations that a database lacks (number n is the n-th); refuses a database of a newer version. */
export function migrate(sqlite: Database, migrations: readonly string[]): void {
  const version = () => (sqlite.query("PRAGMA user_version").get() as { user_version: number }).user_version;
  const at = version();
  if (at > migrations.length) {
    throw new Error(
      `This data folder was written by a newer version of Confab (schema ${at}; this version knows ${migrations.length}). ` +
        "Start the newer version, or restore a backup made by this one.",
    );
  }
  if (at === migrations.length) return;
  sqlite
    .transaction(() => {
      const from = version();
      for (const [index, sql] of migrations.entries()) if (index >= from) sqlite.run(sql);
      sqlite.run(`PRAGMA user_version = ${migrations.length}`);
    })
    .immediate();
}

/** Opens or creates a database file with the settings of all our connections. */
export function openDatabase(path: string): Database {
  const sqlite = new Database(path, { create: true, strict: true });
  sqlite.run(`PRAGMA busy_timeout = 5000`);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = FULL");
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run("PRAGMA temp_store = MEMORY");
  sqlite.run("PRAGMA cache_size = -16384");
  sqlite.run("PRAGMA wal_autocheckpoint = 4000");
  return sqlite;
}

/** Whether a database is one of several copies that follow a shared log (docs/design.md#several-nodes). */
export function isReplica(sqlite: Database): boolean {
  return (
    sqlite.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'replication'").get() !== null
  );
}
