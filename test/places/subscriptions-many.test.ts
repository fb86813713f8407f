// Many subscriptions at once: stored in several transactions, but with the answer and the events of one.
import { describe, expect, spyOn, test } from "bun:test";
import { insertUser } from "@/foundation/accounts/store.ts";
import { serveFor } from "@/kernel/store/forwarded-requests.ts";
import { subscribeByName } from "@/places/subscriptions/actions.ts";
import { type TestNode, testNodes } from "../support/nodes.ts";
import { type CastName, world } from "../support/world.ts";

const names = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `room ${from + i}`);
const wanted = (some: readonly string[]) => some.map((name) => ({ name }));

/** A world with this many additional members. */
async function crowded(count: number) {
  const w = world();
  const people = await w.app.env.db.write(w.app.system, (tx) =>
    Array.from({ length: count }, (_, i) => {
      const plain = { role: 400, password_hash: null, bot_type: null, bot_owner_id: null } as const;
      return insertUser(tx, { ...plain, email: `p${i}@example.com`, full_name: `Person ${i}` });
    }),
  );
  const membersOf = async (name: string, who: CastName = "olive"): Promise<number[]> => {
    const { body } = await w.as(who).get("/get_stream_id", { stream: name });
    return (await w.as(who).get(`/streams/${body.stream_id}/members`)).body.subscribers;
  };
  return { ...w, people, membersOf };
}

describe("many people in many channels", () => {
  test("join new and existing channels, and leave them", async () => {
    const { as, people, membersOf } = await crowded(200);
    await as("mel").post("/users/me/subscriptions", {
      subscriptions: wanted(names(3)),
      principals: [people[0]],
    });
    const joined = await as("mel").post("/users/me/subscriptions", {
      subscriptions: wanted(names(6)),
      principals: people,
    });
    expect(joined.body.subscribed[people[199] ?? 0]).toEqual(names(6));
    expect(joined.body.subscribed[people[0] ?? 0]).toEqual(names(3, 3));
    expect(joined.body.already_subscribed).toEqual({ [people[0] ?? 0]: names(3) });
    expect(joined.body.new_subscription_messages_sent).toBe(false);
    for (const name of names(6)) expect((await membersOf(name)).toSorted()).toEqual(people.toSorted());

    const left = await as("olive").delete("/users/me/subscriptions", {
      subscriptions: names(6),
      principals: people.slice(5),
    });
    expect(left.body).toMatchObject({ removed: names(6), not_removed: [] });
    expect((await membersOf("room 5")).length).toBe(5);
  });

  test("get one message each, about the channels that existed before", async () => {
    const { as, people } = await crowded(200);
    await as("mel").post("/users/me/subscriptions", { subscriptions: wanted(names(2)) });
    const { events } = await as("mel").post("/users/me/subscriptions", {
      subscriptions: wanted(names(15)),
      principals: people.slice(0, 90),
    });
    const received = events.filter(
      ({ event }) => event.type === "message" && event.message.type === "private",
    );
    expect(received.length).toBe(90);
    expect(received[0]?.event.message.content).toContain("room 1");
    expect(received[0]?.event.message.content).not.toContain("room 2");
  });

  test("join no channel if one is refused", async () => {
    const { as, people, membersOf } = await crowded(200);
    await as("olive").post("/channels/create", { name: "secret", subscribers: [], invite_only: true });
    await as("mel").post("/users/me/subscriptions", { subscriptions: wanted(names(1)) });
    const subscriptions = wanted([...names(9), "secret"]);
    const answer = await as("mel").post("/users/me/subscriptions", { subscriptions, principals: people });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect((await membersOf("room 0")).length).toBe(1);
  });

  test("are refused beyond 100,000 subscriptions", async () => {
    const { as, people } = await crowded(101);
    const answer = await as("mel").post("/users/me/subscriptions", {
      subscriptions: wanted(names(1_000)),
      principals: people,
    });
    const msg = "At most 100000 subscriptions can be changed at once.";
    expect(answer).toMatchObject({ status: 400, body: { msg }, events: [] });
  });

  test("are all in a channel that is created with them", async () => {
    const { as, people, membersOf } = await crowded(1_100);
    const { body } = await as("mel").post("/channels/create", { name: "hall", subscribers: people });
    expect(body.result).toBe("success");
    expect((await membersOf("hall")).length).toBe(1_100);
  });
});

describe("a request whose leader died after its last write", () => {
  test("answers the same when the next leader runs it again with their results", async () => {
    const { w, nodes, close } = testNodes(1);
    const { app } = nodes[0] as TestNode;
    const { db } = app.env;
    const ctx = app.ctx({ kind: "user", id: w.user("olive").id, client: "test" });
    const others = { authorization_errors_fatal: true, announce: false };
    const asked = {
      ...others,
      subscriptions: wanted(names(7)),
      principals: [w.user("mel").id],
      send_new_subscription_messages: true,
    };
    const results: unknown[] = [];
    const write = spyOn(db, "write");
    const answer = await subscribeByName(ctx, asked);
    for (const { value } of write.mock.results) results.push(await value);
    write.mockRestore();
    expect(answer).toMatchObject({ new_subscription_messages_sent: true, already_subscribed: {} });
    const request = { id: "one", term: 0, done: JSON.parse(JSON.stringify(results)) as unknown[] };
    expect(await serveFor(request, () => subscribeByName(ctx, asked))).toEqual(answer);
    await close();
  });
});
