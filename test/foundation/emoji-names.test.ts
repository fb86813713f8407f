// All emoji that clients of this API send: what they mean in messages and as reactions.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import names from "../support/emoji-names.json";
import { type World, world } from "../support/world.ts";

const sent = Object.entries<string>(names);
/** Time for thousands of requests on a busy machine, in milliseconds. */
const walk = 120_000;
const withoutSelector = (code: string) => code.replaceAll("-fe0f", "");

async function messageBy(w: World, content = "?"): Promise<number> {
  const to = { type: "direct", to: [w.user("max").id] };
  return (await w.as("mel").post("/messages", { ...to, content })).body.id;
}

interface Reaction {
  emoji_name: string;
  emoji_code?: string;
  reaction_type?: string;
}

const byName = (emoji_name: string): Reaction => ({ emoji_name });
const byCode = (emoji_name: string, emoji_code: string): Reaction => ({
  emoji_name,
  emoji_code,
  reaction_type: "unicode_emoji",
});

describe("every emoji that clients send", () => {
  test(
    "is drawn in a message by its name",
    async () => {
      const w = world();
      const missing: string[] = [];
      for (let start = 0; start < sent.length; start += 250) {
        const some = sent.slice(start, start + 250);
        const id = await messageBy(w, some.map(([name]) => `:${name}:`).join("\n"));
        const { content } = (await w.as("max").get(`/messages/${id}`)).body.message;
        for (const [name, code] of some) {
          const html = `class="emoji emoji-${withoutSelector(code)}" role="img" title="${name.replaceAll("_", " ")}">:${name}:<`;
          if (!content.includes(html)) missing.push(name);
        }
      }
      expect(missing).toEqual([]);
    },
    walk,
  );

  test(
    "is a reaction by its name, and by name and code, with or without selectors in it",
    async () => {
      const w = world();
      const path = `/messages/${await messageBy(w)}/reactions`;
      expect(sent.filter(([, code]) => code !== withoutSelector(code)).length).toBeGreaterThan(10);
      const failed: unknown[] = [];
      for (const [at, [name, code]] of sent.entries()) {
        // Both forms of each: one adds it, the other one removes it.
        const [first, second] = at % 2 === 0 ? [byName, byCode] : [byCode, byName];
        const added = await w.as("max").post(path, { ...first(name, code) });
        const removed = await w.as("max").delete(path, { ...second(name, code) });
        const isRight = [added, removed].every(({ events: [one] }) => {
          return one?.event.emoji_name === name && one.event.emoji_code === withoutSelector(code);
        });
        if (!isRight) failed.push([name, code, added.body, removed.body]);
      }
      expect(failed).toEqual([]);
    },
    walk,
  );

  test("counts as one reaction, however its code is spelled", async () => {
    const w = world();
    const path = `/messages/${await messageBy(w)}/reactions`;
    const emoji_name = "transgender_flag";
    await w.as("max").post(path, { emoji_name, emoji_code: "1f3f3-fe0f-200d-26a7-fe0f" });
    expect(await w.as("max").post(path, { emoji_name, emoji_code: "1f3f3-200d-26a7" })).toMatchObject({
      status: 400,
      body: { code: "REACTION_ALREADY_EXISTS" },
    });
  });
});

