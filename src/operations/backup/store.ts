import { Database } from "bun:sqlite";
import { existsSync, fstatSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { type FilePlacement, fileSettings } from "@/foundation/file-stores/schema.ts";
import { checkpoint, fileOf } from "@/kernel/store/database-file.ts";
import { migrations } from "@/migrations/all.ts";

export interface BackupFacts {
  organization: string;
  last_message_id: number;
}

/** A database file that nobody changes until it is released: writes stay in the write-ahead log. */
export interface HeldDatabase {
  readonly snapshot: BackupFacts;
  readonly placement: FilePlacement;
  readonly bytes: number;
  /** The content in order; pages that hold no data are zeros, since what was deleted may still be in them. */
  read(): AsyncGenerator<Buffer>;
  release(): void;
}

/** How long to wait for readers of earlier states of the database, and for other processes that write. */
interface HoldPatience {
  forMs: number;
  /** How long each try may hold the event loop while another process writes. */
  blockMs: number;
  /** Whether the caller makes a copy if this fails, which then says what is wrong. */
  isCopiedInstead: boolean;
}
const inCommand: HoldPatience = { forMs: 2_000, blockMs: 10_000, isCopiedInstead: true };
/** A server must answer meanwhile, and cannot make a copy of the database without stopping for that. */
export const inServer: HoldPatience = { forMs: 300_000, blockMs: 0, isCopiedInstead: false };
const holdPauseMs = 100;

/**
 * Holds a database while others go on writing to it. Null if that is not possible: while somebody reads an earlier state
 * for long or, if a copy is made instead, where the database cannot be written to.
 */
export async function holdDatabase(path: string, patience = inCommand): Promise<HeldDatabase | null> {
  const opened: Database[] = [];
  const open = () => {
    const database = new Database(path, { readwrite: true });
    opened.push(database);
    return database;
  };
  const release = () => {
    for (const database of opened.splice(0)) database.close();
  };
  try {
    const file = fileOf(path);
    const [writer, reader] = [open(), open()];
    if (await readFromFileAlone(writer, reader, patience)) {
      const { size: bytes } = fstatSync(file);
      const read = () => contentOf(file, bytes);
      return { snapshot: describe(reader), placement: placement(reader), bytes, read, release };
    }
  } catch (error) {
    if (!patience.isCopiedInstead) {
      release();
      throw error;
    }
  }
  release();
  return null;
}

/**
 * Begins a transaction that reads nothing from the write-ahead log. Nobody writes between the checkpoint, which brings
 * everything into the file, and its begin.
 */
async function readFromFileAlone(
  writer: Database,
  reader: Database,
  { forMs, blockMs }: HoldPatience,
): Promise<boolean> {
  const { journal_mode } = writer.query("PRAGMA journal_mode").get() as { journal_mode: string };
  if (journal_mode !== "wal") return false;
  writer.run(`PRAGMA busy_timeout = ${blockMs}`);
  reader.run("PRAGMA busy_timeout = 0");
  const end = performance.now() + forMs;
  for (;;) {
    checkpoint(reader); // most of it, so that writers need not wait for that
    if (beginWriting(writer)) {
      const isComplete = checkpoint(reader);
      if (isComplete) {
        reader.run("BEGIN");
        reader.query("SELECT COUNT(*) FROM realm").get();
      }
      writer.run("ROLLBACK");
      if (isComplete) return true;
    }
    if (performance.now() > end) return false;
    await Bun.sleep(holdPauseMs);
  }
}

/** False while another process writes. */
function beginWriting(writer: Database): boolean {
  try {
    writer.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}

/** A multiple of all page sizes. */
const chunkBytes = 4 * 1024 * 1024;

/** Reads one chunk ahead while the caller works on another. */
async function* contentOf(file: number, bytes: number): AsyncGenerator<Buffer> {
  const pageBytes = pageBytesOf(bytesAt(file, 0, 100));
  const free = freePagesOf(file, pageBytes);
  const chunkAt = (at: number) => {
    const chunk = readBytes(file, at, Math.min(chunkBytes, bytes - at));
    chunk.catch(() => {}); // the caller may stop before it waits for this one
    return chunk;
  };
  let ahead = chunkAt(0);
  for (let at = 0; at < bytes; at += chunkBytes) {
    const chunk = await ahead;
    if (at + chunkBytes < bytes) ahead = chunkAt(at + chunkBytes);
    if (free.size > 0) {
      for (let start = 0; start < chunk.length; start += pageBytes) {
        const kept = free.get((at + start) / pageBytes + 1);
        if (kept !== undefined) chunk.fill(0, start + kept, start + pageBytes);
      }
    }
    yield chunk;
  }
}

const readSome = promisify(read);

async function readBytes(file: number, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await readSome(file, bytes, done, length - done, at + done);
    if (bytesRead === 0) throw shorter();
    done += bytesRead;
  }
  return bytes;
}

const shorter = () => new Error("The database file is shorter than it was");

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const more = readSync(file, bytes, done, length - done, at + done);
    if (more === 0) throw shorter();
    done += more;
  }
  return bytes;
}

