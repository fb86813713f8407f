import { describe, expect, test } from "bun:test";
import { changeRole, createUser } from "@/foundation/accounts/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { expectRegister } from "../support/shapes.ts";
import { until } from "../support/waiting.ts";
import { everyCapability, world } from "../support/world.ts";

const newcomer = { email: "nia@example.com", full_name: "Nia" };

describe("register-queue", () => {
  test.each([
    [undefined, 600],
    [1, 1],
    [7200, 7200],
    ["mobile", 43_200],
    ['"mobile"', 43_200],
    [604_800, 604_800],
    [10_000_000, 604_800],
  ] as const)(
    "with idle_queue_timeout %p, the queue waits %d seconds for its client",
    async (given, seconds) => {
      const w = world();
      const params = given === undefined ? {} : { idle_queue_timeout: given };
      const { status, body } = await w.as("mel").post("/register", { event_types: ["message"], ...params });
      expect([status, body.idle_queue_timeout_secs]).toEqual([200, seconds]);
      const poll = { queue_id: body.queue_id, last_event_id: -1, dont_block: true };
      w.clock.advance(seconds - 1);
      w.app.env.queues.sweep();
      expect((await w.as("mel").get("/events", poll)).status).toBe(200);
      w.clock.advance(seconds);
      w.app.env.queues.sweep();
      expect((await w.as("mel").get("/events", poll)).body.code).toBe("BAD_EVENT_QUEUE_ID");
    },
  );

  test.each([0, -5, 1.5, "soon", "", null, [[600]]])("refuses the idle_queue_timeout %p", async (given) => {
    const { as } = world();
    const { status, body } = await as("mel").post("/register", { idle_queue_timeout: given });
    expect([status, body.msg]).toEqual([400, expect.stringContaining("idle_queue_timeout")]);
  });

  test("a queue that waits long does not make its user count as active", async () => {
    const w = world();
    const isHere = () => w.app.env.queues.isHere(w.user("mel").id);
    await w.as("mel").post("/register", { event_types: ["message"], idle_queue_timeout: "mobile" });
    w.clock.advance(599);
    expect(isHere()).toBe(true);
    w.clock.advance(1);
    expect(isHere()).toBe(false);
    expect(w.app.env.queues.users.has(w.user("mel").id)).toBe(true);
  });

  test("gives a queue, where its events start, and the whole state", async () => {
    const { queue } = world();
    const { state } = await queue("mel");
    expect(state).toMatchObject({ last_event_id: -1, service_feature_level: 486, zulip_feature_level: 486 });
    expect(state.queue_id).toBeString();
    expect(state.realm_users).toHaveLength(7);
    expect(state).toContainKeys(["subscriptions", "realm_name", "unread_msgs", "max_message_id", "streams"]);
  });

  test.each([["realm"], ["realm_user"], ["stream"], ["subscription"], ["realm_user_groups"], ["message"]])(
    "returns for %s exactly the documented fields",
    async (type) => {
      const { state } = await world().queue("mel", { fetch_event_types: [type] });
      expectRegister(state, [type]);
    },
  );

  test("returns unread messages if both of their event types are requested", async () => {
    const types = ["message", "update_message_flags"];
    const { state } = await world().queue("mel", { event_types: types });
    expectRegister(state, types);
    expect(state.unread_msgs.count).toBe(0);
  });

  test("takes the types to fetch from the event types, unless they are given separately", async () => {
    const { queue, ctx } = world();
    const one = await queue("mel", { event_types: ["realm_user"] });
    const other = await queue("mel", { event_types: ["realm_user"], fetch_event_types: [] });
    const none = await queue("mel", { event_types: ["message"], fetch_event_types: ["realm_user"] });
    expect([one, other, none].map(({ state }) => "realm_users" in state)).toEqual([true, false, true]);

    await createUser(ctx("ada"), newcomer);
    const received = await Promise.all([one, other, none].map(async (queue) => (await queue.poll()).length));
    expect(received).toEqual([1, 1, 0]);
  });

  test("ignores types it does not know", async () => {
    const { state } = await world().queue("mel", {
      event_types: ["muted_topics", "no_such_type", "realm_user"],
    });
    expect(state.realm_users).toHaveLength(7);
  });

  test("serves a client that declares nothing", async () => {
    const { as } = world();
    const { status, body } = await as("mel").post("/register");
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, undefined]);
  });

  test("ignores capabilities declared false", async () => {
    const { queue, ctx, as } = world();
    const off = Object.fromEntries(Object.keys(everyCapability).map((name) => [name, false]));
    const old = await queue("mel", { client_capabilities: { ...off, of_a_later_client: true } });
    await createChannel(ctx("mel"), { name: "general", subscribers: [] });
    await as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "general" }] });
    await as("mel").post("/messages", { type: "channel", to: "general", topic: "", content: "hi" });
    const messages = (await old.poll()).filter(({ type }) => type === "message");
    expect(messages).toMatchObject([{ message: { subject: "general chat" } }]);
  });

  test("state and following events neither miss nor repeat anything", async () => {
    const { ctx, queue } = world();
    const [before, opened, after] = [
      createUser(ctx("ada"), newcomer),
      queue("mel", { event_types: ["realm_user"] }),
      createUser(ctx("ada"), { email: "oz@example.com", full_name: "Oz" }),
    ];
    const { state, poll } = await opened;
    await Promise.all([before, after]);
    const known = state.realm_users.map((one: { full_name: string }) => one.full_name);
    const names = (await poll()).map((event) => event.person.full_name);
    expect([...known, ...names].filter((name) => ["Nia", "Oz"].includes(name)).sort()).toEqual(["Nia", "Oz"]);
  });

  test.each([
    ["a guest who wants all public channels", "gus", { all_public_streams: true }, "BAD_REQUEST"],
    ["a narrow of another form", "mel", { narrow: [["channel"]] }, "REQUEST_VARIABLE_INVALID"],
    ["an endless narrow", "mel", { narrow: Array(101).fill(["is", "dm"]) }, "BAD_REQUEST"],
    ["a narrow that cannot filter events", "mel", { narrow: [["near", "5"]] }, "BAD_REQUEST"],
    ["types that are no list", "mel", { event_types: "message" }, "INVALID_JSON"],
    [
      "a capability that is no boolean",
      "mel",
      { client_capabilities: { empty_topic_name: 1 } },
      "REQUEST_VARIABLE_INVALID",
    ],
    ["a strange choice of subscribers", "mel", { include_subscribers: "some" }, "BAD_REQUEST"],
  ] as const)("refuses %s", async (_, who, params, code) => {
    const { as, app } = world();
    expect(await as(who).post("/register", params)).toMatchObject({ status: 400, body: { code } });
    expect(app.env.queues.all.size).toBe(0);
  });
});

