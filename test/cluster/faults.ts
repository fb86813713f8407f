// Faults of single nodes, nodes that join and leave, and logs that are lost. Part of `npm run test:cluster`; CONFAB_CLUSTER_KILLS
// sets how often each fault is caused.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "@/app.ts";
import { beginLog, leaveLog } from "@/cluster/beginning.ts";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import type { SharedLog } from "@/cluster/shared-log.ts";
import { migrations } from "@/migrations/all.ts";
import { laterMigration } from "./later.ts";
import { type Account, expectKept, expectWhole, load, reportOutages, through } from "./load.ts";
import { Cluster, type Node, natsBinary, until } from "./machines.ts";
import { Passage } from "./proxy.ts";

const times = Number(process.env.CONFAB_CLUSTER_KILLS ?? 2);
const folder = mkdtempSync(join(tmpdir(), "confab-faults-"));
const binary = natsBinary("nobody tried faults of nodes, and nodes that join");
const hour = 3_600_000;
/** Makes a snapshot at every check, and trims all entries that the newest snapshot covers. */
const hasty = { everyEntries: 40, checkSeconds: 0.4, marginSeconds: 0 };

let cluster: Cluster;
let olive: Account;
let shared: SharedLog;

afterAll(async () => {
  await shared?.close();
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
  reportOutages();
});

