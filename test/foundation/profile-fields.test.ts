import { describe, expect, test } from "bun:test";
import { listAudit } from "@/foundation/audit/queries.ts";
import type { Json, Params } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const types = { short: 1, long: 2, list: 3, date: 4, link: 5, people: 6, account: 7, pronouns: 8 };
const colours = { r: { text: "red", order: "1" }, g: { text: "green", order: "2" } };

async function field(w: World, params: Params): Promise<number> {
  const { status, body } = await w.as("ada").post("/realm/profile_fields", params);
  if (status !== 200) throw new Error(body.msg);
  w.events.length = 0;
  return body.id;
}

const listed = async (w: World): Promise<Json[]> =>
  (await w.as("gus").get("/realm/profile_fields")).body.custom_fields;
const profile = async (w: World, whose: CastName): Promise<Json> =>
  (await w.as("gus").get(`/users/${w.user(whose).id}`, { include_custom_profile_fields: true })).body.user
    .profile_data;

describe("create-custom-profile-field", () => {
  test("adds a field behind the others, and emits it to everyone", async () => {
    const w = world();
    await field(w, { field_type: types.short, name: "Phone", hint: "With prefix", required: true });
    const { body, events } = await w.as("ada").post("/realm/profile_fields", {
      field_type: types.list,
      name: " Colour ",
      field_data: colours,
      display_in_profile_summary: true,
      editable_by_user: false,
    });
    const fields = [
      {
        id: expect.any(Number),
        type: 1,
        order: 1,
        name: "Phone",
        hint: "With prefix",
        field_data: "",
        required: true,
        editable_by_user: true,
      },
      {
        id: body.id,
        type: 3,
        order: 2,
        name: "Colour",
        hint: "",
        field_data: JSON.stringify(colours),
        display_in_profile_summary: true,
        required: false,
        editable_by_user: false,
      },
    ];
    expect(events).toEqual([{ audience: "everyone", event: { type: "custom_profile_fields", fields } }]);
    expect(await listed(w)).toEqual(fields);
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([
      { event: "profile_field_added", about: { kind: "profile_field", id: body.id } },
    ]);
  });

  test("takes name and hint of a known account from that account", async () => {
    const w = world();
    await field(w, { field_type: types.account, field_data: { subtype: "github" } });
    expect(await listed(w)).toMatchObject([{ name: "GitHub username", field_data: '{"subtype":"github"}' }]);
    const { state } = await w.queue("mel", { fetch_event_types: ["realm"] });
    expect(state.realm_default_external_accounts.github.url_pattern).toBe("https://github.com/%(username)s");
  });

  test("accepts a custom external account", async () => {
    const w = world();
    const field_data = { subtype: "custom", url_pattern: "https://id.example.com/%(username)s" };
    await field(w, { field_type: types.account, name: "ID", field_data });
    expect(await listed(w)).toMatchObject([{ field_data: JSON.stringify(field_data) }]);
  });

  const custom = (url_pattern: string) => ({ subtype: "custom", url_pattern });
  test.each([
    ["a moderator", "moss", { field_type: 1, name: "X" }, "Must be an organization administrator"],
    ["a type there is not", "ada", { field_type: 9, name: "X" }, "There is no such type of profile field."],
    ["no type", "ada", { name: "X" }, "Missing 'field_type' argument"],
    ["no name", "ada", { field_type: 1 }, "Label cannot be blank."],
    ["a blank name", "ada", { field_type: 1, name: "  " }, "Label cannot be blank."],
    ["a long name", "ada", { field_type: 1, name: "x".repeat(41) }, "at most 40 characters"],
    ["a long hint", "ada", { field_type: 1, name: "X", hint: "x".repeat(81) }, "at most 80 characters"],
    ["a taken name", "ada", { field_type: 1, name: "PHONE" }, "A field with that label already exists."],
    ["a list without options", "ada", { field_type: 3, name: "X" }, "A list of options needs at least one."],
    [
      "an option twice",
      "ada",
      {
        field_type: 3,
        name: "X",
        field_data: { a: { text: "x", order: "1" }, b: { text: "x", order: "2" } },
      },
      "must not repeat one",
    ],
    [
      "options of another form",
      "ada",
      { field_type: 3, name: "X", field_data: { a: "red" } },
      "does not fit the type",
    ],
    [
      "an empty option",
      "ada",
      { field_type: 3, name: "X", field_data: { a: { text: "", order: "1" } } },
      "must not be empty",
    ],
    [
      "an option whose key is no line",
      "ada",
      { field_type: 3, name: "X", field_data: { "a\0": { text: "x", order: "1" } } },
      "A key must be a single line.",
    ],
    [
      "an account's address with a null byte",
      "ada",
      { field_type: 7, name: "X", field_data: custom("https://id.example.com/\0%(username)s") },
      "must begin with http:// or https://",
    ],
    ["an account without a kind", "ada", { field_type: 7, name: "X" }, "does not fit the type"],
    [
      "an account there is not",
      "ada",
      { field_type: 7, name: "X", field_data: { subtype: "nix" } },
      "does not fit the type",
    ],
    [
      "an account of another scheme",
      "ada",
      { field_type: 7, name: "X", field_data: custom("ftp://x/%(username)s") },
      "must begin with http",
    ],
    [
      "an account without a name in it",
      "ada",
      { field_type: 7, name: "X", field_data: custom("https://x/") },
      "%(username)s once",
    ],
    ["data for a text", "ada", { field_type: 1, name: "X", field_data: colours }, "Only lists of options"],
    [
      "people in the summary",
      "ada",
      { field_type: 6, name: "X", display_in_profile_summary: true },
      "cannot be displayed",
    ],
    [
      "a third in the summary",
      "ada",
      { field_type: 1, name: "X", display_in_profile_summary: true },
      "Only 2 fields",
    ],
  ] as const)("refuses %s", async (_, who, params, msg) => {
    const w = world();
    await field(w, { field_type: types.short, name: "Phone", display_in_profile_summary: true });
    await field(w, { field_type: types.short, name: "Room", display_in_profile_summary: true });
    const answer = await w.as(who).post("/realm/profile_fields", params);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain(msg);
    expect(await listed(w)).toHaveLength(2);
  });
});

