// What a node does that no longer knows where the log ends.
import { afterEach, describe, expect, test } from "bun:test";
import { endsOf } from "@/cluster/nats/entries.ts";
import { LogEnd } from "@/cluster/watching/log-end.ts";
import { notSaved } from "@/kernel/lib/errors.ts";
import { type MemoryCluster, type MemoryNode, memoryCluster } from "../support/memory-cluster.ts";
import { until } from "../support/waiting.ts";

let cluster: MemoryCluster | null = null;
afterEach(async () => {
  await cluster?.close();
  cluster = null;
});

const begun = async (how: Parameters<typeof memoryCluster>[1] = {}) => {
  cluster = await memoryCluster(2, how);
  const [leader, follower] = cluster.nodes as [MemoryNode, MemoryNode];
  return { ...cluster, leader, follower };
};
const healthOf = async (node: MemoryNode) => {
  const answer = await node.ask(null, "GET", "/health");
  return { status: answer.status, problem: ((await answer.json()) as { problem?: string }).problem };
};

test("what a node knows of the log's end is as old as the question, and counts once the database has it", () => {
  let now = 1_000;
  const end = new LogEnd(() => now);
  const asked = end.ask();
  now += 500;
  expect(end.unknownMs).toBe(500);
  end.noteEnd(5, asked, 5);
  expect(end.unknownMs).toBe(500);
  end.noteEnd(7, now, 5);
  end.noteEnd(7, now + 100, 5);
  end.noteEnd(9, now + 200, 5);
  now += 300;
  expect(end.unknownMs).toBe(800);
  end.noteReached(6);
  expect(end.unknownMs).toBe(800);
  end.noteReached(8);
  expect(end.unknownMs).toBe(200);
  end.noteReached(9);
  expect(end.unknownMs).toBe(100);
  // The log was set back: the node has all that is there.
  end.noteEnd(3, now, 9);
  expect(end.unknownMs).toBe(0);
  // An answer that comes late says nothing new.
  end.noteEnd(9, now - 200, 9);
  expect(end.unknownMs).toBe(0);
});

describe("where the log ends, as a nats-server says it", () => {
  const heard = (active: number) => ({ active: active * 1e9 });
  const endsBy = (cluster: unknown) => {
    const info = async () => ({ state: { first_seq: 1, last_seq: 7, bytes: 9 }, config: {}, cluster });
    return endsOf({ streams: { info } } as unknown as Parameters<typeof endsOf>[0], "LOG");
  };

  test("counts if it leads the log and has just heard of a majority, or is alone", async () => {
    for (const cluster of [
      { leader: "a", replicas: [heard(0.4), heard(0.7)] },
      { leader: "a", replicas: [heard(40), heard(0.7)] },
      { leader: "a" },
      undefined,
    ])
      expect(await endsBy(cluster)).toMatchObject({ last: 7 });
  });

  test("does not count if none leads, as where its network is gone: it answers all the same, with what it has", async () => {
    const none = [
      { replicas: [heard(25), heard(16)] },
      { leader: "", replicas: [heard(0.4), heard(0.7)] },
      // It still believes that it leads.
      { leader: "a", replicas: [heard(7), heard(7)] },
    ];
    const answers = await Promise.all(none.map((cluster) => endsBy(cluster).then(String, String)));
    for (const answer of answers) expect(answer).toContain("is unavailable");
  });
});

