// A send with an Idempotency-Key that is repeated at another node, after the leader that took it is gone.
import { afterEach, expect, test } from "bun:test";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import type { Json, Params } from "../support/requests.ts";
import { until } from "../support/waiting.ts";

let cluster: MemoryCluster | null = null;
afterEach(async () => {
  await cluster?.close();
  cluster = null;
});

const params = { type: "stream", to: "general", topic: "t", content: "once" };

async function sendOnce({ olive }: MemoryCluster, node: MemoryNode, more: Params = {}): Promise<Json> {
  return node.call(olive, "POST", "messages", { ...params, ...more }, { "idempotency-key": "k1" });
}

const copies = ({ app }: MemoryNode) =>
  app.env.db.all("SELECT id FROM messages WHERE content = 'once'").length;

test("is answered by the next leader as by the first, which is gone", async () => {
  cluster = await memoryCluster(3);
  const [a, b, c] = cluster.nodes as [MemoryNode, MemoryNode, MemoryNode];
  const first = await sendOnce(cluster, a);
  expect(first).toMatchObject({ result: "success", id: expect.any(Number) });
  a.line.isCut = true;
  await cluster.leadBy(b);
  // Each node has the key with the message; one passes the request on, the other leads.
  for (const node of [c, b]) expect(await sendOnce(cluster, node)).toEqual(first);
  expect(await sendOnce(cluster, c, { content: "other" })).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  await cluster.caughtUp();
  expect([copies(b), copies(c)]).toEqual([1, 1]);
});

test("is sent once though the leader's answer was lost, as its client hears of no message", async () => {
  cluster = await memoryCluster(2);
  const [a, b] = cluster.nodes as [MemoryNode, MemoryNode];
  // The log has the entry, and the leader dies before it answers.
  const { store } = cluster;
  const before = store.entries.length;
  const lost = sendOnce(cluster, a).catch(() => null);
  await until(() => store.entries.length > before, "the log has the entry");
  a.line.isCut = true;
  await cluster.leadBy(b);
  const again = await sendOnce(cluster, b);
  expect(again).toMatchObject({ result: "success", id: expect.any(Number) });
  expect(await sendOnce(cluster, b)).toEqual(again);
  expect(copies(b)).toBe(1);
  await lost;
});
