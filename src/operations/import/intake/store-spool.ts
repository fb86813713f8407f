// A scratch database with the whole export. It is filled and checked before anything else is written, then read in order of
// time.

import { Database, type Statement } from "bun:sqlite";
import type {
  Counts,
  ExportedFile,
  ImportedChannel,
  ImportedEmoji,
  ImportedGroup,
  ImportedMessage,
  ImportedPerson,
  ImportedReaction,
} from "@/operations/import/schema.ts";
import { withoutMarks } from "./references.ts";
import { countsIn } from "./store-counts.ts";

export class Spool {
  private readonly statements = new Map<string, Statement>();
  private isOpen = false;

  private constructor(private readonly db: Database) {}

  /** Creates a spool. A crash before `finish` leaves it unusable. */
  static create(path: string): Spool {
    const db = new Database(path, { create: true, strict: true });
    db.run("PRAGMA journal_mode = OFF");
    db.run("PRAGMA synchronous = OFF");
    db.run("PRAGMA cache_size = -32768");
    db.run(tables);
    const spool = new Spool(db);
    spool.begin();
    return spool;
  }

  /** Opens a finished spool. */
  static open(path: string): Spool {
    const db = new Database(path, { readwrite: true, strict: true });
    db.run("PRAGMA cache_size = -16384");
    return new Spool(db);
  }

  private begin(): void {
    this.db.run("BEGIN");
    this.isOpen = true;
  }

  /** Sorts the messages by time and commits everything. */
  finish(): void {
    this.db.run(order);
    this.db.run("COMMIT");
    this.isOpen = false;
    this.db.run("PRAGMA synchronous = FULL");
    this.db.run("PRAGMA journal_mode = WAL");
  }

  close(): void {
    for (const statement of this.statements.values()) statement.finalize();
    if (this.isOpen) this.db.run("ROLLBACK");
    this.db.close();
  }

  private run(sql: string, ...params: (string | number | null)[]): number {
    return this.statement(sql).run(...params).changes;
  }

