// How much of a channel's subscriber list clients get, and changing several subscriptions at once.
import { describe, expect, test } from "bun:test";
import { createUser, rotateKey } from "@/foundation/accounts/actions.ts";
import { listAudit } from "@/foundation/audit/queries.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type CapturedEvent, type Client, type World, world } from "../support/world.ts";

const day = 86_400;

async function crowd(w: World, count: number): Promise<number[]> {
  const added = Array.from({ length: count }, (_, n) =>
    createUser(w.ctx("ada"), { email: `person${n}@example.com`, full_name: `Person ${n}` }),
  );
  return (await Promise.all(added)).map(({ user }) => user.user_id);
}

const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b);

/** A channel of 250 with mel and bolt in it, and one of 249; max is in neither. */
async function bigAndSmall(w: World) {
  const people = await crowd(w, 248);
  const big = [...people, w.user("mel").id, w.user("bolt").id];
  const small = [...people, w.user("mel").id];
  await createChannel(w.ctx("mel"), { name: "big", subscribers: big });
  await createChannel(w.ctx("mel"), { name: "small", subscribers: small });
  return { big: ascending(big), small: ascending(small), people };
}

const listsOf = (shown: Json): Json => ({
  name: shown.name,
  subscribers: shown.subscribers,
  partial_subscribers: shown.partial_subscribers,
});

