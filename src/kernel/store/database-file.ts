import { Database } from "bun:sqlite";
import { openSync, statSync } from "node:fs";
import { Divergence, type LogPosition, Outdated } from "./commit-log.ts";

/** Runs the migrations that a database lacks (number n is the n-th); refuses a database of a newer version. */
export function migrate(sqlite: Database, migrations: readonly string[]): void {
  const at = schemaOf(sqlite);
  if (at > migrations.length) {
    throw new Error(
      `This data folder was written by a newer version of Confab (schema ${at}; this version knows ${migrations.length}). ` +
        "Start the newer version, or restore a backup made by this one.",
    );
  }
  if (at === migrations.length) return;
  sqlite.transaction(() => bringTo(sqlite, migrations, migrations.length)).immediate();
}

/** The number of migrations that a database has seen. */
export function schemaOf(sqlite: Database): number {
  return (sqlite.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

function bringTo(sqlite: Database, migrations: readonly string[], schema: number): void {
  const from = schemaOf(sqlite);
  for (const [index, sql] of migrations.entries()) if (index >= from && index < schema) sqlite.run(sql);
  sqlite.run(`PRAGMA user_version = ${schema}`);
}

/** Migrates a copy to the schema that an entry of the log demands, in the transaction of that entry. */
export function followSchema(sqlite: Database, migrations: readonly string[], schema: number): void {
  const at = schemaOf(sqlite);
  if (schema > migrations.length) {
    throw new Outdated(
      `The node that leads runs a newer version of Confab (schema ${schema}; this version knows ${migrations.length}). ` +
        "Upgrade this node and start it again.",
    );
  }
  if (schema < at) {
    throw new Divergence(`The node that leads has schema ${schema}, and the database of this node ${at}`);
  }
  if (schema > at) bringTo(sqlite, migrations, schema);
}

/**
 * Migrates the database of a node that the log has not reached yet. From the first entry on, all nodes migrate at the same
 * entry, before they open the database for requests.
 */
export function migrateCopy(sqlite: Database, migrations: readonly string[]): void {
  const schema = schemaOf(sqlite);
  if (positionOf(sqlite) === null || schema > migrations.length) {
    migrate(sqlite, migrations);
  } else if (schema < migrations.length) {
    throw new Error(`The database of this node has schema ${schema}, which only the log may change.`);
  }
}

/** Moves what it can of the write-ahead log into the database's file; returns whether all of it is there now. */
export function checkpoint(sqlite: Database): boolean {
  const [[busy, inLog, inFile] = []] = sqlite.query<number[], []>("PRAGMA wal_checkpoint(PASSIVE)").values();
  return busy === 0 && inLog === inFile;
}

/** The database files that this process has opened for reading, by device and inode. */
const files = new Map<string, number>();

/**
 * A descriptor of a database's file, for reading it as it is. It is never closed: on POSIX systems, closing it would end all
 * locks that SQLite holds on the file for this process, those of other connections included.
 */
export function fileOf(path: string): number {
  const { dev, ino } = statSync(path);
  const known = files.get(`${dev}:${ino}`);
  if (known !== undefined) return known;
  const file = openSync(path, "r");
  files.set(`${dev}:${ino}`, file);
  return file;
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

/** Whether a database belongs to a cluster node, and so follows a shared log (docs/design.md#several-nodes). */
export function isReplica(sqlite: Database): boolean {
  return (
    sqlite.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'replication'").get() !== null
  );
}

/** The newest entry of the log that a copy holds; null before the first, and for a database that follows no log. */
export function positionOf(sqlite: Database): LogPosition | null {
  if (!isReplica(sqlite)) return null;
  return sqlite.query("SELECT seq, digest FROM replication WHERE seq > 0").get() as LogPosition | null;
}

/** The ID that the first event of the next entry gets, for a copy. */
export function nextEventId(sqlite: Database): number {
  return (sqlite.query("SELECT events FROM replication").get() as { events: number } | null)?.events ?? 0;
}

/** Makes a database a copy that follows a log, or a copy that is at another place of it. */
export function markReplica(sqlite: Database, { seq, digest }: LogPosition): void {
  sqlite.transaction(() => {
    sqlite.run(
      "CREATE TABLE IF NOT EXISTS replication (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, digest TEXT NOT NULL, " +
        "events INTEGER NOT NULL DEFAULT 0) STRICT",
    );
    sqlite
      .query(
        "INSERT INTO replication (id, seq, digest) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, digest = excluded.digest",
      )
      .run(seq, digest);
  })();
}

export function isInMemory({ filename }: Database): boolean {
  return filename === "" || filename === ":memory:";
}