  private statement(sql: string): Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const made = this.db.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }

  private rows<T>(sql: string, ...params: (string | number | null)[]): T[] {
    return this.statement(sql).all(...params) as T[];
  }

  private row<T>(sql: string, ...params: (string | number | null)[]): T | null {
    return this.statement(sql).get(...params) as T | null;
  }

  setFact(name: string, value: unknown): void {
    const sql =
      "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    this.run(sql, name, JSON.stringify(value));
  }

  fact<T>(name: string): T | null {
    const found = this.row<{ value: string }>("SELECT value FROM facts WHERE name = ?", name);
    return found ? (JSON.parse(found.value) as T) : null;
  }

  /** Counts what cannot be imported; `what` is a plural. */
  lose(what: string, count = 1): void {
    if (count === 0) return;
    const sql =
      "INSERT INTO lost (what, count) VALUES (?, ?) ON CONFLICT (what) DO UPDATE SET count = count + excluded.count";
    this.run(sql, what, count);
  }

  /** As `lose`, but replaces the count, for work that an interrupted import repeats. */
  setLoss(what: string, count: number): void {
    this.run("DELETE FROM lost WHERE what = ?", what);
    this.lose(what, count);
  }

  losses(): { what: string; count: number }[] {
    return this.rows("SELECT what, count FROM lost ORDER BY count DESC, what");
  }

  /** Returns false if the key is taken. */
  addPerson(person: ImportedPerson): boolean {
    const sql = "INSERT OR IGNORE INTO people (key, data) VALUES (?, ?)";
    return this.run(sql, person.key, JSON.stringify(person)) > 0;
  }

  addChannel(channel: ImportedChannel): boolean {
    const sql = "INSERT OR IGNORE INTO channels (key, data) VALUES (?, ?)";
    return this.run(sql, channel.key, JSON.stringify(channel)) > 0;
  }

  addGroup(group: ImportedGroup): void {
    this.run("INSERT INTO groups (data) VALUES (?)", JSON.stringify(group));
  }

  addEmoji(emoji: ImportedEmoji): boolean {
    const sql = "INSERT OR IGNORE INTO emoji (name, data) VALUES (?, ?)";
    return this.run(sql, emoji.name, JSON.stringify(emoji)) > 0;
  }

  addFile(file: ExportedFile, bytes: number): boolean {
    const sql = "INSERT OR IGNORE INTO files (key, data, bytes) VALUES (?, ?, ?)";
    return this.run(sql, file.key, JSON.stringify(file), bytes) > 0;
  }

  addMessage(message: ImportedMessage): boolean {
    const sql = "INSERT OR IGNORE INTO messages (key, at, data) VALUES (?, ?, ?)";
    return this.run(sql, message.key, message.at, JSON.stringify(message)) > 0;
  }

  addReaction(message: string, { by, emoji, at }: ImportedReaction): void {
    const sql = "INSERT INTO reactions (message, person, emoji, at) VALUES (?, ?, ?, ?)";
    this.run(sql, message, by, withoutMarks(emoji), at);
  }

  addStar(message: string, person: string): void {
    this.run("INSERT OR IGNORE INTO stars (message, person) VALUES (?, ?)", message, person);
  }

  people(): (ImportedPerson & { id: number | null })[] {
    return this.parseRows<ImportedPerson>("SELECT data, id FROM people ORDER BY n");
  }

  channels(): (ImportedChannel & { id: number | null })[] {
    return this.parseRows<ImportedChannel>("SELECT data, id FROM channels ORDER BY n");
  }

  private parseRows<T>(sql: string): (T & { id: number | null })[] {
    return this.rows<{ data: string; id: number | null }>(sql).map(({ data, id }) => ({
      ...(JSON.parse(data) as T),
      id,
    }));
  }

  groups(): ImportedGroup[] {
    return this.rows<{ data: string }>("SELECT data FROM groups ORDER BY n").map(({ data }) =>
      JSON.parse(data),
    );
  }

  emoji(): ImportedEmoji[] {
    return this.rows<{ data: string }>("SELECT data FROM emoji ORDER BY name").map(({ data }) =>
      JSON.parse(data),
    );
  }

  hasEmoji(name: string): boolean {
    return this.row("SELECT 1 FROM emoji WHERE name = ?", name) !== null;
  }

  files(): (ExportedFile & { file: string })[] {
    return this.rows<{ data: string; file: string }>("SELECT data, file FROM files ORDER BY n").map(
      ({ data, file }) => ({
        ...(JSON.parse(data) as ExportedFile),
        file,
      }),
    );
  }

  hasFile(key: string): boolean {
    return this.row("SELECT 1 FROM files WHERE key = ?", key) !== null;
  }

  /** A file's name, and its name on disk. */
  fileNamed(key: string): { name: string; file: string } | null {
    const sql = "SELECT data ->> 'name' AS name, file FROM files WHERE key = ?";
    return this.row(sql, key);
  }

  /** Stores all IDs and file names in one transaction, before the first of them is used. */
  plan(ids: {
    people: readonly { key: string; id: number }[];
    channels: readonly { key: string; id: number; name: string }[];
    newFileName: () => string;
    facts: Readonly<Record<string, unknown>>;
  }): void {
    this.db.transaction(() => {
      for (const { key, id } of ids.people) this.run("UPDATE people SET id = ? WHERE key = ?", id, key);
      for (const { key, id, name } of ids.channels)
        this.run("UPDATE channels SET id = ?, name = ? WHERE key = ?", id, name, key);
      for (const { n } of this.rows<{ n: number }>("SELECT n FROM files"))
        this.run("UPDATE files SET file = ? WHERE n = ?", ids.newFileName(), n);
      for (const [name, value] of Object.entries(ids.facts)) this.setFact(name, value);
    })();
  }

  planned(): { people: Map<string, number>; channels: Map<string, { id: number; name: string }> } {
    const people = this.rows<{ key: string; id: number }>("SELECT key, id FROM people");
    const channels = this.rows<{ key: string; id: number; name: string }>(
      "SELECT key, id, name FROM channels",
    );
    return {
      people: new Map(people.map(({ key, id }) => [key, id])),
      channels: new Map(channels.map(({ key, id, name }) => [key, { id, name }])),
    };
  }

  /** The messages after a rank in the order of time, with their reactions and stars. */
  messagesAfter(
    rank: number,
    most: number,
  ): { message: ImportedMessage; reactions: ImportedReaction[]; stars: string[] }[] {
    const sql =
      "SELECT m.key, m.data FROM ranks CROSS JOIN messages AS m ON m.n = ranks.n WHERE rank > ? ORDER BY rank LIMIT ?";
    return this.rows<{ key: string; data: string }>(sql, rank, most).map(({ key, data }) => ({
      message: JSON.parse(data) as ImportedMessage,
      reactions: this.rows<ImportedReaction>(
        "SELECT person AS 'by', emoji, at FROM reactions WHERE message = ? ORDER BY at, n",
        key,
      ),
      stars: this.starsOf(key),
    }));
  }

  /** A message's rank in the order of time, starting at 1, and its topic. */
  placeOf(key: string): { rank: number; topic: string } | null {
    const sql =
      "SELECT rank, IFNULL(data ->> '$.place.topic', '') AS topic FROM messages CROSS JOIN ranks ON ranks.n = messages.n " +
      "WHERE key = ?";
    return this.row(sql, key);
  }

  timeOf(key: string): number | null {
    return this.row<{ at: number }>("SELECT at FROM messages WHERE key = ?", key)?.at ?? null;
  }

  countMessages(): number {
    return this.row<{ n: number }>("SELECT COUNT(*) AS n FROM messages")?.n ?? 0;
  }

  counts(): Counts {
    return countsIn(this.db);
  }

  private starsOf(message: string): string[] {
    const sql = "SELECT person FROM stars WHERE message = ?";
    return this.rows<{ person: string }>(sql, message).map(({ person }) => person);
  }

  /** Deletes reactions and stars of messages that are not in the export. */
  dropStrays(): void {
    const strays = "message NOT IN (SELECT key FROM messages)";
    this.lose(
      "reactions on messages that are not in the export",
      this.run(`DELETE FROM reactions WHERE ${strays}`),
    );
    this.lose("stars on messages that are not in the export", this.run(`DELETE FROM stars WHERE ${strays}`));
  }
}

// The tables of a spool, and the statements that sort its messages.
const tables = `
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE people (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, id INTEGER);
CREATE TABLE channels (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, id INTEGER, name TEXT);
CREATE TABLE groups (n INTEGER PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE emoji (name TEXT PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE files (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, bytes INTEGER NOT NULL, file TEXT);
CREATE TABLE messages (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, at REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE reactions (n INTEGER PRIMARY KEY, message TEXT NOT NULL, person TEXT NOT NULL, emoji TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE stars (message TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (message, person)) WITHOUT ROWID;
CREATE TABLE lost (what TEXT PRIMARY KEY, count INTEGER NOT NULL);
`;

const order = `
CREATE TABLE ranks (rank INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE);
INSERT INTO ranks (n) SELECT n FROM messages ORDER BY at, n;
CREATE INDEX reactions_by_message ON reactions (message);
`;
