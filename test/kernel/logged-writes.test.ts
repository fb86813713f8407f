// Writes that are committed to a log before the database. These tests use a list as the log; test/cluster uses real servers.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import type { Emitted } from "@/kernel/core/events.ts";
import { event, everyone } from "@/kernel/core/events.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import {
  type CommitLog,
  Divergence,
  type EndOfNode,
  type Entry,
  type LogPosition,
  NotAppended,
  Outdated,
  Unconfirmed,
} from "@/kernel/store/commit-log.ts";
import { findForwardedRequest, serveFor } from "@/kernel/store/forwarded-requests.ts";
import { temporaryFolders } from "../support/folder.ts";
import { addNote, countNotes, dump, type Kernel, kernel, noteAdded, notesIn } from "../support/kernel.ts";
import { until } from "../support/waiting.ts";

const newFolder = temporaryFolders();

/** A log that can delay a batch, refuse it, or take it without an answer. */
class ListLog implements CommitLog {
  readonly leads = true;
  readonly entries: Entry[] = [];
  readonly announced: Emitted[] = [];
  readonly divergences: EndOfNode[] = [];
  mood: "refuses" | "forgets to answer" | "answers later" | null = null;
  /** Whether it has the batch, for the last mood. */
  found = Promise.withResolvers<boolean | null>();
  answering: Promise<void> = Promise.resolve();
  calls = 0;
  term = 0;

  async append(
    { written, emitted, room, requests }: Omit<Entry, "position">,
    fence: LogPosition,
  ): Promise<LogPosition> {
    this.calls++;
    await this.answering;
    if (this.mood === "refuses") throw new NotAppended("The log is full");
    if (fence.seq !== this.entries.length) throw new NotAppended("The place is taken");
    const position = { seq: fence.seq + 1, digest: `${fence.digest}.${written.length}` };
    this.entries.push(structuredCloneOf({ position, written, emitted, room, requests }));
    if (this.mood === "answers later") throw new Unconfirmed("No answer yet", this.found.promise);
    if (this.mood === "forgets to answer") throw new Error("No answer");
    return position;
  }

  async read({ seq }: LogPosition): Promise<Entry[]> {
    return this.entries.slice(seq, seq + 2);
  }

  /** Resolves at the test's wish. */
  spreading: Promise<void> = Promise.resolve();
  readonly spreads: number[] = [];

  spread(seq: number): Promise<void> {
    this.spreads.push(seq);
    return this.spreading;
  }

  announce(emitted: readonly Emitted[]): void {
    this.announced.push(...emitted);
  }

  endNode(error: EndOfNode): void {
    this.divergences.push(error);
  }
}

/** Copies the entry, so that it shares nothing with its author. */
function structuredCloneOf({ position, written, emitted, ...more }: Entry): Entry {
  return {
    ...more,
    position,
    written: structuredClone(written),
    emitted: emitted.map((one) => ({ ...one })),
  };
}

function nodes(): { log: ListLog; leader: Kernel; follower: Kernel } {
  const log = new ListLog();
  return { log, leader: kernel({ log }), follower: kernel({ log }) };
}

const noteShown = event("test_note_shown", {
  about: "For this test.",
  schema: z.object({ text: z.string() }),
  isFleeting: true,
});

const accessEnded = event("test_access_ended", {
  about: "For this test.",
  schema: z.object({ text: z.string() }),
  isAwaited: true,
});

function replicaOf({ db }: Kernel) {
  if (!db.replica) throw new Error("This store has no log");
  return db.replica;
}

const add = ({ db, ctx }: Kernel, text: string) => db.write(ctx, (tx) => addNote(tx, text));