describe("include_subscribers", () => {
  test("returns all subscribers, a part of large lists, or none", async () => {
    const w = world();
    const { big, small } = await bigAndSmall(w);
    const asked = async (include_subscribers: string) => {
      const { subscriptions } = (await w.as("mel").get("/users/me/subscriptions", { include_subscribers }))
        .body;
      const { state } = await w.queue("mel", { include_subscribers, fetch_event_types: ["subscription"] });
      expect(state.subscriptions.map(listsOf)).toEqual(subscriptions.map(listsOf));
      return subscriptions.map(listsOf);
    };
    expect(await asked("true")).toEqual([
      { name: "big", subscribers: big },
      { name: "small", subscribers: small },
    ]);
    expect(await asked("partial")).toEqual([
      { name: "big", partial_subscribers: ascending([w.user("mel").id, w.user("bolt").id]) },
      { name: "small", subscribers: small },
    ]);
    expect(await asked("false")).toEqual([{ name: "big" }, { name: "small" }]);
  });

  test("includes in the part users who sent something in the last two weeks, and every bot", async () => {
    const w = world();
    const { people } = await bigAndSmall(w);
    const write = (by: "mel" | "max") =>
      w.as(by).post("/messages", { type: "direct", to: [w.user("moss").id], content: "Hi" });
    const partial = async () => {
      const { subscriptions } = (
        await w.as("bolt").get("/users/me/subscriptions", { include_subscribers: "partial" })
      ).body;
      return subscriptions[0].partial_subscribers;
    };
    await write("mel");
    await write("max");
    expect(await partial()).toEqual(ascending([w.user("mel").id, w.user("bolt").id]));
    w.clock.advance(14 * day);
    expect(await partial()).toContain(w.user("mel").id);
    w.clock.advance(day);
    expect(await partial()).toEqual([w.user("bolt").id]);
    await write("mel");
    expect(await partial()).toContain(w.user("mel").id);
    expect(people.length).toBe(248);
  });

  test("includes in the part users who are present, even before that is stored", async () => {
    const w = world();
    const { people } = await bigAndSmall(w);
    const [reader = 0, idler = 0] = people;
    const client = async (userId: number) => {
      const { user, api_key } = await rotateKey(w.ctx("ada"), userId);
      return w.login(user.email, api_key);
    };
    const listed = async (): Promise<number[]> => {
      const { body } = await w.as("bolt").get("/users/me/subscriptions", { include_subscribers: "partial" });
      return body.subscriptions[0].partial_subscribers;
    };
    w.clock.advance(20 * day);
    expect(await listed()).toEqual([w.user("bolt").id]);
    await (await client(reader)).post("/users/me/presence", { status: "active", new_user_input: true });
    expect(await listed()).toContain(reader);

    // A user whose client goes on asking an old queue counts as online; all others are idle.
    const listening = await client(idler);
    const { queue_id } = (await listening.post("/register", { event_types: ["message"] })).body;
    w.clock.advance(20 * day);
    expect(await listed()).toEqual([w.user("bolt").id]);
    const waiting = listening.get("/events", { queue_id, last_event_id: -1 });
    await until(() => w.app.env.queues.isHere(idler), "the poll");
    expect(await listed()).toEqual(ascending([idler, w.user("bolt").id]));
    await runJob(w, "save-presence");
    await listening.delete("/events", { queue_id });
    await waiting;
    w.clock.advance(14 * day);
    expect(await listed()).toContain(idler);
    w.clock.advance(day);
    expect(await listed()).toEqual([w.user("bolt").id]);
  });

  test.each([
    [
      "reads messages",
      (one: Client) => one.get("/messages", { anchor: "newest", num_before: 1, num_after: 0 }),
    ],
    ["looks at their own account", (one: Client) => one.get("/users/me")],
    ["changes a setting", (one: Client) => one.patch("/settings", { twenty_four_hour_time: true })],
    ["opens a file by address", (one: Client) => one.request("/avatar/1")],
  ])("includes in the part somebody who comes back after a month and %s", async (_, act) => {
    const w = world();
    const { people } = await bigAndSmall(w);
    const [reader = 0] = people;
    const { user, api_key } = await rotateKey(w.ctx("ada"), reader);
    const client = w.login(user.email, api_key);
    w.clock.advance(30 * day);
    const listed = async (): Promise<number[]> => {
      const { body } = await w.as("bolt").get("/users/me/subscriptions", { include_subscribers: "partial" });
      return body.subscriptions[0].partial_subscribers;
    };
    expect(await listed()).not.toContain(reader);
    await act(client);
    expect(await listed()).toContain(reader);
    await runJob(w, "save-presence");
    w.clock.advance(14 * day);
    expect(await listed()).toContain(reader);
    w.clock.advance(day);
    expect(await listed()).not.toContain(reader);
  });

  test("applies to events for joining, and to channels left or never joined", async () => {
    const w = world();
    const { big } = await bigAndSmall(w);
    const types = { event_types: ["subscription"] };
    const [all, part, none] = [
      await w.queue("max", { ...types, include_subscribers: "true" }),
      await w.queue("max", { ...types, include_subscribers: "partial" }),
      await w.queue("max", types),
    ];
    expect(part.state.never_subscribed.map(listsOf)[0]).toEqual({
      name: "big",
      partial_subscribers: [w.user("bolt").id],
    });
    const here = ascending([w.user("bolt").id, w.user("max").id]);
    await w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: "big" }] });
    const pollLists = async (queue: typeof all) => listsOf((await queue.poll())[0].subscriptions[0]);
    expect(await pollLists(all)).toEqual({ name: "big", subscribers: ascending([...big, w.user("max").id]) });
    expect(await pollLists(part)).toEqual({ name: "big", partial_subscribers: here });
    expect(await pollLists(none)).toEqual({ name: "big" });
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["big"] });
    const { state } = await w.queue("max", { ...types, include_subscribers: "partial" });
    expect(state.unsubscribed.map(listsOf)).toEqual([
      { name: "big", partial_subscribers: [w.user("bolt").id] },
    ]);
  });

  test("counts bots in the order of their IDs", async () => {
    const w = world();
    await bigAndSmall(w);
    const { user } = await createBot(w.ctx("mel"), { full_name: "Second", short_name: "second" });
    const params = { subscriptions: [{ name: "big" }], principals: [user.user_id] };
    await w.as("mel").post("/users/me/subscriptions", params);
    const { state } = await w.queue("mel", {
      include_subscribers: "partial",
      fetch_event_types: ["subscription"],
    });
    const here = [w.user("mel").id, w.user("bolt").id, user.user_id];
    expect(state.subscriptions[0].partial_subscribers).toEqual(here);
  });
});

const summarize = (events: readonly CapturedEvent[]) =>
  events.map(({ event }) => `${event.type}/${event.op}`);

