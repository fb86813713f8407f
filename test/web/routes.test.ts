// Addresses of the web client: reading one and writing it again gives the same address, whatever its names are.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { channelUrl, directMessageUrl, topicUrl } from "@/text/quoting/narrow-url.ts";
import {
  hashOf,
  type Names,
  parseHash,
  placeOfTerms,
  placeRoute,
  type Route,
} from "@/web/ui/routes/route.ts";

const id = fc.integer({ min: 1, max: 1_000_000_000 });
const text = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom("/", ".", "%", "#", "-", " ", "2", "E", "é", "漢", "?", "&"),
    maxLength: 20,
  }),
);
const names: fc.Arbitrary<Names> = fc.record({
  channel: fc.option(text, { nil: undefined }).map((name) => () => name),
  person: fc.option(text, { nil: undefined }).map((name) => () => name),
});

const people = fc.uniqueArray(id, { minLength: 1, maxLength: 5 }).map((ids) => ids.join());
const operand = (operator: string) => {
  if (operator === "channel") return id.map(String);
  if (["dm", "dm-including", "sender"].includes(operator)) return people;
  return text.filter((one) => one !== "private");
};
const term = fc
  .constantFrom("channel", "topic", "dm", "dm-including", "sender", "is", "has", "search", "with", "in")
  .chain((operator) =>
    fc.record({ operator: fc.constant(operator), operand: operand(operator), negated: fc.boolean() }),
  );

const day = fc
  .date({ min: new Date("0001-01-01T00:00Z"), max: new Date("9999-12-31T00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const section = fc.option(
  text.filter((one) => one !== "" && !/^\d/.test(one)),
  { nil: undefined },
);
const without = (route: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(route).filter(([, value]) => value !== undefined)) as unknown as Route;
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc
    .constantFrom("inbox", "recent", "feed", "drafts", "scheduled", "reminders", "shortcuts", "search")
    .map((view) => ({ view }) as Route),
  fc
    .record({
      terms: fc.array(term, { maxLength: 5 }),
      near: fc.option(id, { nil: undefined }),
      date: fc.option(day, { nil: undefined }),
    })
    .map((route) => without({ view: "messages", ...route })),
  id.map((channel) => ({ view: "topics", channel }) as const),
  fc
    .record({ channel: fc.option(id, { nil: undefined }), section })
    .map((one) => without({ view: "channels", ...one })),
  fc
    .record({ group: fc.option(id, { nil: undefined }), section })
    .map((one) => without({ view: "groups", ...one })),
  id.map((user) => ({ view: "person", user }) as const),
  section.map((named) => without({ view: "settings", section: named })),
  section.map((named) => without({ view: "organization", section: named })),
  fc
    .record({
      section: text.filter((one) => one !== ""),
      path: fc.array(
        text.filter((one) => one !== ""),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map((one) => without({ view: "organization", ...one })),
);

describe("an address", () => {
  test("of any view is read as it was written, with names or without", () => {
    fc.assert(
      fc.property(routes, names, (route, named) => {
        expect(parseHash(hashOf(route, named))).toEqual(route);
        expect(parseHash(hashOf(route))).toEqual(route);
      }),
      { numRuns: 500 },
    );
  });

  test("survives the browser, which writes a hash as an URL", () => {
    fc.assert(
      fc.property(routes, names, (route, named) => {
        const { hash } = new URL(`https://chat.example.com/${hashOf(route, named)}`);
        expect(parseHash(hash)).toEqual(route);
      }),
    );
  });

  test("in a message leads to its channel, topic or people", () => {
    fc.assert(
      fc.property(id, text, text, (channel, name, topic) => {
        const hash = topicUrl({ id: channel, name }, topic).slice(1);
        expect(parseHash(hash)).toEqual(placeRoute({ stream_id: channel, topic }));
        expect(parseHash(channelUrl({ id: channel, name }).slice(1))).toMatchObject({
          terms: [{ operator: "channel", operand: String(channel) }],
        });
      }),
    );
    expect(parseHash(directMessageUrl([3, 9]).slice(1))).toEqual(placeRoute({ user_ids: [3, 9] }));
  });

  test.each([
    ["#narrow/channel/1-launch/topic/countdown/near/7", placeRoute({ stream_id: 1, topic: "countdown" }, 7)],
    ["#narrow/stream/1-launch/subject/a.2Fb.2Ec", placeRoute({ stream_id: 1, topic: "a/b.c" })],
    ["#narrow/stream/1-launch/topic/50%25", placeRoute({ stream_id: 1, topic: "50%" })],
    [
      "#narrow/pm-with/9,3-group",
      { view: "messages", terms: [{ operator: "dm", operand: "9,3", negated: false }] },
    ],
    ["#narrow/is/private", { view: "messages", terms: [{ operator: "is", operand: "dm", negated: false }] }],
    [
      "#narrow/-is/starred",
      { view: "messages", terms: [{ operator: "is", operand: "starred", negated: true }] },
    ],
    [
      "#narrow/channel/1-launch/topic/countdown/date/2026-11-20",
      { ...placeRoute({ stream_id: 1, topic: "countdown" }), date: "2026-11-20" },
    ],
    [
      "#narrow/date/2026-02-30",
      { view: "messages", terms: [{ operator: "date", operand: "2026-02-30", negated: false }] },
    ],
    ["#narrow", { view: "messages", terms: [] }],
    ["#all_messages", { view: "feed" }],
    ["#streams/all", { view: "channels", section: "all" }],
    ["#topics/channel/5-design", { view: "topics", channel: 5 }],
    ["#organization/people/7", { view: "organization", section: "people", path: ["7"] }],
    ["#organization//7", { view: "organization" }],
    ["#topics/5", null],
    ["#narrow/channel", null],
    ["#nowhere", null],
    ["#user/me", null],
    ["", null],
  ] as const)("%s", (hash, route) => expect(parseHash(hash)).toEqual(route as Route | null));

  test("that is damaged is read as far as possible, without an error", () => {
    fc.assert(fc.property(fc.string(), (hash) => void parseHash(`#narrow/${hash}`)));
    fc.assert(fc.property(fc.string(), (hash) => void parseHash(hash)));
  });
});

describe("the place of a narrow", () => {
  test("names its conversation, if there is exactly one", () => {
    const placeIn = (hash: string) => {
      const route = parseHash(hash);
      return route?.view === "messages" ? placeOfTerms(route.terms) : null;
    };
    expect(placeIn("#narrow/channel/1-launch/topic/countdown/with/7")).toEqual({
      stream_id: 1,
      topic: "countdown",
    });
    expect(placeIn("#narrow/dm/9,3-group")).toEqual({ user_ids: [3, 9] });
    for (const hash of [
      "#narrow/channel/1",
      "#narrow/-dm/3",
      "#narrow/dm/3/search/x",
      "#narrow/is/dm",
      "#narrow",
    ])
      expect(placeIn(hash)).toBeNull();
  });
});
