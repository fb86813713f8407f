import { describe, expect, test } from "bun:test";
import { open } from "@/app.ts";
import { domains } from "@/domains.ts";
import { createUser, deactivateUser } from "@/foundation/accounts/actions.ts";
import { presentWithin } from "@/foundation/user-activity/access.ts";
import type { Written } from "@/kernel/store/commit-log.ts";
import { testClock } from "../support/clock.ts";
import { temporaryFolders } from "../support/folder.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, everyCapability, type World, world } from "../support/world.ts";

const newFolder = temporaryFolders();
const day = 86_400;

function report(w: World, name: CastName, given: Record<string, unknown> = {}) {
  return w.as(name).post("/users/me/presence", { status: "active", last_update_id: -1, ...given });
}

/** What others see of a person, in the modern form. */
async function seen(w: World, name: CastName, by: CastName = "max"): Promise<Json> {
  const { state } = await w.queue(by, { fetch_event_types: ["presence"], slim_presence: true });
  return state.presences[w.user(name).id];
}

describe("update-presence", () => {
  test("returns who is present, including the actor", async () => {
    const w = world();
    await report(w, "max", { status: "idle" });
    w.clock.advance(10);
    const { status, body } = await report(w, "mel");
    const now = w.clock.now();
    expect(status).toBe(200);
    expect(body).toEqual({
      result: "success",
      msg: "",
      presence_last_update_id: expect.any(Number),
      server_timestamp: now,
      presences: {
        [w.user("max").id]: { active_timestamp: 0, idle_timestamp: now - 10 },
        [w.user("mel").id]: { active_timestamp: now, idle_timestamp: now },
      },
    });
  });

  test("returns the legacy form without an update ID", async () => {
    const w = world();
    await report(w, "max", { status: "idle" });
    const { body } = await report(w, "mel", { last_update_id: undefined });
    const timestamp = w.clock.now();
    const of = (status: string) => ({
      aggregated: { client: "website", status, timestamp },
      website: { client: "website", status, timestamp, pushable: false },
    });
    expect(body.presences).toEqual({
      [w.user("max").email]: of("idle"),
      [w.user("mel").email]: of("active"),
    });
    const slim = await report(w, "mel", { last_update_id: undefined, slim_presence: true });
    expect(Object.keys(slim.body.presences)).toEqual([`${w.user("mel").id}`, `${w.user("max").id}`].sort());
  });

  test("returns only newer updates for a given update ID", async () => {
    const w = world();
    await report(w, "max");
    const first = (await report(w, "mel")).body.presence_last_update_id;
    const again = (await report(w, "mel", { last_update_id: first })).body;
    expect(again).toMatchObject({ presences: {}, presence_last_update_id: first });

    await report(w, "gus");
    const { presences, presence_last_update_id: next } = (await report(w, "mel", { last_update_id: first }))
      .body;
    expect(Object.keys(presences)).toEqual([`${w.user("gus").id}`]);
    expect(next).toBeGreaterThan(first);
  });

  test("returns everything for an unknown update ID", async () => {
    const w = world();
    await report(w, "max");
    const { presences } = (await report(w, "mel", { last_update_id: 1_000_000 })).body;
    expect(Object.keys(presences)).toHaveLength(2);
  });

  test("with ping_only is recorded, and returns the given update ID", async () => {
    const w = world();
    const { body } = await report(w, "mel", { ping_only: true, last_update_id: undefined });
    expect(body).toEqual({ result: "success", msg: "", presence_last_update_id: -1 });
    expect(
      (await report(w, "mel", { ping_only: true, last_update_id: 7 })).body.presence_last_update_id,
    ).toBe(7);
    expect(await seen(w, "mel")).toMatchObject({ active_timestamp: w.clock.now() });
  });

  test("is not updated within 55 seconds, unless the status changes", async () => {
    const w = world();
    const start = w.clock.now();
    await report(w, "mel", { status: "idle" });
    w.clock.advance(54);
    await report(w, "mel", { status: "idle" });
    expect(await seen(w, "mel")).toEqual({ active_timestamp: 0, idle_timestamp: start });
    await report(w, "mel");
    expect(await seen(w, "mel")).toEqual({ active_timestamp: start + 54, idle_timestamp: start + 54 });
    w.clock.advance(55);
    await report(w, "mel", { status: "idle" });
    expect(await seen(w, "mel")).toEqual({ active_timestamp: start + 54, idle_timestamp: start + 109 });
  });

  test("emits to everyone that a user returned, in each client's form", async () => {
    const w = world();
    const older = { ...everyCapability, simplified_presence_events: false };
    const queues = [
      await w.queue("max"),
      await w.queue("max", { client_capabilities: older }),
      await w.queue("gus", { client_capabilities: older, slim_presence: true }),
    ];
    await report(w, "mel");
    const now = w.clock.now();
    const { id: user_id, email } = w.user("mel");
    const website = { client: "website", status: "active", timestamp: now, pushable: false };
    const received = (await Promise.all(queues.map((queue) => queue.poll()))).flat();
    expect(received.map(({ id: _, ...event }) => event)).toEqual([
      { type: "presence", presences: { [user_id]: { active_timestamp: now, idle_timestamp: now } } },
      { type: "presence", user_id, email, server_timestamp: now, presence: { website } },
      { type: "presence", user_id, server_timestamp: now, presence: { website } },
    ]);
  });

  test("emits nothing for a user who was just here, or is idle", async () => {
    const w = world();
    expect((await report(w, "max", { status: "idle" })).events).toEqual([]);
    expect((await report(w, "mel")).events).toMatchObject([{ audience: "everyone" }]);
    w.clock.advance(199);
    expect((await report(w, "mel")).events).toEqual([]);
    w.clock.advance(200);
    expect((await report(w, "mel")).events).toHaveLength(1);
  });

  test("emits nothing in an organization of more than a hundred", async () => {
    const w = world();
    const add = (i: number) => ({ email: `extra${i}@example.com`, full_name: `Extra ${i}` });
    await Promise.all(Array.from({ length: 94 }, (_, i) => createUser(w.ctx("ada"), add(i))));
    expect((await report(w, "mel")).events).toEqual([]);
    expect(await seen(w, "mel")).toMatchObject({ active_timestamp: w.clock.now() });
  });

  test.each([
    [undefined, true],
    [Number.MAX_SAFE_INTEGER, true],
    [14, true],
    [13, false],
    [0, false],
  ])("with history_limit_days %p shows what is 14 days old: %p", async (history_limit_days, isThere) => {
    const w = world();
    await report(w, "max");
    w.clock.advance(14 * day);
    const { presences } = (await report(w, "mel", { history_limit_days })).body;
    expect(String(w.user("max").id) in presences).toBe(isThere);
  });

  test.each([
    ["another status", { status: "away" }, "The presence status must be 'active' or 'idle'."],
    ["a negative history", { history_limit_days: -1 }, "The number of days must not be negative."],
  ])("refuses %s", async (_, given, msg) => {
    const answer = await report(world(), "mel", given);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
  });

  test("needs a status, and a person", async () => {
    const w = world();
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: "status" };
    expect(await report(w, "mel", { status: undefined })).toMatchObject({ status: 400, body });
    expect(await report(w, "bolt")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "This endpoint does not accept bot requests." },
      events: [],
    });
  });

  test("of users who hide their presence is not stored, but answered", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { presence_enabled: false });
    await report(w, "max");
    const { body, events } = await report(w, "mel");
    expect(Object.keys(body.presences)).toEqual([`${w.user("max").id}`]);
    expect(events).toEqual([]);
    await w.as("mel").patch("/settings", { presence_enabled: true });
    expect(await seen(w, "mel")).toBeUndefined();
  });

  test("hides users at once when they turn it off", async () => {
    const w = world();
    await report(w, "mel");
    const { events } = await w.as("mel").patch("/settings", { presence_enabled: false });
    const left = w.clock.now() - 201;
    const presences = { [w.user("mel").id]: { active_timestamp: left, idle_timestamp: left } };
    expect(events).toContainEqual({ audience: "everyone", event: { type: "presence", presences } });
    expect(await seen(w, "mel")).toBeUndefined();
    expect((await w.as("max").get(`/users/${w.user("mel").id}/presence`)).status).toBe(400);
  });
});

