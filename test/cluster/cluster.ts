// Three nodes and three nats-servers, with faults. `npm run test:cluster`; CONFAB_CLUSTER_KILLS sets how often each kind of fault
// is caused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { checkServers } from "@/cluster/nats/nats-check.ts";
import { type Account, expectWhole, load, reportOutages, through } from "./load.ts";
import { Cluster, freePorts, NatsServer, type Node, natsBinary, until } from "./machines.ts";

const times = Number(process.env.CONFAB_CLUSTER_KILLS ?? 2);
const stream = "CONFAB_test_LOG";
const folder = mkdtempSync(join(tmpdir(), "confab-cluster-"));
const binary = natsBinary("nobody tried several nodes");

let cluster: Cluster;
let olive: Account;

afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
  reportOutages();
});

describe.skipIf(!binary)("several nodes", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "");
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    const made = await cluster.nodes[1]?.call(olive, "POST", "users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
    });
    expect(made).toMatchObject({ result: "success" });
  });

  test("a nats-server that does not sync each entry is refused, and so are too few of them", async () => {
    const monitors = cluster.servers.map(({ monitor }) => monitor);
    await checkServers(monitors, 3);
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
      "max_mem: 1MB",
    );
    careless.start();
    await until("it answers", () => fetch(`${careless.monitor}/varz`));
    const sentence =
      "The nats-server careless does not sync each entry, so a power cut would lose messages that were acknowledged. " +
      "Set 'sync_interval: always' in its jetstream block.";
    await expect(checkServers([careless.monitor], 1)).rejects.toThrow(sentence);
    await careless.kill();
    await expect(checkServers([careless.monitor], 1)).rejects.toThrow(
      "No nats-server could be asked for its settings",
    );

    const [first = ""] = monitors;
    await expect(checkServers([first, first, first], 3)).rejects.toThrow(
      "The log is kept in 3 copies, and the monitoring addresses lead to 1 nats-servers; name the address of each.",
    );
    const node = cluster.nodes[0]?.url ?? "";
    await expect(checkServers([node], 1)).rejects.toThrow("the answer is not that of a nats-server");
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

  test("whoever writes through a node reads there at once what they wrote", async () => {
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

  test("a message reaches a poll on another node within a moment of its acknowledgement", async () => {
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
    const acknowledged = performance.now();
    expect((await poll).events).toHaveLength(1);
    expect(performance.now() - acknowledged).toBeLessThan(5_000);
  });

  for (let n = 1; n <= times; n++) {
    test(`the leader is killed (${n})`, async () => {
      const leader = await cluster.leader();
      const sent = await through(cluster, olive, () => leader.kill());
      leader.start();
      await leader.ready();
      await expectWhole(cluster, sent);
    }, 120_000);

    test(`the leader is frozen, and thawed (${n})`, async () => {
      const leader = await cluster.leader();
      const sent = await through(cluster, olive, async () => {
        leader.send("SIGSTOP");
        await until("another leads", async () => {
          const others = cluster.nodes.filter((one) => one !== leader);
          return (await Promise.all(others.map((one) => one.status()))).some(({ leads }) => leads);
        });
        leader.send("SIGCONT");
      });
      await expectWhole(cluster, sent);
    }, 120_000);

    test(`a nats-server is killed (${n})`, async () => {
      const server = cluster.servers[n % 3];
      const sent = await through(cluster, olive, async () => server?.kill());
      server?.start();
      await expectWhole(cluster, sent);
    }, 120_000);

    test(`the leader and a nats-server are killed together (${n})`, async () => {
      const leader = await cluster.leader();
      const server = cluster.servers[(n + 1) % 3];
      const sent = await through(cluster, olive, async () => {
        await Promise.all([leader.kill(), server?.kill()]);
      });
      server?.start();
      leader.start();
      await leader.ready();
      await expectWhole(cluster, sent);
    }, 120_000);
  }

  test("a node that was away catches up", async () => {
    const node = await cluster.follower();
    await node.stop();
    const sending = load(cluster, olive);
    await until("messages are sent", () => sending.acknowledged.size > 100);
    node.start();
    await node.ready();
    await sending.stop();
    await expectWhole(cluster, sending);
  }, 120_000);

  test("a full log refuses writes and says so; reads go on, and so do writes once there is room", async () => {
    const leader = await cluster.leader();
    const nc = await connect({ servers: cluster.servers.map(({ url }) => url) });
    const streams = (await jetstreamManager(nc)).streams;
    const { config, state } = await streams.info(stream);
    await streams.update(stream, { ...config, max_bytes: state.bytes + 100 });
    const send = (content: string) =>
      leader.call(olive, "POST", "messages", { type: "stream", to: "general", topic: "full", content });
    const refused = {
      result: "error",
      code: "SERVER_NOT_READY",
      msg: "The server could not save this just now. Please try again.",
    };
    expect(await send("no room")).toMatchObject(refused);
    expect(await leader.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
    expect(await leader.status()).toMatchObject({ leads: true });

    await streams.update(stream, { ...config, max_bytes: -1 });
    await nc.close();
    expect(await send("room again")).toMatchObject({ result: "success" });
    await cluster.settled();
    for (const node of cluster.nodes) {
      const sqlite = node.database();
      const texts = sqlite
        .query("SELECT content FROM messages WHERE content LIKE '%room%' ORDER BY id")
        .values();
      sqlite.close();
      expect(texts).toEqual([["room again"]]);
    }
  }, 120_000);

  test("a node whose database was changed by hand ends, and says why", async () => {
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
  }, 120_000);

  test("where the log is shorter than a database, nobody leads: writes are refused, reads go on", async () => {
    const stopAll = () => Promise.all(cluster.servers.map((one) => one.stop()));
    await stopAll();
    for (const one of cluster.servers) one.keepStore();
    for (const one of cluster.servers) one.start();
    const params = { type: "stream", to: "general", topic: "t", content: "lost by the log" };
    const sent = await until("a message is sent", async () => {
      const answer = await (await cluster.leader()).call(olive, "POST", "messages", params);
      return answer.result === "success" && answer;
    });

    await stopAll();
    for (const one of cluster.servers) one.bringBackStore();
    for (const one of cluster.servers) one.start();
    const running = cluster.nodes.filter((one) => one.isRunning);
    expect(running.length).toBeGreaterThan(1);
    await until("a node refuses to lead", () =>
      running.some((one) => one.log.includes("cluster_refuses_to_lead")),
    );
    for (const node of running) {
      expect(await node.status()).toMatchObject({ leads: false });
      expect(await node.call(olive, "GET", `messages/${sent.id}`)).toMatchObject({ result: "success" });
    }
    const [node] = running as [Node];
    const refused = await node.call(olive, "POST", "messages", {
      type: "stream",
      to: "general",
      topic: "t",
      content: "c",
    });
    expect(refused).toMatchObject({ result: "error", code: "SERVER_NOT_READY" });
  }, 120_000);
});