describe("update-subscriptions", () => {
  test("joins channels, including new ones, and leaves others", async () => {
    const w = world();
    const [mel, max] = [w.user("mel").id, w.user("max").id];
    await createChannel(w.ctx("mel"), { name: "open", subscribers: [mel] });
    await createChannel(w.ctx("mel"), { name: "left", subscribers: [mel, max] });
    const { body, events } = await w.as("max").patch("/users/me/subscriptions", {
      add: [{ name: "open", color: "#123456" }, { name: "new", description: "Fresh" }, { name: "left" }],
      delete: ["left"],
    });

    expect(body).toEqual({
      result: "success",
      msg: "",
      subscribed: { [max]: ["open", "new"] },
      already_subscribed: { [max]: ["left"] },
      removed: ["left"],
      not_removed: [],
      new_subscription_messages_sent: true,
    });
    expect(summarize(events)).toEqual([
      "stream/create",
      "subscription/add",
      "subscription/peer_add",
      "subscription/remove",
      "subscription/peer_remove",
    ]);
    const { subscriptions } = (await w.as("max").get("/users/me/subscriptions")).body;
    expect(subscriptions).toMatchObject([
      { name: "open", color: "#123456" },
      { name: "new", description: "Fresh" },
    ]);
  });

  test("works with only `add` or only `delete`", async () => {
    const w = world();
    const max = w.user("max").id;
    const added = await w.as("max").patch("/users/me/subscriptions", { add: [{ name: "new" }] });
    expect(added.body).toMatchObject({ subscribed: { [max]: ["new"] }, removed: [], not_removed: [] });
    const left = await w.as("max").patch("/users/me/subscriptions", { delete: ["new"] });
    expect(left.body).toEqual({
      result: "success",
      msg: "",
      subscribed: {},
      already_subscribed: {},
      removed: ["new"],
      not_removed: [],
    });
  });

  test.each([
    ["nothing", {}, "BAD_REQUEST", /^Nothing to do/],
    ["two empty lists", { add: [], delete: [] }, "BAD_REQUEST", /^Nothing to do/],
    ["a channel to leave that is not there", { delete: ["nowhere"] }, "STREAM_DOES_NOT_EXIST", /'nowhere'/],
    ["a private channel to join", { add: [{ name: "board" }] }, "BAD_REQUEST", /'board'/],
    ["a bad colour", { add: [{ name: "new", color: "red" }] }, "BAD_REQUEST", /hexadecimal/],
    [
      "more than can be left at once",
      { delete: Array(1001).fill("open") },
      "BAD_REQUEST",
      /at most 1000 channels/i,
    ],
  ])("refuses %s, and changes nothing", async (_, params, code, msg) => {
    const w = world();
    await createChannel(w.ctx("mel"), { name: "board", subscribers: [], invite_only: true });
    const rest = "add" in params || Object.keys(params).length === 0 ? {} : { add: [{ name: "new" }] };
    const answer = await w.as("max").patch("/users/me/subscriptions", { ...rest, ...params });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
    expect(answer.body.msg).toMatch(msg);
    expect((await w.as("max").get("/get_stream_id", { stream: "new" })).status).toBe(400);
  });

  test("lets a guest leave, but not join", async () => {
    const w = world();
    await createChannel(w.ctx("mel"), { name: "open", subscribers: [w.user("gus").id] });
    await createChannel(w.ctx("mel"), { name: "other", subscribers: [] });
    const join = await w.as("gus").patch("/users/me/subscriptions", { add: [{ name: "other" }] });
    expect(join).toMatchObject({ status: 400, events: [] });
    const leave = await w.as("gus").patch("/users/me/subscriptions", { delete: ["open"] });
    expect(leave.body).toMatchObject({ removed: ["open"] });
  });
});

describe("the audit log", () => {
  test("records who subscribed and unsubscribed others, not what users do themselves", async () => {
    const w = world();
    const { stream_id: id } = await createChannel(w.ctx("mel"), { name: "open", subscribers: [] });
    const principals = [w.user("max").id, w.user("mel").id];
    const params = { subscriptions: [{ name: "open" }], principals };
    await w.as("mel").post("/users/me/subscriptions", params);
    await w.as("mel").post("/users/me/subscriptions", params);
    await w.as("max").delete("/users/me/subscriptions", { subscriptions: ["open"] });
    await w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: "open" }] });
    await w.as("ada").delete("/users/me/subscriptions", { subscriptions: ["open"], principals });
    expect(listAudit(w.ctx("ada"), { limit: 9, about: { kind: "channel", id } })).toMatchObject([
      {
        actor_id: w.user("ada").id,
        event: "channel_subscribers_removed",
        data: { user_ids: ascending(principals) },
      },
      {
        actor_id: w.user("mel").id,
        event: "channel_subscribers_added",
        data: { user_ids: [w.user("max").id] },
      },
      { event: "channel_created" },
    ]);
  });
});
