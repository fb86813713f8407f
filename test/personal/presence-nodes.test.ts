// Presence at several nodes: each serves its own clients, and all show the same people. test/cluster/ has real nodes.
import { afterEach, describe, expect, test } from "bun:test";
import { noteSeen } from "@/foundation/sessions/seen.ts";
import { dayOf, lastDays, presentWithin } from "@/foundation/user-activity/access.ts";
import { lastUpdateId, takePresence } from "@/personal/presence/board.ts";
import { askForPresences } from "@/personal/presence/sharing.ts";
import { type TestNode, type TestNodes, testNodes } from "../support/nodes.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import type { CastName } from "../support/world.ts";

let opened: TestNodes | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

function nodes() {
  opened = testNodes(3);
  const [a, b, c] = opened.nodes as [TestNode, TestNode, TestNode];
  const [mel, gus] = (["mel", "gus"] as const).map((name) => opened?.w.user(name).id ?? 0) as [
    number,
    number,
  ];
  return { ...opened, a, b, c, mel, gus };
}

const report = (node: TestNode, name: CastName) =>
  node.as(name).post("/users/me/presence", { status: "active", last_update_id: -1 });
const look = (node: TestNode, name: CastName, last_update_id = -1) =>
  node.as(name).post("/users/me/presence", { status: "idle", last_update_id });

const ids = ({ presences }: Json) => Object.keys(presences).map(Number).toSorted();

/** The answer to a client that knows the updates up to an ID, once it contains a person. */
const news = (node: TestNode, by: CastName, user: number, since = -1) =>
  until(async () => {
    const answer = await look(node, by, since);
    return user in answer.presences && answer;
  }, "the answer tells of them");

describe("who reports to one node", () => {
  test("is visible to the clients of all other nodes, without any write", async () => {
    const { mel, a, b, c, written } = nodes();
    const timestamp = b.clock.now();
    await report(b, "mel");
    for (const node of [b, a, c]) {
      const { presences } = await news(node, "max", mel);
      expect(presences[mel]).toEqual({ active_timestamp: timestamp, idle_timestamp: timestamp });
      expect(await node.as("max").get(`/users/${mel}/presence`)).toMatchObject({
        presence: { website: { status: "active", timestamp } },
      });
    }
    expect(written).toEqual([]);
  });

  test("comes back with an event at every node", async () => {
    const { mel, b, nodes: all, keepRoom } = nodes();
    await keepRoom();
    const params = {
      event_types: '["presence"]',
      client_capabilities: '{"notification_settings_null":true,"simplified_presence_events":true}',
    };
    const queues = await Promise.all(
      all.map(async (node) => ({ node, ...(await node.as("max").post("/register", params)) })),
    );
    await report(b, "mel");
    for (const { node, queue_id, last_event_id } of queues) {
      const query = new URLSearchParams({ queue_id, last_event_id });
      const { events } = await node.as("max").get(`/events?${query}`);
      expect(events).toMatchObject([{ type: "presence", presences: { [mel]: {} } }]);
    }
  });

  test("is returned once to a client that asks another node each time", async () => {
    const { mel, gus, a, b, c } = nodes();
    await report(b, "mel");
    for (const node of [a, b]) await news(node, "max", mel);
    const { presence_last_update_id: known } = await news(c, "max", mel);
    await report(c, "gus");
    let last = known;
    for (const node of [b, a, c]) {
      const received = await news(node, "max", gus, known);
      expect(ids(received)).not.toContain(mel);
      last = received.presence_last_update_id;
      expect(last).toBeGreaterThan(known);
    }
    for (const node of [a, b, c]) expect(ids(await look(node, "max", last))).not.toContain(gus);
  });

  test("reaches a node that missed it, once anything changes", async () => {
    const { mel, gus, a, b, c } = nodes();
    c.isCutOff = true;
    await report(b, "mel");
    await news(a, "max", mel);
    c.isCutOff = false;
    expect(ids(await look(c, "ada"))).not.toContain(mel);
    await report(b, "gus");
    expect(ids(await news(c, "ada", gus))).toContain(mel);
  });

  test("is shown by the node's own clock if the clocks differ by an hour", async () => {
    const { mel, a, b, c } = nodes();
    c.clock.step(3_600);
    await report(b, "mel");
    const { presences } = await news(c, "max", mel);
    expect(presences[mel].active_timestamp).toBe(a.clock.now() + 3_600);
  });

  test("stays when another node leads, and updates continue after those that clients know", async () => {
    const { mel, gus, a, b, c, lead } = nodes();
    await report(c, "mel");
    await news(b, "max", mel);
    const { presence_last_update_id: known } = await news(c, "max", mel);
    lead(b);
    a.isCutOff = true;
    await report(c, "gus");
    const received = await news(c, "ada", gus, known);
    expect(received.presence_last_update_id).toBeGreaterThan(known);
    expect(ids(await look(b, "ada"))).toContain(mel);
    expect(ids(await look(c, "ada"))).toContain(mel);
  });

  test("who hides their presence is hidden at every node", async () => {
    const { mel, gus, a, b, c } = nodes();
    await a.as("mel").patch("/settings", { presence_enabled: "false" });
    await report(b, "mel");
    await report(b, "gus");
    for (const node of [a, b, c]) expect(ids(await news(node, "max", gus))).not.toContain(mel);
  });
});

