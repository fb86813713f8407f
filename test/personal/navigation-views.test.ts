import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const starred = { fragment: "narrow/is/starred", is_pinned: true };
const alerts = { fragment: "narrow/is/alerted", is_pinned: false, name: "Alert words" };

async function viewsOf(w: World, name: "mel" | "max" = "mel") {
  return (await w.as(name).get("/navigation_views")).body.navigation_views;
}

async function withViews(...views: Record<string, unknown>[]): Promise<World> {
  const w = world();
  for (const view of views) await w.as("mel").post("/navigation_views", view);
  return w;
}

const at = (fragment: string) => `/navigation_views/${encodeURIComponent(fragment)}`;
const missing = {
  status: 404,
  body: { code: "NOT_FOUND", msg: "Navigation view does not exist." },
  events: [],
};

describe("add-navigation-view", () => {
  test.each([
    ["built-in", starred],
    ["custom", alerts],
  ])("adds a %s view, and emits it only to its owner's clients", async (_, view) => {
    const w = world();
    const { status, events } = await w.as("mel").post("/navigation_views", view);
    expect(status).toBe(200);
    expect(await viewsOf(w)).toEqual([view]);
    expect(await viewsOf(w, "max")).toEqual([]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "navigation_view", op: "add", navigation_view: view } },
    ]);
  });

  test.each([
    ["one that is there", { ...starred, is_pinned: false }, "Navigation view already exists."],
    [
      "a built-in one with a name",
      { fragment: "inbox", is_pinned: true, name: "Post" },
      "Built-in views cannot have a custom name.",
    ],
    [
      "a custom one without a name",
      { fragment: "narrow/is/dm", is_pinned: true },
      "Custom views must have a valid name.",
    ],
    [
      "a blank name",
      { fragment: "narrow/is/dm", is_pinned: true, name: " " },
      "The name of a navigation view cannot be empty.",
    ],
    [
      "a long name",
      { fragment: "narrow/is/dm", is_pinned: true, name: "x".repeat(101) },
      "The name of a navigation view can have at most 100 characters.",
    ],
    [
      "a name that is taken",
      { fragment: "narrow/is/dm", is_pinned: true, name: "Alert words" },
      "Navigation view with this name already exists.",
    ],
    [
      "no fragment",
      { fragment: "", is_pinned: true, name: "Nowhere" },
      "A navigation view needs a fragment.",
    ],
    [
      "a long fragment",
      { fragment: "x".repeat(2001), is_pinned: true, name: "Far" },
      "The fragment of a navigation view can have at most 2000 characters.",
    ],
  ])("refuses %s", async (_, view, msg) => {
    const w = await withViews(starred, alerts);
    const answer = await w.as("mel").post("/navigation_views", view);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await viewsOf(w)).toEqual([starred, alerts].sort((a, b) => (a.fragment < b.fragment ? -1 : 1)));
  });

  test.each(["fragment", "is_pinned"])("needs %s", async (name) => {
    const answer = await world()
      .as("mel")
      .post("/navigation_views", { ...alerts, [name]: undefined });
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: name };
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });

  test("lets two people have the same", async () => {
    const w = await withViews(alerts);
    expect((await w.as("max").post("/navigation_views", alerts)).status).toBe(200);
  });

  test("refuses more than five hundred", async () => {
    const w = world();
    const add = (n: number) =>
      w.as("mel").post("/navigation_views", { fragment: `f${n}`, is_pinned: true, name: `n${n}` });
    await Promise.all(Array.from({ length: 500 }, (_, n) => add(n)));
    const answer = await add(500);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect(answer.body.msg).toBe("You can keep at most 500 navigation views.");
  });
});

describe("get-navigation-views", () => {
  test("lists the added views in order, as the initial state does", async () => {
    const w = await withViews(starred);
    w.clock.advance(1);
    await w.as("mel").post("/navigation_views", alerts);
    expect(await viewsOf(w)).toEqual([starred, alerts]);
    const { state } = await w.queue("mel", { fetch_event_types: ["navigation_views"] });
    expect(state.navigation_views).toEqual([starred, alerts]);
    expect((await w.queue("max")).state.navigation_views).toEqual([]);
  });
});

