import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import { type CapturedEvent, type CastName, type World, world } from "../support/world.ts";

const car = { emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" };
const gone = { emoji_name: "", emoji_code: "", reaction_type: "" };

const say = (w: World, given: Record<string, unknown>) => w.as("mel").post("/users/me/status", given);

async function statusOf(w: World, name: CastName = "mel") {
  return (await w.as("max").get(`/users/${w.user(name).id}/status`)).body.status;
}

function expectedEvents(w: World, fields: object): CapturedEvent[] {
  return [{ audience: "everyone", event: { type: "user_status", user_id: w.user("mel").id, ...fields } }];
}

describe("update-status", () => {
  test("sets text and emoji, and emits them to everyone", async () => {
    const w = world();
    const { status, events } = await say(w, { status_text: "  driving ", ...car });
    expect(status).toBe(200);
    expect(await statusOf(w)).toEqual({ status_text: "driving", ...car });
    expect(events).toEqual(expectedEvents(w, { status_text: "driving", ...car }));
  });

  test("finds an emoji by its name, and emits only what changed", async () => {
    const w = world();
    await say(w, { status_text: "driving" });
    const { events } = await say(w, { emoji_name: "car" });
    expect(await statusOf(w)).toEqual({ status_text: "driving", ...car });
    expect(events).toEqual(expectedEvents(w, car));
  });

  test("to the same value emits nothing", async () => {
    const w = world();
    await say(w, { status_text: "driving", ...car });
    expect(await say(w, { status_text: "driving", ...car })).toMatchObject({ status: 200, events: [] });
  });

  test("takes another name of the same emoji", async () => {
    const w = world();
    await say(w, { emoji_name: "+1" });
    const thumb = { emoji_name: "thumbs_up", emoji_code: "1f44d", reaction_type: "unicode_emoji" };
    expect((await say(w, { emoji_name: "thumbs_up" })).events).toEqual(expectedEvents(w, thumb));
    expect(await statusOf(w)).toEqual(thumb);
  });

  test("removes fields that are set to nothing, and with the last one the status", async () => {
    const w = world();
    await say(w, { status_text: "driving", ...car });
    const first = await say(w, gone);
    expect(first.events).toEqual(expectedEvents(w, { ...gone, reaction_type: "unicode_emoji" }));
    expect(await statusOf(w)).toEqual({ status_text: "driving" });
    const second = await say(w, { status_text: "" });
    expect(second.events).toEqual(expectedEvents(w, { status_text: "" }));
    expect(await statusOf(w)).toEqual({});
    expect(w.app.env.db.all("SELECT user_id FROM user_status")).toEqual([]);
  });

  test("accepts sixty characters, however many bytes they take", async () => {
    const w = world();
    const status_text = "👋".repeat(60);
    await say(w, { status_text });
    expect(await statusOf(w)).toEqual({ status_text });
  });

  test.each([
    ["nothing", {}, "Client did not pass any new values."],
    ["long text", { status_text: "x".repeat(61) }, "status_text is too long (limit: 60 characters)"],
    ["two lines", { status_text: "a\nb" }, "The status must contain only printable characters."],
    [
      "a code without a name",
      { emoji_code: "1f697" },
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    ],
    [
      "a type without a name",
      { reaction_type: "unicode_emoji" },
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    ],
    ["an unknown name", { emoji_name: "no_such_emoji" }, "Emoji 'no_such_emoji' does not exist"],
    ["an unknown code", { emoji_name: "car", emoji_code: "1f" }, "Invalid emoji code."],
    ["a name of another code", { emoji_name: "car", emoji_code: "1f389" }, "Invalid emoji name."],
    ["an unknown type", { emoji_name: "car", reaction_type: "smoke" }, undefined],
  ])("refuses %s, and changes nothing", async (_, given, msg) => {
    const w = world();
    await say(w, { status_text: "driving" });
    const answer = await say(w, { ...given });
    expect(answer).toMatchObject({ status: 400, body: { result: "error" }, events: [] });
    if (msg !== undefined) expect(answer.body).toMatchObject({ code: "BAD_REQUEST", msg });
    expect(await statusOf(w)).toEqual({ status_text: "driving" });
  });

  test("with away hides the user's presence, and shows it again", async () => {
    const w = world();
    const away = await say(w, { away: true });
    expect(away.events).toContainEqual(expectedEvents(w, { away: true })[0]!);
    expect(away.events).toContainEqual({
      audience: ["mel"],
      event: { type: "user_settings", op: "update", property: "presence_enabled", value: false },
    });
    expect(await statusOf(w)).toEqual({ away: true });
    const back = await say(w, { away: false, status_text: "back" });
    expect(back.events).toContainEqual(expectedEvents(w, { away: false })[0]!);
    expect(await statusOf(w)).toEqual({ status_text: "back" });
  });

  test("follows the setting that away stands for", async () => {
    const w = world();
    const { events } = await w.as("mel").patch("/settings", { presence_enabled: false });
    expect(events).toContainEqual(expectedEvents(w, { away: true })[0]!);
    expect(await statusOf(w)).toEqual({ away: true });
  });
});

describe("get-user-status", () => {
  test("is empty if no status is set", async () => {
    expect(await statusOf(world())).toEqual({});
  });

  test("refuses an unknown user", async () => {
    const answer = await world().as("max").get("/users/4711/status");
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg: "No such user" } });
  });

  test("agrees with the initial state", async () => {
    const w = world();
    await say(w, { status_text: "driving", ...car });
    await w.as("gus").post("/users/me/status", { away: true });
    const { state } = await w.queue("max", { fetch_event_types: ["user_status"] });
    expect(state.user_status).toEqual({
      [w.user("mel").id]: { status_text: "driving", ...car },
      [w.user("gus").id]: { away: true },
    });
  });
});

