// Lists of long texts are read a few rows at a time, while other requests run.
import { describe, expect, test } from "bun:test";
import { type World, world } from "../support/world.ts";

const count = 50;
const texts = Array.from({ length: count }, (_, i) => `${i} ${"wörter ".repeat(1_000)}`);

const later = (w: World, i: number) => w.clock.now() + 10_000 + ((i * 7) % count) * 60;

interface List {
  path: string;
  name: string;
  make: (w: World, text: string, i: number) => Promise<{ status: number }>;
  /** Of the numbers of texts, in the order of the list. */
  order: (a: number, b: number) => number;
}

const byTime = (a: number, b: number) => ((a * 7) % count) - ((b * 7) % count);
const lists: List[] = [
  {
    path: "/drafts",
    name: "drafts",
    make: (w, content, i) => {
      const draft = { type: "", to: [], topic: "", content, timestamp: 1_000 + ((i * 7) % count) };
      return w.as("mel").post("/drafts", { drafts: [draft] });
    },
    order: (a, b) => byTime(b, a),
  },
  {
    path: "/saved_snippets",
    name: "saved_snippets",
    make: (w, content) => w.as("mel").post("/saved_snippets", { title: "t", content }),
    order: (a, b) => a - b,
  },
  {
    path: "/scheduled_messages",
    name: "scheduled_messages",
    make: (w, content, i) =>
      w.as("mel").post("/scheduled_messages", {
        type: "direct",
        to: [w.user("max").id],
        content,
        scheduled_delivery_timestamp: later(w, i),
      }),
    order: byTime,
  },
  {
    path: "/reminders",
    name: "reminders",
    make: async (w, content, i) => {
      const sent = await w.as("mel").post("/messages", { type: "direct", to: [w.user("max").id], content });
      return w.as("mel").post("/reminders", {
        message_id: sent.body.id,
        scheduled_delivery_timestamp: later(w, i),
      });
    },
    order: byTime,
  },
];

test.each(lists.map((list) => [list.path, list] as const))("%s lists all in order", async (_, list) => {
  const w = world();
  for (const [i, text] of texts.entries()) expect((await list.make(w, text, i)).status).toBe(200);
  const numbers = (rows: { content: string }[]) =>
    rows.map(({ content }) => Number(/(\d+) wörter/.exec(content)?.[1]));
  const expected = texts.map((_, i) => i).sort(list.order);
  expect(numbers((await w.as("mel").get(list.path)).body[list.name])).toEqual(expected);
  expect(numbers((await w.queue("mel")).state[list.name])).toEqual(expected);
});

describe("/drafts", () => {
  test("lists drafts as of one moment", async () => {
    const w = world();
    const drafts = texts.map((content, i) => ({
      type: "",
      to: [],
      topic: "",
      content,
      timestamp: 1_000 + i,
    }));
    const { ids } = (await w.as("mel").post("/drafts", { drafts })).body;
    const listed = async () => (await w.as("mel").get("/drafts")).body.drafts;
    for (let i = 0; i < 20; i++) {
      const before = await listed();
      const draft = { type: "", to: [], topic: "", content: `changed ${i}`, timestamp: 2_000 + i };
      const [between, changed] = await Promise.all([
        listed(),
        w.as("mel").patch(`/drafts/${ids[i]}`, { draft }),
      ]);
      expect(changed.status).toBe(200);
      expect([JSON.stringify(before), JSON.stringify(await listed())]).toContain(JSON.stringify(between));
    }
  });
});
