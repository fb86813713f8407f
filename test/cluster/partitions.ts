// Networks that drop everything between machines, without closing connections. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notSaved } from "@/kernel/lib/errors.ts";
import type { Json } from "../support/requests.ts";
import { type Account, expectWhole, repeated, through } from "./load.ts";
import { Cluster, type Node, natsBinary, until } from "./machines.ts";
import type { Network } from "./network.ts";

const stream = "CONFAB_test_LOG";
const folder = mkdtempSync(join(tmpdir(), "confab-partitions-"));
const binary = natsBinary("nobody tried what several nodes do when their network breaks");

let cluster: Cluster;
let olive: Account;

afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!binary)("where the network breaks", () => {
  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "", { beginning: "import", cuts: true });
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    const made = { subscriptions: [{ name: "general" }] };
    await cluster.nodes[0]?.call(olive, "POST", "users/me/subscriptions", made);
  });

  const network = () => cluster.network as Network;
  const repeatedly = (kind: string, fault: (n: number) => Promise<unknown>) =>
    repeated(
      kind,
      () => cluster,
      async (n) => {
        await expectWhole(cluster, await through(cluster, olive, kind, () => fault(n)));
      },
    );
  const read = (node: Node) => node.call(olive, "GET", "users/me");

  repeatedly("the leader is cut off from NATS", async () => {
    const { at, node } = await cluster.box();
    network().cutNode(at);
    const params = {
      type: "stream",
      to: "general",
      topic: "cut off",
      content: "to a leader that is cut off",
    };
    const written = node.call(olive, "POST", "messages", params, 30_000);
    await cluster.hasOtherLeader(node);
    expect(await read(node)).toMatchObject({ result: "success" });
    await until("it no longer leads", async () => !(await node.status()).leads);
    expect(await written).toMatchObject({ code: "SERVER_NOT_READY" });
  });

  repeatedly("the leader gets no answers of NATS", async (n) => {
    const { at, node } = await cluster.box();
    network().muteForNode(at);
    const content = `saved without an answer ${n}`;
    const params = { type: "stream", to: "general", topic: "no answer", content };
    const written = node.call(olive, "POST", "messages", params, 30_000);
    await cluster.hasOtherLeader(node);
    network().mend(true);
    const answer = await written;
    // The load's own messages may have been ahead of it; then it was not sent.
    const stored = await node.call(olive, "GET", "messages", {
      narrow: [{ operator: "topic", operand: "no answer" }],
      anchor: "newest",
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
    });
    const ids = stored.messages.flatMap((one: Json) => (one.content === content ? [one.id] : []));
    expect({ answer, ids }).toEqual(
      answer.result === "success"
        ? { answer: expect.objectContaining({ id: ids[0] }), ids: [expect.any(Number)] }
        : { answer: expect.objectContaining({ msg: notSaved }), ids: [] },
    );
  });

  repeatedly("the other nodes do not reach the leader", async () => {
    const { at, node } = await cluster.box();
    network().cutRequests(at);
    await cluster.hasOtherLeader(node);
    await until("it no longer leads", async () => !(await node.status()).leads);
  });

  repeatedly("a nats-server is cut off from the others", async (n) => {
    const leading = await cluster.serverOfLog(stream);
    const at = cluster.servers.findIndex(({ name }) => name === leading);
    // The one that leads the log; in every second run, the next.
    const apart = (at + (n % 2 === 1 ? 0 : 1)) % 3;
    network().cutServer(apart);
    await until("no node stays with it", async () => (await cluster.nodesAt(apart)).length === 0);
  });

  repeatedly("the leader's machine is cut off", async () => {
    const { at, node } = await cluster.box();
    network().cutBox(at);
    await cluster.hasOtherLeader(node);
    await until("it no longer leads", async () => !(await node.status()).leads);
    expect(await read(node)).toMatchObject({ result: "success" });
  });

  repeatedly("another machine is cut off", async () => {
    const leader = await cluster.leader();
    network().cutBox((cluster.nodes.indexOf(leader) + 1) % 3);
  });
});
