import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Tx } from "@/kernel/core/context.ts";
import { type Emitted, type EventType, to } from "@/kernel/core/events.ts";
import { action, query } from "@/kernel/core/operation.ts";
import type { EventQueue } from "@/kernel/core/queue-types.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesOf } from "@/kernel/lib/long-answers.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import type { Outbox } from "@/kernel/store/connection.ts";
import { migrate, openDatabase } from "@/kernel/store/database-file.ts";
import { audit } from "@/kernel/store/db.ts";
import { outbox as storedOutbox } from "@/kernel/store/outbox.ts";
import { queueEnded } from "@/outside/events/schema.ts";
import { openFile } from "../support/database.ts";
import { temporaryFolders } from "../support/folder.ts";
import { addNote, countNotes, dump, kernel, notesIn, traits } from "../support/kernel.ts";
import { until } from "../support/waiting.ts";

const newFolder = temporaryFolders();
const refuse = (): never => fail("BAD_REQUEST", "No.");

test("a write that comes once the database is being closed is refused, and disturbs nothing", async () => {
  const { db, ctx } = kernel();
  const first = db.write(ctx, (tx) => addNote(tx, "a"));
  const closed = db.close();
  // What comes before the last write is saved is saved with it.
  const second = db.write(ctx, (tx) => addNote(tx, "b"));
  expect(await first).toBe(1);
  expect(await second).toBe(2);
  await closed;
  const late = db.write(ctx, (tx) => addNote(tx, "c"));
  await expect(late).rejects.toMatchObject({ code: "SERVER_NOT_READY" });
  // A turn that was begun for it would throw here.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
});

describe("group commit", () => {
  test("bodies queued in one tick share a transaction", async () => {
    const { db, ctx, batches } = kernel();
    const ids = await Promise.all(["a", "b", "c"].map((text) => db.write(ctx, (tx) => addNote(tx, text))));

    expect(ids).toEqual([1, 2, 3]);
    expect(batches).toHaveLength(1);
    expect(notesIn(ctx)).toEqual(["a", "b", "c"]);
  });

  test("a body sees its own writes and those of earlier bodies", async () => {
    const { db, ctx } = kernel();
    const first = db.write(ctx, (tx) => addNote(tx, "a"));
    const second = db.write(ctx, (tx) => {
      addNote(tx, "b");
      return notesIn(tx);
    });
    expect(await second).toEqual(["a", "b"]);
    await first;
  });

  test.each([
    { repeatable: [false, false, false] },
    { repeatable: [true, true, true] },
    { repeatable: [true, false, true] },
    { repeatable: [false, true, true] },
    { repeatable: [true, true, false] },
  ])(
    "a body that throws is rolled back alone: rows, events and caches of the others stay (%j)",
    async ({ repeatable: [first, second, third] }) => {
      const { db, ctx, published, batches } = kernel();
      const adding = (tx: Tx) => {
        addNote(tx, "a");
        return countNotes(tx);
      };
      const failing = (tx: Tx) => {
        addNote(tx, "b");
        expect(countNotes(tx)).toBe(2);
        refuse();
      };
      const addingAnother = (tx: Tx) => {
        const before = countNotes(tx);
        addNote(tx, "c");
        return [before, countNotes(tx)];
      };
      const results = await Promise.allSettled([
        db.write(ctx, adding, first),
        db.write(ctx, failing, second),
        db.write(ctx, addingAnother, third),
      ]);

      expect(results).toMatchObject([
        { status: "fulfilled", value: 1 },
        { status: "rejected", reason: { code: "BAD_REQUEST" } },
        { status: "fulfilled", value: [1, 2] },
      ]);
      expect(notesIn(ctx)).toEqual(["a", "c"]);
      expect(countNotes(ctx)).toBe(2);
      expect(published).toEqual(["a", "c"]);
      expect(batches[0]?.written.map(({ params }) => params[0])).toEqual(["a", "c"]);
      expect(batches[0]?.emitted).toHaveLength(2);
    },
  );

  test("only a repeatable body runs again, once, and only after one that had written was undone", async () => {
    const { db, ctx, published } = kernel();
    const runs: Record<string, number> = {};
    const noting = (text: string, then = () => {}) => {
      return (tx: Tx) => {
        runs[text] = (runs[text] ?? 0) + 1;
        if (text !== "refused") addNote(tx, text);
        then();
      };
    };
    await Promise.allSettled([
      db.write(ctx, noting("a")),
      db.write(ctx, noting("b"), true),
      db.write(ctx, noting("refused", refuse), true),
      db.write(ctx, noting("c"), true),
      db.write(ctx, noting("undone", refuse), true),
      db.write(ctx, noting("also undone", refuse), true),
      db.write(ctx, noting("d"), true),
    ]);
    expect(runs).toEqual({ a: 1, b: 2, refused: 1, c: 2, undone: 1, "also undone": 1, d: 1 });
    expect(notesIn(ctx)).toEqual(["a", "b", "c", "d"]);
    expect(published).toEqual(["a", "b", "c", "d"]);
  });

  test("publishes after the commit, and resolves after that", async () => {
    const path = join(newFolder(), "notes.db");
    const order: string[] = [];
    const outside = () => openFile(path).query("SELECT text FROM notes").all().length;
    const { db, ctx } = kernel({ path, onPublish: () => order.push(`published, ${outside()} on disk`) });
    await db.write(ctx, (tx) => {
      addNote(tx, "a");
      order.push(`written, ${outside()} on disk`);
    });
    order.push("resolved");
    expect(order).toEqual(["written, 0 on disk", "published, 1 on disk", "resolved"]);
  });

  test("leaves the rest to the next transaction after a slow body", async () => {
    const { db, ctx, clock, batches } = kernel();
    const taking = (text: string, seconds: number) =>
      db.write(ctx, (tx) => {
        addNote(tx, text);
        clock.advance(seconds);
      });
    await Promise.all([taking("short", 0.009), taking("slow", 0.04), taking("rest", 0)]);
    expect(batches.map(({ written }) => written.length)).toEqual([2, 1]);
    expect(notesIn(ctx)).toEqual(["short", "slow", "rest"]);
  });

  test("the time does not change within a transaction", async () => {
    const { db, ctx, clock } = kernel();
    await db.write(ctx, (tx) => {
      const before = tx.now;
      clock.advance(100);
      expect(tx.now).toBe(before);
    });
  });

  test("closing finishes the waiting writes", async () => {
    const path = join(newFolder(), "notes.db");
    const { db, ctx } = kernel({ path });
    const written = db.write(ctx, (tx) => addNote(tx, "a"));
    await db.close();
    await written;
    expect(openFile(path).query("SELECT text FROM notes").values()).toEqual([["a"]]);
  });
});