describe("what the leader stores for all nodes", () => {
  test("is when people were last present, every half minute", async () => {
    const { mel, a, b, c, written } = nodes();
    await report(b, "mel");
    await news(a, "max", mel);
    for (const node of [b, c]) await node.runJob("save-presence");
    expect(written).toEqual([]);
    await a.runJob("save-presence");
    expect(written.some((sql) => sql.startsWith("INSERT INTO presence "))).toBe(true);
    const stored = await until(
      async () =>
        c.app.env.db.get<{ connected_at: number }>(
          "SELECT connected_at FROM presence WHERE user_id = ?",
          mel,
        ),
      "the follower has stored it",
    );
    expect(stored.connected_at).toBe(a.clock.now());
  });

  test("is the day on which they were active, also for people who are connected to another node", async () => {
    const { mel, a, b } = nodes();
    await b.as("mel").post("/register", { event_types: '["message"]' });
    await b.runJob("save-presence");
    await a.runJob("save-presence");
    expect(presentWithin(a.app.system, 14)(mel)).toBe(true);
    const sql = "SELECT 1 FROM user_activity WHERE user_id = ?";
    await until(() => b.app.env.db.get(sql, mel), "the other node has stored it");
  });

  test("is the last of all days, also at a node where they were active earlier", async () => {
    const { mel, a, b } = nodes();
    await b.as("mel").post("/users/me/presence", { status: "active" });
    for (const { clock } of [a, b]) clock.advance(86_400);
    await a.as("mel").post("/users/me/presence", { status: "active" });
    await a.runJob("save-presence");
    const today = dayOf(a.clock.now());
    const sql = "SELECT 1 FROM user_activity WHERE user_id = ? AND day = ?";
    await until(() => b.app.env.db.get(sql, mel, today), "the other node has stored it");
    expect([a, b].map(({ app }) => lastDays(app.system).get(mel))).toEqual([today, today]);
  });

  test("is when sessions were last used, at any node", async () => {
    const { mel, a, b } = nodes();
    await a.app.env.db.write(a.app.system, (tx) =>
      tx.run(
        "INSERT INTO sessions (user_id, hash, device, address, created_at, last_seen_at) VALUES (?, ?, '', '', ?, ?)",
        mel,
        new Uint8Array(new Bun.CryptoHasher("sha256").update("cookie").digest()),
        tx.now,
        tx.now,
      ),
    );
    for (const { clock } of [a, b]) clock.advance(1_200);
    const read = () => a.app.env.db.get<{ at: number }>("SELECT last_seen_at AS at FROM sessions")?.at;
    expect(read()).toBe(a.clock.now() - 1_200);
    const row = a.app.env.db.get<Parameters<typeof noteSeen>[1]>("SELECT * FROM sessions");
    if (row) noteSeen(b.app.ctx(b.app.system.actor), row, "203.0.113.5");
    await b.runJob("sessions-seen");
    await a.runJob("sessions-seen");
    expect(read()).toBe(a.clock.now());
  });
});

test("what very many people report is sent a part in each turn of the event loop", async () => {
  const { a, b } = nodes();
  const people = 12_000;
  const now = a.clock.now();
  for (let id = 1; id <= people; id++)
    takePresence(a.app.system, { user_id: 1_000 + id, active_at: now, connected_at: now, update_id: id });
  askForPresences(b.app.system);
  const seen = new Set<number>();
  for (let last = 0; last < people; last = lastUpdateId(b.app.system)) {
    seen.add(last);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([...seen]).toEqual([0, 5_000, 10_000]);
});