describe("get-custom-profile-fields", () => {
  test("the initial state has them, and their types", async () => {
    const w = world();
    await field(w, { field_type: types.short, name: "Phone" });
    const { state } = await w.queue("gus", { fetch_event_types: ["custom_profile_fields"] });
    expect(state.custom_profile_fields).toMatchObject([{ name: "Phone" }]);
    expect(state.custom_profile_field_types.PRONOUNS).toEqual({ id: 8, name: "Pronouns" });
  });
});

describe("patch-realm-profile-fields-field-id", () => {
  test("changes the given fields", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone", hint: "With prefix" });
    const { events } = await w
      .as("ada")
      .patch(`/realm/profile_fields/${id}`, { name: "Mobile", required: true });
    expect(events).toMatchObject([{ audience: "everyone", event: { fields: [{ name: "Mobile" }] } }]);
    expect(await listed(w)).toMatchObject([{ name: "Mobile", hint: "With prefix", required: true }]);
  });

  test("emits nothing if nothing changes", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone" });
    expect((await w.as("ada").patch(`/realm/profile_fields/${id}`, { name: "Phone" })).events).toEqual([]);
  });

  test("clears values of removed options", async () => {
    const w = world();
    const id = await field(w, { field_type: types.list, name: "Colour", field_data: colours });
    await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value: "r" }] });
    await w.as("max").patch("/users/me/profile_data", { data: [{ id, value: "g" }] });
    const { events } = await w
      .as("ada")
      .patch(`/realm/profile_fields/${id}`, { field_data: { g: colours.g } });
    expect(events.map(({ event }) => event.person ?? event.type)).toEqual([
      { user_id: w.user("mel").id, custom_profile_field: { id, value: null } },
      "custom_profile_fields",
    ]);
    expect([await profile(w, "mel"), await profile(w, "max")]).toEqual([{}, { [id]: { value: "g" } }]);
  });

  test("allows only changes of a known account's place in the summary", async () => {
    const w = world();
    const id = await field(w, { field_type: types.account, field_data: { subtype: "github" } });
    const patch = (params: Params) => w.as("ada").patch(`/realm/profile_fields/${id}`, params);
    expect((await patch({ display_in_profile_summary: true })).status).toBe(200);
    expect(await patch({ name: "Git" })).toMatchObject({ status: 400, events: [] });
  });

  test.each([
    ["a member", "mel", { name: "X" }, "Must be an organization administrator"],
    ["a taken name", "ada", { name: "room" }, "A field with that label already exists."],
    ["data for a text", "ada", { field_data: colours }, "Only lists of options"],
  ] as const)("refuses %s", async (_, who, params, msg) => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone" });
    await field(w, { field_type: types.short, name: "Room" });
    const answer = await w.as(who).patch(`/realm/profile_fields/${id}`, params);
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toContain(msg);
  });

  test("refuses an unknown field", async () => {
    expect((await world().as("ada").patch("/realm/profile_fields/9", { name: "X" })).status).toBe(400);
  });
});