describe("a commit that fails", () => {
  const outcome = {
    code: "SERVER_NOT_READY",
    message: "The server could not save this just now. Please try again.",
  };

  test("a dangling reference found at the commit rolls the batch back and publishes no event", async () => {
    const { db, ctx, published } = kernel();
    countNotes(ctx);
    const results = await Promise.allSettled([
      db.write(ctx, (tx) => addNote(tx, "a")),
      db.write(ctx, (tx) => tx.run("INSERT INTO links (note_id) VALUES (99)")),
    ]);

    expect(results).toMatchObject([{ reason: outcome }, { reason: outcome }]);
    expect([notesIn(ctx), countNotes(ctx), published]).toEqual([[], 0, []]);
  });

  test("a full disk rolls the batch back, and the next write that fits succeeds", async () => {
    const { db, ctx, published } = kernel();
    db.sqlite.run("PRAGMA max_page_count = 12");
    const results = await Promise.allSettled([
      db.write(ctx, (tx) => addNote(tx, "a")),
      db.write(ctx, (tx) => addNote(tx, "x".repeat(200_000))),
    ]);

    expect(results).toMatchObject([{ reason: outcome }, { reason: outcome }]);
    expect(String((results[0] as PromiseRejectedResult).reason.cause)).toContain("full");
    expect([notesIn(ctx), countNotes(ctx), published]).toEqual([[], 0, []]);
    await db.write(ctx, (tx) => addNote(tx, "b"));
    expect([notesIn(ctx), published]).toEqual([["b"], ["b"]]);
  });
});

