// Event queues whose clients ask a node that was started again.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import type { Json } from "../support/requests.ts";

let cluster: MemoryCluster;
let leader: MemoryNode;
let follower: MemoryNode;
beforeEach(async () => {
  cluster = await memoryCluster(2);
  [leader, follower] = cluster.nodes as [MemoryNode, MemoryNode];
});
afterEach(() => cluster.close());

const register = async (node: MemoryNode) => {
  const { queue_id } = await node.call(cluster.olive, "POST", "register", { event_types: ["message"] });
  return queue_id as string;
};
const poll = (node: MemoryNode, queue_id: string, last_event_id = -1) =>
  node.call(cluster.olive, "GET", "events", { queue_id, last_event_id, dont_block: true });
const contentsOf = ({ events }: Json) =>
  events.map(({ message }: Json) => message.content.replaceAll(/<\/?p>/g, ""));
const sendAll = async (contents: readonly string[]) => {
  for (const one of contents) await cluster.send(leader, one);
  await cluster.caughtUp();
};
const gone = { result: "error", code: "BAD_EVENT_QUEUE_ID" };

describe("after a restart", () => {
  test("a queue of this node goes on with what its client has missed, and likewise that of another", async () => {
    const [own, others] = [await register(follower), await register(leader)];
    const contents = Array.from({ length: 50 }, (_, n) => `message ${n}`);
    await sendAll(contents);
    const { events } = await poll(follower, own);
    await follower.restart();
    const { id } = events[19];
    expect(contentsOf(await poll(follower, own, id))).toEqual(contents.slice(20));
    expect(contentsOf(await poll(follower, others))).toEqual(contents);
    await sendAll(["after that"]);
    expect(contentsOf(await poll(follower, own, events[49].id))).toEqual(["after that"]);
  });

  test("of all nodes, queues go on", async () => {
    const queue = await register(leader);
    await sendAll(["before"]);
    await follower.restart();
    await leader.restart();
    await cluster.leadBy(leader);
    await sendAll(["after"]);
    for (const node of [follower, leader])
      expect(contentsOf(await poll(node, queue))).toEqual(["before", "after"]);
  });

  test("a queue that has ended stays ended", async () => {
    const queue = await register(leader);
    await sendAll(["before"]);
    expect(await leader.call(cluster.olive, "DELETE", "events", { queue_id: queue })).toMatchObject({
      result: "success",
    });
    await cluster.caughtUp();
    await follower.restart();
    expect(await poll(follower, queue)).toMatchObject(gone);
  });

  test("what is older than a node retains, or than the log, has to be registered again", async () => {
    const old = await register(leader);
    const contents = Array.from({ length: 40 }, (_, n) => `${n} ${crypto.randomUUID().repeat(20)}`);
    await sendAll(contents);
    const newer = await register(leader);
    await sendAll(["short"]);
    // An entry of the test's log is a second older than the next.
    for (const limits of [
      { usualBytes: 10_000, maxBytes: 10_000 },
      { usualBytes: 10_000, usualMs: 10_000 },
    ]) {
      follower.past = limits;
      await follower.restart();
      expect(await poll(follower, old)).toMatchObject(gone);
      expect(contentsOf(await poll(follower, newer))).toEqual(["short"]);
    }
    follower.past = { usualBytes: 10_000, usualMs: 600_000 };
    await follower.restart();
    expect(contentsOf(await poll(follower, old))).toEqual([...contents, "short"]);

    follower.past = {};
    cluster.store.first = cluster.store.entries.length - 1;
    await follower.restart();
    expect(await poll(follower, old)).toMatchObject(gone);
    expect(contentsOf(await poll(follower, newer))).toEqual(["short"]);
  });

  test("a poll that cannot be answered because the log is silent may be sent again", async () => {
    const queue = await register(leader);
    await sendAll(["before"]);
    await follower.restart();
    follower.line.isCut = true;
    const asked = { queue_id: queue, last_event_id: -1, dont_block: true };
    const refused = await follower.ask(cluster.olive, "GET", "events", asked);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    follower.line.isCut = false;
    expect(contentsOf(await poll(follower, queue))).toEqual(["before"]);
  });
});
