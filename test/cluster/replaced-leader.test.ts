// A leader that was replaced and has not noticed, and what a leader says that cannot save.
import { afterEach, expect, test } from "bun:test";
import { notSaved } from "@/kernel/lib/errors.ts";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import { until } from "../support/waiting.ts";

let cluster: MemoryCluster | null = null;
afterEach(async () => {
  await cluster?.close();
  cluster = null;
});

const begun = async () => {
  cluster = await memoryCluster(2);
  const [former, next] = cluster.nodes as [MemoryNode, MemoryNode];
  return { ...cluster, former, next };
};

/**
 * It still considers itself the leader until its line answers: what it asks about its lease is not answered, and it does not look
 * where the log ends by itself.
 */
async function replace({ former, next, leadBy }: Awaited<ReturnType<typeof begun>>): Promise<void> {
  former.waitFor(0);
  former.line.holdLeaseAnswers();
  former.line.isDeaf = true;
  await leadBy(next);
  await until(() => !former.node.leadsSurely, "its lease is over");
  expect(former.node.leads).toBe(true);
}

test("a leader that was replaced answers polls of clients that are ahead, as any other node does", async () => {
  const all = await begun();
  const { former, next, olive, send } = all;
  const { queue_id } = await former.call(olive, "POST", "register", { event_types: ["message"] });
  const elsewhere = await next.call(olive, "POST", "register", { event_types: ["message"] });
  await replace(all);
  await send(next, "after the change");
  const poll = (node: MemoryNode, id: string, last_event_id: number) =>
    node.call(olive, "GET", "events", { queue_id: id, last_event_id, dont_block: true });
  const ahead = await poll(next, queue_id, -1);
  expect(ahead).toMatchObject({ result: "success", events: [{ type: "message" }] });
  const { id } = ahead.events[0];
  // It holds one of these queues.
  for (const one of [queue_id, elsewhere.queue_id])
    expect(await poll(former, one, id)).toMatchObject({ result: "success", events: [] });
  expect(former.node.leads).toBe(false);
  former.line.answer();
  const sent = await send(former, "through the former leader");
  expect(sent).toMatchObject({ result: "success" });
  expect(await poll(former, queue_id, id)).toMatchObject({ events: [{ message: { id: sent.id } }] });
  // That a client says so is not enough.
  expect(await poll(next, queue_id, id + 1_000)).toMatchObject({ code: "BAD_REQUEST" });
});

test("a leader that was replaced learns of keys that it does not know", async () => {
  const all = await begun();
  const { former, next, olive } = all;
  await replace(all);
  const password = "correct horse battery";
  const mel = { email: "mel@example.com", password, full_name: "Mel" };
  expect(await next.call(olive, "POST", "users", mel)).toMatchObject({ result: "success" });
  const { api_key: key } = await next.call(null, "POST", "fetch_api_key", { username: mel.email, password });
  const got = await former.call({ email: mel.email, key }, "GET", "users/me");
  expect(got).toMatchObject({ result: "success", email: mel.email });
  former.line.answer();
});

test("a leader that reads an entry of a later one appends nothing in that one's term", async () => {
  const all = await begun();
  const { former, next, store, send } = all;
  await replace(all);
  await send(next, "of the next leader");
  // Its own write fails, and the one after that reads the log first.
  store.isFull = true;
  expect(await send(former, "first")).toMatchObject({ msg: notSaved });
  expect(former.node.leads).toBe(true);
  store.isFull = false;
  const { length } = store.entries;
  const second = send(former, "second");
  await until(() => !former.node.leads, "it has stepped down");
  expect(store.entries).toHaveLength(length);
  former.line.answer();
  expect(await second).toMatchObject({ result: "success" });
  expect(store.ids.at(-1)).toStartWith("b.");
});

test("a leader that cannot save refuses with the same answer as a node that passes requests on", async () => {
  const { former, next, store, olive } = await begun();
  const params = { type: "stream", to: "general", topic: "t", content: "no room" };
  store.isFull = true;
  for (const node of [former, next]) {
    const answer = await node.ask(olive, "POST", "messages", params);
    expect([node.name, answer.status, answer.headers.get("retry-after")]).toEqual([node.name, 503, "1"]);
    expect(await answer.json()).toEqual({ result: "error", code: "SERVER_NOT_READY", msg: notSaved });
  }
  store.isFull = false;
  expect(await former.call(olive, "POST", "messages", params)).toMatchObject({ result: "success" });
});
