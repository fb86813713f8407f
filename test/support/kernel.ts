// The kernel alone: a store with a table of notes, queues, and an event about notes.

import { Database } from "bun:sqlite";
import { z } from "zod";
import type { Actor, Ctx, Reads, Tx } from "@/kernel/core/context.ts";
import { type Emitted, event, everyone, type Traits } from "@/kernel/core/events.ts";
import { MemoryQueues } from "@/kernel/events/queues.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { CommitLog, Written } from "@/kernel/store/commit-log.ts";
import type { Outbox } from "@/kernel/store/connection.ts";
import { openDatabase } from "@/kernel/store/database-file.ts";
import { SqliteDb } from "@/kernel/store/db.ts";
import { outbox } from "@/kernel/store/outbox.ts";
import { type TestClock, testClock } from "./clock.ts";

const tables = `
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE, at INTEGER) STRICT;
  CREATE TABLE IF NOT EXISTS links (note_id INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
  CREATE TABLE IF NOT EXISTS outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, audience TEXT NOT NULL, payload TEXT NOT NULL
  ) STRICT;
`;

export const noteAdded = event("test_note", {
  about: "For this test.",
  op: "add",
  schema: z.object({ text: z.string() }),
});

export interface Kernel {
  readonly db: SqliteDb;
  readonly ctx: Ctx;
  readonly clock: TestClock;
  readonly queues: MemoryQueues;
  /** The texts of emitted notes, in order. */
  readonly published: string[];
  /** Errors thrown while delivering events. */
  readonly faults: unknown[];
  readonly batches: { written: Written[]; emitted: Emitted[] }[];
}

interface KernelOptions {
  /** A file for stores that share it; by default in memory. */
  path?: string;
  hosting?: boolean;
  log?: CommitLog;
  onPublish?: () => void;
  migrations?: readonly string[];
  /** Without: `batches` stays empty, and other processes' events are read as on a server. */
  keepsBatches?: boolean;
  /** Stands between the store and its table of events. */
  outbox?: Outbox;
}

export function kernel(options: KernelOptions = {}): Kernel {
  const { path, hosting = true, log, migrations, onPublish, keepsBatches = true } = options;
  const sqlite = path === undefined ? new Database(":memory:", { strict: true }) : openDatabase(path);
  sqlite.run("PRAGMA foreign_keys = ON");
  sqlite.run(tables);
  const clock = testClock();
  const published: string[] = [];
  const batches: Kernel["batches"] = [];
  const faults: unknown[] = [];
  const queues = new MemoryQueues(clock, 1, {
    onEvent: ({ payload }) => {
      published.push((payload as { text: string }).text);
      onPublish?.();
    },
    onFault: (error) => faults.push(error),
  });
  const onBatch = (written: Written[], emitted: Emitted[]) => {
    batches.push({ written, emitted: [...emitted] });
  };
  const db = new SqliteDb(sqlite, {
    ...{ clock, hosting, publisher: queues, log },
    outbox: options.outbox ?? outbox,
    ...(keepsBatches && { onBatch }),
    ...(migrations && { migrations }),
  });
  const actor: Actor = { kind: "system", id: 0, client: "test" };
  const ctx: Ctx = {
    actor,
    db,
    now: clock.now(),
    env: { db, queues, state: new Map(), files: "", site: "", generation: 1, isDevelopment: false },
  };
  if (hosting) db.noticeOthers(ctx);
  batches.length = 0;
  return { db, ctx, clock, queues, published, faults, batches };
}

/** Adds a note and tells everyone. */
export function addNote(tx: Tx, text: string): number {
  const { lastInsertRowid } = tx.run("INSERT INTO notes (text, at) VALUES (?, ?)", text, tx.now);
  tx.emit(noteAdded, everyone, { text });
  return lastInsertRowid;
}

export function notesIn({ db }: Reads): string[] {
  return db.all<{ text: string }>("SELECT text FROM notes ORDER BY id").map((row) => row.text);
}

export const countNotes = cache(["notes"], ({ db }) => {
  return db.get<{ n: number }>("SELECT COUNT(*) AS n FROM notes")?.n ?? 0;
});

/** Everything that a database holds, table by table, including hidden tables. */
export function dump(sqlite: Database): Record<string, unknown[]> {
  const named = sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return Object.fromEntries(
    named.map(({ name }) => [name, sqlite.query(`SELECT * FROM "${name}"`).values()]),
  );
}

export function traits(userId: number, more: Partial<Traits> = {}): Traits {
  return { userId, capabilities: new Set(), types: null, taps: new Set(), options: {}, ...more };
}
