import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { htmlDiff } from "@/messaging/message-history/html-diff.ts";
import { renderMarkdown } from "@/text/rendering/render.ts";
import { type World, world } from "../support/world.ts";

/** A channel of mel and max, with a message by mel that was edited twice. */
async function scene() {
  const w = world();
  const subscribers = [w.user("mel").id, w.user("max").id];
  await w.as("ada").post("/channels/create", { name: "party", subscribers, invite_only: true });
  const message = { type: "channel", to: "party", topic: "", content: "a cake" };
  const sent = w.clock.now();
  const { id } = (await w.as("mel").post("/messages", message)).body;
  for (const content of ["a *pie*", "two pies"]) {
    w.clock.advance(60);
    await w.as("mel").patch(`/messages/${id}`, { content });
  }
  return { ...w, id: id as number, sent };
}

const historyOf = ({ as, id }: World & { id: number }, params = {}) =>
  as("max").get(`/messages/${id}/history`, params);

const show = ({ app, ctx }: World, policy: "all" | "moves" | "none") =>
  app.env.db.write(ctx("system"), (tx) =>
    realmSettings.write(tx, "message_edit_history_visibility_policy", policy),
  );

const inserted = (text: string) => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string) => `<span class="highlight_text_deleted">${text}</span>`;

describe("get-message-history", () => {
  test("shows all versions, from the original", async () => {
    const w = await scene();
    const user_id = w.user("mel").id;
    const topic = "general chat";
    const { status, body, events } = await historyOf(w);

    expect([status, events]).toEqual([200, []]);
    expect(body.message_history).toEqual([
      { topic, user_id, timestamp: w.sent, content: "a cake", rendered_content: "<p>a cake</p>" },
      {
        topic,
        user_id,
        timestamp: w.sent + 60,
        content: "a *pie*",
        rendered_content: "<p>a <em>pie</em></p>",
        prev_content: "a cake",
        prev_rendered_content: "<p>a cake</p>",
        content_html_diff: `<p>a ${deleted("cake")}<em>${inserted("pie")}</em></p>`,
      },
      {
        topic,
        user_id,
        timestamp: w.sent + 120,
        content: "two pies",
        rendered_content: "<p>two pies</p>",
        prev_content: "a *pie*",
        prev_rendered_content: "<p>a <em>pie</em></p>",
        content_html_diff: `<p>${deleted("a pie")}${inserted("two pies")}</p>`,
      },
    ]);
  });

  test("shows the empty topic in the client's form", async () => {
    const w = await scene();
    const { message_history } = (await historyOf(w, { allow_empty_topic_name: true })).body;
    expect(message_history.map((one: { topic: string }) => one.topic)).toEqual(["", "", ""]);
  });

  test("of a direct message has no topic", async () => {
    const w = world();
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "psst" })).body;
    expect((await historyOf({ ...w, id })).body.message_history).toEqual([
      {
        topic: "",
        user_id: w.user("mel").id,
        timestamp: w.clock.now(),
        content: "psst",
        rendered_content: "<p>psst</p>",
      },
    ]);
  });

  test("shows only moves if the organization limits history to them", async () => {
    const w = await scene();
    await show(w, "moves");
    expect((await historyOf(w)).body.message_history).toMatchObject([
      { content: "two pies", timestamp: w.sent },
    ]);
    const { message } = (await w.as("max").get(`/messages/${w.id}`)).body;
    expect(message).toMatchObject({ last_edit_timestamp: w.sent + 120 });
    expect(message).not.toHaveProperty("edit_history");
  });

  test("refuses if the organization hides edit history", async () => {
    const w = await scene();
    await show(w, "none");
    const msg = "Message edit history is disabled in this organization.";
    expect(await historyOf(w)).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg } });
    const { message } = (await w.as("max").get(`/messages/${w.id}`)).body;
    expect(message).not.toHaveProperty("edit_history");
  });

  test.each([
    ["unseen", "gus"],
    ["absent", "mel"],
  ] as const)("refuses an %s message alike", async (which, who) => {
    const w = await scene();
    const id = which === "unseen" ? w.id : 999;
    expect(await w.as(who).get(`/messages/${id}/history`)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "Invalid message(s)" },
    });
  });

  test("keeps the newest 200 changes of a message", async () => {
    const w = await scene();
    for (let n = 0; n < 205; n++) await w.as("mel").patch(`/messages/${w.id}`, { content: `${n} %` });
    const { message_history } = (await historyOf(w)).body;
    expect(message_history).toHaveLength(201);
    expect(message_history[0]).toMatchObject({ content: "4 %", timestamp: w.sent });
    expect(message_history.at(-1)).toMatchObject({ content: "204 %", prev_content: "203 %" });
  });

  test("keeps only the newest versions of long contents", async () => {
    const w = await scene();
    for (let n = 0; n < 20; n++) {
      await w.as("mel").patch(`/messages/${w.id}`, { content: `${n} ${"❤".repeat(9_990)}` });
    }
    const { message_history } = (await historyOf(w)).body;
    expect(message_history.length).toBeWithin(12, 18);
    expect(message_history.at(-1).content).toStartWith("19 ");
    expect(message_history[0].content).toStartWith(`${20 - message_history.length} `);
  });

  test("is deleted with the message", async () => {
    const w = await scene();
    expect((await w.as("ada").patch(`/messages/${w.id}`, { content: "x" })).status).toBe(400);
    expect((await w.as("mel").delete(`/messages/${w.id}`)).status).toBe(200);
    expect(w.app.env.db.all("SELECT * FROM message_edits")).toEqual([]);
  });
});