/** SQLite's file format: two bytes, where 1 stands for 65536. */
function pageBytesOf(header: Buffer): number {
  const given = header.readUInt16BE(16);
  return given === 1 ? 65_536 : given;
}

/**
 * The numbers of pages that hold no data, with how many of each one's first bytes must stay. SQLite's file format: the header
 * names the first trunk page; each names the next one, and a number of leaf pages.
 */
function freePagesOf(file: number, pageBytes: number): ReadonlyMap<number, number> {
  const free = new Map<number, number>();
  let trunk = bytesAt(file, 0, 100).readUInt32BE(32);
  while (trunk !== 0 && !free.has(trunk)) {
    const page = bytesAt(file, (trunk - 1) * pageBytes, pageBytes);
    const leaves = page.readUInt32BE(4);
    free.set(trunk, 8 + 4 * leaves);
    for (let nth = 0; nth < leaves; nth++) free.set(page.readUInt32BE(8 + 4 * nth), 0);
    trunk = page.readUInt32BE(0);
  }
  return free;
}

/** Copies a consistent snapshot of a database while others write to it. The copy is compacted. */
export function copyDatabase(from: string, to: string): BackupFacts {
  const source = new Database(from, { readonly: true });
  try {
    source.run("PRAGMA busy_timeout = 10000");
    // The copy is read once and removed: it need not be on disk.
    source.run("PRAGMA synchronous = OFF");
    source.query("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  return readOpened(to, describe);
}

/** Where the files of a database's organization are. */
export function placementIn(path: string): FilePlacement {
  return readOpened(path, placement);
}

function placement(database: Database): FilePlacement {
  const row = database
    .query("SELECT value FROM settings WHERE scope = 'files' AND owner_id = 0 AND name = 'placement'")
    .get() as { value: string } | null;
  return row ? JSON.parse(row.value) : fileSettings.table.placement.fallback;
}

function readOpened<T>(path: string, read: (database: Database) => T): T {
  const database = new Database(path, { readonly: true });
  try {
    return read(database);
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

/** Turns the database of a node into that of a standalone server. */
export function leaveCluster(path: string): void {
  const copy = new Database(path);
  try {
    copy.run("DROP TABLE IF EXISTS replication");
  } finally {
    copy.close();
  }
}

/** Records in the audit log of a restored database that, and when, it was restored; databases of early versions have none. */
export function noteRestore(path: string, { at, madeAt }: { at: number; madeAt: number }): void {
  const copy = new Database(path);
  try {
    if (!copy.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'audit_log'").get()) return;
    copy
      .query(
        "INSERT INTO audit_log (at, actor_id, client, event, about, about_id, data) " +
          "VALUES (?, NULL, 'confab', 'restored', 'realm', NULL, json_object('backup_of', ?))",
      )
      .run(at, madeAt);
  } finally {
    copy.close();
  }
}

function describe(database: Database): BackupFacts {
  const last = database.query("SELECT MAX(id) AS id FROM messages").get() as { id: number | null };
  const named = database
    .query("SELECT value FROM settings WHERE scope = 'realm' AND owner_id = 0 AND name = 'name'")
    .get() as { value: string } | null;
  return { organization: named ? JSON.parse(named.value) : "", last_message_id: last.id ?? 0 };
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