describe("a batch", () => {
  test("is visible only once the log has it", async () => {
    const { log, leader } = nodes();
    const { promise, resolve } = Promise.withResolvers<void>();
    log.answering = promise;
    expect(countNotes(leader.ctx)).toBe(0);
    const added = add(leader, "a");
    await until(() => log.calls > 0, "the log is asked", 1);
    expect([notesIn(leader.ctx), countNotes(leader.ctx), leader.published]).toEqual([[], 0, []]);

    resolve();
    expect(await added).toBe(1);
    expect([notesIn(leader.ctx), countNotes(leader.ctx), leader.published]).toEqual([["a"], 1, ["a"]]);
    expect(replicaOf(leader).position).toEqual({ seq: 1, digest: ".1" });
  });

  test("takes all bodies that waited during the previous append", async () => {
    const { log, leader } = nodes();
    const { promise, resolve } = Promise.withResolvers<void>();
    log.answering = promise;
    const first = add(leader, "a");
    await until(() => log.calls > 0, "the log is asked", 1);
    const rest = ["b", "c"].map((text) => add(leader, text));
    for (let turns = 0; turns < 10; turns++) await nextSlice();
    expect(log.calls).toBe(1);
    resolve();
    expect(await Promise.all([first, ...rest])).toEqual([1, 2, 3]);
    expect(log.entries.map(({ written }) => written.length)).toEqual([1, 2]);
  });

  test("is answered once it is known whether the log has it; later batches do not wait for that", async () => {
    const { log, leader } = nodes();
    log.mood = "answers later";
    const notSaved = "The server could not save this just now. Please try again.";
    const unconfirmed = "The server could not confirm that this was saved. Please look before you try again.";
    for (const [isThere, answer] of [
      [true, 1],
      [false, notSaved],
      [null, unconfirmed],
    ] as const) {
      log.found = Promise.withResolvers();
      const { promise } = log.found;
      log.mood = "answers later";
      const first = add(leader, `answered with ${isThere}`).catch((error: Error) => error.message);
      let isAnswered = false;
      void first.then(() => {
        isAnswered = true;
      });
      const calls = log.calls;
      await until(() => log.calls > calls, "the log is asked", 1);
      log.mood = null;
      expect(await add(leader, `after ${isThere}`)).toBeGreaterThan(1);
      expect(isAnswered).toBe(false);
      log.found.resolve(isThere);
      await promise;
      expect(await first).toBe(answer);
    }
  });

  test("has the same effect on another node: rows, sequences, caches and events", async () => {
    const { leader, follower } = nodes();
    await add(leader, "a");
    await leader.db.write(leader.ctx, (tx) => tx.run("DELETE FROM notes"));
    await Promise.all([add(leader, "b"), add(leader, "c")]);
    expect(countNotes(follower.ctx)).toBe(0);

    await replicaOf(follower).catchUp();
    expect(dump(follower.db.sqlite)).toEqual(dump(leader.db.sqlite));
    expect(notesIn(follower.ctx)).toEqual(["b", "c"]);
    expect(countNotes(follower.ctx)).toBe(2);
    expect(follower.published).toEqual(["a", "b", "c"]);
    expect(replicaOf(follower).position).toEqual(replicaOf(leader).position);
  });

  test("leaves out a body that throws, and a statement whose error its body catches", async () => {
    const { log, leader, follower } = nodes();
    const results = await Promise.allSettled([
      add(leader, "a"),
      leader.db.write(leader.ctx, (tx) => {
        addNote(tx, "b");
        throw new Error("No");
      }),
      leader.db.write(leader.ctx, (tx) => {
        try {
          addNote(tx, "a");
        } catch {
          return addNote(tx, "c");
        }
        return 0;
      }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(log.entries.flatMap(({ written }) => written.map(({ params }) => params[0]))).toEqual(["a", "c"]);
    await replicaOf(follower).catchUp();
    expect(notesIn(follower.ctx)).toEqual(["a", "c"]);
    expect(follower.published).toEqual(["a", "c"]);
  });

  test("without writes is not appended, but is answered", async () => {
    const { log, leader } = nodes();
    const refused = leader.db.write(leader.ctx, (tx) => {
      addNote(tx, "a");
      throw new Error("No");
    });
    await expect(refused).rejects.toThrow("No");
    expect(await leader.db.write(leader.ctx, () => "nothing")).toBe("nothing");
    expect([log.calls, notesIn(leader.ctx)]).toEqual([0, []]);
  });

  test("that only emits short-lived events is announced to all nodes instead", async () => {
    const { log, leader } = nodes();
    await leader.db.write(leader.ctx, (tx) => tx.emit(noteShown, everyone, { text: "typing" }));
    expect([log.calls, leader.published]).toEqual([0, []]);
    replicaOf(leader).deliver(log.announced);
    expect(leader.published).toEqual(["typing"]);
  });

  test("names the requests of other nodes that it belongs to, until these are answered", async () => {
    const { log, leader } = nodes();
    const request = { id: "one", term: 0, done: [] };
    const later = await serveFor(request, async () => {
      await Promise.all([add(leader, "a"), add(leader, "b")]);
      return () => add(leader, "d");
    });
    await add(leader, "c");
    await later();
    expect(log.entries.map(({ requests }) => requests)).toEqual([
      [
        ["one", -1],
        ["one", -1],
      ],
      undefined,
      undefined,
    ]);
  });

  test("keeps what the writes of a request gave, and a leader takes that in their place", async () => {
    const { log, leader, follower } = nodes();
    const giving =
      ({ db, ctx }: Kernel, keeps: "success" | "results", name = "") =>
      async () => {
        const request = findForwardedRequest();
        if (request) request.keeps = keeps;
        const counted = await db.write(ctx, (tx) => ({ added: addNote(tx, `${name}a`) }));
        const nothing = await db.write(ctx, (tx) => void addNote(tx, `${name}b`));
        return { counted, nothing };
      };
    const answer = await serveFor({ id: "one", term: 0, done: [] }, giving(leader, "results"));
    await serveFor({ id: "two", term: 0, done: [] }, giving(leader, "success", "another "));
    expect(log.entries.map(({ requests }) => requests)).toEqual([
      [["one", 0, { added: 1 }]],
      [["one", 1]],
      [["two", -1]],
      [["two", 1]],
    ]);
    await replicaOf(follower).catchUp();
    const done = [{ added: 1 }, undefined];
    expect(await serveFor({ id: "three", term: 0, done }, giving(follower, "results"))).toEqual(answer);
    expect([log.calls, notesIn(follower.ctx)]).toEqual([4, ["a", "b", "another a", "another b"]]);
    const some = serveFor({ id: "four", term: 0, done: [{ added: 1 }] }, giving(follower, "results"));
    await expect(some).rejects.toThrow(
      "The server saved this, or a part of it, and failed before it could answer. Please look before you try again.",
    );
    expect(log.calls).toBe(4);
  });

  test("holds nothing of a request that came in an earlier term", async () => {
    const { log, leader } = nodes();
    log.term = 2;
    const late = serveFor({ id: "one", term: 1, done: [] }, () => add(leader, "a"));
    const own = add(leader, "b");
    await expect(late).rejects.toThrow("The server could not save this just now. Please try again.");
    await own;
    expect(notesIn(leader.ctx)).toEqual(["b"]);
    await serveFor({ id: "two", term: 2, done: [] }, () => add(leader, "c"));
    expect(log.entries.map(({ requests }) => requests)).toEqual([undefined, [["two", -1]]]);
  });

  test("that ends access is answered once all nodes have it, and keeps no later one waiting", async () => {
    const { log, leader } = nodes();
    const { promise, resolve } = Promise.withResolvers<void>();
    log.spreading = promise;
    const answered: string[] = [];
    const ending = leader.db
      .write(leader.ctx, (tx) => {
        addNote(tx, "a");
        tx.emit(accessEnded, everyone, { text: "ended" });
      })
      .then(() => answered.push("ending"));
    await until(() => log.spreads.length > 0, "it is spread", 1);
    await add(leader, "b").then(() => answered.push("later"));
    expect([log.spreads, answered, notesIn(leader.ctx)]).toEqual([[1], ["later"], ["a", "b"]]);
    resolve();
    await ending;
    expect(answered).toEqual(["later", "ending"]);
    log.spreading = Promise.reject(new Error("Nobody can be asked"));
    log.spreading.catch(() => {});
    await leader.db.write(leader.ctx, (tx) => tx.emit(accessEnded, everyone, { text: "ended" }));
    expect(log.spreads).toEqual([1, 3]);
  });

  test("that only emits other events is in the log, so that no client can miss them", async () => {
    const { log, leader, follower } = nodes();
    await leader.db.write(leader.ctx, (tx) => tx.emit(noteAdded, everyone, { text: "lasting" }));
    expect([log.calls, log.announced, leader.published]).toEqual([1, [], ["lasting"]]);
    await replicaOf(follower).catchUp();
    expect(follower.published).toEqual(["lasting"]);
  });

  test("is in the file, with its position in the log, when the file is opened again", async () => {
    const path = join(newFolder(), "notes.db");
    const log = new ListLog();
    const before = kernel({ path, log });
    const added = add(before, "a");
    await before.db.close();
    await added;

    const after = kernel({ path, log });
    expect([notesIn(after.ctx), replicaOf(after).position.seq]).toEqual([["a"], 1]);
    expect(await add(after, "b")).toBe(2);
    await after.db.close();
  });
});

describe("a batch that the log does not take", () => {
  test("changes nothing, and the next batch takes its number", async () => {
    const { log, leader } = nodes();
    log.mood = "refuses";
    const message = "The server could not save this just now. Please try again.";
    await expect(add(leader, "a")).rejects.toMatchObject({ code: "NOT_NOW", message });
    expect([notesIn(leader.ctx), countNotes(leader.ctx), leader.published]).toEqual([[], 0, []]);
    log.mood = null;
    expect(await add(leader, "b")).toBe(1);
    expect(leader.db.lastFailure).toBeNull();
  });

  test("but that the log has without an answer is applied before the next write", async () => {
    const { log, leader } = nodes();
    log.mood = "forgets to answer";
    const message = "The server could not confirm that this was saved. Please look before you try again.";
    await expect(add(leader, "a")).rejects.toMatchObject({ code: "UNSURE", message });
    expect(notesIn(leader.ctx)).toEqual([]);
    log.mood = null;
    expect(await add(leader, "b")).toBe(2);
    expect([notesIn(leader.ctx), leader.published]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  test("because another node's entry is there: that is applied first, and the next write follows it", async () => {
    const { leader, follower: other } = nodes();
    await add(leader, "a");
    await expect(add(other, "x")).rejects.toMatchObject({ code: "NOT_NOW" });
    expect(await add(other, "b")).toBe(2);
    expect(notesIn(other.ctx)).toEqual(["a", "b"]);
  });

  test("with a dangling reference is refused before the append", async () => {
    const { log, leader } = nodes();
    const dangling = leader.db.write(leader.ctx, (tx) => {
      tx.run("PRAGMA defer_foreign_keys = ON");
      tx.run("INSERT INTO links (note_id) VALUES (99)");
    });
    await expect(dangling).rejects.toMatchObject({ code: "NOT_NOW" });
    const mended = leader.db.write(leader.ctx, (tx) => {
      tx.run("PRAGMA defer_foreign_keys = ON");
      tx.run("INSERT INTO links (note_id) VALUES (1)");
      addNote(tx, "a");
    });
    await mended;
    expect(log.entries).toHaveLength(1);
  });
});

describe("an entry", () => {
  test("that begins a schema migrates each copy; one of an earlier version ends, and one of a later schema too", async () => {
    const migrations = [
      "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT",
      "INSERT INTO later (id) VALUES (7)",
    ];
    const entry = { position: { seq: 1, digest: "1" }, written: [], emitted: [], schema: 2 };
    const log = new ListLog();
    const copy = kernel({ log, migrations });
    replicaOf(copy).apply(entry);
    expect(copy.db.all("SELECT id FROM later")).toEqual([{ id: 7 }]);
    expect(replicaOf(copy).position.seq).toBe(1);
    replicaOf(copy).apply({ ...entry, position: { seq: 2, digest: "2" } });
    expect(copy.db.all("SELECT id FROM later")).toEqual([{ id: 7 }]);
    expect(() => replicaOf(copy).apply({ ...entry, position: { seq: 3, digest: "3" }, schema: 1 })).toThrow(
      new Divergence("The node that leads has schema 1, and the database of this node 2"),
    );

    const earlier = kernel({ log, migrations: migrations.slice(0, 1) });
    expect(() => replicaOf(earlier).apply(entry)).toThrow(
      new Outdated(
        "The node that leads runs a newer version of Confab (schema 2; this version knows 1). Upgrade this node and start it again.",
      ),
    );
    expect(replicaOf(earlier)).toMatchObject({ position: { seq: 0 }, isStuck: true });
  });

  test("with another effect here stops the node: it is rolled back, and no later one is applied", async () => {
    const { leader, follower } = nodes();
    await add(leader, "a");
    await replicaOf(follower).catchUp();
    follower.db.sqlite.run("INSERT INTO notes (text, at) VALUES ('of its own', 1)");
    await add(leader, "b");
    await add(leader, "c");
    const failed = replicaOf(follower).catchUp();
    await expect(failed).rejects.toThrow(Divergence);
    await expect(failed).rejects.toThrow(
      "Entry 2 of the log changed 1 rows (rowid 2) where it was made, and 1 (rowid 3) here",
    );
    expect(notesIn(follower.ctx)).toEqual(["a", "of its own"]);
    expect(replicaOf(follower).position.seq).toBe(1);
    expect(follower.published).toEqual(["a"]);
  });

  test("with another effect on the node that made it stops that node, too", async () => {
    const { log, leader } = nodes();
    const { promise, resolve } = Promise.withResolvers<void>();
    log.answering = promise;
    const added = add(leader, "a");
    await until(() => log.calls > 0, "the log is asked", 1);
    leader.db.sqlite.run("INSERT INTO notes (text, at) VALUES ('of its own', 1)");
    resolve();
    await expect(added).rejects.toMatchObject({ code: "UNSURE" });
    expect(log.divergences).toHaveLength(1);
  });

  test("that changes no row here is detected, too", async () => {
    const { leader, follower } = nodes();
    await add(leader, "a");
    await replicaOf(follower).catchUp();
    follower.db.sqlite.run("DELETE FROM notes");
    await leader.db.write(leader.ctx, (tx) => tx.run("UPDATE notes SET at = 1"));
    await expect(replicaOf(follower).catchUp()).rejects.toThrow(
      "changed 1 rows (rowid null) where it was made, and 0",
    );
  });

  test("that comes twice is applied once; one that comes too early is refused", async () => {
    const { log, leader, follower } = nodes();
    for (const text of ["a", "b"]) await add(leader, text);
    const [first, second] = log.entries as [Entry, Entry];
    expect(() => replicaOf(follower).apply(second)).toThrow("is not the next");
    for (const entry of [first, first, second, first]) replicaOf(follower).apply(entry);
    expect([notesIn(follower.ctx), follower.published]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });
});

// macOS has an older SQLite, which cannot say how much waits for a checkpoint.
test.skipIf(process.platform === "darwin")(
  "a node's checkpoint is not part of the commit that makes it due, and never far behind",
  async () => {
    const leader = kernel({ log: new ListLog(), path: join(newFolder(), "confab.db") });
    const { db, ctx } = leader;
    const waiting = () => {
      const sql = "PRAGMA wal_checkpoint(NOOP)";
      const found = db.get<{ log: number; checkpointed: number }>(sql) ?? { log: 0, checkpointed: 0 };
      return found.log - found.checkpointed;
    };
    const long = "x".repeat(3_000);
    const addMany = (from: number, count: number) =>
      db.write(ctx, (tx) => {
        for (let i = from; i < from + count; i++) addNote(tx, `${i} ${long}`);
      });

    await addMany(0, 5_000);
    expect(waiting()).toBeGreaterThan(4_000);
    while (waiting() > 0) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 30; i++) {
      await addMany(5_000 + i * 100, 100);
      await new Promise((resolve) => setImmediate(resolve));
      expect(waiting()).toBeLessThan(1_500);
    }
    await db.close();
  },
);