describe("a node that is cut off from the log", () => {
  test("is unwell after ten seconds, and says for how long", async () => {
    const { leader, follower, olive } = await begun();
    expect(await healthOf(follower)).toMatchObject({ status: 200 });
    await follower.cutOff(9_900);
    expect(await healthOf(follower)).toMatchObject({ status: 200 });
    follower.waitFor(11_000);
    expect(await healthOf(follower)).toEqual({
      status: 503,
      problem: "This node has not been able to follow the cluster's log for 11 seconds.",
    });
    const text = await (await follower.ask(olive, "GET", "/metrics")).text();
    expect(text).toMatch(/^confab_cluster_log_unknown_seconds 11$/m);
    expect(text).toContain("\nconfab_healthy 0\n");
    expect(text).not.toMatch(/^confab_cluster_lag /m);
    expect(await healthOf(leader)).toMatchObject({ status: 200 });

    follower.line.isCut = false;
    await until(async () => (await healthOf(follower)).status === 200, "it is well again");
    const again = await (await follower.ask(olive, "GET", "/metrics")).text();
    expect(again).toMatch(/^confab_cluster_lag 0$/m);
  });

  test("answers reads for a minute, and then refuses all but health, metrics and the client's files", async () => {
    const { follower, olive } = await begun();
    await follower.cutOff(60_000);
    expect(await follower.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
    const { queue_id } = await follower.call(olive, "POST", "register", { event_types: ["message"] });
    follower.waitFor(60_001);
    const refusal = {
      result: "error",
      code: "SERVER_NOT_READY",
      msg: "This server does not get the changes of the others just now, so what it has is too old. Please try again.",
    };
    const stranger = { ...olive, key: "wrong" };
    for (const [who, method, path, params] of [
      [olive, "GET", "users/me", {}],
      [stranger, "GET", "users/me", {}],
      [olive, "GET", "messages", { anchor: "newest", num_before: 1, num_after: 0 }],
      [olive, "GET", "events", { queue_id, last_event_id: -1, dont_block: true }],
      [olive, "POST", "register", {}],
      [olive, "POST", "users/me/presence", { status: "active" }],
      [olive, "POST", "messages", { type: "stream", to: "general", topic: "t", content: "c" }],
      [olive, "GET", "/metrics/queues", {}],
      [null, "GET", "/", {}],
    ] as const) {
      const answer = await follower.ask(who, method, path, params);
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "1"]);
      expect(await answer.json()).toEqual(refusal);
    }
    for (const path of ["/metrics", "/metrics/history"])
      expect([path, (await follower.ask(olive, "GET", path)).status]).toEqual([path, 200]);
    for (const path of ["/static/web/none.js", "/service-worker.js"])
      expect([path, (await follower.ask(null, "GET", path)).headers.get("retry-after")]).toEqual([
        path,
        null,
      ]);

    follower.line.isCut = false;
    const isBack = async () => (await follower.call(olive, "GET", "users/me")).result === "success";
    await until(isBack, "it answers again");
  });

  test("ends polls that wait, once it would refuse new ones", async () => {
    const { follower, olive } = await begun();
    const { queue_id } = await follower.call(olive, "POST", "register", { event_types: ["message"] });
    const waiting = follower.call(olive, "GET", "events", { queue_id, last_event_id: -1 });
    await until(() => follower.app.env.queues.all.get(queue_id)?.waiter, "the poll waits");
    await follower.cutOff(60_001);
    expect(await waiting).toMatchObject({ result: "success", events: [] });
  });

  test("ends polls that wait once it is unwell, so that proxies send the next ones elsewhere, but each only once", async () => {
    const { leader, follower, olive, send } = await begun();
    const { queue_id } = await follower.call(olive, "POST", "register", { event_types: ["message"] });
    const { all } = follower.app.env.queues;
    const poll = async () => {
      const waiting = follower.call(olive, "GET", "events", { queue_id, last_event_id: -1 });
      await until(() => all.get(queue_id)?.waiter, "the poll waits");
      return { waiting };
    };
    const { waiting } = await poll();
    await follower.cutOff(14_999);
    const sent = await send(leader, "not heard here");
    follower.waitFor(15_000);
    expect(await waiting).toMatchObject({ result: "success", events: [] });
    const elsewhere = { queue_id, last_event_id: -1, dont_block: true };
    expect(await leader.call(olive, "GET", "events", elsewhere)).toMatchObject({
      events: [{ message: { id: sent.id } }],
    });

    const again = await poll();
    follower.waitFor(20_000);
    follower.line.isCut = false;
    expect(await again.waiting).toMatchObject({ events: [{ message: { id: sent.id } }] });
  });

  test("answers nobody who was deactivated meanwhile, once its data is too old", async () => {
    const { leader, follower, olive } = await begun();
    const made = await leader.call(olive, "POST", "users", {
      email: "mel@example.com",
      password: "correct horse battery",
      full_name: "Mel",
    });
    const login = { username: "mel@example.com", password: "correct horse battery" };
    const { api_key: key } = await leader.call(null, "POST", "fetch_api_key", login);
    const mel = { email: "mel@example.com", key };
    expect(await follower.call(mel, "GET", "users/me")).toMatchObject({ result: "success" });
    follower.line.isCut = true;
    expect(await leader.call(olive, "DELETE", `users/${made.user_id}`)).toMatchObject({ result: "success" });
    await follower.cutOff(60_001);
    expect(await follower.call(mel, "GET", "users/me")).toMatchObject({ code: "SERVER_NOT_READY" });
    follower.line.isCut = false;
    const code = async () => (await follower.call(mel, "GET", "users/me")).code;
    await until(async () => (await code()) === "UNAUTHORIZED", "it knows that Mel was deactivated");
  });

  test("goes on with reads for as long as its setting says", async () => {
    const { follower, olive } = await begun({ readsMs: 600_000 });
    await follower.cutOff(600_000);
    expect(await follower.call(olive, "GET", "users/me")).toMatchObject({ result: "success" });
    follower.waitFor(600_001);
    expect(await follower.call(olive, "GET", "users/me")).toMatchObject({ code: "SERVER_NOT_READY" });
  });
});

