// What a node tells others of itself before it serves.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { enterCluster } from "@/cluster/entering.ts";
import { joiningState } from "@/cluster/membership.ts";
import type { SharedLog } from "@/cluster/shared-log.ts";
import { placeAt } from "@/cluster/store.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { migrate, openDatabase } from "@/kernel/store/database-file.ts";
import { migrations } from "@/migrations/all.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { temporaryFolders } from "../support/folder.ts";
import { until } from "../support/waiting.ts";

const newFolder = temporaryFolders();
type Report = () => NodeState | null;

test("a node that waits for the others to be upgraded says so, and how far it is", async () => {
  const dataDir = newFolder();
  const file = join(dataDir, "confab.db");
  const earlier = openDatabase(file);
  migrate(earlier, migrations.slice(0, -1));
  placeAt(file, { seq: 7, digest: "digest 7" });

  // A node of the earlier version leads: it changes the lease again and again.
  let revision = 0;
  let listening = false;
  const reports: Report[] = [];
  const shared = {
    ends: async () => ({ first: 1, last: 7, bytes: 0 }),
    read: async () => [],
    lease: {
      ms: 200,
      read: async () => ({ revision: ++revision, leader: { node: "b", url: "http://b" } }),
      hold: async () => null,
      giveBack: async () => {},
    },
    snapshots: { list: async () => [] },
    talk: {
      positions: async () => [],
      peers: async () => [],
      report: (state: Report) => void reports.push(state),
      listen() {
        listening = true;
      },
    },
    close: async () => {},
  } as unknown as SharedLog;
  const me = { node: "a", url: "http://a" };
  const state = (position: number): NodeState => ({
    ...me,
    version: "1.0.0",
    leads: false,
    is_draining: false,
    is_waiting: true,
    is_joining: false,
    is_cut_off: false,
    since: null,
    position,
    clock_ms: 0,
    free_bytes: 0,
    appended: 0,
    files: "",
  });
  const entering = enterCluster({
    dataDir,
    me,
    log: silentLog,
    openShared: async () => shared,
    end: (reason) => {
      throw reason;
    },
    state: (node) => state(node.position),
  });
  await until(() => listening, "it listens");
  // The first connection is for joining by a snapshot.
  expect(reports.map((report) => report())).toEqual([null, state(7)]);
  // As the first entry of a leader of this version does.
  earlier.run(`PRAGMA user_version = ${migrations.length}`);
  await entering;
  earlier.close();
});

test("a node that joins by a snapshot says so, and since when", async () => {
  const dataDir = newFolder();
  const head = { seq: 60, digest: "", schema: migrations.length, node: "b", at: 0, bytes: 1 };
  const began = Math.floor(Date.now() / 1_000);
  const reports: Report[] = [];
  const told: (NodeState | null)[] = [];
  const shared = {
    ends: async () => ({ first: 50, last: 60, bytes: 0 }),
    snapshots: {
      list: async () => [head],
      async *get() {
        told.push(...reports.map((report) => report()));
        yield Buffer.alloc(36);
      },
    },
    talk: { report: (state: Report) => void reports.push(state) },
    close: async () => {},
  } as unknown as SharedLog;
  const me = { node: "a", url: "http://a" };
  const entering = enterCluster({
    dataDir,
    me,
    log: silentLog,
    openShared: async () => shared,
    end: () => {},
    joiningState: (joining) => joiningState({ me, dataDir, files: () => "" }, joining),
  });
  await expect(entering).rejects.toThrow("cannot get the database of the others");
  expect(told[0]).toMatchObject({ node: "a", is_joining: true, leads: false, position: 0 });
  const since = told[0]?.since ?? 0;
  expect(since).toBeGreaterThanOrEqual(began);
  expect(since).toBeLessThanOrEqual(Date.now() / 1_000);
});
