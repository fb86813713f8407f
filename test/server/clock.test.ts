// A clock that is set back or ahead while the server runs, by a time server, an administrator or a virtual machine.

import { describe, expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import groups from "@/foundation/groups/api.ts";
import { queueLimits } from "@/kernel/events/event-queue.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { givePassword, password } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const day = 86_400;
const steps = [
  ["back", -10 * day],
  ["ahead", 10 * day],
] as const;

describe.each(steps)("a clock that is set %s by ten days", (_, step) => {
  test("does not affect request limits", async () => {
    const { as, clock } = world({ rateLimits: { user: 3, address: 3 } });
    for (let n = 0; n < 3; n++) expect((await as("mel").get("/users/me")).status).toBe(200);
    clock.step(step);
    const refused = await as("mel").get("/users/me");
    expect([refused.status, refused.body["retry-after"]]).toEqual([429, 20]);
    expect(refused.headers.get("x-ratelimit-reset")).toBe(String(clock.now() + 60));
    clock.advance(20);
    expect((await as("mel").get("/users/me")).status).toBe(200);
    expect((await as("mel").get("/users/me")).status).toBe(429);
  });

  test("does not affect password attempts", async () => {
    const { anonymous, clock, ctx } = world();
    const password = "correct horse battery";
    await createUser(ctx("ada"), { email: "nia@example.com", full_name: "Nia", password });
    const logIn = (password: string) =>
      anonymous.post("/fetch_api_key", { username: "nia@example.com", password });
    for (let n = 0; n < 5; n++) expect((await logIn("wrong")).status).toBe(401);
    clock.step(step);
    expect(await logIn(password)).toMatchObject({ status: 429, body: { "retry-after": 1800 } });
    clock.advance(1800);
    expect((await logIn(password)).status).toBe(200);
  });

  test("does not affect attempts at join links", async () => {
    const { anonymous, clock } = world();
    const look = async () => (await anonymous.request("/join/nothing")).status;
    for (let n = 0; n < 30; n++) expect(await look()).toBe(404);
    clock.step(step);
    expect(await look()).toBe(429);
    clock.advance(1800);
    expect(await look()).toBe(404);
  });

  test("does not affect limits of address changes", async () => {
    const w = world();
    const { login, clock, user } = w;
    await givePassword(w, "mel");
    const { key } = user("mel");
    let { email } = user("mel");
    const move = async (name: string) => {
      const to = `${name}@example.com`;
      const { status } = await login(email, key).patch("/settings", { email: to, old_password: password });
      if (status === 200) email = to;
      return status;
    };
    expect([await move("m1"), await move("m2"), await move("m3")]).toEqual([200, 200, 429]);
    clock.step(step);
    expect(await move("m3")).toBe(429);
    clock.advance(3600);
    expect(await move("m3")).toBe(200);
  });

  test("does not affect when event queues end, or heartbeats of polls", async () => {
    const { app, as, clock, queue, user } = world();
    const { id } = await queue("mel");
    const { queues } = app.env;
    clock.step(step);
    queues.sweep();
    const waiting = as("mel").get("/events", { queue_id: id, last_event_id: -1 });
    await until(() => queues.find(id, user("mel").id).waiter, "the poll waits", 1);
    clock.step(step);
    queues.sweep();
    clock.advance(queueLimits.heartbeatMs / 1000);
    queues.sweep();
    expect((await waiting).body.events).toMatchObject([{ type: "heartbeat" }]);

    clock.step(step);
    clock.advance(60);
    const { queues: listed } = (await (await as("ada").request("/metrics/queues")).json()) as Json;
    expect(listed).toMatchObject([{ queue_id: id, last_connected: clock.now() - 60 }]);
    clock.advance(queueLimits.idleMs / 1000);
    queues.sweep();
    expect(queues.all.size).toBe(0);
  });

  test("reports the users who are online", async () => {
    const w = world();
    await report(w);
    const { poll } = await w.queue("max", { event_types: ["presence"], slim_presence: true });
    w.clock.step(step);
    await report(w);
    const now = w.clock.now();
    const present = { active_timestamp: now, idle_timestamp: now };
    expect(await poll()).toMatchObject([{ presences: { [w.user("mel").id]: present } }]);
    expect(await online(w)).toBe(1);
    expect(await seen(w)).toEqual(present);
    w.clock.advance(300);
    expect(await online(w)).toBe(0);
  });
});

const report = (w: World, status = "active") =>
  w.as("mel").post("/users/me/presence", { status, last_update_id: -1 });

async function seen(w: World): Promise<Json> {
  return (await w.as("max").post("/users/me/presence", { status: "idle", slim_presence: true })).body
    .presences[w.user("mel").id];
}

async function online(w: World): Promise<number> {
  const text = await (await w.as("ada").request("/metrics")).text();
  return Number(/^confab_users_online (\d+)$/m.exec(text)?.[1]);
}

describe("a clock that is set back", () => {
  test("shows no activity in the future", async () => {
    const w = world();
    await report(w);
    w.clock.step(-10 * day);
    await report(w, "idle");
    const now = w.clock.now();
    expect(await seen(w)).toEqual({ active_timestamp: now, idle_timestamp: now });
  });

  test("emits users who are no longer full members", async () => {
    const w = world();
    await w.as("olive").patch("/realm", { waiting_period_threshold: 3 });
    w.clock.advance(4 * day);
    const look = async () => {
      const from = w.events.length;
      await groups.jobs?.find(({ name }) => name === "full-members")?.run(w.ctx("system"));
      return w.events.slice(from).map(({ event }) => event.op);
    };
    expect(await look()).toContain("add_members");
    w.clock.step(-2 * day);
    expect(await look()).toContain("remove_members");
    expect(await look()).toEqual([]);
  });

  test("lets the deletion of a long topic end in time", async () => {
    let tick = () => {};
    const w = world({ onBatch: () => tick() });
    await w.as("ada").post("/users/me/subscriptions", { subscriptions: [{ name: "party" }] });
    const { stream_id } = (await w.as("ada").get("/get_stream_id", { stream: "party" })).body;
    const cake = { type: "channel", to: stream_id, topic: "cake", content: "eat" };
    const { id } = (await w.as("ada").post("/messages", cake)).body;
    const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
    await w.app.env.db.write(w.ctx("system"), (tx) =>
      tx.run(
        `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
          `SELECT conversation_id, home_id, seq + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
        JSON.stringify(Array.from({ length: 12_000 }, (_, i) => i + 1)),
        id,
      ),
    );
    tick = () => {
      w.clock.step(-day);
      w.clock.advance(60);
    };
    const { body } = await w.as("ada").post(`/streams/${stream_id}/delete_topic`, { topic_name: "cake" });
    expect(body.complete).toBe(false);
  });
});