describe("another process that has written much", () => {
  const many = Array.from({ length: 300 }, (_, i) => `other ${i}`);

  test("is read about in a turn of its own, before the bodies that wait", async () => {
    const path = join(newFolder(), "notes.db");
    const { db, ctx, batches, published } = kernel({ path });
    const other = kernel({ path, hosting: false });
    await other.db.write(other.ctx, (tx) => {
      for (const text of many) addNote(tx, text);
    });
    await db.write(ctx, (tx) => addNote(tx, "mine"));
    const [read, written] = batches.map((one) => [one.written.length, one.emitted.length]);
    expect([read, written]).toEqual([
      [0, many.length],
      [1, 1],
    ]);
    while (published.length <= many.length) await nextSlice();
    expect(published).toEqual([...many, "mine"]);
    await db.close();
    expect(openFile(path).query("SELECT count(*) AS n FROM outbox").get()).toEqual({ n: 0 });
  });

  test("has moved its pages to the database's file, so that a server need not", async () => {
    const path = join(newFolder(), "notes.db");
    kernel({ path });
    const other = kernel({ path, hosting: false });
    const length = 2_000_000;
    await other.db.write(other.ctx, (tx) => addNote(tx, "x".repeat(length)));
    expect(statSync(path).size).toBeGreaterThan(2 * length);
  });
});

// The replay audit keeps the events of each batch, and so has them read in one go.
describe.skipIf(audit.opened !== undefined)("events of another process that are many", () => {
  const many = Array.from({ length: 1_000 }, (_, i) => `other ${i}`);
  const left = (path: string) => openFile(path).query("SELECT count(*) AS n FROM outbox").get();

  const setUp = async (outbox = storedOutbox) => {
    const path = join(newFolder(), "notes.db");
    const server = kernel({ path, outbox, keepsBatches: false });
    const other = kernel({ path, hosting: false });
    const queue = server.queues.open(traits(1));
    const add = (texts: string[], end?: Emitted) =>
      other.db.write(other.ctx, (tx) => {
        for (const text of texts) addNote(tx, text);
        if (end) tx.emit(end.event, end.audience, end.payload as object);
      });
    await add(many);
    const textsIn = (of: EventQueue) => of.events.map(({ text }) => JSON.parse(text).text);
    return { ...server, path, queue, add, textsIn };
  };

  test("are read in slices, before what this process writes, and are deleted once they are read", async () => {
    const sizes: number[] = [];
    const outbox: Outbox = {
      ...storedOutbox,
      read(...from) {
        const found = storedOutbox.read(...from);
        sizes.push(found.stored.length);
        return found;
      },
    };
    const { db, ctx, queues, queue, add, textsIn, path } = await setUp(outbox);
    db.noticeOthers(ctx);
    expect(queue.events).toEqual([]);
    expect(countNotes(ctx)).toBe(many.length);
    const late = queues.open(traits(1));
    await add(["another"]);
    await db.write(ctx, (tx) => addNote(tx, "mine"));
    await until(() => textsIn(queue).includes("mine"), "the queue has them", 0);
    expect(textsIn(queue)).toEqual([...many, "another", "mine"]);
    expect(textsIn(late)).toEqual(["another", "mine"]);
    expect(Math.max(...sizes)).toBe(250);
    await until(() => Bun.deepEquals(left(path), { n: 0 }), "all are deleted", 0);
    expect(left(path)).toEqual({ n: 0 });
  });

  test("are there for a process that starts after this one ended", async () => {
    const { db, ctx, path, queue, textsIn } = await setUp();
    db.noticeOthers(ctx);
    await db.close();
    expect([queue.events.length, left(path)]).toEqual([0, { n: many.length }]);

    const next = kernel({ path, keepsBatches: false });
    const opened = next.queues.open(traits(1));
    await next.db.write(next.ctx, (tx) => addNote(tx, "mine"));
    await until(
      () => textsIn(opened).length > 0 && Bun.deepEquals(left(path), { n: 0 }),
      "all are deleted",
      0,
    );
    expect([textsIn(opened), left(path)]).toEqual([["mine"], { n: 0 }]);
    expect(textsIn(queue)).toEqual([]);
  });

  test("end queues in the turn that brings the events before that", async () => {
    const { db, ctx, add, queue, queues } = await setUp();
    await add(["last"], {
      event: queueEnded as EventType<unknown>,
      audience: to(),
      payload: { queue_id: queue.id },
    });
    const seen: number[] = [];
    const answer = queues.poll(queue, -1, false);
    db.noticeOthers(ctx);
    await until(
      () => {
        seen.push(queue.events.length);
        return !queues.all.has(queue.id);
      },
      "the queue has ended",
      0,
    );
    expect(new Set(seen)).toEqual(new Set([0]));
    expect(JSON.parse(Buffer.from(bytesOf((await answer).json)).toString()).events).toHaveLength(
      many.length + 1,
    );
  });

  test("close all queues if they cannot be read", async () => {
    let fails = false;
    const outbox: Outbox = {
      ...storedOutbox,
      read(...from) {
        if (fails) throw new Error("disk I/O error");
        return storedOutbox.read(...from);
      },
    };
    const { db, ctx, queue, queues, faults } = await setUp(outbox);
    fails = true;
    db.noticeOthers(ctx);
    await until(() => !queues.all.has(queue.id), "the queue has ended", 0);
    expect([queues.all.size, faults.map(String)]).toEqual([0, ["Error: disk I/O error"]]);
    fails = false;
    const opened = queues.open(traits(1));
    await db.write(ctx, (tx) => addNote(tx, "mine"));
    expect(opened.events).toHaveLength(1);
  });
});