describe("presence", () => {
  test("writes nothing to disk until its job runs, and then only changes", async () => {
    const written: Written[] = [];
    const w = world({ onBatch: (batch) => written.push(...batch) });
    const saved = () => written.filter(({ sql }) => sql.includes("presence")).map(({ params }) => params[0]);
    await report(w, "mel");
    await report(w, "max");
    expect(written).toEqual([]);
    await runJob(w, "save-presence");
    expect(saved()).toEqual([w.user("mel").id, w.user("max").id]);
    w.clock.advance(60);
    await report(w, "max");
    await runJob(w, "save-presence");
    await runJob(w, "save-presence");
    expect(saved().slice(2)).toEqual([w.user("max").id]);
  });

  test("survives a restart, and continues its update IDs", async () => {
    const w = world();
    const { body } = await report(w, "mel");
    await runJob(w, "save-presence");
    const folder = newFolder();
    await Bun.write(`${folder}/confab.db`, w.app.env.db.sqlite.serialize());
    const app = open(folder, { hosting: true, clock: testClock() });
    const { email, key } = w.user("max");
    const response = await app.fetch(
      new Request("https://chat.example.com/api/v1/users/me/presence?status=active&last_update_id=-1", {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
      }),
    );
    const answer = (await response.json()) as Json;
    await app.close();
    expect(Object.keys(answer.presences)).toEqual([`${w.user("mel").id}`, `${w.user("max").id}`].sort());
    expect(answer.presence_last_update_id).toBeGreaterThan(body.presence_last_update_id);
  });

  test("of many users is returned in the order of updates", async () => {
    const w = world();
    let last = 0;
    for (let i = 0; i < 300; i++) {
      w.clock.advance(60);
      last = (await report(w, i % 2 === 0 ? "mel" : "max", { ping_only: i < 299 })).body
        .presence_last_update_id;
    }
    await report(w, "gus");
    const { presences } = (await report(w, "max", { last_update_id: last })).body;
    expect(Object.keys(presences)).toEqual([`${w.user("gus").id}`]);
    expect(Object.keys((await report(w, "mel")).body.presences)).toHaveLength(3);
  });

  test("in the initial state has the form and the range that the client requests", async () => {
    const w = world();
    const { body } = await report(w, "mel");
    const { state } = await w.queue("max", { fetch_event_types: ["presence"] });
    expect(state).toMatchObject({
      presences: { [w.user("mel").email]: { website: { status: "active" } } },
      presence_last_update_id: body.presence_last_update_id,
      server_timestamp: w.clock.now(),
    });
    expect(await seen(w, "mel")).toEqual(body.presences[w.user("mel").id]);
    const none = { fetch_event_types: ["presence"], presence_history_limit_days: 0 };
    expect((await w.queue("max", none)).state.presences).toEqual({});
    expect((await w.queue("max", { fetch_event_types: [] })).state).not.toHaveProperty("presences");
  });

  test("of deactivated users is not shown", async () => {
    const w = world();
    await report(w, "mel");
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    expect(await seen(w, "mel")).toBeUndefined();
    const answer = await w.as("max").get(`/users/${w.user("mel").id}/presence`);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  });
});