const openShared = () =>
  openJetStream({
    servers: cluster.servers.map(({ url }) => url),
    cluster: "test",
    node: "test",
    replicas: 3,
    leaseMs: 2_000,
    monitors: null,
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

/** Restarts a node so that all its connections to NATS go through proxies. */
async function behindPassages(node: Node): Promise<{ passages: Passage[]; end(): Promise<void> }> {
  const direct = node.settings.servers;
  const passages = await Promise.all(cluster.servers.map(({ port }) => Passage.to(port)));
  node.settings.servers = passages.map(({ port }) => `127.0.0.1:${port}`);
  await restart(node);
  return {
    passages,
    async end() {
      node.settings.servers = direct;
      await restart(node);
      for (const one of passages) one.close();
    },
  };
}

const trimmedBeyond = (position: number) =>
  until(`the log begins after entry ${position}`, async () => (await shared.ends()).first > position + 1);

describe.skipIf(!binary)("a node of several", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "");
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    await cluster.nodes[0]?.call(olive, "POST", "users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
    });
    shared = await openShared();
  });

  for (let n = 1; n <= times; n++) {
    test(`that is slow reads what it missed (${n})`, async () => {
      const slow = await cluster.follower();
      const sent = await through(cluster, olive, async () => {
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
    }, 120_000);

    test(`that leads is cut off from NATS: another leads, and it follows once it is back (${n})`, async () => {
      const leader = await cluster.leader();
      const { passages, end } = await behindPassages(leader);
      await until("it leads", async () => {
        const now = await cluster.leader();
        if (now !== leader) await restart(now);
        return now === leader;
      });
      const sent = await through(cluster, olive, async () => {
        for (const one of passages) one.cut();
        await until("another leads", async () => {
          const others = cluster.nodes.filter((one) => one !== leader);
          return (await Promise.all(others.map((one) => one.status()))).some(({ leads }) => leads);
        });
        expect(await leader.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
        await until("it leads no more", async () => !(await leader.status()).leads);
        for (const one of passages) one.mend();
      });
      await expectWhole(cluster, sent);
      await end();
    }, 120_000);
  }

  test("whose clock is an hour ahead leads like any other, and so does the next", async () => {
    for (const [at, node] of cluster.nodes.entries()) node.settings.skewMs = (at - 1) * hour;
    await restartAll({});
    for (let n = 0; n < times; n++) {
      const leader = await cluster.leader();
      const sent = await through(cluster, olive, () => leader.kill());
      leader.start();
      await leader.ready();
      await expectWhole(cluster, sent);
    }
    await restartAll({ skewMs: 0 });
  }, 120_000);

  test("whose disk is full follows once there is room; another leads meanwhile", async () => {
    const node = await cluster.leader();
    const { data } = node.settings;
    await node.stop();
    const small = join(folder, "small");
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
      const sent = await through(cluster, olive, async () => {
        const { exitCode } = Bun.spawnSync(["dd", "if=/dev/zero", `of=${filler}`, "bs=4k"], {
          stderr: "ignore",
        });
        expect(exitCode).not.toBe(0);
        await until("another leads", async () => (await cluster.leader()) !== node);
      });
      expect(await node.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
      rmSync(filler);
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
  }, 120_000);

  test("is upgraded while others run: a later version waits until it leads, then the earlier ones stop and say why", async () => {
    const [one, two, old] = cluster.nodes as [Node, Node, Node];
    const sending = load(cluster, olive);
    for (const node of [one, two]) {
      await node.stop();
      node.settings.isLater = true;
      node.start();
      await until("it waits", () => node.log.includes("cluster_waits_to_migrate"));
    }
    expect(await old.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
    const before = sending.acknowledged.size;
    await until("the earlier version still takes messages", () => sending.acknowledged.size > before + 5);
    await old.stop();
    await Promise.all([one, two].map((node) => node.ready()));
    old.start();
    expect(await old.ended()).toBe(3);
    expect(old.log).toMatch(
      /"cluster_ends".*The node that leads runs a newer version of Confab \(schema \d+; this version knows \d+\). Upgrade this node and start it again./,
    );
    old.settings.isLater = true;
    old.start();
    await old.ready();
    await until("messages are sent again", () => sending.acknowledged.size > before + 30);
    await sending.stop();
    await expectKept(cluster, sending.acknowledged);
    expect(Object.keys(one.tables())).toContain("of_later");
    // From here on, this process works on their folders as the later version.
    (migrations as string[]).push(laterMigration);
  }, 120_000);

  test("that is new joins by a snapshot under load", async () => {
    await restartAll({ rules: hasty });
    const sending = load(cluster, olive);
    await trimmedBeyond(0);
    for (let n = 0; n < times; n++) {
      const node = await cluster.follower();
      await node.kill();
      const from = node.log.length;
      rmSync(node.settings.data, { recursive: true });
      node.start();
      await node.ready();
      expect(node.log.slice(from)).toMatch(/"cluster_joined".*"position":\d+/);
      const names = readdirSync(node.settings.data);
      expect(names.filter((name) => /^(join|former)-/.test(name))).toEqual([]);
    }
    const [newest, older, ...others] = await shared.snapshots.list();
    expect(newest?.seq).toBeGreaterThan(older?.seq ?? 0);
    expect(others).toEqual([]);
    await sending.stop();
    await expectWhole(cluster, sending);
  }, 120_000);

  test("that was away for longer than the log reaches back joins anew, also if it is killed while it does", async () => {
    const node = await cluster.follower();
    const { passages, end } = await behindPassages(node);
    const sending = load(cluster, olive);
    for (const one of passages) one.cut();
    const { position } = await (await cluster.leader()).status();
    await trimmedBeyond(position + 50);
    for (const one of passages) one.mend(true);
    expect(await node.ended()).toBe(3);
    expect(node.log).toMatch(
      /"cluster_ends".*The log begins at entry \d+, and this node holds those up to \d+\./,
    );

    // The state after a kill between the two renames, with half a snapshot of an earlier attempt.
    const { data } = node.settings;
    mkdirSync(join(data, "join-half"));
    writeFileSync(join(data, "join-half", "confab.db"), "half a database");
    for (const end of ["", "-wal", "-shm"]) rmSync(join(data, `confab.db${end}`), { force: true });
    node.start();
    await node.ready();
    expect(existsSync(join(data, "join-half"))).toBe(false);
    await sending.stop();
    await end();
    await expectWhole(cluster, sending);
  }, 120_000);

  test("begins the log anew where it is lost; what others held beyond is named and kept", async () => {
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
    await until("nobody leads", async () => (await shared.lease.holder()) === null);
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
    const former = new Database(join(joined.kept ?? "", "confab.db"), { readonly: true });
    expect(former.query("SELECT content FROM messages WHERE id = ?").values(lost.id)).toEqual([
      ["held by the others alone"],
    ]);
    former.close();
    rmSync(third.settings.data, { recursive: true });
    for (const node of [other, third]) node.start();
    await Promise.all([other, third].map((node) => node.ready()));
    await expectKept(cluster, new Map());
  }, 120_000);

  test("that is the last one leaves the log, and its folder is opened directly again", async () => {
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
  }, 120_000);
});
