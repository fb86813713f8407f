// `npm run test:replay`: runs every write of every test again, from bytes, on a second database, which must equal the first after
// each test. Loaded before the tests; a difference fails the test that wrote. The first import must come first: it cannot load
// one of its parts after our code has imported that.
import "mailparser";
import { Database } from "bun:sqlite";
import { afterAll, afterEach, expect } from "bun:test";
import { deserialize, serialize } from "node:v8";
import type { Written } from "@/kernel/store/commit-log.ts";
import type { DbOptions } from "@/kernel/store/connection.ts";
import { audit } from "@/kernel/store/db.ts";
import { resumed } from "./resumed.ts";

const writing = /^\s*(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER)\b/i;
const counts = { stores: 0, batches: 0, statements: 0, comparisons: 0, seeds: 0 };

type Repeated = [sql: string, params: never[], changes: number, rowid: number | null];

/**
 * A store and its copy; stores of one process on the same file share the copy. The copy exists only while it is
 * in use, because tests open thousands of stores.
 */
class Replay {
  /** With the version of the file that each knows, which changes when another connection writes. */
  readonly stores = new Map<Database, unknown>();
  /** A test has written directly to the database, so the copy is made again with the next batch. */
  isStale = false;
  fault: string | null = null;
  private copy: Database | null;
  private wasUsed = true;
  private pending: Uint8Array | null = null;
  private batches = 0;

  constructor(store: Database) {
    this.copy = copyOf(store);
  }

  note(written: readonly Written[]): void {
    this.pending =
      written.length === 0
        ? null
        : serialize(written.map(({ sql, params, changes, rowid }) => [sql, params, changes, rowid]));
  }

  /** The last recorded batch is committed. */
  confirm(store: Database): void {
    const { pending } = this;
    this.pending = null;
    this.wasUsed = true;
    this.isStale ||= this.isWrittenByOthers(store);
    if (this.isStale || !this.copy) {
      this.drop();
      this.stores.set(store, versionOf(store));
      this.copy = copyOf(store);
      this.isStale = false;
      counts.seeds++;
    } else if (pending && !this.fault) this.run(this.copy, deserialize(pending));
    for (const one of this.stores.keys()) if (one !== store) this.stores.set(one, versionOf(one));
  }

  /** Another process, a server on the same folder, has written, which nobody records. */
  private isWrittenByOthers(store: Database): boolean {
    return this.stores.get(store) !== versionOf(store);
  }

  /** Called at the end of a test; drops the copy if the test wrote nothing. */
  rest(): void {
    if (!this.wasUsed) this.drop();
    this.wasUsed = false;
  }

  private drop(): void {
    this.copy?.close();
    this.copy = null;
    this.batches = 0;
  }

  private run(copy: Database, written: Repeated[]): void {
    counts.batches++;
    counts.statements += written.length;
    this.batches++;
    try {
      copy.transaction(() => {
        for (const one of written) this.repeat(copy, one);
      })();
    } catch (error) {
      this.fault = `A batch failed when it ran again: ${error}`;
    }
  }

  /** Nodes of a cluster compare these figures, too. */
  private repeat(copy: Database, [sql, params, changes, rowid]: Repeated): void {
    const again = copy.query(sql).run(...params);
    if (changes > 0 && again.changes !== changes)
      this.fault ??= `Run again, it changed ${again.changes} rows, not ${changes}: ${sql}`;
    if (rowid !== null && again.lastInsertRowid !== rowid)
      this.fault ??= `Run again, it gave rowid ${again.lastInsertRowid}, not ${rowid}: ${sql}`;
  }

  /** The differences after the batches since the last comparison. */
  compare(store: Database): void {
    const { copy } = this;
    if (this.fault || this.batches === 0 || this.isStale || !copy) return;
    this.batches = 0;
    counts.comparisons++;
    const differing = tablesOf(store).filter(
      (name) => !Bun.deepEquals(rowsOf(store, name), rowsOf(copy, name)),
    );
    this.isStale = this.isWrittenByOthers(store);
    if (differing.length > 0 && !this.isStale)
      this.fault = `Run again, the writes give other rows in ${differing.join(", ")}.`;
  }
}