describe("another process that holds the lock", () => {
  const setUp = () => {
    const path = join(newFolder(), "notes.db");
    const made = kernel({ path });
    const other = openDatabase(path);
    other.run("BEGIN IMMEDIATE");
    const settled: string[] = [];
    const add = (text: string) =>
      made.db
        .write(made.ctx, (tx) => addNote(tx, text))
        .then(() => settled.push(text))
        .catch((error) => error);
    return { ...made, other, add, settled };
  };

  test("delays writes, which then run in order; everything else goes on meanwhile", async () => {
    const { ctx, db, other, add, settled, published } = setUp();
    const writes = ["a", "b"].map(add);
    // A wait inside SQLite would hold these up until it gives up, and the writes would fail.
    for (let turns = 0; turns < 100; turns++) await Bun.sleep(1);
    writes.push(add("c"));
    expect([settled, notesIn(ctx)]).toEqual([[], []]);
    const closed = db.close();
    other.run("COMMIT");
    await Promise.all([...writes, closed]);
    expect([settled, published]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "c"],
    ]);
  });

  test("for ten seconds fails only the writes that have waited that long", async () => {
    const { ctx, other, add, settled, clock, published } = setUp();
    const first = add("a");
    clock.advance(9);
    const second = add("b");
    clock.advance(1);
    expect(await first).toMatchObject({
      code: "SERVER_NOT_READY",
      message:
        "Another program has kept the database locked for 10 seconds, so this could not be saved. Please try again.",
    });
    expect([settled, published]).toEqual([[], []]);
    other.run("ROLLBACK");
    await second;
    expect([notesIn(ctx), published]).toEqual([["b"], ["b"]]);
  });
});

describe("replay", () => {
  test("a batch's statements, run on a second copy, give the same database", async () => {
    const original = kernel();
    const copy = Database.deserialize(original.db.sqlite.serialize());
    const { db, ctx, batches, clock } = original;
    for (let round = 0; round < 5; round++) {
      const bodies = [0, 1, 2, 3].map((n) =>
        db.write(ctx, (tx) => {
          const id = addNote(tx, `${round}.${n}`);
          tx.run("UPDATE notes SET text = text || '!' WHERE id = ?", id);
          if (n === round) refuse();
          if (n === 3) tx.run("DELETE FROM notes WHERE id % 3 = ?", round % 3);
        }),
      );
      await Promise.allSettled(bodies);
      clock.advance(60);
    }

    expect(batches).toHaveLength(5);
    for (const { written } of batches) for (const { sql, params } of written) copy.run(sql, params);
    expect(dump(copy)).toEqual(dump(db.sqlite));
    expect(notesIn(ctx).length).toBeGreaterThan(3);
  });
});