describe("get-profile-field-use", () => {
  test("counts who has filled it in, and who has chosen which option", async () => {
    const w = world();
    const id = await field(w, { field_type: types.list, name: "Colour", field_data: colours });
    const other = await field(w, { field_type: types.short, name: "Phone" });
    for (const [who, value] of [
      ["mel", "r"],
      ["gus", "r"],
      ["ada", "g"],
    ] as const)
      await w.as(who).patch("/users/me/profile_data", { data: [{ id, value }] });
    await w.as("mel").patch("/users/me/profile_data", { data: [{ id: other, value: "1" }] });
    const use = async (one: number) => (await w.as("ada").get(`/realm/profile_fields/${one}/use`)).body;
    expect(await use(id)).toMatchObject({ people: 3, options: { r: 2, g: 1 } });
    expect(await use(other)).toMatchObject({ people: 1, options: {} });
  });

  test("is for administrators, and for fields that there are", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone" });
    expect((await w.as("mel").get(`/realm/profile_fields/${id}/use`)).body.code).toBe(
      "UNAUTHORIZED_PRINCIPAL",
    );
    expect((await w.as("ada").get("/realm/profile_fields/99/use")).body.msg).toBe(
      "There is no profile field with the ID 99.",
    );
  });
});

describe("delete-realm-profile-fields-field-id", () => {
  test("deletes the field with its values", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone" });
    await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value: "123" }] });
    const { events } = await w.as("ada").delete(`/realm/profile_fields/${id}`);
    expect(events).toEqual([{ audience: "everyone", event: { type: "custom_profile_fields", fields: [] } }]);
    expect(await profile(w, "mel")).toEqual({});
  });

  test("refuses a member, and an unknown field", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Phone" });
    expect((await w.as("mel").delete(`/realm/profile_fields/${id}`)).body.code).toBe(
      "UNAUTHORIZED_PRINCIPAL",
    );
    expect((await w.as("ada").delete("/realm/profile_fields/99")).status).toBe(400);
    expect(await listed(w)).toHaveLength(1);
  });
});

describe("reorder-custom-profile-fields", () => {
  test("puts them into the order given", async () => {
    const w = world();
    const a = await field(w, { field_type: types.short, name: "A" });
    const b = await field(w, { field_type: types.short, name: "B" });
    const { events } = await w.as("ada").patch("/realm/profile_fields", { order: [b, a] });
    expect(events[0]?.event.fields).toMatchObject([
      { id: b, order: 1 },
      { id: a, order: 2 },
    ]);
    for (const order of [[a], [a, a], [a, b, 99]]) {
      expect(await w.as("ada").patch("/realm/profile_fields", { order })).toMatchObject({
        status: 400,
        events: [],
      });
    }
    expect((await w.as("mel").patch("/realm/profile_fields", { order: [a, b] })).status).toBe(400);
    expect((await listed(w)).map(({ id }) => id)).toEqual([b, a]);
  });
});