test("a node that knows the log's end, and cannot take what the log has, is unwell likewise", async () => {
  const { leader, follower, olive, send } = await begun();
  const { sqlite } = follower.app.env.db;
  const { page_count } = sqlite.query("PRAGMA page_count").get() as { page_count: number };
  sqlite.run(`PRAGMA max_page_count = ${page_count}`);
  const isStuck = () => leader.node.position > follower.node.position;
  await until(async () => {
    await send(leader, "x".repeat(9_000));
    return isStuck();
  }, "its disk is full");
  await follower.node.checkLog();
  follower.waitFor(10_000);
  expect(await healthOf(follower)).toMatchObject({ status: 503 });
  follower.waitFor(60_001);
  expect((await follower.call(olive, "GET", "users/me")).code).toBe("SERVER_NOT_READY");
  const metrics = await (await follower.ask(olive, "GET", "/metrics")).text();
  expect(Number(/^confab_cluster_lag (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);

  sqlite.run("PRAGMA max_page_count = 1000000");
  await until(async () => (await healthOf(follower)).status === 200, "it is well again");
  expect(isStuck()).toBe(false);
});

describe("a write through a node that is cut off from the log, and not from the leader", () => {
  test("succeeds once the node has it", async () => {
    const { follower, leader, send, olive } = await begun();
    follower.line.isCut = true;
    const sending = send(follower, "late");
    await until(() => leader.node.position > follower.node.position, "it is saved");
    follower.line.isCut = false;
    const { id } = await sending;
    expect(await follower.call(olive, "GET", `messages/${id}`)).toMatchObject({ result: "success" });
  });

  test("succeeds after a while, because it is saved, and says that this node does not have it", async () => {
    const { follower, leader, olive } = await begun({ patienceMs: 1_000 });
    follower.line.isCut = true;
    const params = { type: "stream", to: "general", topic: "t", content: "not here" };
    const answer = await follower.ask(olive, "POST", "messages", params);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-confab-not-here-yet")).toBe(String(leader.node.position));
    const { id } = (await answer.json()) as { id: number };
    expect(await leader.call(olive, "GET", `messages/${id}`)).toMatchObject({ result: "success" });
    expect(await follower.call(olive, "GET", `messages/${id}`)).toMatchObject({ result: "error" });

    const refused = await follower.ask(olive, "POST", "messages", { ...params, to: "nowhere" });
    expect(refused.status).toBe(400);
    expect(refused.headers.get("x-confab-not-here-yet")).toBeNull();
  });

  test("is refused, and not passed on, once the node is unwell", async () => {
    const { follower, leader, olive } = await begun();
    await follower.cutOff(10_000);
    const { position } = leader.node;
    const params = { type: "stream", to: "general", topic: "t", content: "refused" };
    const answer = await follower.ask(olive, "POST", "messages", params);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ code: "SERVER_NOT_READY", msg: notSaved });
    expect(leader.node.position).toBe(position);
  });
});

test("a leader that writes knows the log's end, and one that is idle looks", async () => {
  const { leader, send } = await begun();
  leader.waitFor(30_000);
  await send(leader, "written");
  expect(leader.node.unknownMs).toBe(0);
  leader.waitFor(30_000);
  await until(() => leader.node.unknownMs === 0, "it has looked");
});
