// A copy of the database that follows the log of a cluster, and delivers its events to this process's queues.

import type { Emitted } from "@/kernel/core/events.ts";
import { Checkpoints } from "./checkpoints.ts";
import type { CommitLog, Entry, LogPosition } from "./commit-log.ts";
import type { Connection, DbOptions } from "./connection.ts";
import { followSchema, markReplica, nextEventId, positionOf } from "./database-file.ts";
import { EventRoom, type IdRange } from "./event-ids.ts";
import { repeat } from "./replaying.ts";
import { rollBack } from "./write-batches.ts";

const beginning: LogPosition = { seq: 0, digest: "" };

export class Replica {
  /** The log may hold entries that this database lacks; no batch may run before they are applied. */
  protected isBehind = false;
  private catching: Promise<void> | null = null;
  /** The newest entry that this database holds. */
  protected at: LogPosition;
  /** The ID that the first event of the next entry gets. */
  private nextId: number;
  protected readonly room: EventRoom;
  protected readonly checkpoints: Checkpoints;
  /** The log holds an entry that could not be applied here, for instance because the disk is full. */
  isStuck = false;

  constructor(
    protected readonly db: Connection,
    protected readonly options: DbOptions,
    protected readonly log: CommitLog,
  ) {
    const { sqlite } = db;
    if (positionOf(sqlite) === null) markReplica(sqlite, beginning);
    // The log survives a power cut: what this file loses is read from there again.
    sqlite.run("PRAGMA synchronous = NORMAL");
    this.at = positionOf(sqlite) ?? beginning;
    this.nextId = nextEventId(sqlite);
    this.checkpoints = new Checkpoints(sqlite);
    this.room = new EventRoom(() => options.clock.steady());
    options.publisher.startAt(this.nextId);
  }

  /** The schema of this version of Confab. */
  get schema(): number {
    return this.options.migrations?.length ?? 0;
  }

  get nextEventId(): number {
    return this.nextId;
  }

  /** The newest entry that this database holds. */
  get position(): LogPosition {
    return this.at;
  }

  /** Brings this database to the end of the log. */
  catchUp(): Promise<void> {
    this.catching ??= this.readOn().finally(() => {
      this.catching = null;
    });
    return this.catching;
  }

  /**
   * Applies an entry and delivers its events; ignores one that this database already holds. Throws `Divergence` if its
   * effect here differs.
   */
  apply({ position, written, emitted, schema, room = 0 }: Entry, bodies = 0): void {
    if (position.seq <= this.at.seq) return;
    if (position.seq !== this.at.seq + 1) {
      throw new Error(`The database is at entry ${this.at.seq} of the log; ${position.seq} is not the next.`);
    }
    const ids = { first: this.nextId, count: emitted.length, end: this.nextId + emitted.length + room };
    this.db.exec("BEGIN IMMEDIATE");
    try {
      if (schema !== undefined) followSchema(this.db.sqlite, this.options.migrations ?? [], schema);
      for (const one of written) repeat(this.db, one, position.seq);
      this.db
        .prepare("UPDATE replication SET seq = ?, digest = ?, events = ?")
        .statement.run(position.seq, position.digest, ids.end);
      this.options.onBatch?.([...written], [...emitted]);
      this.db.exec("COMMIT");
    } catch (error) {
      rollBack(this.db);
      this.isStuck = true;
      throw error;
    }
    this.at = position;
    this.nextId = ids.end;
    this.checkpoints.afterCommit();
    this.options.onCommit?.(bodies);
    if (ids.end === ids.first) return;
    this.room.renew(room);
    this.publish(emitted, ids);
  }

  /** Puts events outside the log into the queues of this process. */
  deliver(emitted: readonly Emitted[]): void {
    this.room.use(emitted.filter(({ event }) => !event.isInternal).length);
    this.publish(emitted);
  }

  private publish(emitted: readonly Emitted[], ids?: IdRange): void {
    const { publisher } = this.options;
    publisher.publish(
      emitted.map((one) => publisher.prepare(one)),
      ids,
    );
  }

  private async readOn(): Promise<void> {
    for (let entries = await this.log.read(this.at); entries.length > 0; ) {
      for (const entry of entries) this.apply(entry);
      entries = await this.log.read(this.at);
    }
    this.isBehind = false;
    this.isStuck = false;
  }
}
