import { describe, expect, test } from "bun:test";
import type { Ctx, StateReader, StateRequest } from "@/kernel/core/context.ts";
import { early, readEarly, readState } from "@/kernel/events/state.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { addNote, kernel, notesIn, traits } from "../support/kernel.ts";

const request: StateRequest = { ...traits(1), fetched: null };

/** A kernel with these parts of the state, and a count of how often each was read. */
function stateOf(parts: Record<string, StateReader>) {
  const { db, ctx } = kernel();
  const reads: Record<string, number> = {};
  const counted = Object.entries(parts).map(([type, read]): [string, StateReader] => {
    const counting = (from: Ctx, asked: StateRequest) => {
      reads[type] = (reads[type] ?? 0) + 1;
      return read(from, asked);
    };
    return [type, Object.assign(counting, { early: read.early })];
  });
  return { db, ctx: { ...ctx, env: { ...ctx.env, state: new Map(counted) } } as Ctx, reads };
}

const notes = (ctx: Ctx) => ({ notes: notesIn(ctx) });

describe("early parts of the state", () => {
  test("are read once if nothing is written; other parts only at the end", async () => {
    const { ctx, reads } = stateOf({ early: early(notes), late: () => ({ late: 1 }) });
    const parts = await readEarly(ctx, request);
    expect(reads).toEqual({ early: 1 });
    expect(readState(ctx, request, parts)).toEqual({ notes: [], late: 1 });
    expect(reads).toEqual({ early: 1, late: 1 });
  });

  test("are read again after a write to a table they depend on", async () => {
    const { db, ctx, reads } = stateOf({
      any: early(notes),
      notes: early(notes, ["notes"]),
      links: early(() => ({ links: 0 }), ["links"]),
    });
    const parts = await readEarly(ctx, request);
    await db.write(ctx, (tx) => addNote(tx, "later"));
    expect(readState(ctx, request, parts)).toEqual({ notes: ["later"], links: 0 });
    expect(reads).toEqual({ any: 2, notes: 2, links: 1 });
  });

  test("are read at the end if others keep writing", async () => {
    const written: Promise<unknown>[] = [];
    const slow = early((ctx) => {
      Bun.sleepSync(5);
      written.push(ctx.db.write(ctx, (tx) => addNote(tx, `note ${written.length}`)));
      return notes(ctx);
    });
    const { ctx, reads } = stateOf({ slow });
    const parts = await readEarly(ctx, request);
    await Promise.all(written);
    await nextSlice();
    expect(reads).toEqual({ slow: 3 });
    expect(readState(ctx, request, parts)).toEqual({ notes: ["note 1", "note 2", "note 3"] });
  });

  test("leave out what is not asked for", async () => {
    const { ctx, reads } = stateOf({ early: early(notes) });
    const parts = await readEarly(ctx, { ...request, fetched: new Set() });
    expect(readState(ctx, { ...request, fetched: new Set() }, parts)).toEqual({});
    expect(reads).toEqual({});
  });
});