describe("get-user-presence", () => {
  test("returns when a user was present, by ID or address", async () => {
    const w = world();
    await report(w, "mel");
    const timestamp = w.clock.now();
    const { id, email } = w.user("mel");
    const at = async (named: string | number): Promise<Json> =>
      (await w.as("max").get(`/users/${named}/presence`)).body.presence;
    const active = { status: "active", timestamp };
    expect(await at(id)).toEqual({ aggregated: active, website: active });
    expect(await at(encodeURIComponent(email))).toEqual({ aggregated: active, website: active });

    w.clock.advance(71);
    await report(w, "mel", { status: "idle" });
    expect(await at(id)).toMatchObject({ website: { status: "idle", timestamp: timestamp + 71 } });
  });

  const absent: [string, (w: World) => string | number, string][] = [
    ["nobody", () => 4711, "No such user"],
    ["an unknown address", () => "nobody@example.com", "No such user"],
    ["a bot", (w) => w.user("bolt").id, "Presence is not supported for bot users."],
    ["who was never present", (w) => w.user("ada").id, "No presence data for ada@example.com"],
  ];

  test.each(absent)("refuses %s", async (_, named, msg) => {
    const w = world();
    const answer = await w.as("max").get(`/users/${named(w)}/presence`);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg } });
  });
});

describe("get-presence", () => {
  test("returns everyone of the last 14 days, by address and client", async () => {
    const w = world();
    await report(w, "max");
    w.clock.advance(14 * day + 1);
    await report(w, "mel");
    const timestamp = w.clock.now();
    const { body } = await w.as("gus").get("/realm/presence");
    expect(body).toEqual({
      result: "success",
      msg: "",
      server_timestamp: timestamp,
      presences: {
        [w.user("mel").email]: {
          aggregated: { client: "website", status: "active", timestamp },
          website: { client: "website", status: "active", timestamp, pushable: false },
        },
      },
    });
  });
});

describe("who was here in the last 14 days", () => {
  async function here(w: World): Promise<CastName[]> {
    w.app.env.queues.sweep();
    await runJob(w, "save-presence");
    const isPresent = presentWithin(w.ctx("max"), 14);
    return (["mel", "ada", "bolt"] as const).filter((name) => isPresent(w.user(name).id));
  }
  const acts: [string, (w: World) => Promise<unknown>, boolean][] = [
    ["was active", (w) => report(w, "mel"), true],
    ["typed at an idle client", (w) => report(w, "mel", { status: "idle", new_user_input: true }), true],
    ["left a client running", (w) => report(w, "mel", { status: "idle" }), false],
    ["opened a client", (w) => w.queue("mel"), true],
    ["did nothing", async () => {}, false],
  ];

  test.each(acts)("of one who %s", async (_, act, expected) => {
    const w = world();
    await act(w);
    const names: CastName[] = expected ? ["mel", "bolt"] : ["bolt"];
    expect(await here(w)).toEqual(names);
    w.clock.advance(14 * day);
    expect(await here(w)).toEqual(names);
    w.clock.advance(day);
    expect(await here(w)).toEqual(["bolt"]);
  });

  test("counts users who hide their presence", async () => {
    const w = world();
    await w.as("mel").patch("/settings", { presence_enabled: false });
    await report(w, "mel");
    expect(await here(w)).toEqual(["mel", "bolt"]);
  });
});

test("presence is saved every half minute", () => {
  const jobs = domains.flatMap(({ jobs = [] }) => jobs);
  expect(jobs.find(({ name }) => name === "save-presence")?.everySeconds).toBe(30);
});