describe("a queue for all public channels", () => {
  test("ends when its user becomes a guest, and no other queue of theirs does", async () => {
    const { as, queue, user, app } = world();
    const wide = await queue("mel", { all_public_streams: true });
    const plain = await queue("mel");
    await changeRole(app.system, { user_id: user("mel").id, role: roles.guest });

    await as("ada").post("/channels/create", { name: "open", subscribers: [user("ada").id] });
    await as("ada").post("/messages", { type: "channel", to: "open", topic: "t", content: "secret" });
    expect(wide.poll()).rejects.toThrow("BAD_EVENT_QUEUE_ID");
    expect((await plain.poll()).map((event) => event.type)).not.toContain("message");
  });
});

describe("get-events", () => {
  test("wakes when something happens", async () => {
    const { queue, ctx, user } = world();
    const { poll } = await queue("mel", { event_types: ["realm_user"] });
    const waiting = poll({ dont_block: false });
    await changeRole(ctx("ada"), { user_id: user("max").id, role: 300 });
    expect(await waiting).toMatchObject([{ type: "realm_user", op: "update", person: { role: 300 }, id: 0 }]);
    expect(await poll()).toEqual([]);
  });

  test("returns unacknowledged events again", async () => {
    const { as, queue, ctx } = world();
    const { id } = await queue("mel", { event_types: ["realm_user"] });
    await createUser(ctx("ada"), newcomer);
    const ask = () => as("mel").get("/events", { queue_id: id, last_event_id: -1, dont_block: true });
    expect((await ask()).body.events).toHaveLength(1);
    expect((await ask()).body).toMatchObject({ queue_id: id, events: [{ type: "realm_user", id: 0 }] });
  });

  test("emits nothing for a refused write", async () => {
    const { as, queue } = world();
    const { poll } = await queue("mel");
    await as("mel").post("/users", { ...newcomer, password: "correct horse battery" });
    expect(await poll()).toEqual([]);
  });

  test("answers a client that reconnects", async () => {
    const { as, app, queue, ctx, user } = world();
    const { id, poll } = await queue("mel", { event_types: ["realm_user"] });
    const line = new AbortController();
    const path = `/api/v1/events?queue_id=${encodeURIComponent(id)}&last_event_id=-1`;
    void as("mel").request(path, { signal: line.signal });
    const opened = app.env.queues.find(id, user("mel").id);
    await until(() => opened.waiter !== null, "the poll waits", 1);
    line.abort();
    expect(opened.waiter).toBeNull();
    await createUser(ctx("ada"), newcomer);
    expect(await poll()).toHaveLength(1);
  });

  test.each([
    ["another's", "max"],
    ["another's, even for an owner", "olive"],
  ] as const)("refuses a queue that is %s", async (_, who) => {
    const { as, queue } = world();
    const { id } = await queue("mel");
    const { status, body } = await as(who).get("/events", {
      queue_id: id,
      last_event_id: -1,
      dont_block: true,
    });
    expect([status, body]).toEqual([
      400,
      { result: "error", msg: `Bad event queue ID: ${id}`, code: "BAD_EVENT_QUEUE_ID", queue_id: id },
    ]);
  });

  test("refuses an expired queue", async () => {
    const { as, app, queue, clock } = world();
    const { id } = await queue("mel");
    clock.advance(600);
    app.env.queues.sweep();
    const answer = await as("mel").get("/events", { queue_id: id, last_event_id: -1 });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_EVENT_QUEUE_ID", queue_id: id } });
  });

  test.each([
    ["no queue", { queue_id: undefined }, { code: "REQUEST_VARIABLE_MISSING", var_name: "queue_id" }],
    [
      "no event",
      { last_event_id: undefined },
      { code: "REQUEST_VARIABLE_MISSING", var_name: "last_event_id" },
    ],
    [
      "an event that never was",
      { last_event_id: 7 },
      { code: "BAD_REQUEST", msg: "Event 7 was not in this queue" },
    ],
    ["an event that is no number", { last_event_id: "x" }, { code: "INVALID_JSON" }],
  ])("refuses %s", async (_, wrong, body) => {
    const { as, queue } = world();
    const { id } = await queue("mel");
    const answer = await as("mel").get("/events", {
      queue_id: id,
      last_event_id: -1,
      dont_block: true,
      ...wrong,
    });
    expect(answer).toMatchObject({ status: 400, body });
  });
});

describe("delete-queue", () => {
  test("ends the queue and the poll that waits on it", async () => {
    const { as, app, queue, user } = world();
    const { id, poll } = await queue("mel");
    const waiting = poll({ dont_block: false });
    const { queues } = app.env;
    await until(() => queues.find(id, user("mel").id).waiter !== null, "the poll waits", 1);
    expect((await as("mel").delete("/events", { queue_id: id })).body).toEqual({
      result: "success",
      msg: "",
    });
    expect(await waiting).toEqual([]);
    expect(app.env.queues.all.size).toBe(0);
  });

  test("refuses another user's queue, and one that has ended", async () => {
    const { as, queue } = world();
    const { id } = await queue("mel");
    const bad = { status: 400, body: { code: "BAD_EVENT_QUEUE_ID", queue_id: id } };
    expect(await as("max").delete("/events", { queue_id: id })).toMatchObject(bad);
    await as("mel").delete("/events", { queue_id: id });
    expect(await as("mel").delete("/events", { queue_id: id })).toMatchObject(bad);
  });
});