describe("the difference of two contents", () => {
  const lookup = {
    user: (name: string | null) => (name === "Max" ? { id: 5, full_name: "Max" } : null),
    group: () => null,
    channel: () => null,
    newestInTopic: () => null,
    emptyTopicName: "general chat",
  };
  const html = (text: string) => renderMarkdown(text, lookup).html;
  const diff = (before: string, after: string) => htmlDiff(html(before), html(after), 300);

  test.each([
    ["a word", "see you soon", "see you later", `<p>see you ${deleted("soon")}${inserted("later")}</p>`],
    ["more at the end", "see you", "see you later", `<p>see you ${inserted("later")}</p>`],
    ["paragraphs", "a\n\nb\n\nc", "a", `<p>a</p>${deleted("b c")}`],
    ["nothing", "same", "same", "<p>same</p>"],
    ["no emphasis", "so fine", "so **fine**", "<p>so <strong>fine</strong></p>"],
  ])("marks %s", (_, before, after, expected) => {
    expect(diff(before, after).replaceAll("\n", "")).toBe(expected);
  });

  test("treats links, mentions, punctuation and formulas as units", () => {
    for (const [before, after] of [
      ["[here](https://a.example)", "[here](https://b.example)"],
      ["@**Max**", "@_**Max**"],
      [":tada:", ":cake:"],
      ["$$a$$", "$$b$$"],
    ] as const) {
      const [from, to] = [html(before), html(after)].map((one) => one.slice(3, -4)) as [string, string];
      expect(diff(before, after)).toBe(`<p>${deleted(from)}${inserted(to)}</p>`);
    }
  });

  test("replaces everything if it takes too long to compute", () => {
    const words = (of: string) => Array.from({ length: 600 }, (_, i) => `${of}${i}`).join(" ");
    expect(diff(words("a"), words("b"))).toBe(`${deleted(words("a"))}<p>${inserted(words("b"))}</p>`);
  });

  test("adds no markup but its marks", () => {
    const piece = fc.constantFrom(
      "word",
      "more words",
      "**b**",
      "*i*",
      "`c`",
      "\n",
      "\n\n",
      "> q",
      "- l",
      "1. n",
      "# h",
      "<b>",
      "&lt;",
      "[t](https://a.example)",
      "@**Max**",
      ":tada:",
      "```\ncode\n```",
      "$$x$$",
      "| a |\n|---|\n| b |",
      "<time:1>",
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));
    const spaceless = (markup: string) => markup.replace(/\s+/g, "");
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 5, 300), (before, after, most) => {
        const found = htmlDiff(html(before), html(after), most);
        expect(spaceless(withoutMarks(found))).toBe(spaceless(html(after)));
      }),
      { numRuns: 500 },
    );
  });

  /** Removes deleted text and the marks around inserted text. */
  function withoutMarks(markup: string): string {
    let kept = "";
    const open: ("kept" | "mark" | "deleted")[] = [];
    for (const [token] of markup.matchAll(/<[^>]*>|[^<]+/g)) {
      const isInside = open.includes("deleted");
      if (token.startsWith("<span")) {
        const mark = /class="highlight_text_(inserted|deleted)"/.exec(token)?.[1];
        open.push(mark === "deleted" ? "deleted" : mark === "inserted" ? "mark" : "kept");
        if (mark === undefined && !isInside) kept += token;
      } else if (token === "</span>") {
        if (open.pop() === "kept" && !isInside) kept += token;
      } else if (!isInside) kept += token;
    }
    expect(open).toEqual([]);
    return kept;
  }
});
