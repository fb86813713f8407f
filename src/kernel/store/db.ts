// The database: one connection, prepared statements, and a change counter for each table (docs/design.md#store).
import type { Database } from "bun:sqlite";
import type { Ctx, Peers, SqlValue, Tx, WriteResult } from "@/kernel/core/context.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import { pagesAtOnce } from "./checkpoints.ts";
import { type Effect, peersOf } from "./commit-log.ts";
import type { Connection, Counter, DbOptions, Prepared } from "./connection.ts";
import { LoggedWrites } from "./logged-writes.ts";
import { busyMs, Writes } from "./writes.ts";

/** How long SQLite waits for another process's lock: longer than usual, since no request waits while the database is closed. */
const closingBusyMs = 1_000;
const tableOf =
  /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i;
/** An upsert may update instead, and then leaves SQLite's last rowid as it was. */
const inserting = /^\s*(INSERT|REPLACE)\b(?!.*\bON\s+CONFLICT\b)/is;

/** Lets `npm run test:replay` observe every database of a process; empty in production. */
export const audit: { opened?: (sqlite: Database, options: DbOptions) => DbOptions } = {};

export class SqliteDb implements Connection {
  epoch = 0;
  changes = 0;
  onChange = (): void => {};
  lastFailure: unknown = null;
  readonly kept = new Map<object, unknown>();
  private readonly prepared = new Map<string, Prepared>();
  private readonly withRowids = new Map<string, boolean>();
  private readonly counters = new Map<string, Counter>();
  /** Follows the cluster's log; null on a standalone server. */
  readonly replica: LoggedWrites | null;
  readonly peers: Peers | null;
  private readonly writes: Writes | LoggedWrites;
  private readonly options: DbOptions;
  private isClosed = false;

  constructor(
    readonly sqlite: Database,
    given: DbOptions,
  ) {
    const options = audit.opened?.(sqlite, given) ?? given;
    this.options = options;
    sqlite.run(`PRAGMA busy_timeout = ${busyMs}`);
    // What a command leaves in the write-ahead log, the server would have to move to the database's file while its clients wait.
    if (!options.hosting) sqlite.run(`PRAGMA wal_autocheckpoint = ${pagesAtOnce}`);
    this.replica = options.log ? new LoggedWrites(this, options, options.log) : null;
    this.peers = options.log ? peersOf(options.log) : null;
    this.writes = this.replica ?? new Writes(this, options, sqlite);
  }

  get clock(): Clock {
    return this.options.clock;
  }

  all<T>(sql: string, ...params: SqlValue[]): T[] {
    return this.prepare(sql).statement.all(...params) as T[];
  }

  get<T>(sql: string, ...params: SqlValue[]): T | null {
    return this.prepare(sql).statement.get(...params) as T | null;
  }

  write<T>(ctx: Ctx, body: (tx: Tx) => T, isRepeatable = false): Promise<T> {
    return this.writes.add(ctx, body, isRepeatable);
  }

  noticeOthers(ctx: Ctx): void {
    this.writes.noticeOthers(ctx);
  }

  /** Finishes the waiting writes, then checkpoints the write-ahead log and closes the database. */
  async close(): Promise<void> {
    await this.writes.finish();
    for (const { statement } of this.prepared.values()) statement.finalize();
    this.prepared.clear();
    this.isClosed = true;
    this.sqlite.run(`PRAGMA busy_timeout = ${closingBusyMs}`);
    if (this.options.hosting) this.merge();
    this.sqlite.close();
  }

  private merge(): void {
    try {
      this.sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (error) {
      this.options.onUnmerged?.(error);
    }
  }

  releaseCache(): void {
    // The timer that calls this may outlive the database.
    if (!this.isClosed) this.sqlite.run("PRAGMA shrink_memory");
  }

  prepare(sql: string): Prepared {
    const known = this.prepared.get(sql);
    if (known) return known;
    const table = tableOf.exec(sql)?.[1]?.toLowerCase() ?? "";
    const prepared = { statement: this.sqlite.prepare(sql), counter: this.counterOf(table), table };
    this.prepared.set(sql, prepared);
    return prepared;
  }

  effectOf(sql: string, { changes, lastInsertRowid }: WriteResult): Effect {
    const { table } = this.prepare(sql);
    // After any other statement, SQLite still gives the figures of the write before it.
    if (table === "" || changes === 0) return { changes: 0, rowid: null };
    const inserted = inserting.test(sql) && this.hasRowids(table);
    return { changes, rowid: inserted ? Number(lastInsertRowid) : null };
  }

  /** Virtual tables and tables without rowids leave SQLite's last rowid unchanged, or set it to another value. */
  private hasRowids(table: string): boolean {
    const known = this.withRowids.get(table);
    if (known !== undefined) return known;
    const found = this.get<{ type: string; wr: number }>("SELECT type, wr FROM pragma_table_list(?)", table);
    const has = found?.type === "table" && found.wr === 0;
    this.withRowids.set(table, has);
    return has;
  }

  watch(table: string): Counter {
    const counter = this.counterOf(table);
    counter.watched = true;
    return counter;
  }

  private counterOf(table: string): Counter {
    const known = this.counters.get(table);
    if (known) return known;
    const counter = { n: 0, watched: false };
    this.counters.set(table, counter);
    return counter;
  }

  bump(counter: Counter): void {
    counter.n++;
    this.changes++;
    if (counter.watched) this.epoch++;
    this.onChange();
  }

  bumpAll(): void {
    this.changes++;
    for (const counter of this.counters.values()) this.bump(counter);
    this.onChange();
  }

  exec(sql: string): void {
    this.prepare(sql).statement.run();
  }
}
