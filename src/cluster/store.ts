// All SQL of the protocol, for database files that are not open for requests.
import { Database } from "bun:sqlite";
import { existsSync, fstatSync, read, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import type { LogPosition } from "@/kernel/store/commit-log.ts";
import {
  checkpoint,
  fileOf,
  isReplica,
  markReplica,
  positionOf,
  schemaOf,
} from "@/kernel/store/database-file.ts";

const busyMs = 5_000;
const checkpointMs = 30_000;
const pauseMs = 200;
const copiedBytes = 1024 * 1024;
/** Beyond this, messages are only counted. */
const maxNamed = 1_000;

/** The content of a database file. */
export interface Holding {
  /** Its place in the log; null before the first entry, and if it follows no log. */
  position: LogPosition | null;
  isReplica: boolean;
  hasOrganization: boolean;
  schema: number;
}

/** Null if there is no database. */
export function holdingOf(path: string): Holding | null {
  if (!existsSync(path) || statSync(path).size === 0) return null;
  const sqlite = openSnapshot(path);
  try {
    return {
      position: positionOf(sqlite),
      isReplica: isReplica(sqlite),
      hasOrganization: hasTable(sqlite, "realm") && sqlite.query("SELECT 1 FROM realm").get() !== null,
      schema: schemaOf(sqlite),
    };
  } finally {
    sqlite.close();
  }
}

/** Why a copy of a database cannot be used, as a clause; null if it can. */
export function faultOf(path: string, at: LogPosition): string | null {
  const sqlite = openSnapshot(path);
  try {
    const [[found] = []] = sqlite.query<string[], []>("PRAGMA quick_check(1)").values();
    if (found !== "ok") return `its database is damaged (${found})`;
    const { seq, digest } = positionOf(sqlite) ?? { seq: 0, digest: "" };
    if (seq === at.seq && digest === at.digest) return null;
    return `its database is at entry ${seq} of the log and not at ${at.seq}`;
  } finally {
    sqlite.close();
  }
}

/**
 * Copies the current state of this process's database while writes continue. After a checkpoint, a reader needs only the database
 * file, which does not change while it is read: new writes stay in the write-ahead log.
 */
export async function copyAtRest(from: string, to: string): Promise<Holding & { position: LogPosition }> {
  const sqlite = openSnapshot(from);
  try {
    await readFromFileAlone(sqlite);
    const position = positionOf(sqlite);
    if (!position) throw new Error("This database holds no entry of the log yet");
    const held = { position, isReplica: true, hasOrganization: true, schema: schemaOf(sqlite) };
    await copyContent(fileOf(from), to);
    return held;
  } finally {
    sqlite.close();
  }
}

const readAsync = promisify(read);

/** Copies by a descriptor that stays open; `copyFile` would close one (see `fileOf`). */
async function copyContent(from: number, to: string): Promise<void> {
  const copy = await open(to, "w", 0o600);
  try {
    const chunk = Buffer.allocUnsafe(copiedBytes);
    const { size } = fstatSync(from);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await readAsync(from, chunk, 0, Math.min(copiedBytes, size - at), at);
      if (bytesRead === 0) throw new Error("The database file is shorter than it was");
      for (let written = 0; written < bytesRead; ) {
        written += (await copy.write(chunk, written, bytesRead - written, at + written)).bytesWritten;
      }
      at += bytesRead;
    }
  } finally {
    await copy.close();
  }
}

/** Begins a transaction that reads nothing from the write-ahead log. */
async function readFromFileAlone(sqlite: Database): Promise<void> {
  sqlite.run("PRAGMA busy_timeout = 0");
  const until = performance.now() + checkpointMs;
  for (;;) {
    if (checkpoint(sqlite)) break;
    if (performance.now() > until) throw new Error("Somebody has been reading the database for too long");
    await Bun.sleep(pauseMs);
  }
  sqlite.run("BEGIN");
  sqlite.query("SELECT COUNT(*) FROM replication").get();
}

/** Checkpoints the write-ahead log into the database file, so that the file can be moved by itself. */
export function foldIn(path: string): void {
  const sqlite = openSnapshot(path);
  try {
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
}

/** Messages that another database lacks, or has with different content. */
export interface Beyond {
  count: number;
  /** The first ones. */
  ids: number[];
}

export function messagesBeyond(path: string, other: string): Beyond {
  const sqlite = openSnapshot(path);
  try {
    if (!hasTable(sqlite, "messages")) return { count: 0, ids: [] };
    sqlite.query("ATTACH ? AS other").run(other);
    const rows = sqlite
      .query<{ id: number }, []>(
        "SELECT id FROM (SELECT id, content FROM main.messages EXCEPT SELECT id, content FROM other.messages) ORDER BY id",
      )
      .all();
    return { count: rows.length, ids: rows.slice(0, maxNamed).map(({ id }) => id) };
  } finally {
    sqlite.close();
  }
}

/** Sets a database's place in the log; null makes it a standalone one. */
export function placeAt(path: string, position: LogPosition | null): void {
  const sqlite = openSnapshot(path);
  try {
    sqlite.run("PRAGMA synchronous = FULL");
    if (position) markReplica(sqlite, position);
    else sqlite.run("DROP TABLE IF EXISTS replication");
    sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
}

function openSnapshot(path: string): Database {
  const sqlite = new Database(path, { readwrite: true, create: false });
  sqlite.run(`PRAGMA busy_timeout = ${busyMs}`);
  return sqlite;
}

function hasTable(sqlite: Database, name: string): boolean {
  return sqlite.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== null;
}
