// Three nodes and three nats-servers; some are killed, frozen, filled and set back. Part of `npm run test:cluster`.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { checkServers } from "@/cluster/examination/monitors.ts";
import { notSaved } from "@/kernel/lib/errors.ts";
import { freePorts } from "../support/ports.ts";
import type { Json } from "../support/requests.ts";
import { type Account, expectKept, expectWhole, load, repeated, through } from "./load.ts";
import { Cluster, NatsServer, type Node, natsBinary, until } from "./machines.ts";

const stream = "CONFAB_test_LOG";
const folder = mkdtempSync(join(tmpdir(), "confab-cluster-"));
const binary = natsBinary("nobody tried several nodes");

const leaseStream = "KV_confab_test_lease";

async function withManager<T>(work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connect({ servers: cluster.servers.map(({ url }) => url) });
  try {
    return await work(await jetstreamManager(nc));
  } finally {
    await nc.close();
  }
}

async function leaseExpiresAfter(ms: number): Promise<void> {
  await withManager((manager) => manager.streams.update(leaseStream, { max_age: ms * 1e6 }));
}

let cluster: Cluster;
let olive: Account;

afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!binary)("several nodes", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "", { beginning: "init" });
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    const made = await cluster.nodes[1]?.call(olive, "POST", "users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
    });
    expect(made).toMatchObject({ result: "success" });
  });

  test("nats-servers are refused if they do not sync each entry, or if there are too few", async () => {
    const monitors = cluster.servers.map(({ monitor }) => monitor);
    await checkServers({ monitors, replicas: 3 });
    const [port = 0, monitorPort = 0, routePort = 0] = await freePorts(3);
    const where = join(folder, "careless");
    const careless = new NatsServer(
      "careless",
      where,
      binary ?? "",
      port,
      monitorPort,
      routePort,
      [routePort],
      { sync: "max_mem: 1MB" },
    );
    careless.start();
    await until("it answers", () => fetch(`${careless.monitor}/varz`));
    const sentence =
      "The nats-server careless does not sync each entry, so a power cut would lose messages that were acknowledged. " +
      "Set 'sync_interval: always' in its jetstream block.";
    await expect(checkServers({ monitors: [careless.monitor], replicas: 1 })).rejects.toThrow(sentence);
    await careless.kill();
    await expect(checkServers({ monitors: [careless.monitor], replicas: 1 })).rejects.toThrow(
      "No nats-server could be asked for its settings",
    );

    const [first = ""] = monitors;
    await expect(checkServers({ monitors: [first, first, first], replicas: 3 })).rejects.toThrow(
      "The log is kept in 3 copies, and the monitoring addresses lead to 1 nats-servers; name the address of each.",
    );
    const node = cluster.nodes[0]?.url ?? "";
    await expect(checkServers({ monitors: [node], replicas: 1 })).rejects.toThrow(
      "the answer is not that of a nats-server",
    );
  });

  test("exactly one leads, and the others know which", async () => {
    const leader = await cluster.leader();
    const all = await until("all know the leader", async () => {
      const seen = await Promise.all(cluster.nodes.map((one) => one.status()));
      return seen.every((one) => one.leader !== null) && seen;
    });
    expect(all.map(({ leader: one }) => one)).toEqual([leader.name, leader.name, leader.name]);
    expect(all.filter(({ leads }) => leads)).toHaveLength(1);
  });

  test("a client that writes through a node reads its write there at once", async () => {
    for (const node of cluster.nodes) {
      const sent = await node.call(olive, "POST", "messages", {
        type: "stream",
        to: "general",
        topic: "own",
        content: `through ${node.name}`,
      });
      expect(sent).toMatchObject({ result: "success" });
      expect(await node.call(olive, "GET", `messages/${sent.id}`)).toMatchObject({
        result: "success",
        message: { content: `<p>through ${node.name}</p>` },
      });
    }
  });

  test("a client with cookies reads at another node at once what it has written", async () => {
    const stale = { with: 0, without: 0 };
    const reads = 300;
    for (let n = 0; n < reads; n++) {
      const [one, other] = [cluster.nodes[n % 3] as Node, cluster.nodes[(n + 1) % 3] as Node];
      const content = `read elsewhere, ${n}`;
      const params = { type: "stream", to: "general", topic: "elsewhere", content };
      const sent = await one.ask(olive, "POST", "messages", params);
      const { id } = (await sent.json()) as Json;
      const cookie = sent.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const read = async (headers: Record<string, string>) => {
        const answer = await other.ask(olive, "GET", `messages/${id}`, {}, { headers });
        return ((await answer.json()) as Json).result === "success";
      };
      // By turns, because a node that has waited for one has the message for the other.
      const kind = n % 2 === 0 ? "with" : "without";
      if (!(await read(kind === "with" ? { cookie } : {}))) stale[kind]++;
    }
    console.log(`of ${reads / 2} reads each, stale: ${stale.with} with the cookie, ${stale.without} without`);
    expect(stale.with).toBe(0);
  });

  test("a refused write is refused with the same words on every node", async () => {
    const answers = await Promise.all(
      cluster.nodes.map((node) =>
        node.call(olive, "POST", "messages", { type: "stream", to: "nowhere", topic: "t", content: "c" }),
      ),
    );
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]).toMatchObject({ result: "error", code: "STREAM_DOES_NOT_EXIST" });
  });

  test("every node's queues get each event once, in order, whichever node was written to", async () => {
    const queues = await Promise.all(
      cluster.nodes.map(async (node) => {
        const params = { event_types: ["message"] };
        return { node, ...(await node.call(olive, "POST", "register", params)) };
      }),
    );
    const contents = Array.from({ length: 12 }, (_, n) => `event ${n}`);
    for (const [n, content] of contents.entries()) {
      const node = cluster.nodes[n % 3] as Node;
      await node.call(olive, "POST", "messages", { type: "stream", to: "general", topic: "events", content });
    }
    for (const { node, queue_id, last_event_id } of queues) {
      const seen: string[] = [];
      let last = last_event_id;
      while (seen.length < contents.length) {
        const { events } = await node.call(olive, "GET", "events", { queue_id, last_event_id: last });
        for (const one of events) {
          last = one.id;
          if (one.type === "message") seen.push(one.message.content.replaceAll(/<\/?p>/g, ""));
        }
      }
      expect(seen).toEqual(contents);
    }
  });

  test("a message reaches a poll on another node before its heartbeat", async () => {
    const [node, other] = [await cluster.follower(), await cluster.leader()];
    const { queue_id, last_event_id } = await node.call(olive, "POST", "register", {
      event_types: ["message"],
    });
    const poll = node.call(olive, "GET", "events", { queue_id, last_event_id });
    await other.call(olive, "POST", "messages", {
      type: "stream",
      to: "general",
      topic: "t",
      content: "now",
    });
    // A heartbeat would come after 45 seconds.
    expect((await poll).events).toMatchObject([{ type: "message" }]);
  });

  const repeatedly = (kind: string, fault: (n: number) => Promise<unknown>) =>
    repeated(
      kind,
      () => cluster,
      async (n) => {
        await expectWhole(cluster, await through(cluster, olive, kind, () => fault(n)));
      },
    );
  /** The nats-server that leads the log; in every second run, another. */
  const oneServer = async (n: number) => {
    const name = await cluster.serverOfLog(stream);
    return cluster.servers.find((one) => (one.name === name) === (n % 2 === 1)) as NatsServer;
  };

  for (const fault of ["killed", "frozen"] as const) {
    repeated(
      `hundreds of sends are answered, each saved once, when the leader is ${fault}`,
      () => cluster,
      async (n) => {
        const leader = await cluster.leader();
        const followers = cluster.nodes.filter((one) => one !== leader);
        // The clients of a dead leader get no answer.
        const asked = fault === "killed" ? followers : cluster.nodes;
        const answers = new Map<string, Json & { asked: string }>();
        let isOver = false;
        const run = async (sender: number) => {
          for (let sent = 0; !isOver; sent++) {
            const content = `load ${fault} ${n}: ${sent} of ${sender}`;
            const params = { type: "stream", to: "general", topic: `${fault} ${sender}`, content };
            const node = asked[sender % asked.length] as Node;
            const answer = await node.call(olive, "POST", "messages", params, 50_000);
            answers.set(content, { ...answer, asked: node.name });
          }
        };
        const running = Promise.all(Array.from({ length: 120 }, (_, sender) => run(sender)));
        await until("messages are sent", () => answers.size > 240);
        leader.send(fault === "killed" ? "SIGKILL" : "SIGSTOP");
        await cluster.hasOtherLeader(leader);
        const before = answers.size;
        await until("messages are sent again", () => answers.size > before + 240);
        isOver = true;
        leader.send("SIGCONT");
        await running;
        await cluster.heal();
        const [good, others] = [new Map<string, number>(), new Map<string, Json>()];
        for (const [content, answer] of answers) {
          if (answer.result === "success") good.set(content, answer.id);
          else others.set(content, answer);
        }
        // A leader that was frozen for more than eight seconds does not pass its clients' requests on.
        expect(
          [...others.values()].filter(({ asked, msg }) => asked !== leader.name || msg !== notSaved),
        ).toEqual([]);
        await expectKept(cluster, good, new Set(others.keys()));
      },
    );
  }

  repeatedly("the leader is killed", async () => (await cluster.leader()).kill());

  repeatedly("the leader is killed, and NATS keeps its lease for two minutes", async () => {
    // As a nats-server does that took the record while its clock was ahead.
    await leaseExpiresAfter(122_000);
    const leader = await cluster.leader();
    await leader.kill();
    await cluster.hasOtherLeader(leader);
    await leaseExpiresAfter(2_000);
  });

  repeatedly("NATS loses the record of the lease", async () => {
    // As a nats-server does that begins to lead it while its clock is ahead.
    await withManager((manager) => manager.streams.purge(leaseStream));
  });

  repeatedly("the leader is stopped", async () => {
    const leader = await cluster.leader();
    await leader.stop();
    expect(await leader.ended()).toBe(0);
    expect(leader.log).not.toContain("ClosedConnectionError");
  });

  repeatedly("the leader is frozen, and thawed", async () => {
    const leader = await cluster.leader();
    leader.send("SIGSTOP");
    await cluster.hasOtherLeader(leader);
    leader.send("SIGCONT");
  });

  repeatedly("a nats-server is killed", async (n) => (await oneServer(n)).kill());

  repeatedly("a nats-server is frozen, and thawed", async (n) => (await oneServer(n)).send("SIGSTOP"));

  repeatedly("the leader's machine dies, with its nats-server", async () => {
    const { node, server } = await cluster.box();
    await Promise.all([node.kill(), server.kill()]);
  });

  repeatedly("the leader's machine is frozen, and thawed", async () => {
    const { node, server } = await cluster.box();
    for (const one of [node, server]) one.send("SIGSTOP");
    await cluster.hasOtherLeader(node);
  });

  test("a node that was away catches up", async () => {
    const node = await cluster.follower();
    await node.stop();
    const sending = await load(cluster, olive);
    await until("messages are sent", () => sending.acknowledged.size > 100);
    node.start();
    await node.ready();
    await sending.stop();
    await expectWhole(cluster, sending);
  }, 300_000);

  repeated(
    "the log is full: writes are refused with the reason, reads continue, and writes succeed once there is room",
    () => cluster,
    async (n) => {
      const leader = await cluster.leader();
      const from = leader.log.length;
      const nc = await connect({ servers: cluster.servers.map(({ url }) => url) });
      const streams = (await jetstreamManager(nc)).streams;
      const { config, state } = await streams.info(stream);
      const send = (content: string) =>
        leader.call(olive, "POST", "messages", { type: "stream", to: "general", topic: "full", content });
      const limited = (max_bytes: number) =>
        until("the log's limit is changed", () => streams.update(stream, { ...config, max_bytes }));
      try {
        await limited(state.bytes + 100);
        expect(await send(`no room ${n}`)).toMatchObject({
          result: "error",
          code: "SERVER_NOT_READY",
          msg: "The server could not save this just now. Please try again.",
        });
        expect(await leader.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
        // Nobody could take over: that takes an entry.
        expect(leader.log.slice(from)).not.toMatch(/"cluster_leads_no_more".*maximum bytes/);
      } finally {
        await limited(-1);
        await nc.close();
      }
      await until("there is room again", async () => (await send(`room again ${n}`)).result === "success");
      await cluster.settled();
      for (const node of cluster.nodes) {
        const sqlite = node.database();
        const texts = sqlite
          .query("SELECT content FROM messages WHERE content LIKE '%room% ' || ? ORDER BY id")
          .values(n);
        sqlite.close();
        expect(texts).toEqual([[`room again ${n}`]]);
      }
    },
  );

  repeated(
    "a node's database was changed by hand: it ends, and says why",
    () => cluster,
    async () => {
      const node = await cluster.follower();
      await node.stop();
      const sqlite = node.database();
      sqlite.run("UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'messages'");
      sqlite.close();
      node.start();
      await node.ready();
      const other = await cluster.leader();
      await other.call(olive, "POST", "messages", {
        type: "stream",
        to: "general",
        topic: "t",
        content: "differs",
      });
      expect(await node.ended()).toBe(3);
      expect(node.log).toMatch(
        /"cluster_ends".*Entry \d+ of the log changed 1 rows \(rowid \d+\) where it was made/,
      );
      // It gets the others' database from the log.
      rmSync(node.settings.data, { recursive: true });
    },
  );

  const setBack = "the log is set back";
  repeated(
    `${setBack}: no node leads and writes are refused while it is shorter than a database, and reads continue`,
    () => cluster,
    async (n) => {
      const exchange = async (change: (one: NatsServer) => void) => {
        await Promise.all(cluster.servers.map((one) => one.stop()));
        for (const one of cluster.servers) change(one);
        for (const one of cluster.servers) one.start();
      };
      await exchange((one) => one.keepStore());
      const params = { type: "stream", to: "general", topic: "t", content: `lost by the log ${n}` };
      const sent = await until("a message is sent", async () => {
        const answer = await (await cluster.leader()).call(olive, "POST", "messages", params);
        return answer.result === "success" && answer;
      });
      await cluster.settled();

      const lengths = cluster.nodes.map(({ log }) => log.length);
      await exchange((one) => one.exchangeStores());
      await until("a node refuses to lead", () =>
        cluster.nodes.some(({ log }, at) => log.includes("cluster_refuses_to_lead", lengths[at])),
      );
      for (const node of cluster.nodes) {
        expect(await node.status()).toMatchObject({ leads: false });
        expect(await node.call(olive, "GET", `messages/${sent.id}`)).toMatchObject({ result: "success" });
      }
      const refused = await cluster.nodes[n % 3]?.call(olive, "POST", "messages", params);
      expect(refused).toMatchObject({ result: "error", code: "SERVER_NOT_READY" });

      await exchange((one) => one.exchangeStores());
      await cluster.heal();
      await expectWhole(cluster, await through(cluster, olive, setBack, async () => {}));
    },
  );
});
