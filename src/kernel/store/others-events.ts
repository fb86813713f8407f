// The events that other processes leave in a table: few are read at once, many in slices as they are delivered, since ten thousand
// would keep every request waiting.

import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import type { Batch } from "./batch.ts";
import type { Connection, DbOptions, EmitLater } from "./connection.ts";

/** So many events are read in one go. */
const manyEvents = 250;
/** Their kinds alone are read faster. */
const kindsAtOnce = 1_000;
const clearedAtOnce = 2_000;

interface Span {
  first: number;
  last: number;
  later: EmitLater;
}

export class OthersEvents {
  /** ID of the newest event that was taken in; before the others, if they are still being read. */
  private adopted = 0;
  /** How many large commits of other processes are not read to their end. */
  private reading = 0;
  private hasEnded = false;

  constructor(
    private readonly db: Connection,
    private readonly options: DbOptions,
    private readonly write: (ctx: Ctx, body: (tx: Tx) => void) => Promise<void>,
  ) {}

  /** Whether there are too many new events for a transaction with other work. */
  get areMany(): boolean {
    return this.options.outbox.newest(this.db) - this.adopted > manyEvents;
  }

  /** Takes in new events inside a transaction that writes, and deletes them. Call the result once it has committed. */
  adopt(batch: Batch): () => void {
    const last = batch.adopt(this.adopted);
    // Before these may be events that are not read yet; they will be deleted together.
    if (this.reading === 0) batch.clearOutbox(last);
    return () => {
      this.adopted = last;
    };
  }

  /** The same in a transaction that only reads; the result delivers them. Many are not read before that. */
  notice(batch: Batch): () => void {
    const { ctx } = batch;
    const { outbox, publisher } = this.options;
    const first = this.adopted;
    const isLong = this.areMany;
    if (isLong && !batch.keepsEvents) {
      this.adopted = outbox.newest(this.db);
      this.reading++;
      const slices = this.slices(ctx, { first, last: this.adopted, later: publisher.later() });
      return () => publisher.publishLater(slices);
    }
    this.adopted = batch.adopt(first);
    if (this.adopted === first) return () => {};
    return () => {
      batch.finish();
      publisher.publish(batch.deliveries, undefined, isLong);
      this.clear(ctx, first);
    };
  }

  private *slices(ctx: Ctx, span: Span): Generator<unknown[]> {
    try {
      yield* this.read(span);
    } finally {
      this.reading--;
      if (!this.hasEnded) this.clear(ctx, span.first);
    }
  }

  private *read({ first, last, later }: Span): Generator<unknown[]> {
    const { outbox } = this.options;
    let atOnce = manyEvents;
    for (let at = first; at < last && !this.hasEnded; at += kindsAtOnce) {
      const kinds = outbox.kinds(this.db, at, Math.min(at + kindsAtOnce, last));
      // What ends queues or polls does so at once, and after the events before it.
      if (kinds.some(({ after }) => after !== undefined)) atOnce = last - first;
      yield [];
    }
    for (let at = first; at < last && !this.hasEnded; ) {
      const { stored, last: read } = outbox.read(this.db, at, { upTo: last, most: atOnce });
      yield stored.map(({ event, make }) => later(event, make));
      at = read === at ? last : read;
    }
  }

  /** Deletes what has been adopted since an ID, in writes of some thousands. If this fails, later ones delete these events too. */
  private clear(ctx: Ctx, first: number): void {
    if (this.reading === 0) this.clearAfter(first, ctx).catch(() => {});
  }

  private async clearAfter(first: number, ctx: Ctx): Promise<void> {
    const last = this.adopted;
    const used = new TimeUsed();
    for (let at = first; at < last; ) {
      const upTo = Math.min(at + clearedAtOnce, last);
      if (last - first > manyEvents) await nextSlice(used);
      // Meanwhile the database may have been closed.
      if (this.hasEnded) return;
      await this.write(ctx, (tx) => this.options.outbox.clear(tx, upTo));
      at = upTo;
    }
  }

  end(): void {
    this.hasEnded = true;
  }
}
