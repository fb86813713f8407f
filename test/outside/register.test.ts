// The response of POST /register, field by field: for old and new clients, and for people without an account.
import { describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import type { Ctx, StateReader, StateRequest } from "@/kernel/core/context.ts";
import type { SqliteDb } from "@/kernel/store/db.ts";
import type { Json } from "../support/requests.ts";
import { expectRegister, registerFields } from "../support/shapes.ts";
import { everyCapability, type World, world } from "../support/world.ts";

/** Returned only if they apply: development mode, and unknown parameters. */
const rare = ["demo_organization_scheduled_deletion_date", "ignored_parameters_unsupported"];
const fields = Object.entries(registerFields()).filter(([name]) => !rare.includes(name));
const always = fields.filter(([, { types }]) => types.length === 0).map(([name]) => name);
const types = [...new Set(fields.flatMap(([, field]) => field.types))].sort();

const fieldsOf = (state: Json) => Object.keys(state).sort();

async function stateOf(w: World, params: Json): Promise<Json> {
  const { status, body } = await w.as("mel").post("/register", params);
  expect([status, body.msg]).toEqual([200, ""]);
  return body;
}

describe("register-queue: what it returns", () => {
  test.each(types)("of %s is each of its fields, and no other type's", async (type) => {
    const own = fields.filter(([, field]) => field.types.includes(type) && !field.all).map(([name]) => name);
    const state = await stateOf(world(), { fetch_event_types: [type], client_capabilities: {} });
    expect(fieldsOf(state)).toEqual([...always, ...own].sort());
    expectRegister(state, [type]);
  });

  test("without types returns every field, including those for older clients", async () => {
    const state = await stateOf(world(), {});
    expect(fieldsOf(state)).toEqual(fields.map(([name]) => name).sort());
  });

  test("takes null for types that are not named", async () => {
    const w = world();
    const all = fieldsOf(await stateOf(w, { event_types: "null", fetch_event_types: "null" }));
    expect(all).toEqual(fieldsOf(await stateOf(w, {})));
    const some = { event_types: ["presence"], fetch_event_types: "null" };
    expect(fieldsOf(await stateOf(w, some))).toEqual(
      fieldsOf(await stateOf(w, { event_types: ["presence"] })),
    );
  });

  test("leaves out fields of older clients for clients with every capability", async () => {
    const old = fields.filter(([, field]) => field.withoutCapability).map(([name]) => name);
    const state = await stateOf(world(), { client_capabilities: everyCapability });
    expect(old).toContain("receives_typing_notifications");
    expect(old.filter((name) => name in state)).toEqual([]);
  });

  test("of no types returns the first event ID and the version", async () => {
    expect(fieldsOf(await stateOf(world(), { fetch_event_types: [] }))).toEqual(always.toSorted());
  });

  test("of features that are not offered says so", async () => {
    const state = await stateOf(world(), {});
    expect(state).toMatchObject({
      giphy_api_key: "",
      tenor_api_key: "",
      klipy_api_key: "",
      has_zoom_token: false,
      devices: {},
      realm_billing: { has_pending_sponsorship_request: false },
      realm_embedded_bots: [],
      realm_incoming_webhook_bots: [],
      realm_push_notifications_enabled: false,
      server_can_summarize_topics: false,
      stop_words: [],
    });
  });
});

describe("register-queue: recent_private_conversations", () => {
  const recent = async (w: World) =>
    (await stateOf(w, { fetch_event_types: ["recent_private_conversations"] })).recent_private_conversations;

  test("lists the other participants, the newest conversation first; none for messages to oneself", async () => {
    const w = world();
    const id = (name: "mel" | "max" | "gus" | "olive") => w.user(name).id;
    const write = async (from: "mel" | "max" | "olive", to: number[]) =>
      (await w.as(from).post("/messages", { type: "direct", to, content: "hi" })).body.id as number;
    await write("max", [id("mel")]);
    const self = await write("mel", [id("mel")]);
    const group = await write("olive", [id("mel"), id("gus")]);
    const pair = await write("mel", [id("max")]);
    await write("olive", [id("max")]);
    expect(await recent(w)).toEqual([
      { max_message_id: pair, user_ids: [id("max")] },
      { max_message_id: group, user_ids: [id("olive"), id("gus")].sort((a, b) => a - b) },
      { max_message_id: self, user_ids: [] },
    ]);

    await w.as("mel").delete(`/messages/${self}`);
    expect(await recent(w)).toHaveLength(2);
  });

  test("is empty before the first message", async () => {
    expect(await recent(world())).toEqual([]);
  });
});

describe("register-queue: parts that are read before the queue opens", () => {
  const parts = [...world().app.env.state].flatMap(([type, { early }]) => {
    return early?.tables ? [{ type, tables: early.tables }] : [];
  });

  test.each(parts)("$type depends on no table but those it names", ({ type, tables }) => {
    const w = world();
    const db = w.app.env.db as SqliteDb;
    const found = new Set<string>();
    const prepare = db.prepare.bind(db);
    db.prepare = (sql) => {
      for (const [, table = ""] of sql.matchAll(/\b(?:FROM|JOIN) (\w+)/g)) found.add(table);
      return prepare(sql);
    };
    db.bumpAll();
    w.app.env.state.get(type)?.(w.ctx("mel"), requestOf(w));
    expect(found.size).toBeGreaterThan(0);
    expect([...found].filter((table) => !tables.includes(table))).toEqual([]);
  });

  /** Registers as mel, and runs `meanwhile` once `saved_snippets` has been read. */
  async function registerWhile(w: World, meanwhile: () => Promise<unknown>) {
    const state = w.app.env.state as Map<string, StateReader>;
    const read = state.get("saved_snippets") as StateReader;
    let done: Promise<unknown> | null = null;
    const { tables, steps } = read.early as Required<NonNullable<StateReader["early"]>>;
    function* interrupted(ctx: Ctx, request: StateRequest) {
      const part = yield* steps(ctx, request);
      done ??= meanwhile();
      Bun.sleepSync(5); // longer than a turn
      return { ...part };
    }
    const reader = (ctx: Ctx, request: StateRequest) => read(ctx, request);
    state.set("saved_snippets", Object.assign(reader, { early: { tables, steps: interrupted } }));
    const answer = await w.as("mel").post("/register", { event_types: ["saved_snippets"] });
    await done;
    return answer;
  }

  test("a write during registration is in the state or in the events, once", async () => {
    const w = world();
    const mel = w.as("mel");
    const add = () => mel.post("/saved_snippets", { title: "a", content: "b" });
    const { body } = await registerWhile(w, add);
    const { body: polled } = await mel.get("/events", {
      ...{ queue_id: body.queue_id, last_event_id: body.last_event_id, dont_block: true },
    });
    const received = (polled.events as Json[]).filter(({ type }) => type === "saved_snippets");
    expect((body.saved_snippets as Json[]).length + received.length).toBe(1);
  });

  test("a user who is deactivated meanwhile gets no queue", async () => {
    const w = world();
    const { status } = await registerWhile(w, () => deactivateUser(w.ctx("olive"), w.user("mel").id));
    expect(status).toBe(401);
    expect(w.app.env.queues.all.size).toBe(0);
  });
});

function requestOf(w: World): StateRequest {
  const traits = {
    userId: w.user("mel").id,
    capabilities: new Set<string>(),
    types: null,
    taps: new Set<string>(),
  };
  return { ...traits, options: {}, fetched: null };
}