describe("patch-users-me-profile-data", () => {
  test("sets values, rendered and emitted to everyone", async () => {
    const w = world();
    const short = await field(w, { field_type: types.short, name: "About" });
    const date = await field(w, { field_type: types.date, name: "Birthday" });
    const data = [
      { id: short, value: " **bold** " },
      { id: date, value: "2000-02-29" },
    ];
    const { events } = await w.as("mel").patch("/users/me/profile_data", { data });
    const rendered_value = "<p><strong>bold</strong></p>";
    const person = (custom_profile_field: Json) => ({ user_id: w.user("mel").id, custom_profile_field });
    expect(events).toEqual([
      {
        audience: "everyone",
        event: {
          type: "realm_user",
          op: "update",
          person: person({ id: short, value: "**bold**", rendered_value }),
        },
      },
      {
        audience: "everyone",
        event: { type: "realm_user", op: "update", person: person({ id: date, value: "2000-02-29" }) },
      },
    ]);
    const all = { [short]: { value: "**bold**", rendered_value }, [date]: { value: "2000-02-29" } };
    expect(await profile(w, "mel")).toEqual(all);
    expect((await w.as("mel").get("/users/me")).body.profile_data).toEqual(all);
    const { state } = await w.queue("gus", { fetch_event_types: ["realm_user"] });
    const mel = state.realm_users.find((user: Json) => user.user_id === w.user("mel").id);
    expect(mel.profile_data).toEqual(all);
    const plain = (await w.as("gus").get(`/users/${w.user("mel").id}`)).body.user;
    expect(plain).not.toHaveProperty("profile_data");
  });

  test("stores people as a list of IDs, and clears on empty", async () => {
    const w = world();
    const id = await field(w, { field_type: types.people, name: "Manager" });
    const set = (value: unknown) => w.as("mel").patch("/users/me/profile_data", { data: [{ id, value }] });
    await set([w.user("max").id, w.user("max").id]);
    expect(await profile(w, "mel")).toEqual({ [id]: { value: `[${w.user("max").id}]` } });
    for (const nothing of [[], "", null]) {
      await set([w.user("ada").id]);
      const { events } = await set(nothing);
      expect(events[0]?.event.person.custom_profile_field).toEqual({ id, value: null });
      expect(await profile(w, "mel")).toEqual({});
    }
    expect((await set(null)).events).toEqual([]);
  });

  test.each([
    ["a long text", { field_type: types.short }, "x".repeat(51)],
    ["a longer text", { field_type: types.long }, "x".repeat(501)],
    ["an option there is not", { field_type: types.list, field_data: colours }, "blue"],
    ["an option by a name of objects", { field_type: types.list, field_data: colours }, "toString"],
    ["a day there is not", { field_type: types.date }, "2001-02-29"],
    ["a date in words", { field_type: types.date }, "today"],
    ["what is no address", { field_type: types.link }, "example"],
    ["an address that runs", { field_type: types.link }, "javascript:alert(1)"],
    ["people who are not there", { field_type: types.people }, [999]],
    ["people in words", { field_type: types.people }, "Max"],
    ["a list where text is due", { field_type: types.short }, [1]],
    ["a number", { field_type: types.short }, 5],
    ["long pronouns", { field_type: types.pronouns }, "x".repeat(51)],
    ["a long account", { field_type: types.account, field_data: { subtype: "github" } }, "x".repeat(51)],
  ] as const)("refuses %s", async (_, params, value) => {
    const w = world();
    const id = await field(w, { name: "Field", ...params });
    const answer = await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value }] });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(await profile(w, "mel")).toEqual({});
  });

  test.each([
    ["a text", { field_type: types.short }, "x".repeat(50)],
    ["a long text", { field_type: types.long }, "x".repeat(500)],
    ["an option", { field_type: types.list, field_data: colours }, "g"],
    ["an address", { field_type: types.link }, "https://example.com/me"],
    ["pronouns", { field_type: types.pronouns }, "they/them"],
    ["an account", { field_type: types.account, field_data: { subtype: "github" } }, "mel"],
  ] as const)("takes %s", async (_, params, value) => {
    const w = world();
    const id = await field(w, { name: "Field", ...params });
    expect((await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value }] })).status).toBe(200);
    expect((await profile(w, "mel"))[id].value).toBe(value);
  });

  test("reserves fields for administrators, all or nothing", async () => {
    const w = world();
    const own = await field(w, { field_type: types.short, name: "Own" });
    const theirs = await field(w, { field_type: types.short, name: "Team", editable_by_user: false });
    const data = [
      { id: own, value: "x" },
      { id: theirs, value: "y" },
    ];
    const answer = await w.as("mel").patch("/users/me/profile_data", { data });
    expect(answer).toMatchObject({ status: 400, events: [] });
    expect(answer.body.msg).toBe("Only administrators may change the field 'Team'.");
    expect((await w.as("ada").patch("/users/me/profile_data", { data })).status).toBe(200);
    await w.as("ada").patch(`/users/${w.user("mel").id}`, { profile_data: [{ id: theirs, value: "Blue" }] });
    expect((await profile(w, "mel"))[theirs].value).toBe("Blue");
    expect(listAudit(w.ctx("ada"), { limit: 1 })).toMatchObject([{ event: "user_profile_changed" }]);
    expect((await w.as("mel").delete("/users/me/profile_data", { data: [theirs] })).status).toBe(400);
    expect(Object.keys(await profile(w, "mel"))).toEqual([`${theirs}`]);
  });

  test("refuses bots, and an unknown field", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Own" });
    const data = [{ id, value: "x" }];
    expect((await w.as("bolt").patch("/users/me/profile_data", { data })).status).toBe(400);
    expect((await w.as("ada").patch(`/users/${w.user("bolt").id}`, { profile_data: data })).status).toBe(400);
    expect(
      (await w.as("mel").patch("/users/me/profile_data", { data: [{ id: 99, value: "x" }] })).status,
    ).toBe(400);
  });
});

describe("delete-users-me-profile-data", () => {
  test("clears fields", async () => {
    const w = world();
    const id = await field(w, { field_type: types.short, name: "Own" });
    await w.as("mel").patch("/users/me/profile_data", { data: [{ id, value: "x" }] });
    const { events } = await w.as("mel").delete("/users/me/profile_data", { data: [id] });
    expect(events).toMatchObject([
      { audience: "everyone", event: { person: { custom_profile_field: { id, value: null } } } },
    ]);
    expect(await profile(w, "mel")).toEqual({});
    expect((await w.as("mel").delete("/users/me/profile_data", { data: [99] })).status).toBe(400);
  });
});