/** Weak, so that a world goes with its test. */
const replays = new Set<WeakRef<Replay>>();
const byFile = new Map<string, WeakRef<Replay>>();

audit.opened = (store, options) => {
  counts.stores++;
  const isFile = store.filename !== ":memory:" && store.filename !== "";
  const known = isFile ? byFile.get(store.filename)?.deref() : undefined;
  const version = versionOf(store);
  const replay = known ?? new Replay(store);
  if (known?.stores.size === 0) known.isStale = true;
  if (!known) {
    const reference = new WeakRef(replay);
    replays.add(reference);
    if (isFile) byFile.set(store.filename, reference);
  }
  replay.stores.set(store, version);
  listen(store, replay);
  return listening(store, replay, options);
};

function listening(store: Database, replay: Replay, options: DbOptions): DbOptions {
  return {
    ...options,
    onBatch(written, emitted) {
      replay.note(written);
      options.onBatch?.(written, emitted);
    },
    onCommit(bodies) {
      replay.confirm(store);
      options.onCommit?.(bodies);
    },
  };
}

/** Detects direct writes of a test, and compares a last time before the store is closed. */
function listen(store: Database, replay: Replay): void {
  for (const name of ["run", "exec", "query", "prepare"] as const) {
    const original = store[name].bind(store) as (...args: unknown[]) => unknown;
    const noticing = (sql: string, ...rest: unknown[]) => {
      if (writing.test(sql) && isCalledByTest()) replay.isStale = true;
      return original(sql, ...rest);
    };
    Object.defineProperty(store, name, { value: noticing });
  }
  const close = store.close.bind(store);
  const closing = (throwOnError?: boolean) => {
    replay.compare(store);
    replay.stores.delete(store);
    close(throwOnError);
  };
  Object.defineProperty(store, "close", { value: closing });
}

function isCalledByTest(): boolean {
  const callers = (new Error().stack ?? "")
    .split("\n")
    .filter((line) => line.includes("/") && !line.includes(import.meta.path));
  return /\/test\//.test(callers[0] ?? "");
}

/** Opens a copy in memory; its header must not say that there is a write-ahead log. */
function copyOf(store: Database): Database {
  const bytes = store.serialize();
  bytes.set([1, 1], 18);
  const copy = Database.deserialize(bytes, { strict: true });
  copy.run("PRAGMA foreign_keys = ON");
  return copy;
}

function versionOf(store: Database): unknown {
  const statement = store.prepare("PRAGMA data_version");
  const [[version] = []] = statement.values();
  statement.finalize();
  return version;
}

function tablesOf(database: Database): string[] {
  const statement = database.prepare<{ name: string }, []>(
    // Batches do not contain a node's position in the log.
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'replication'",
  );
  const names = statement.all().map(({ name }) => name);
  statement.finalize();
  return names;
}

function rowsOf(database: Database, table: string): unknown[] {
  const statement = database.prepare(`SELECT * FROM "${table}"`);
  const rows = statement.values();
  statement.finalize();
  return rows;
}

afterEach(() => {
  const faults: string[] = [];
  for (const reference of replays) {
    const replay = reference.deref();
    const [store] = replay?.stores.keys() ?? [];
    if (store) replay?.compare(store);
    if (replay?.fault) faults.push(replay.fault);
    // Otherwise a single difference would fail every test that follows.
    if (!replay || replay.fault) replays.delete(reference);
    else replay.rest();
  }
  expect(faults).toEqual([]);
  expect(resumed.faults.splice(0)).toEqual([]);
});

afterAll(() => {
  console.log(
    `Ran ${counts.statements} statements of ${counts.batches} batches again, in ${counts.stores} stores; ` +
      `compared ${counts.comparisons} times; copied again after ${counts.seeds} batches of tests' own.`,
  );
  const unanswered = [...resumed.unanswered].map(([id, times]) => `${id} ${times} times`);
  console.log(
    `Answered ${resumed.same} requests again from the results of their writes; could not answer ${unanswered.join(", ") || "none"}.`,
  );
  expect(counts.comparisons).toBeGreaterThan(0);
});
