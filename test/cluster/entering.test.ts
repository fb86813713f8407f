// What a node tells others of itself before it serves.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { enterCluster } from "@/cluster/entering.ts";
import type { SharedLog } from "@/cluster/shared-log.ts";
import { placeAt } from "@/cluster/store.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { migrate, openDatabase } from "@/kernel/store/database-file.ts";
import { migrations } from "@/migrations/all.ts";
import type { NodeState } from "@/operations/nodes/schema.ts";
import { temporaryFolders } from "../support/folder.ts";
import { until } from "../support/waiting.ts";

const newFolder = temporaryFolders();

test("a node that waits for the others to be upgraded says so, and how far it is", async () => {
  const dataDir = newFolder();
  const file = join(dataDir, "confab.db");
  const earlier = openDatabase(file);
  migrate(earlier, migrations.slice(0, -1));
  placeAt(file, { seq: 7, digest: "digest 7" });

  // A node of the earlier version leads: it changes the lease again and again.
  let revision = 0;
  let listening: Parameters<SharedLog["talk"]["listen"]>[0] | undefined;
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
      listen(listener: typeof listening) {
        listening = listener;
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
  await until(() => listening !== undefined, "it listens");
  expect(listening?.state()).toEqual(state(7));
  // As the first entry of a leader of this version does.
  earlier.run(`PRAGMA user_version = ${migrations.length}`);
  await entering;
  earlier.close();
});
