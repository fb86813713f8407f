import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { bytesOf } from "@/kernel/lib/long-answers.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { cache, cacheInSteps, declareCache } from "@/kernel/store/cache.ts";
import { openDatabase } from "@/kernel/store/database-file.ts";
import { defineOwnedSettings, setting } from "@/kernel/store/settings.ts";
import { temporaryFolders } from "../support/folder.ts";
import { addNote, countNotes, kernel, noteAdded, notesIn, traits } from "../support/kernel.ts";

const newFolder = temporaryFolders();

describe("a cached read", () => {
  test("loads once while its tables do not change", async () => {
    const { db, ctx } = kernel();
    let asked = 0;
    const read = cache(["notes"], (_, key: string) => `${key}${++asked}`);
    expect([read(ctx, "a"), read(ctx, "a"), read(ctx, "b")]).toEqual(["a1", "a1", "b2"]);
    await db.write(ctx, (tx) => tx.run("DELETE FROM links"));
    expect(read(ctx, "a")).toBe("a1");
    await db.write(ctx, (tx) => tx.run("DELETE FROM notes"));
    expect([read(ctx, "a"), read(ctx, "b")]).toEqual(["a3", "b4"]);
  });

  test("does not keep long keys, which requests could use to fill its memory", () => {
    const { ctx } = kernel();
    const asked: string[] = [];
    const read = cache(["notes"], (_, key: string) => asked.push(key));
    const [kept, passed] = ["k".repeat(256), "p".repeat(257)];
    for (const key of [kept, kept, passed, passed]) read(ctx, key);
    expect(asked).toEqual([kept, passed, passed]);
  });

  test("remembers an empty result", () => {
    const { ctx } = kernel();
    let asked = 0;
    const read = cache(["notes"], () => {
      asked++;
      return undefined;
    });
    read(ctx);
    read(ctx);
    expect(asked).toBe(1);
  });

  test("is up to date inside the transaction that changes it, and after a rollback", async () => {
    const { db, ctx } = kernel();
    countNotes(ctx);
    await db
      .write(ctx, (tx) => {
        addNote(tx, "a");
        expect(countNotes(tx)).toBe(1);
        tx.run("DELETE FROM notes");
        expect(countNotes(tx)).toBe(0);
        addNote(tx, "b");
        expect(countNotes(tx)).toBe(1);
        throw new Error("no");
      })
      .catch(() => {});
    expect(countNotes(ctx)).toBe(0);
  });

  test("is up to date after a rollback, even if it was first loaded inside the transaction", async () => {
    const { db, ctx } = kernel();
    await db
      .write(ctx, (tx) => {
        addNote(tx, "a");
        expect(countNotes(tx)).toBe(1);
        throw new Error("no");
      })
      .catch(() => {});
    expect(countNotes(ctx)).toBe(0);
  });

  test("sees every kind of write", async () => {
    const { db, ctx } = kernel();
    const texts = cache(["notes"], (reads) => notesIn(reads).join());
    const after = async (sql: string) => {
      texts(ctx);
      await db.write(ctx, (tx) => tx.run(sql));
      return texts(ctx);
    };
    expect(await after("INSERT INTO notes (text) VALUES ('a')")).toBe("a");
    expect(await after("INSERT OR REPLACE INTO notes (id, text) VALUES (1, 'b')")).toBe("b");
    expect(await after("REPLACE INTO notes (id, text) VALUES (1, 'c')")).toBe("c");
    expect(await after("UPDATE notes SET text = 'd'")).toBe("d");
    expect(await after("update or ignore notes set text = 'e'")).toBe("e");
    expect(await after("DELETE FROM notes")).toBe("");
  });

  test("limits the number of keys", () => {
    const { ctx } = kernel();
    let asked = 0;
    const read = cache(["notes"], (_, key: number) => key + 0 * ++asked, 3);
    for (const key of [1, 2, 3, 4, 4, 1]) expect(read(ctx, key)).toBe(key);
    expect(asked).toBe(5);
  });

  test("is separate for each database", async () => {
    const [one, two] = [kernel(), kernel()];
    await one.db.write(one.ctx, (tx) => addNote(tx, "a"));
    expect([countNotes(one.ctx), countNotes(two.ctx)]).toEqual([1, 0]);
  });
});

