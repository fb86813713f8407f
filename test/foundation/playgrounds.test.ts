import { describe, expect, test } from "bun:test";
import { maxPlaygrounds } from "@/foundation/playgrounds/schema.ts";
import { expectRegister } from "../support/shapes.ts";
import { type World, world } from "../support/world.ts";

const rust = {
  name: "Rust book",
  pygments_language: "Rust",
  url_template: "https://play.example.com/?code={code}",
};
const forAdmins = { code: "UNAUTHORIZED_PRINCIPAL", msg: "Must be an organization administrator" };

async function listed(w: World) {
  const types = ["realm_playgrounds"];
  const { state } = await w.queue("gus", { fetch_event_types: types });
  expectRegister(state, types);
  return state.realm_playgrounds;
}

describe("add-code-playground", () => {
  test("adds it, and emits it to everyone", async () => {
    const w = world();
    const queue = await w.queue("gus");
    const { body, events } = await w.as("ada").post("/realm/playgrounds", { ...rust, name: " Rust book " });
    const change = { type: "realm_playgrounds", realm_playgrounds: [{ id: body.id, ...rust }] };
    expect(events).toEqual([{ audience: "everyone", event: change }]);
    expect(await queue.poll()).toMatchObject([change]);
    expect(await listed(w)).toEqual(change.realm_playgrounds);
  });

  test("allows many per language, and the same name in several languages", async () => {
    const w = world();
    const all = [rust, { ...rust, name: "Other" }, { ...rust, pygments_language: "C++" }];
    for (const one of all) expect((await w.as("ada").post("/realm/playgrounds", one)).status).toBe(200);
    expect(await listed(w)).toMatchObject(all);
  });

  test("is recorded in the audit log", async () => {
    const w = world();
    await w.as("ada").post("/realm/playgrounds", rust);
    const row = w.app.env.db.sqlite
      .query("SELECT actor_id, event, data FROM audit_log ORDER BY id DESC")
      .get();
    expect(row).toEqual({
      actor_id: w.user("ada").id,
      event: "playground_added",
      data: JSON.stringify(rust),
    });
  });

  test.each([
    ["no name", { name: " " }, "A playground needs a name."],
    ["a long name", { name: "x".repeat(101) }, "A playground's name has at most 100 characters."],
    ["a name with a line end", { name: "a\nb" }, "A playground's name must be made of printable characters."],
    ["no language", { pygments_language: "" }, "A playground needs a language."],
    [
      "a long language",
      { pygments_language: "x".repeat(41) },
      "The name of a language has at most 40 characters.",
    ],
    ["an odd language", { pygments_language: "<b>" }, "The name of a language must be made of letters"],
    ["no variable", { url_template: "https://e.com" }, "The URL template of a playground must insert 'code'"],
    [
      "another variable",
      { url_template: "https://e.com/{code}{x}" },
      "The URL template of a playground must insert 'code'",
    ],
    [
      "a broken template",
      { url_template: "https://e.com/{code" },
      "A URL template must close every brace it opens.",
    ],
    [
      "another scheme",
      { url_template: "javascript:{code}" },
      "The URL template of a playground must begin with https://",
    ],
    [
      "an open address",
      { url_template: "{+code}" },
      "The URL template of a playground must begin with https://",
    ],
  ])("refuses %s", async (_, wrong, msg) => {
    const w = world();
    const { status, body, events } = await w.as("ada").post("/realm/playgrounds", { ...rust, ...wrong });
    expect({ status, code: body.code, events }).toEqual({ status: 400, code: "BAD_REQUEST", events: [] });
    expect(body.msg).toStartWith(msg);
    expect(await listed(w)).toEqual([]);
  });

  test("refuses the same name for the same language again", async () => {
    const w = world();
    await w.as("ada").post("/realm/playgrounds", rust);
    const again = { ...rust, url_template: "https://e.com/{code}" };
    expect(await w.as("ada").post("/realm/playgrounds", again)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "There is already a playground with this name for this language." },
      events: [],
    });
  });

  test("refuses more than the maximum", async () => {
    const w = world();
    const insert =
      "INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, 'C', 'https://e.com')";
    for (let n = 0; n < maxPlaygrounds; n++) w.app.env.db.sqlite.run(insert, [`${n}`]);
    expect(await w.as("ada").post("/realm/playgrounds", rust)).toMatchObject({ status: 400, events: [] });
  });

  test.each(["moss", "mel", "gus"] as const)("refuses %s", async (who) => {
    expect(await world().as(who).post("/realm/playgrounds", rust)).toMatchObject({
      status: 400,
      body: forAdmins,
      events: [],
    });
  });
});

describe("remove-code-playground", () => {
  test("removes it, and emits it to everyone", async () => {
    const w = world();
    const { id } = (await w.as("ada").post("/realm/playgrounds", rust)).body;
    expect((await w.as("ada").delete(`/realm/playgrounds/${id}`)).events).toEqual([
      { audience: "everyone", event: { type: "realm_playgrounds", realm_playgrounds: [] } },
    ]);
    expect(await listed(w)).toEqual([]);
  });

  test("refuses an unknown one, and anyone but administrators", async () => {
    const w = world();
    const { id } = (await w.as("ada").post("/realm/playgrounds", rust)).body;
    const unknown = { code: "BAD_REQUEST", msg: "Playground not found." };
    expect(await w.as("ada").delete("/realm/playgrounds/99")).toMatchObject({
      status: 400,
      body: unknown,
      events: [],
    });
    expect(await w.as("moss").delete(`/realm/playgrounds/${id}`)).toMatchObject({
      body: forAdmins,
      events: [],
    });
    expect(await listed(w)).toHaveLength(1);
  });
});
