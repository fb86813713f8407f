// The database: one connection, prepared statements, and a change counter for each table (docs/design.md#store).
import type { Database } from "bun:sqlite";
import type { Connection, Counter, DbOptions, Prepared } from "./batch.ts";
import type { Clock } from "./clock.ts";
import type { Ctx, SqlValue, Tx } from "./context.ts";
import { Writes } from "./writes.ts";

/** How long SQLite waits for another process's lock, and all requests with it; after that, `Writes` tries again. */
const busyMs = 5;
/** Longer, since no request waits while the database is closed. */
const closingBusyMs = 1_000;
const tableOf =
  /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i;

/** Lets `npm run test:replay` observe every database of a process; empty in production. */
export const audit: { opened?: (sqlite: Database, options: DbOptions) => DbOptions } = {};

export class SqliteDb implements Connection {
  epoch = 0;
  changes = 0;
  lastFailure: unknown = null;
  readonly kept = new Map<object, unknown>();
  private readonly prepared = new Map<string, Prepared>();
  private readonly counters = new Map<string, Counter>();
  private readonly writes: Writes;
  private readonly options: DbOptions;

  constructor(
    readonly sqlite: Database,
    given: DbOptions,
  ) {
    const options = audit.opened?.(sqlite, given) ?? given;
    this.options = options;
    sqlite.run(`PRAGMA busy_timeout = ${busyMs}`);
    this.writes = new Writes(this, options);
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

  write<T>(ctx: Ctx, body: (tx: Tx) => T): Promise<T> {
    return this.writes.add(ctx, body);
  }

  noticeOthers(ctx: Ctx): void {
    this.writes.noticeOthers(ctx);
  }

  /** Finishes the waiting writes, then checkpoints the write-ahead log and closes the database. */
  async close(): Promise<void> {
    await this.writes.finish();
    for (const { statement } of this.prepared.values()) statement.finalize();
    this.prepared.clear();
    this.sqlite.run(`PRAGMA busy_timeout = ${closingBusyMs}`);
    if (this.options.hosting) this.sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    this.sqlite.close();
  }

  prepare(sql: string): Prepared {
    const known = this.prepared.get(sql);
    if (known) return known;
    const prepared = {
      statement: this.sqlite.prepare(sql),
      counter: this.counterOf(tableOf.exec(sql)?.[1]?.toLowerCase() ?? ""),
    };
    this.prepared.set(sql, prepared);
    return prepared;
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
  }

  bumpAll(): void {
    this.changes++;
    for (const counter of this.counters.values()) this.bump(counter);
  }

  exec(sql: string): void {
    this.prepare(sql).statement.run();
  }
}