describe("two processes on one file", () => {
  const pair = () => {
    const path = join(newFolder(), "notes.db");
    return { path, server: kernel({ path }), cli: kernel({ path, hosting: false }) };
  };

  test("the server's caches see the other's commits after noticeOthers, and inside its own writes", async () => {
    const { server, cli } = pair();
    expect(countNotes(server.ctx)).toBe(0);
    await cli.db.write(cli.ctx, (tx) => addNote(tx, "a"));
    server.db.noticeOthers(server.ctx);
    expect(countNotes(server.ctx)).toBe(1);

    await cli.db.write(cli.ctx, (tx) => addNote(tx, "b"));
    await server.db.write(server.ctx, (tx) => expect(countNotes(tx)).toBe(2));
    expect(countNotes(server.ctx)).toBe(2);
  });

  test("the other's caches see the server's commits", async () => {
    const { server, cli } = pair();
    countNotes(cli.ctx);
    await server.db.write(server.ctx, (tx) => addNote(tx, "a"));
    await cli.db.write(cli.ctx, (tx) => expect(countNotes(tx)).toBe(1));
    await server.db.write(server.ctx, (tx) => addNote(tx, "b"));
    cli.db.noticeOthers(cli.ctx);
    expect(countNotes(cli.ctx)).toBe(2);
  });

  test("the other's events reach the server's queues once and in order", async () => {
    const { server, cli } = pair();
    const queue = server.queues.open(traits(1));
    for (const text of ["a", "b"]) await cli.db.write(cli.ctx, (tx) => addNote(tx, text));
    await cli.db.write(cli.ctx, (tx) => tx.emit(noteAdded, { to: new Set([2]) }, { text: "for another" }));
    await cli.db.write(cli.ctx, (tx) => tx.emit(noteAdded, { to: new Set([1, 2]) }, { text: "c" }));
    expect(cli.published).toEqual([]);

    server.db.noticeOthers(server.ctx);
    server.db.noticeOthers(server.ctx);
    expect(server.published).toEqual(["a", "b", "for another", "c"]);
    const { events } = JSON.parse(
      Buffer.from(bytesOf((await server.queues.poll(queue, -1, true)).json)).toString(),
    );
    expect(events).toMatchObject([{ text: "a" }, { text: "b" }, { text: "c" }]);
    await server.db.write(server.ctx, () => {});
    expect(server.db.all("SELECT * FROM outbox")).toEqual([]);
  });

  test("the other's events reach the queues while a third process holds the lock, once and before ours", async () => {
    const { server, cli, path } = pair();
    await cli.db.write(cli.ctx, (tx) => addNote(tx, "a"));
    const other = openDatabase(path);
    other.run("BEGIN IMMEDIATE");
    server.db.noticeOthers(server.ctx);
    expect([server.published, countNotes(server.ctx)]).toEqual([["a"], 1]);
    const theirs = cli.db.write(cli.ctx, (tx) => addNote(tx, "b"));
    other.run("COMMIT");
    await theirs;
    await server.db.write(server.ctx, (tx) => addNote(tx, "ours"));
    expect(server.published).toEqual(["a", "b", "ours"]);
    await server.db.write(server.ctx, () => {});
    expect(server.db.all("SELECT * FROM outbox")).toEqual([]);
  });

  test("the other's events come before those of the server's next write", async () => {
    const { server, cli } = pair();
    await cli.db.write(cli.ctx, (tx) => addNote(tx, "theirs"));
    await server.db.write(server.ctx, (tx) => addNote(tx, "ours"));
    server.db.noticeOthers(server.ctx);
    expect(server.published).toEqual(["theirs", "ours"]);
  });

  test("after a failed write on the server, the other's events still reach the queues", async () => {
    const { server, cli } = pair();
    await cli.db.write(cli.ctx, (tx) => addNote(tx, "theirs"));
    await server.db
      .write(server.ctx, (tx) => tx.run("INSERT INTO links (note_id) VALUES (99)"))
      .catch(() => {});
    expect(server.published).toEqual([]);
    server.db.noticeOthers(server.ctx);
    expect(server.published).toEqual(["theirs"]);
  });

  test("a server's first check takes in the events that wait in the file at its start", async () => {
    const path = join(newFolder(), "notes.db");
    const cli = kernel({ path, hosting: false });
    await cli.db.write(cli.ctx, (tx) => addNote(tx, "a"));
    await cli.db.close();
    const server = kernel({ path });
    expect(server.published).toEqual(["a"]);
    await server.db.write(server.ctx, () => {});
    expect(server.db.all("SELECT * FROM outbox")).toEqual([]);
  });
});