describe("edit-navigation-view", () => {
  test.each([
    ["pins", { is_pinned: true }],
    ["renames", { name: "My words" }],
    ["pins and renames", { is_pinned: true, name: "My words" }],
  ])("%s, and emits the change to its owner's clients", async (_, data) => {
    const w = await withViews(alerts);
    const { status, events } = await w.as("mel").patch(at(alerts.fragment), data);
    expect(status).toBe(200);
    expect(await viewsOf(w)).toEqual([{ ...alerts, ...data }]);
    const { fragment } = alerts;
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "navigation_view", op: "update", fragment, data } },
    ]);
  });

  test("hides a built-in view", async () => {
    const w = await withViews(starred);
    await w.as("mel").patch(at(starred.fragment), { is_pinned: false });
    expect(await viewsOf(w)).toEqual([{ ...starred, is_pinned: false }]);
  });

  test.each([
    ["what it is already", { is_pinned: false, name: "Alert words" }],
    ["nothing", {}],
  ])("to %s emits nothing", async (_, given) => {
    const w = await withViews(alerts);
    expect(await w.as("mel").patch(at(alerts.fragment), given)).toMatchObject({ status: 200, events: [] });
  });

  test.each([
    ["a plain path", "narrow/topic/a b", "/navigation_views/narrow/topic/a%20b"],
    ["one encoded whole", "narrow/topic/a b", "/navigation_views/narrow%2Ftopic%2Fa%20b"],
    ["one with signs of its own", "narrow/search/50%?#ü", at("narrow/search/50%?#ü")],
  ])("finds the view by %s", async (_, fragment, path) => {
    const w = await withViews({ fragment, is_pinned: false, name: "Found" });
    const answer = await w.as("mel").patch(path, { is_pinned: true, fragment });
    expect(answer).toMatchObject({ status: 200, body: { result: "success" } });
    expect(answer.body).not.toHaveProperty("ignored_parameters_unsupported");
    expect(await viewsOf(w)).toMatchObject([{ fragment, is_pinned: true }]);
  });

  test("refuses a name for a built-in view, and one that is taken", async () => {
    const other = { fragment: "narrow/is/dm", is_pinned: true, name: "Private" };
    const w = await withViews(starred, alerts, other);
    const mel = w.as("mel");
    expect(await mel.patch(at(starred.fragment), { is_pinned: false, name: "Mine" })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Built-in views cannot have a custom name." },
      events: [],
    });
    expect(await mel.patch(at(alerts.fragment), { name: "Private" })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Navigation view with this name already exists." },
      events: [],
    });
    expect(await viewsOf(w)).toContainEqual(starred);
  });

  test("answers the same for another user's view and an unknown one", async () => {
    const w = await withViews(alerts);
    expect(await w.as("max").patch(at(alerts.fragment), { is_pinned: true })).toMatchObject(missing);
    expect(await w.as("mel").patch(at("inbox"), { is_pinned: true })).toMatchObject(missing);
  });
});

describe("remove-navigation-view", () => {
  test("removes the view, and emits it only to its owner's clients", async () => {
    const w = await withViews(starred, alerts);
    const { status, events } = await w.as("mel").delete(at(starred.fragment));
    expect(status).toBe(200);
    expect(await viewsOf(w)).toEqual([alerts]);
    const { fragment } = starred;
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "navigation_view", op: "remove", fragment } },
    ]);
  });

  test("answers the same for another user's view and an unknown one", async () => {
    const w = await withViews(alerts);
    expect(await w.as("max").delete(at(alerts.fragment))).toMatchObject(missing);
    expect(await w.as("mel").delete(at("inbox"))).toMatchObject(missing);
    expect(await viewsOf(w)).toEqual([alerts]);
  });
});