describe("operations", () => {
  const createNote = action(
    () => {},
    (tx, text: string) => addNote(tx, text),
  );
  const createTwo = action(
    () => {},
    (tx, text: string) => [createNote.in(tx, text), createNote.in(tx, text)],
  );
  const forbidden = action(refuse, (tx, text: string) => addNote(tx, text));

  test("an action within an action shares its transaction and its rollback", async () => {
    const { ctx, published } = kernel();
    expect(createTwo(ctx, "same")).rejects.toThrow("UNIQUE");
    await createNote(ctx, "other");
    expect([notesIn(ctx), published]).toEqual([["other"], ["other"]]);
  });

  test("an action without permission does nothing, alone or within another", async () => {
    const { ctx, db } = kernel();
    expect(forbidden(ctx, "a")).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await expect(db.write(ctx, (tx) => forbidden.in(tx, "a"))).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(notesIn(ctx)).toEqual([]);
  });

  test("a query without permission reads nothing", () => {
    const { ctx } = kernel();
    const peek = query(refuse, () => expect.unreachable());
    expect(() => peek(ctx)).toThrow("No.");
  });
});

describe("migrations", () => {
  const steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO b VALUES (1)"];
  const memory = () => new Database(":memory:", { strict: true });

  test("run once each and in order, from any version of a database", () => {
    const sqlite = memory();
    migrate(sqlite, steps.slice(0, 1));
    migrate(sqlite, steps);
    migrate(sqlite, steps);
    expect(dump(sqlite)).toEqual({ a: [], b: [[1]] });
  });

  test("refuse a database of a newer version, and do not change it", () => {
    const sqlite = memory();
    migrate(sqlite, steps);
    const before = dump(sqlite);
    expect(() => migrate(sqlite, steps.slice(0, 1))).toThrow(
      "This data folder was written by a newer version of Confab (schema 2; this version knows 1).",
    );
    expect(dump(sqlite)).toEqual(before);
  });

  test("undo everything if one fails", () => {
    const sqlite = memory();
    expect(() => migrate(sqlite, [...steps, "CREATE TABLE a (x)"])).toThrow("already exists");
    expect(dump(sqlite)).toEqual({});
    expect(sqlite.query("PRAGMA user_version").values()).toEqual([[0]]);
  });
});

// macOS has an older SQLite, which cannot say how much waits for a checkpoint.
test.skipIf(process.platform === "darwin")(
  "a server's checkpoint is not part of the commit that makes it due, and never far behind",
  async () => {
    const { db, ctx } = kernel({ path: join(newFolder(), "confab.db") });
    const waiting = () => {
      const sql = "PRAGMA wal_checkpoint(NOOP)";
      const found = db.get<{ log: number; checkpointed: number }>(sql) ?? { log: 0, checkpointed: 0 };
      return found.log - found.checkpointed;
    };
    const long = "x".repeat(3_000);
    const add = (from: number, count: number) =>
      db.write(ctx, (tx) => {
        for (let i = from; i < from + count; i++) addNote(tx, `${i} ${long}`);
      });

    await add(0, 5_000);
    expect(waiting()).toBeGreaterThan(4_000);
    while (waiting() > 0) await new Promise((resolve) => setImmediate(resolve));

    for (let i = 0; i < 30; i++) {
      await add(5_000 + i * 100, 100);
      await new Promise((resolve) => setImmediate(resolve));
      expect(waiting()).toBeLessThan(1_500);
    }
    await db.close();
  },
);

// The replay audit puts functions of its own in the place of the connection's.
test.skipIf(process.platform === "darwin" || audit.opened !== undefined)(
  "a write does not follow a checkpoint in the same turn of the event loop: requests come in between their syncs",
  async () => {
    const { db, ctx } = kernel({ path: join(newFolder(), "confab.db") });
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    let checkpointed = -1;
    let begun = -1;
    const { sqlite } = db;
    const query = sqlite.query.bind(sqlite);
    Object.assign(sqlite, {
      query: (sql: string) => {
        if (sql.includes("PASSIVE")) checkpointed = turn;
        return query(sql);
      },
    });
    const long = "x".repeat(3_000);
    await db.write(ctx, (tx) => {
      for (let i = 0; i < 2_000; i++) addNote(tx, `${i} ${long}`);
    });
    await db.write(ctx, (tx) => {
      begun = turn;
      addNote(tx, "next");
    });
    clearImmediate(counting);
    expect(checkpointed).toBeGreaterThanOrEqual(0);
    expect(begun).toBeGreaterThan(checkpointed);
    await db.close();
  },
);
