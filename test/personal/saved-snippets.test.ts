import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const greeting = { title: "Greeting", content: "Dear **all**," };

async function keep(w: World, snippet = greeting): Promise<number> {
  return (await w.as("mel").post("/saved_snippets", snippet)).body.saved_snippet_id;
}

async function snippetsOf(w: World, name: "mel" | "max" = "mel") {
  return (await w.as(name).get("/saved_snippets")).body.saved_snippets;
}

const missing = {
  status: 404,
  body: { code: "BAD_REQUEST", msg: "Saved snippet does not exist." },
  events: [],
};

describe("create-saved-snippet", () => {
  test("stores the trimmed text, and emits it only to its owner's clients", async () => {
    const w = world();
    const given = { title: "  Greeting ", content: "\nDear **all**,\n " };
    const { status, body, events } = await w.as("mel").post("/saved_snippets", given);
    const snippet = { id: body.saved_snippet_id, ...greeting, date_created: w.clock.now() };
    expect(status).toBe(200);
    expect(await snippetsOf(w)).toEqual([snippet]);
    expect(await snippetsOf(w, "max")).toEqual([]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "saved_snippets", op: "add", saved_snippet: snippet } },
    ]);
  });

  test("takes titles and contents up to their limits, counted in characters", async () => {
    const w = world();
    const longest = { title: "👋".repeat(60), content: "👋".repeat(10_000) };
    await keep(w, longest);
    expect(await snippetsOf(w)).toMatchObject([longest]);
  });

  test.each([
    ["no title", { title: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'title' argument"],
    ["no content", { content: undefined }, "REQUEST_VARIABLE_MISSING", "Missing 'content' argument"],
    ["an empty title", { title: "" }, "BAD_REQUEST", "Title cannot be empty."],
    ["a blank title", { title: " \n" }, "BAD_REQUEST", "Title cannot be empty."],
    ["empty content", { content: "" }, "BAD_REQUEST", "Content cannot be empty."],
    ["blank content", { content: " \n" }, "BAD_REQUEST", "Content cannot be empty."],
    ["a null byte", { content: "a\0b" }, "BAD_REQUEST", "Content must not contain null bytes"],
    [
      "a title of two lines",
      { title: "a\nb" },
      "BAD_REQUEST",
      "The title must contain only printable characters.",
    ],
    [
      "a long title",
      { title: "x".repeat(61) },
      "BAD_REQUEST",
      "Title is too long: at most 60 characters are allowed.",
    ],
    [
      "long content",
      { content: "x".repeat(10_001) },
      "BAD_REQUEST",
      "Content is too long: at most 10000 characters are allowed.",
    ],
  ])("refuses %s", async (_, wrong, code, msg) => {
    const w = world();
    const answer = await w.as("mel").post("/saved_snippets", { ...greeting, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code, msg }, events: [] });
    expect(await snippetsOf(w)).toEqual([]);
  });

  test("refuses more than a thousand", async () => {
    const w = world();
    const mel = w.as("mel");
    await Promise.all(Array.from({ length: 1000 }, () => mel.post("/saved_snippets", greeting)));
    const answer = await mel.post("/saved_snippets", greeting);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect(answer.body.msg).toBe("You can keep at most 1000 snippets: delete some first.");
    expect((await w.as("max").post("/saved_snippets", greeting)).status).toBe(200);
  });
});

describe("get-saved-snippets", () => {
  test("lists the caller's own from the oldest, as the initial state does", async () => {
    const w = world();
    const ids = [await keep(w), await keep(w, { ...greeting, title: "Another" })];
    const listed = await snippetsOf(w);
    expect(listed.map(({ id }: { id: number }) => id)).toEqual(ids);
    const { state } = await w.queue("mel", { fetch_event_types: ["saved_snippets"] });
    expect(state.saved_snippets).toEqual(listed);
    expect((await w.queue("max")).state.saved_snippets).toEqual([]);
  });
});

describe("edit-saved-snippet", () => {
  test.each([
    ["title", { title: " Farewell " }, { title: "Farewell" }],
    ["content", { content: "Yours," }, { content: "Yours," }],
    ["title and content", { title: "Farewell", content: "Yours," }, { title: "Farewell", content: "Yours," }],
  ])("changes only the %s, and emits that to its owner's clients", async (_, given, changed) => {
    const w = world();
    const id = await keep(w);
    const date_created = w.clock.now();
    w.clock.advance(60);
    const { status, events } = await w.as("mel").patch(`/saved_snippets/${id}`, given);
    const snippet = { id, ...greeting, ...changed, date_created };
    expect(status).toBe(200);
    expect(await snippetsOf(w)).toEqual([snippet]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "saved_snippets", op: "update", saved_snippet: snippet } },
    ]);
  });

  test("to the same value emits nothing", async () => {
    const w = world();
    const answer = await w.as("mel").patch(`/saved_snippets/${await keep(w)}`, greeting);
    expect(answer).toMatchObject({ status: 200, events: [] });
  });

  test.each([
    ["nothing", {}, "Give the snippet a new title, new content, or both."],
    ["an empty title", { title: " " }, "Title cannot be empty."],
    ["empty content", { title: "Farewell", content: "" }, "Content cannot be empty."],
  ])("refuses %s", async (_, given, msg) => {
    const w = world();
    const answer = await w.as("mel").patch(`/saved_snippets/${await keep(w)}`, given);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await snippetsOf(w)).toMatchObject([greeting]);
  });

  test("answers for another user's snippet as if it did not exist", async () => {
    const w = world();
    const id = await keep(w);
    expect(await w.as("max").patch(`/saved_snippets/${id}`, { title: "Mine" })).toMatchObject(missing);
    expect(await w.as("mel").patch("/saved_snippets/4711", { title: "Mine" })).toMatchObject(missing);
  });
});

describe("delete-saved-snippet", () => {
  test("deletes it, and emits it only to its owner's clients", async () => {
    const w = world();
    const id = await keep(w);
    const other = await keep(w);
    const { status, events } = await w.as("mel").delete(`/saved_snippets/${id}`);
    expect(status).toBe(200);
    expect(await snippetsOf(w)).toMatchObject([{ id: other }]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "saved_snippets", op: "remove", saved_snippet_id: id } },
    ]);
  });

  test("answers for another user's snippet as if it did not exist", async () => {
    const w = world();
    const id = await keep(w);
    expect(await w.as("max").delete(`/saved_snippets/${id}`)).toMatchObject(missing);
    expect(await w.as("mel").delete("/saved_snippets/4711")).toMatchObject(missing);
    expect(await snippetsOf(w)).toHaveLength(1);
  });
});
