import { describe, expect, test } from "bun:test";
import { usersLookingFor, wordIndex } from "@/messaging/alert-words/matching.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { unsubscribe } from "@/places/subscriptions/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const path = "/users/me/alert_words";
const add = (w: World, who: CastName, ...alert_words: unknown[]) => w.as(who).post(path, { alert_words });
const listed = async (w: World, who: CastName) => (await w.as(who).get(path)).body.alert_words;

async function stage() {
  const w = world();
  const people: CastName[] = ["mel", "max", "gus"];
  const subscribers = people.map((who) => w.user(who).id);
  const { stream_id } = await createChannel(w.ctx("mel"), { name: "Design", description: "", subscribers });
  await w.as("mel").post("/messages", { type: "channel", to: stream_id, topic: "Lunch", content: "first" });
  const send = async (content: string, by: CastName = "mel"): Promise<number> =>
    (await w.as(by).post("/messages", { type: "channel", to: stream_id, topic: "Lunch", content })).body.id;
  const flags = async (who: CastName, id: number): Promise<string[]> =>
    (await w.as(who).get(`/messages/${id}`)).body.message.flags;
  return { w, stream_id, send, flags };
}

describe("get-alert-words", () => {
  test("lists the user's words in alphabetical order", async () => {
    const w = world();
    await add(w, "mel", "zebra", "Ant");
    await add(w, "max", "bee");
    expect(await listed(w, "mel")).toEqual(["Ant", "zebra"]);
    expect(await listed(w, "gus")).toEqual([]);
    const { state } = await w.queue("mel", { fetch_event_types: ["alert_words"] });
    expect(state.alert_words).toEqual(["Ant", "zebra"]);
  });
});

describe("add-alert-words", () => {
  test("adds each word once, trimmed, ignoring case, and emits it only to the user", async () => {
    const w = world();
    await add(w, "mel", "lunch");
    const { body, events } = await add(w, "mel", "  Deploy   day ", "", "   ", "LUNCH", "deploy DAY");
    expect(body.alert_words).toEqual(["Deploy day", "lunch"]);
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "alert_words", alert_words: ["Deploy day", "lunch"] } },
    ]);
  });

  test("emits nothing if nothing is new", async () => {
    const w = world();
    await add(w, "mel", "lunch");
    expect(await add(w, "mel", "Lunch", " ")).toMatchObject({
      status: 200,
      body: { alert_words: ["lunch"] },
      events: [],
    });
  });

  test.each<[string, Json, string]>([
    ["a long word", ["x".repeat(101)], "An alert word has at most 100 characters."],
    ["control characters", ["a\u0000b"], "An alert word is made of printable characters."],
    ["no list", "lunch", "alert_words is not a list"],
    ["what are no words", [5], "alert_words[0] is not a string"],
    ["a very long list", Array(1001).fill("x"), "You can send at most 1000 alert words at once."],
  ])("refuses %s", async (_, words, msg) => {
    const w = world();
    const given = { alert_words: typeof words === "string" ? JSON.stringify(words) : words };
    expect(await w.as("mel").post(path, given)).toMatchObject({ status: 400, body: { msg }, events: [] });
    expect(await listed(w, "mel")).toEqual([]);
  });

  test("refuses more than the maximum, and then adds none", async () => {
    const w = world();
    await add(w, "mel", ...Array.from({ length: 999 }, (_, i) => `word ${i}`));
    expect(await add(w, "mel", "one", "two")).toMatchObject({
      status: 400,
      body: { msg: "You can have at most 1000 alert words." },
      events: [],
    });
    expect((await add(w, "mel", "one")).body.alert_words).toHaveLength(1000);
  });
});

describe("remove-alert-words", () => {
  test("removes words, ignoring case, and skips unknown ones", async () => {
    const w = world();
    await add(w, "mel", "lunch", "deploy", "bug");
    await add(w, "max", "lunch");
    const { body, events } = await w
      .as("mel")
      .delete(path, { alert_words: [" LUNCH ", "x".repeat(101), "bug"] });
    expect(body.alert_words).toEqual(["deploy"]);
    expect(events).toEqual([{ audience: ["mel"], event: { type: "alert_words", alert_words: ["deploy"] } }]);
    expect(await listed(w, "max")).toEqual(["lunch"]);
    expect(await w.as("mel").delete(path, { alert_words: ["unknown"] })).toMatchObject({
      status: 200,
      events: [],
    });
  });
});