describe("settings", () => {
  const prefs = defineOwnedSettings("test", {
    size: setting(z.int(), 3, "Size"),
    name: setting(z.string(), "none", "Name"),
  });

  test("return their defaults until written, separately for each owner", async () => {
    const { db, ctx } = kernel();
    db.sqlite.run(
      "CREATE TABLE settings (scope, owner_id, name, value, PRIMARY KEY (scope, owner_id, name))",
    );
    expect(prefs.read(ctx, 1)).toEqual({ size: 3, name: "none" });
    await db.write(ctx, (tx) => {
      prefs.write(tx, 1, "size", 5);
      prefs.write(tx, 1, "size", 6);
      expect(prefs.read(tx, 1).size).toBe(6);
    });
    expect([prefs.read(ctx, 1), prefs.read(ctx, 2)]).toEqual([
      { size: 6, name: "none" },
      { size: 3, name: "none" },
    ]);
  });
});

describe("a cached read in steps", () => {
  const letters = () => {
    const begun: string[] = [];
    const read = cacheInSteps(
      ["notes"],
      function* (_, key: string) {
        begun.push(key);
        yield 1;
        return key.toUpperCase();
      },
      2,
    );
    return { read, begun };
  };

  test("loads once while its tables do not change, and keeps a few", async () => {
    const { db, ctx } = kernel();
    const { read, begun } = letters();
    expect([runSync(read(ctx, "a")), runSync(read(ctx, "a"))]).toEqual(["A", "A"]);
    await db.write(ctx, (tx) => tx.run("DELETE FROM notes"));
    for (const key of ["a", "b", "c", "a"]) expect(runSync(read(ctx, key))).toBe(key.toUpperCase());
    expect(begun).toEqual(["a", "a", "b", "c", "a"]);
  });

  test("loads again what changed between its steps, and at last without a pause", async () => {
    const { db, ctx } = kernel();
    const { read, begun } = letters();
    const steps = read(ctx, "a");
    let step = steps.next();
    for (; !step.done; step = steps.next()) await db.write(ctx, (tx) => tx.run("DELETE FROM notes"));
    expect(step.value).toBe("A");
    expect(begun).toHaveLength(4);
    expect(runSync(read(ctx, "a"))).toBe("A");
    expect(begun).toHaveLength(4);
  });
});

describe("a declared cache", () => {
  test("holds as much as it may of what was asked for last, and one value that is larger", () => {
    const { ctx } = kernel();
    const sized = declareCache<string, string>({ name: "t", max: 6, sizeOf: (text) => text.length })(ctx);
    for (const text of ["aa", "bb", "cc"]) sized.set(text, text);
    expect([sized.get("aa"), sized.size]).toEqual(["aa", 6]);
    sized.set("dd", "ddd");
    expect([sized.keys(), sized.size]).toEqual([["aa", "dd"], 5]);
    sized.set("aa", "a");
    expect(sized.size).toBe(4);
    sized.set("long", "1234567");
    expect([sized.keys(), sized.size]).toEqual([["long"], 7]);
  });

  test("drops all when one of its tables changes, and nothing for other tables", async () => {
    const { db, ctx } = kernel();
    const cacheOf = declareCache<string, number>({ name: "t", max: 9, tables: ["notes"] });
    cacheOf(ctx).set("a", 1);
    await db.write(ctx, (tx) => tx.run("DELETE FROM links"));
    expect(cacheOf(ctx).get("a")).toBe(1);
    await db.write(ctx, (tx) => addNote(tx, "n")).then(() => {});
    expect(cacheOf(ctx).get("a")).toBeUndefined();
  });

  test("drops what is outdated after a change, or all, and is empty inside a transaction", async () => {
    const { db, ctx } = kernel();
    let outdated: string[] | null = [];
    const cacheOf = declareCache<string, number>({ name: "t", max: 9, listOutdated: () => outdated });
    const fill = () => {
      for (const [i, key] of ["a", "b"].entries()) cacheOf(ctx).set(key, i);
    };
    fill();
    outdated = ["a"];
    await db.write(ctx, (tx) => {
      addNote(tx, "n");
      expect(cacheOf(tx).keys()).toEqual([]);
      cacheOf(tx).set("c", 2);
    });
    expect(cacheOf(ctx).keys()).toEqual(["b"]);
    outdated = null;
    await db.write(ctx, (tx) => tx.run("DELETE FROM notes"));
    expect(cacheOf(ctx).keys()).toEqual([]);
  });
});
