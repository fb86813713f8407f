// Faults of single nodes, nodes that join and leave, and logs that are lost. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "@/app.ts";
import { beginLog, leaveLog } from "@/cluster/beginning.ts";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import type { SharedLog } from "@/cluster/shared-log.ts";
import { migrations } from "@/migrations/all.ts";
import { openDatabaseOf } from "../support/database.ts";
import { laterMigrations } from "./later.ts";
import { type Account, expectKept, expectWhole, load, repeated, through } from "./load.ts";
import { Cluster, type Node, natsBinary, until } from "./machines.ts";
import type { Network } from "./network.ts";

const folder = mkdtempSync(join(tmpdir(), "confab-faults-"));
const binary = natsBinary("nobody tried faults of nodes, and nodes that join");
const hour = 3_600_000;
const trimmedMeanwhile = /"cluster_ends".*The log begins at entry \d+, and this node holds those up to \d+\./;
/** Makes a snapshot at every check, and trims all entries that the newest snapshot covers. */
const hasty = { everyEntries: 40, checkSeconds: 0.4, marginSeconds: 0 };

let cluster: Cluster;
let olive: Account;
let shared: SharedLog;

/** Of this version; the upgrades of the nodes add later ones, and the next test file is of this version again. */
const ownMigrations = migrations.length;