describe("has_alert_word", () => {
  test("is set for users who have the word and receive the message, including the sender", async () => {
    const { w, send, flags } = await stage();
    for (const who of ["mel", "max", "moss"] as const) await add(w, who, "deploy");
    await add(w, "gus", "release");
    const queues = { max: await w.queue("max"), gus: await w.queue("gus") };
    const id = await send("We Deploy now");
    expect(await flags("max", id)).toEqual(["has_alert_word"]);
    expect(await flags("mel", id)).toContain("has_alert_word");
    expect([await flags("gus", id), await flags("moss", id)]).toEqual([[], ["read", "historical"]]);
    expect((await queues.max.poll())[0].flags).toEqual(["has_alert_word"]);
    expect((await queues.gus.poll())[0].flags).toEqual([]);
    const alerted = { anchor: "newest", num_before: 5, narrow: [["is", "alerted"]] };
    const found = async (who: CastName) =>
      (await w.as(who).get("/messages", alerted)).body.messages.map((one: Json) => one.id);
    expect([await found("max"), await found("gus")]).toEqual([[id], []]);
  });

  test("is set in direct messages, and together with a mention", async () => {
    const { w, flags } = await stage();
    await add(w, "max", "deploy");
    const to = [w.user("max").id];
    const { id } = (await w.as("mel").post("/messages", { type: "direct", to, content: "@**Max** deploy" }))
      .body;
    expect((await flags("max", id)).sort()).toEqual(["has_alert_word", "mentioned"]);
  });

  /** Texts with the words found in them. */
  test.each<[string, string[]]>([
    ["deploy", ["deploy"]],
    ["(deploy), 'bug'!", ["deploy", "bug"]],
    ["redeploy deploys deploy_it bug1", []],
    ["**deploy** *bug* ~~c++~~", ["deploy", "bug", "c++"]],
    ["> deploy", ["deploy"]],
    ["* bug\n* deploy day", ["bug", "deploy", "deploy day"]],
    ["deploy\nday", ["deploy", "deploy day"]],
    ["deploy **day**", ["deploy", "deploy day"]],
    ["`deploy` and `bug`", []],
    ["```\ndeploy\n```\nbug", ["bug"]],
    ["``` python\nbug = deploy\n```", []],
    ["https://example.com/deploy/bug", []],
    ["see example.com/bug", []],
    ["[deploy](https://example.com/bug)", ["deploy"]],
    ["[bug](https://example.com/bug)", ["bug"]],
    ["c++ c++11 .net asp.net", ["c++", ".net"]],
    ["x<y & bug", ["bug", "x<y"]],
    ["明日の会議です", ["会議"]],
    ["BUG Größe", ["bug", "größe"]],
    ["```spoiler Bug\ndeploy\n```", ["bug", "deploy"]],
  ])("in %p finds %p", async (content, expected) => {
    const { w, send } = await stage();
    const words = ["deploy", "deploy day", "bug", "c++", ".net", "x<y", "会議", "größe"];
    const found: string[] = [];
    for (const word of words) {
      await w.as("max").delete(path, { alert_words: words });
      await add(w, "max", word);
      const queue = await w.queue("max", { event_types: ["message"] });
      await send(content);
      if ((await queue.poll())[0].flags.includes("has_alert_word")) found.push(word);
    }
    expect(found.sort()).toEqual([...expected].sort());
  });

  test("changes with edits, and only for users who received the message", async () => {
    const { w, stream_id, send, flags } = await stage();
    await add(w, "max", "deploy");
    await add(w, "moss", "deploy");
    const id = await send("hello");
    await w.as("moss").post("/users/me/subscriptions", { subscriptions: [{ name: "Design" }] });
    const edit = (content: string) => w.as("mel").patch(`/messages/${id}`, { content });
    await edit("deploy");
    expect([await flags("max", id), await flags("moss", id)]).toEqual([
      ["has_alert_word"],
      ["read", "historical"],
    ]);
    await edit("hello again");
    expect(await flags("max", id)).toEqual([]);
    await unsubscribe(w.ctx("mel"), { channel_ids: [stream_id], user_ids: [w.user("max").id] });
    const later = await send("deploy");
    expect(await flags("max", later)).toEqual(["read", "historical"]);
  });

  test("does not change on older messages when words change", async () => {
    const { w, send, flags } = await stage();
    const before = await send("deploy");
    await add(w, "max", "deploy");
    const then = await send("deploy");
    await w.as("max").delete(path, { alert_words: ["deploy"] });
    const after = await send("deploy");
    expect([await flags("max", before), await flags("max", then), await flags("max", after)]).toEqual([
      [],
      ["has_alert_word"],
      [],
    ]);
  });

  test("is found among 50,000 words in the longest text", () => {
    const many = Array.from({ length: 50_000 }, (_, i) => ({ word: `word ${i}`, user_id: i }));
    const text = `${"word a ".repeat(1400)} word 49999.`;
    expect(usersLookingFor(wordIndex(many), text).has(49_999)).toBe(true);
  });
});
