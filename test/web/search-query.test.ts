// What people type into the search field: read and written again it is the same search, and the server knows all that is offered.
import { describe, expect, test } from "bun:test";
import { suggestionsFor, termsOf, textOf } from "@/web/features/search/query.ts";
import type { Term } from "@/web/state/narrows.ts";
import type { State } from "@/web/state/state.ts";
import { world } from "../support/world.ts";

const people = [
  { user_id: 1, full_name: "Olive", is_active: true },
  { user_id: 2, full_name: "Mel", is_active: true },
  { user_id: 3, full_name: "Max Moor", is_active: false },
  { user_id: 4, full_name: "Max Moor", is_active: true },
  { user_id: 5, full_name: "Max Moor", is_active: true },
];
const state = {
  self: people[0],
  users: Object.fromEntries(people.map((one) => [one.user_id, one])),
  streams: {
    7: { stream_id: 7, name: "harbour", description: "", is_archived: false },
    8: { stream_id: 8, name: "dry dock", description: "", is_archived: false },
  },
  subscriptions: {},
  unsubscribed: {},
  never_subscribed: {},
  topic_lists: { 7: [{ name: "tides" }, { name: "" }], 8: [{ name: "paint" }] },
} as unknown as State;

const term = (operator: string, operand: string, negated = false): Term => ({ operator, operand, negated });

describe("a search", () => {
  test.each<[string, Term[]]>([
    ["tide tables", [term("search", "tide tables")]],
    ['channel:"dry dock" fish', [term("channel", "8"), term("search", "fish")]],
    ["-channel:harbour", [term("channel", "7", true)]],
    ['topic:""', [term("topic", "")]],
    ["from:Mel", [term("sender", "2")]],
    ['dm:"Mel, Olive"', [term("dm", "2,1")]],
    ["dm:3", [term("dm", "3")]],
    ['from:"Max Moor"', [term("sender", "4")]],
    ["from:5", [term("sender", "5")]],
    ["from:99", [term("search", "from:99")]],
    ["is:starred", [term("is", "starred")]],
    ["in:home", [term("in", "home")]],
    ["id:12", [term("id", "12")]],
    ['-search:"old boats"', [term("search", "old boats", true)]],
  ])("%s is read, and written as it was typed", (text, terms) => {
    expect(termsOf(text, state)).toEqual(terms);
    expect(textOf(terms, state)).toBe(text);
  });

  test("takes words in any case, and oneself as me", () => {
    expect(termsOf("Is:Starred FROM:me Channel:HARBOUR", state)).toEqual([
      term("is", "starred"),
      term("sender", "1"),
      term("channel", "7"),
    ]);
  });

  test("tells people of one name apart, and leaves out those who are deactivated", () => {
    const offered = suggestionsFor("from:max", state).map(({ text, about }) => [text.trim(), about]);
    expect(offered).toEqual([
      ['from:"Max Moor"', "Sent by somebody"],
      ["from:5", "Sent by somebody: Max Moor"],
    ]);
  });

  test("offers the topics of the channel that is searched, not of one that is left out", () => {
    const topics = (text: string) => suggestionsFor(text, state).map(({ label }) => label);
    expect(topics("channel:harbour topic:")).toEqual(["topic:tides", "topic:"]);
    expect(topics("-channel:harbour topic:")).toContain("topic:paint");
  });

  test("says of each word what it finds", () => {
    const [have, be] = ["has:", "is:"].map((operator) => suggestionsFor(operator, state));
    expect(have?.map(({ label, about }) => [label, about])).toEqual([
      ["has:link", "That have a link"],
      ["has:image", "That have an image"],
      ["has:attachment", "That have an uploaded file"],
      ["has:reaction", "That have a reaction"],
    ]);
    expect(be?.map(({ label, about }) => [label, about])).toContainEqual(["is:unread", "That are unread"]);
    expect(new Set(be?.map(({ about }) => about)).size).toBe(8);
  });

  test("has operators and words that the server knows", async () => {
    const { as } = world();
    for (const { text: operator } of suggestionsFor("-", state).concat(suggestionsFor("", state))) {
      const texts = suggestionsFor(operator, state).map(({ text }) => text.trim());
      for (const text of texts.length > 0 ? texts : [`${operator}x`]) {
        const narrow = termsOf(text, state).map((one) =>
          /^[\d,]+$/.test(one.operand) && one.operator !== "topic" ? { ...one, operand: "1" } : one,
        );
        const given = { narrow: JSON.stringify(narrow), anchor: "newest", num_before: 1, num_after: 0 };
        const { status, body } = await as("mel").get("/messages", given);
        if (status !== 200)
          expect([text, body.msg]).toEqual([
            text,
            expect.stringMatching(/^Invalid narrow operator: unknown (channel|user)/),
          ]);
      }
    }
  });
});