afterAll(async () => {
  (migrations as string[]).length = ownMigrations;
  await shared?.close();
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

const openShared = () =>
  openJetStream({
    servers: cluster.servers.map(({ url }) => url),
    cluster: "test",
    node: "test",
    replicas: 3,
    leaseMs: 1_000,
  });

async function restart(node: Node): Promise<void> {
  await node.stop();
  node.start();
  await node.ready();
}

async function restartAll(more: Partial<Node["settings"]>): Promise<void> {
  for (const node of cluster.nodes) Object.assign(node.settings, more);
  await Promise.all(cluster.nodes.map((node) => node.stop()));
  for (const node of cluster.nodes) node.start();
  await Promise.all(cluster.nodes.map((node) => node.ready()));
}

/** Lets all nodes make snapshots often, and trim the log. */
async function hurry(): Promise<void> {
  if (cluster.nodes.some(({ settings }) => settings.rules !== hasty)) await restartAll({ rules: hasty });
}

/**
 * Starts a node that has to join. The others trim the log at once, and not after a day: on a busy machine, the next entry may be gone
 * before the node has read its snapshot. It then ends, and is started again as a service manager would.
 */
async function startJoining(node: Node): Promise<void> {
  for (;;) {
    const from = node.log.length;
    node.start();
    try {
      await node.ready();
      return;
    } catch (error) {
      if (!trimmedMeanwhile.test(node.log.slice(from))) throw error;
    }
  }
}

const trimmedBeyond = (position: number) =>
  until(`the log begins after entry ${position}`, async () => (await shared.ends()).first > position + 1);

describe.skipIf(!binary)("nodes of a cluster", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "", { beginning: "recover", cuts: true });
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    await cluster.nodes[0]?.call(olive, "POST", "users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
    });
    shared = await openShared();
  });

  const slowly = "a node is slow: it reads what it missed";
  repeated(
    slowly,
    () => cluster,
    async () => {
      const slow = await cluster.follower();
      const sent = await through(cluster, olive, slowly, async () => {
        slow.send("SIGSTOP");
        const others = cluster.nodes.filter((one) => one !== slow);
        const [{ position = 0 } = {}] = await Promise.all(others.map((one) => one.status()));
        await until("the others are far ahead", async () => {
          const all = await Promise.all(others.map((one) => one.status()));
          return all.every((one) => one.position > position + 30);
        });
        slow.send("SIGCONT");
      });
      await expectWhole(cluster, sent);
    },
  );

  const skewed = "the leader is killed, and the clocks differ by an hour";
  repeated(
    skewed,
    () => cluster,
    async () => {
      if (cluster.nodes[0]?.settings.skewMs !== -hour) {
        for (const [at, node] of cluster.nodes.entries()) node.settings.skewMs = (at - 1) * hour;
        await restartAll({});
      }
      const leader = await cluster.leader();
      await expectWhole(cluster, await through(cluster, olive, skewed, () => leader.kill()));
    },
  );

  test("nodes whose clocks are set right go on", async () => {
    const sending = await load(cluster, olive);
    await restartAll({ skewMs: 0 });
    const before = sending.acknowledged.size;
    await until("messages are sent again", () => sending.acknowledged.size > before + 20);
    await sending.stop();
    await expectWhole(cluster, sending);
  }, 300_000);

  const full = "the leader's disk is full";
  repeated(
    `${full}: another leads, and the node follows once there is room`,
    () => cluster,
    async (n) => {
      const node = await cluster.leader();
      const { data } = node.settings;
      await node.stop();
      const small = join(folder, `small-${n}`);
      mkdirSync(small);
      const size = Math.ceil(statSync(join(data, "confab.db")).size / 2 ** 20) + 24;
      const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size}m`, "tmpfs", small]);
      if (!mounted.success) {
        console.error(
          "LEFT OUT: nobody tried a node whose disk is full. It takes root, and leave to mount a tmpfs.",
        );
        node.start();
        await node.ready();
        return;
      }
      try {
        Bun.spawnSync(["cp", "-a", `${data}/.`, small]);
        node.settings.data = small;
        node.start();
        await node.ready();
        await until("it leads", async () => {
          const now = await cluster.leader();
          if (now !== node) await restart(now);
          return now === node;
        });
        const filler = join(small, "filler");
        const sent = await through(cluster, olive, full, async () => {
          const { exitCode } = Bun.spawnSync(["dd", "if=/dev/zero", `of=${filler}`, "bs=4k"], {
            stderr: "ignore",
          });
          expect(exitCode).not.toBe(0);
          await cluster.hasOtherLeader(node);
          expect(await node.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
          const before = (await (await cluster.leader()).status()).position;
          await until("the others go on", async () => {
            return (await (await cluster.leader()).status()).position > before + 10;
          });
          rmSync(filler);
        });
        await expectWhole(cluster, sent);
      } finally {
        await node.stop();
        rmSync(data, { recursive: true, force: true });
        Bun.spawnSync(["cp", "-a", `${small}/.`, data]);
        Bun.spawnSync(["umount", small]);
        node.settings.data = data;
      }
      node.start();
      await node.ready();
    },
  );

  /** Those that this process knows. */
  let upgrades = 0;
  repeated(
    "nodes are upgraded: a later version waits until it leads, and earlier ones stop",
    () => cluster,
    async () => {
      const n = ++upgrades;
      const [one, two, old] = cluster.nodes as [Node, Node, Node];
      const sending = await load(cluster, olive);
      for (const node of [one, two]) {
        await node.stop();
        node.settings.later = n;
        const from = node.log.length;
        node.start();
        await until("it waits", () => node.log.includes("cluster_waits_to_migrate", from));
      }
      expect(await old.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
      const before = sending.acknowledged.size;
      await until("the earlier version still takes messages", () => sending.acknowledged.size > before + 5);
      await old.stop();
      await Promise.all([one, two].map((node) => node.ready()));
      const from = old.log.length;
      old.start();
      expect(await old.ended()).toBe(3);
      expect(old.log.slice(from)).toMatch(
        /"cluster_ends".*The node that leads runs a newer version of Confab \(schema \d+; this version knows \d+\). Upgrade this node and start it again./,
      );
      old.settings.later = n;
      old.start();
      await old.ready();
      await until("messages are sent again", () => sending.acknowledged.size > before + 30);
      await sending.stop();
      await expectWhole(cluster, sending);
      expect(Object.keys(one.tables())).toContain(`of_later_${n}`);
      // From here on, this process works on their folders as the later version.
      (migrations as string[]).push(...laterMigrations(n).slice(n - 1));
    },
  );

  repeated(
    "a new node joins under load: it takes a snapshot",
    () => cluster,
    async () => {
      await hurry();
      const sending = await load(cluster, olive);
      await trimmedBeyond(0);
      const node = await cluster.follower();
      await node.kill();
      const from = node.log.length;
      rmSync(node.settings.data, { recursive: true });
      await startJoining(node);
      expect(node.log.slice(from)).toMatch(/"cluster_joined".*"position":\d+/);
      const names = readdirSync(node.settings.data);
      expect(names.filter((name) => /^(join|former)-/.test(name))).toEqual([]);
      const [newest, older, ...others] = await shared.snapshots.list();
      expect(newest?.seq).toBeGreaterThan(older?.seq ?? 0);
      expect(others).toEqual([]);
      await sending.stop();
      await expectWhole(cluster, sending);
    },
  );

  repeated(
    "a node was away for longer than the log reaches back: it joins again, even if it is killed meanwhile",
    () => cluster,
    async () => {
      await hurry();
      const node = await cluster.follower();
      const network = cluster.network as Network;
      const sending = await load(cluster, olive);
      network.cutNode(cluster.nodes.indexOf(node));
      const from = node.log.length;
      const { position } = await (await cluster.leader()).status();
      await trimmedBeyond(position + 50);
      network.mend(true);
      expect(await node.ended()).toBe(3);
      expect(node.log.slice(from)).toMatch(trimmedMeanwhile);

      // The state after a kill between the two renames, with half a snapshot of an earlier attempt.
      const { data } = node.settings;
      mkdirSync(join(data, "join-half"));
      writeFileSync(join(data, "join-half", "confab.db"), "half a database");
      writeFileSync(join(data, "join-half.lock"), "");
      for (const end of ["", "-wal", "-shm"]) rmSync(join(data, `confab.db${end}`), { force: true });
      await startJoining(node);
      expect(existsSync(join(data, "join-half"))).toBe(false);
      await sending.stop();
      await expectWhole(cluster, sending);
    },
  );

  test("a node begins a new log after a loss; messages that only other nodes held are reported and kept", async () => {
    await restartAll({ rules: {} });
    const [keeper, other, third] = cluster.nodes as [Node, Node, Node];
    const send = (node: Node, content: string) =>
      node.call(olive, "POST", "messages", { type: "stream", to: "general", topic: "lost", content });
    await until("another than the one that is kept leads", async () => {
      const leader = await cluster.leader();
      if (leader === keeper) await restart(keeper);
      return leader !== keeper;
    });
    await cluster.settled();
    await keeper.stop();
    const lost = await until("a message is sent", async () => {
      const answer = await send(await cluster.leader(), "held by the others alone");
      return answer.result === "success" && answer;
    });
    const leader = await cluster.leader();
    const how = { dataDir: keeper.settings.data, shared, me: { node: keeper.name, url: keeper.url } };
    await expect(beginLog(how)).rejects.toThrow(
      `${leader.name} leads: the log is not lost. Stop all nodes first`,
    );
    await cluster.settled([other, third]);
    await Promise.all([other.stop(), third.stop()]);
    await shared.remove();
    await until("nobody leads", async () => !(await shared.lease.read())?.leader);
    await shared.close();
    shared = await openShared();
    const head = await beginLog({ ...how, shared });
    keeper.start();
    await keeper.ready();
    expect(await until("it leads", async () => (await keeper.status()).leads)).toBe(true);
    const kept = await send(keeper, "after the beginning");
    expect(kept.id).toBe(lost.id);

    other.start();
    expect(await other.ended()).toBe(3);
    expect(other.log).toMatch(/"cluster_ends".*(another history|another entry)/);
    const { joinNow } = await import("@/cluster/joining.ts");
    const joined = await joinNow({ dataDir: other.settings.data, shared, onProgress: () => {} });
    expect(joined).toMatchObject({ head, beyond: { count: 1, ids: [lost.id] } });
    const former = openDatabaseOf(joined.kept ?? "", { readonly: true });
    expect(former.query("SELECT content FROM messages WHERE id = ?").values(lost.id)).toEqual([
      ["held by the others alone"],
    ]);
    former.close();
    rmSync(third.settings.data, { recursive: true });
    for (const node of [other, third]) node.start();
    await Promise.all([other, third].map((node) => node.ready()));
    await expectKept(cluster, new Map());
  }, 300_000);

  test("the last node leaves the log, and its folder is opened directly again", async () => {
    const [last, ...others] = cluster.nodes as [Node, ...Node[]];
    const how = { dataDir: last.settings.data, shared, me: { node: last.name, url: last.url } };
    await last.stop();
    await expect(leaveLog(how)).rejects.toThrow("Other nodes run; stop all of them first");
    await until("a message is sent", async () => {
      const params = { type: "stream", to: "general", topic: "t", content: "the last lacks this" };
      return (await (await cluster.leader()).call(olive, "POST", "messages", params)).result === "success";
    });
    await Promise.all(others.map((node) => node.stop()));
    await expect(leaveLog(how)).rejects.toThrow(/The log holds \d+ entries that this node lacks/);
    expect(() => open(how.dataDir)).toThrow("This data folder belongs to a cluster's node");
    last.start();
    await last.ready();
    await until("it leads", async () => (await last.status()).leads);
    await last.stop();
    await leaveLog(how);
    const { last: end } = await shared.ends().catch(() => ({ last: 0 }));
    expect(end).toBe(0);
    const app = open(how.dataDir);
    expect(app.replica).toBeNull();
    await app.close();
  }, 300_000);
});