describe("update-status-for-user", () => {
  const sayFor = (w: World, who: CastName, whose: CastName, given: Record<string, unknown>) =>
    w.as(who).post(`/users/${w.user(whose).id}/status`, given);

  test("lets an administrator change another user's status, and records it", async () => {
    const w = world();
    await say(w, { status_text: "rude", ...car });
    const { status, events } = await sayFor(w, "ada", "mel", { status_text: "" });
    expect(status).toBe(200);
    expect(events).toEqual(expectedEvents(w, { status_text: "" }));
    expect(await statusOf(w)).toEqual(car);
    const [entry] = listAudit(w.ctx("ada"), { limit: 1 });
    expect(entry).toMatchObject({
      actor_id: w.user("ada").id,
      event: "user_status_changed",
      about: { kind: "user", id: w.user("mel").id },
      data: { from: { status_text: "rude" }, to: { status_text: "" } },
    });
  });

  test.each(["moss", "max", "gus", "mel"] as const)("refuses %s, who is no administrator", async (who) => {
    const w = world();
    const answer = await sayFor(w, who, "mel", { status_text: "x" });
    expect(answer).toMatchObject({ status: 400, body: { code: "UNAUTHORIZED_PRINCIPAL" }, events: [] });
    expect(await statusOf(w)).toEqual({});
  });

  test.each([
    ["an owner's by an administrator", "olive", "UNAUTHORIZED_PRINCIPAL"],
    ["that of who is deactivated", "dex", "BAD_REQUEST"],
  ] as const)("refuses to change %s", async (_, whose, code) => {
    const w = world();
    const answer = await sayFor(w, "ada", whose, { status_text: "x" });
    expect(answer).toMatchObject({ status: 400, body: { code }, events: [] });
  });

  test("refuses an unknown user, and nothing", async () => {
    const w = world();
    const unknown = await w.as("ada").post("/users/4711/status", { status_text: "x" });
    expect(unknown).toMatchObject({ status: 400, body: { msg: "No such user" }, events: [] });
    const nothing = await sayFor(w, "ada", "mel", {});
    expect(nothing).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
  });
});
