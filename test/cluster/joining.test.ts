// How a folder gets the database of the others, with snapshots in memory.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinIfNeeded, joinNow } from "@/cluster/joining.ts";
import type { SharedLog, SnapshotHead } from "@/cluster/shared-log.ts";
import { pack, unpack } from "@/cluster/snapshot-file.ts";
import { copyAtRest, holdingOf, messagesBeyond, placeAt } from "@/cluster/store.ts";
import { migrations } from "@/migrations/all.ts";
import { openFile } from "../support/database.ts";
import { temporaryFolders } from "../support/folder.ts";

const newFolder = temporaryFolders();

/** As much of a database as joining reads. */
function database(path: string, seq: number, contents: readonly string[]): void {
  const sqlite = openFile(path);
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("CREATE TABLE realm (id INTEGER PRIMARY KEY)");
  sqlite.run("INSERT INTO realm (id) VALUES (1)");
  sqlite.run("CREATE TABLE messages (id INTEGER PRIMARY KEY, content TEXT NOT NULL)");
  for (const content of contents) sqlite.query("INSERT INTO messages (content) VALUES (?)").run(content);
  sqlite.run(`PRAGMA user_version = ${migrations.length}`);
  sqlite.close();
  if (seq > 0) placeAt(path, { seq, digest: `digest ${seq}` });
}

async function bytesOf(path: string): Promise<Uint8Array> {
  return new Uint8Array(await new Response(pack(path)).arrayBuffer());
}

async function snapshot(seq: number, contents: readonly string[]): Promise<[SnapshotHead, Uint8Array]> {
  const path = join(newFolder(), "made.db");
  database(path, seq, contents);
  const head = { seq, digest: `digest ${seq}`, schema: migrations.length, node: "other", at: 0, bytes: 1 };
  return [head, await bytesOf(path)];
}

