// Sends with an Idempotency-Key that clients repeat at another node, because theirs died before or after its answer. Part of
// `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servePlain } from "../support/plain-server.ts";
import type { Json } from "../support/requests.ts";
import { type Account, repeated } from "./load.ts";
import { Cluster, type Node, natsBinary, startServers, until } from "./machines.ts";

const folder = mkdtempSync(join(tmpdir(), "confab-repeats-"));
const binary = natsBinary("nobody repeated a send at another node");

let cluster: Cluster;
let olive: Account;
let series = 0;

afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

interface Send {
  key: string;
  content: string;
  /** What its client was answered, by the node that died or another one. */
  answer: Json | null;
}

async function ask(node: Node, { key, content }: Send): Promise<Json | null> {
  const params = { type: "channel", to: "general", topic: "repeats", content };
  const headers = { "idempotency-key": key };
  const answer = await node.ask(olive, "POST", "messages", params, { headers, ms: 5_000 }).catch(() => null);
  return answer?.json().catch(() => null) ?? null;
}

/** As a client does that knows all nodes: again and again, until it is answered with success. */
async function repeat(nodes: readonly Node[], send: Send): Promise<Json> {
  let at = 0;
  return until(`${send.content} is answered`, async () => {
    const answer = await ask(nodes[at++ % nodes.length] as Node, send);
    return answer?.result === "success" && answer;
  });
}

/** Sends at one node, which is killed after some milliseconds or, without these, once all are answered. */
async function sendAndKill(node: Node, killAfter: number | null): Promise<Send[]> {
  const nth = ++series;
  const sends = Array.from({ length: 8 }, (_, n) => ({
    key: `${nth}-${n}`,
    content: `send ${nth}-${n}`,
    answer: null,
  }));
  const answers = sends.map((send) => ask(node, send));
  await (killAfter === null ? Promise.all(answers) : Bun.sleep(killAfter));
  await node.kill();
  const given = await Promise.all(answers);
  return sends.map((send, n) => ({
    ...send,
    answer: given[n]?.result === "success" ? (given[n] ?? null) : null,
  }));
}

async function stored(node: Node): Promise<string[]> {
  const narrow = [
    { operator: "channel", operand: "general" },
    { operator: "topic", operand: "repeats" },
  ];
  const page = { anchor: "newest", num_before: 1_000, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await node.call(olive, "GET", "messages", page);
  return (messages as { id: number; content: string }[]).map(({ id, content }) => `${id} ${content}`);
}

/** Each is there once, at every node, as its client was told. */
async function expectOnce(sends: readonly Send[]): Promise<void> {
  await cluster.settled();
  for (const node of cluster.nodes) {
    const all = await stored(node);
    for (const { content, answer } of sends)
      expect(all.filter((one) => one.endsWith(` ${content}`))).toEqual([`${answer?.id} ${content}`]);
  }
}

describe.skipIf(!binary)("a send with a key", () => {
  const all: Send[] = [];

  beforeAll(async () => {
    const started = await Cluster.start(folder, binary ?? "", {
      beginning: "init",
      previewNetworks: "127.0.0.1",
    });
    cluster = started.cluster;
    olive = { email: "olive@example.com", key: started.key };
    const subscriptions = [{ name: "general" }];
    const joined = await cluster.nodes[0]?.call(olive, "POST", "users/me/subscriptions", { subscriptions });
    expect(joined).toMatchObject({ result: "success" });
  });

  describe.each(["leader", "follower"] as const)("whose node, the %s, is killed", (which) => {
    repeated(
      "before its answer is sent once, wherever it is repeated",
      () => cluster,
      async () => {
        // Before the entry is in the log, while it is there, and after it.
        for (const killAfter of [0, 4, 12, 30]) {
          await cluster.heal();
          const node = await cluster[which]();
          const others = cluster.nodes.filter((one) => one !== node);
          const sends = await sendAndKill(node, killAfter);
          // Two programs of the client do it at once, at both nodes that are left.
          for (const send of sends) {
            const again = await Promise.all(others.map((_, n) => repeat(others.toSpliced(0, n), send)));
            for (const answer of again) expect(answer).toEqual(send.answer ?? again[0]);
            send.answer ??= again[0] ?? null;
          }
          await cluster.heal();
          await expectOnce(sends);
          all.push(...sends);
        }
      },
    );

    repeated(
      "after its answer gets the first answer from the others",
      () => cluster,
      async () => {
        const node = await cluster[which]();
        const others = cluster.nodes.filter((one) => one !== node);
        const sends = await sendAndKill(node, null);
        for (const send of sends) {
          expect(send.answer?.result).toBe("success");
          for (const other of others) expect(await repeat([other], send)).toEqual(send.answer);
        }
        await cluster.heal();
        await expectOnce(sends);
        all.push(...sends);
      },
    );
  });

  test("is answered as at first after all nodes and nats-servers were killed and started again", async () => {
    expect(all.length).toBeGreaterThan(0);
    await Promise.all([...cluster.nodes, ...cluster.servers].map((one) => one.kill()));
    await startServers(cluster.servers);
    await cluster.heal();
    for (const [n, send] of all.entries()) {
      const node = cluster.nodes[n % cluster.nodes.length] as Node;
      expect(await repeat([node], send)).toEqual(send.answer);
      if (n % 8 === 0)
        expect(await ask(node, { ...send, content: "another" })).toMatchObject({
          code: "IDEMPOTENCY_KEY_REUSED",
        });
    }
    await expectOnce(all);
  });

  test("that has a link is previewed by the leader's job alone, and by the next leader's; all nodes' clients hear of it", async () => {
    const asked: string[] = [];
    const site = await servePlain(({ path }) => {
      asked.push(path);
      const body = `<title>The page ${path}</title><meta name="description" content="All of it">`;
      return { headers: { "content-type": "text/html" }, body };
    });
    try {
      await cluster.heal();
      const params = { event_types: ["update_message"] };
      const queues = await Promise.all(
        cluster.nodes.map((node) => node.call(olive, "POST", "register", params)),
      );
      const hears = async (at: number, id: number) => {
        const { queue_id } = queues[at] as Json;
        const node = cluster.nodes[at] as Node;
        const poll = { queue_id, last_event_id: -1, dont_block: true };
        const { events } = await node.call(olive, "GET", "events", poll);
        return (events as Json[] | undefined)?.find(({ message_id }) => message_id === id);
      };
      for (const [n, path] of ["/first", "/second"].entries()) {
        const content = `http://127.0.0.1:${site.port}${path}`;
        const follower = await cluster.follower();
        const { id } = await repeat([follower], {
          key: `link-${n}`,
          content,
          answer: null,
        });
        for (const at of cluster.nodes.keys()) {
          const event = await until(`node ${at + 1}'s client hears of the preview`, () => hears(at, id));
          expect(event).toMatchObject({ rendering_only: true, user_id: null });
          expect(event.rendered_content).toContain(`The page ${path}`);
        }
        expect(asked.filter((one) => one === path)).toHaveLength(1);
        if (n > 0) break;
        await (await cluster.leader()).kill();
        await cluster.heal();
      }
    } finally {
      await site.stop();
    }
  });
});