describe("an emoji's name", () => {
  test.each([
    ["👍", "+1"],
    ["❤", "heart"],
    ["🇩🇪", "flag_germany"],
    ["🛠️", "working_on_it"],
    ["🐈", "cat"],
    ["\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "flag_england"],
    ["\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "flag_scotland"],
    ["\u{1F3F4}", "black_flag"],
  ])("of %s, if none was typed, is the one that clients prefer", async (typed, name) => {
    const { body } = await world().as("max").post("/messages/render", { content: typed });
    expect(body.rendered).toContain(`>:${name}:</span>`);
  });

  test("may be one that only the server has, if clients use it for nothing else", async () => {
    const { body } = await world()
      .as("max")
      .post("/messages/render", { content: ":thumbsup: :rainbow-flag:" });
    expect(body.rendered).toContain("emoji-1f44d");
    expect(body.rendered).toContain("emoji-1f3f3-200d-1f308");
  });
});

describe("reactions from before", () => {
  /** Adds a reaction as an older version stored it. */
  async function stored(w: World, message: number, name: string, code: string): Promise<void> {
    const columns = "message_id, user_id, type, code, name, reacted_at";
    await w.app.env.db.write(w.ctx("system"), (tx) => {
      const insert = `INSERT INTO reactions (${columns}) VALUES (?, ?, 'U', ?, ?, 1)`;
      tx.run(insert, message, w.user("max").id, code, name);
    });
  }

  test("keep their code, and get a name that means it now", async () => {
    const w = world();
    const id = await messageBy(w);
    await stored(w, id, "cat", "1f431");
    const path = `/messages/${id}`;
    const kitten = { emoji_name: "kitten", emoji_code: "1f431", reaction_type: "unicode_emoji" };
    expect((await w.as("mel").get(path)).body.message.reactions).toMatchObject([kitten]);

    const joined = await w.as("mel").post(`${path}/reactions`, { emoji_name: "cat" });
    expect(joined.events).toMatchObject([{ event: { emoji_name: "cat", emoji_code: "1f408" } }]);
    const removed = await w.as("max").delete(`${path}/reactions`, { emoji_name: "kitten" });
    expect(removed.events).toMatchObject([{ event: { op: "remove", ...kitten } }]);
  });
});

describe("get-emoji-data", () => {
  test("is at the address that clients get, needs no login and never changes", async () => {
    const w = world();
    const { server_emoji_data_url: url } = (await w.queue("max")).state;
    expect(url).toMatch(/^https?:\/\/[^/]+\/static\/emoji\/[0-9a-f]{20}\.json$/);
    const answer = await w.anonymous.request(new URL(url).pathname);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const text = await answer.text();
    const hash = createHash("sha256").update(text).digest("hex");
    expect(url).toContain(`/${hash.slice(0, 20)}.json`);
    expect(Object.keys(JSON.parse(text))).toEqual(["code_to_names"]);
  });

  test(
    "names every emoji that is accepted, by its code without selectors, the preferred name first",
    async () => {
      const w = world();
      const data = await emojiDataOf(w);
      expect(data["1f44d"]?.slice(0, 2)).toEqual(["+1", "thumbs_up"]);
      expect(data["1f1e9-1f1ea"]?.[0]).toBe("flag_germany");
      expect(Object.keys(data).filter((code) => !/^[0-9a-f]+(-[0-9a-f]+)*$/.test(code))).toEqual([]);
      expect(Object.keys(data).filter((code) => code.includes("fe0f"))).toEqual([]);
      expect(sent.filter(([name, code]) => !data[withoutSelector(code)]?.includes(name))).toEqual([]);
      const every = Object.values(data).flat();
      expect(every.length).toBe(new Set(every).size);

      const path = `/messages/${await messageBy(w)}/reactions`;
      const refused: string[] = [];
      for (const [emoji_code, [emoji_name = ""]] of Object.entries(data)) {
        const given = { emoji_name, emoji_code, reaction_type: "unicode_emoji" };
        const { status } = await w.as("max").post(path, given);
        if (status !== 200) refused.push(emoji_code);
        await w.as("max").delete(path, given);
      }
      expect(refused).toEqual([]);
    },
    walk,
  );

  test("answers 404 at other addresses", async () => {
    expect((await world().anonymous.request("/static/emoji/00.json")).status).toBe(404);
    expect((await world().anonymous.request("/static/emoji/names.json")).status).toBe(404);
  });
});

async function emojiDataOf(w: World): Promise<Record<string, string[]>> {
  const { server_emoji_data_url } = (await w.queue("max")).state;
  const answer = await w.anonymous.request(new URL(server_emoji_data_url).pathname);
  return ((await answer.json()) as { code_to_names: Record<string, string[]> }).code_to_names;
}