function logOf(first: number, snapshots: readonly [SnapshotHead, Uint8Array][]): SharedLog {
  const shared = {
    ends: () => Promise.resolve({ first, last: 100, bytes: 0 }),
    snapshots: {
      list: () => Promise.resolve(snapshots.map(([head]) => head)),
      async *get(seq: number) {
        const [, bytes] = snapshots.find(([head]) => head.seq === seq) ?? [];
        // In pieces of odd sizes, as a network delivers them.
        for (let at = 0; bytes && at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
      },
    },
  };
  return shared as unknown as SharedLog;
}

const joining = (dataDir: string, shared: SharedLog) => ({ dataDir, shared, onProgress: () => {} });

describe("joining", () => {
  test("takes the newest snapshot that is intact", async () => {
    const [newest, bytes] = await snapshot(60, ["a", "b"]);
    const damaged = Uint8Array.from(bytes);
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    const other = [{ ...newest, digest: "of another history" }, bytes] as [SnapshotHead, Uint8Array];
    const older = await snapshot(50, ["a"]);
    for (const bad of [[newest, damaged], [newest, bytes.subarray(0, -1)], other] as [
      SnapshotHead,
      Uint8Array,
    ][]) {
      const dataDir = newFolder();
      const joined = await joinIfNeeded(joining(dataDir, logOf(20, [bad, older])));
      expect(joined).toMatchObject({ head: { seq: 50 }, kept: null });
      expect(readdirSync(dataDir)).toEqual(["confab.db"]);
    }
    const dataDir = newFolder();
    await expect(joinIfNeeded(joining(dataDir, logOf(20, [[newest, damaged]])))).rejects.toThrow(
      "the snapshot of entry 60 cannot be used: its checksum does not match",
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("is not needed while the log reaches back far enough", async () => {
    const dataDir = newFolder();
    database(join(dataDir, "confab.db"), 30, []);
    const newest = await snapshot(60, ["a"]);
    expect(await joinIfNeeded(joining(dataDir, logOf(31, [newest])))).toBeNull();
    expect(await joinIfNeeded(joining(dataDir, logOf(32, [newest])))).toMatchObject({ head: { seq: 60 } });
    expect(await joinIfNeeded(joining(newFolder(), logOf(1, [])))).toBeNull();
  });

  test("refuses the folder of an organization that follows no log, and changes nothing", async () => {
    const dataDir = newFolder();
    database(join(dataDir, "confab.db"), 0, ["own"]);
    await expect(joinIfNeeded(joining(dataDir, logOf(20, [await snapshot(60, [])])))).rejects.toThrow(
      "holds an organization that follows no log",
    );
    expect(holdingOf(join(dataDir, "confab.db"))).toMatchObject({ hasOrganization: true, isReplica: false });
  });

  test("says what to do if no snapshot can be used, or only one of a newer version", async () => {
    const nothing = "This node cannot get the database of the others: there is no snapshot of it";
    await expect(joinIfNeeded(joining(newFolder(), logOf(20, [])))).rejects.toThrow(nothing);
    const early = await snapshot(10, []);
    await expect(joinIfNeeded(joining(newFolder(), logOf(20, [early])))).rejects.toThrow(nothing);
    const [head, bytes] = await snapshot(60, []);
    const newer = { ...head, schema: migrations.length + 1 };
    await expect(joinIfNeeded(joining(newFolder(), logOf(20, [[newer, bytes]])))).rejects.toThrow(
      /a newer version of Confab on other \(schema \d+; this version knows \d+\). Upgrade this node/,
    );
  });

  test("starts over after a kill, and keeps a former database only if it holds more", async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, "join-half"));
    writeFileSync(join(dataDir, "join-half", "confab.db"), "half");
    writeFileSync(join(dataDir, "join-half.lock"), "");
    writeFileSync(join(dataDir, "confab.db-wal"), "of a database that is gone");
    const newest = await snapshot(60, ["a", "b"]);
    await joinNow(joining(dataDir, logOf(20, [newest])));
    expect(readdirSync(dataDir)).toEqual(["confab.db"]);

    const again = await joinNow(joining(dataDir, logOf(20, [newest])));
    expect(again).toMatchObject({ beyond: { count: 0 }, kept: null });
    const ahead = newFolder();
    database(join(ahead, "confab.db"), 70, ["a", "another b", "c"]);
    const joined = await joinNow(joining(ahead, logOf(20, [newest])));
    expect(joined.beyond).toEqual({ count: 2, ids: [2, 3] });
    expect(messagesBeyond(join(joined.kept ?? "", "confab.db"), join(ahead, "confab.db")).count).toBe(2);
    expect(holdingOf(join(ahead, "confab.db"))?.position?.seq).toBe(60);
  });
});

describe("a copy of a database in use", () => {
  test("is consistent, however much is written meanwhile", async () => {
    const dataDir = newFolder();
    const path = join(dataDir, "confab.db");
    database(path, 1, []);
    const sqlite = openFile(path);
    const insert = sqlite.query("INSERT INTO messages (content) VALUES (?)");
    const write = (n: number) =>
      sqlite.transaction(() => {
        for (let row = 0; row < 50; row++) insert.run(`${n} ${"x".repeat(1_000)}`);
        sqlite.query("UPDATE replication SET seq = ?").run(n);
      })();
    for (let n = 2; n < 40; n++) write(n);
    const to = join(dataDir, "copy.db");
    const copying = copyAtRest(path, to);
    let isDone = false;
    const done = copying.finally(() => {
      isDone = true;
    });
    for (let n = 40; !isDone || n < 60; n++) {
      write(n);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { position } = await done;
    const copy = openFile(to);
    expect(copy.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    expect(copy.query("SELECT seq FROM replication").values()).toEqual([[position.seq]]);
    expect(copy.query("SELECT COUNT(*) FROM messages").values()).toEqual([[(position.seq - 1) * 50]]);
    copy.close();
    sqlite.close();
  });

  test("is unpacked from a snapshot byte by byte", async () => {
    const dataDir = newFolder();
    const [from, to] = [join(dataDir, "from"), join(dataDir, "to")];
    writeFileSync(from, crypto.getRandomValues(new Uint8Array(50_000)));
    const bytes = await bytesOf(from);
    const seen: number[] = [];
    const source = logOf(1, [[{ seq: 1 } as SnapshotHead, bytes]]).snapshots.get(1);
    await unpack(source, to, (done) => seen.push(done));
    expect(await Bun.file(to).bytes()).toEqual(await Bun.file(from).bytes());
    expect(seen).toEqual([50_000]);
  });
});
