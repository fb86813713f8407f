// The slowest allowed requests of every endpoint: the largest page, the largest body, the longest lists, the texts that are
// slowest to render or search. An endpoint without a row is tried with the largest parameters that its rules accept. Add a row if
// its cost also depends on something else, such as the number of people, channels or messages.
import { deflateSync } from "node:zlib";
import { lookCommand } from "@/operations/command-line/schema.ts";
import { largeGif, pngOf } from "../pictures.ts";
import type { Method, Params } from "../requests.ts";
import { type Filled, opening, prolific, wanted } from "./filled.ts";
import { differing, hostileTexts } from "./hostile.ts";

export interface Ask {
  method: Method;
  /** Relative to the root of the server. */
  path: string;
  params?: Params;
  /** A form as raw text, instead of parameters. */
  text?: string;
  /** Instead of parameters. */
  form?: FormData;
  as: "owner" | "bot" | "first" | "second" | "nobody";
}

export interface Case {
  what: string;
  /** True if the request is refused, because it exceeds a limit or names something that does not exist. */
  isRefused?: true;
  /** True if the request may be refused or not. */
  isAnyAnswer?: true;
  /** The request of try number `nth`, from 0; each try changes something else. */
  ask: (filled: Filled, nth: number) => Ask;
  /** Comes before try number `nth`, such as a change that empties a cache; its own stall does not count. */
  before?: (filled: Filled, nth: number) => Ask;
  /** Undoes try number `nth`, if the next try would be refused otherwise. */
  undo?: (filled: Filled, nth: number) => Ask;
}

type Target = string | ((filled: Filled, nth: number) => string);
type Sent = Params | ((filled: Filled, nth: number) => Params);

function request(method: Method, path: Target, params: Sent, what: string, as: Ask["as"] = "owner"): Case {
  return {
    what,
    ask: (filled, nth) => ({
      method,
      path: `/api/v1${typeof path === "string" ? path : path(filled, nth)}`,
      params: typeof params === "function" ? params(filled, nth) : params,
      as,
    }),
  };
}
const get = (path: Target, params: Sent = {}, what = "all of it") => request("GET", path, params, what);
const post = (path: Target, params: Sent = {}, what = "as much as there may be") =>
  request("POST", path, params, what);
const patch = (path: Target, params: Sent = {}, what = "as much as there may be") =>
  request("PATCH", path, params, what);
const remove = (path: Target, params: Sent = {}, what = "as much as there may be") =>
  request("DELETE", path, params, what);
/** What a console elsewhere asks. */
const look = (what: string, asked: unknown) =>
  post("/command", { command: lookCommand, given: {}, input: JSON.stringify(asked) }, what);
const rowsOf = (screen: string, known: readonly string[]) => ({
  ask: "rows",
  chosen: {},
  screen,
  scope: null,
  known,
  from: known.length,
  width: 120,
  height: 35,
});
const atRoot = (made: Case): Case => ({
  ...made,
  ask: (filled, nth) => {
    const asked = made.ask(filled, nth);
    return { ...asked, path: asked.path.slice("/api/v1".length) };
  },
});
const undoneBy = (made: Case, { ask: undo }: Case): Case => ({ ...made, undo });
const after = ({ ask: before }: Case, made: Case): Case => ({ ...made, before });
/** An event of another tool, which is posted as a bot. */
const posted = (sender: string, payload: unknown, what: string): Case => ({
  what,
  ask: () => ({
    method: "POST",
    path: `/api/v1/external/${sender}`,
    text: JSON.stringify(payload),
    as: "bot",
  }),
});
const refused = (made: Case): Case => ({ ...made, isRefused: true });
const by = (as: Ask["as"], made: Case): Case => ({
  ...made,
  ask: (filled, nth) => ({ ...made.ask(filled, nth), as }),
});
const byNobody = (made: Case) => by("nobody", made);
const sending = (path: Target, what: string, form: () => FormData): Case => {
  const { ask } = post(path);
  return { what, ask: (filled, nth) => ({ ...ask(filled, nth), params: undefined, form: form() }) };
};

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const megabyte = "x".repeat(1_000_000);
const [width, height] = [5_000, 1_500];
/** Many pixels, few bytes. */
export const largePicture = pngOf(
  width,
  height,
  deflateSync(Buffer.alloc((width * 4 + 1) * height), { level: 1 }),
);
const maxText = "wörter ".repeat(1_500).slice(0, 10_000);
const each = (make: (name: string, text: string) => Case): Case[] =>
  Object.entries(hostileTexts).map(([name, text]) => make(name, text));

const manyParameters = [
  ["many parameters", times(80_000, (i) => `p${i}=1`).join("&")],
  ["one parameter, often", "a=1&".repeat(250_000)],
  ["escapes", "%41=%42&".repeat(125_000)],
] as const;

/** JSON that takes long to parse for its length. */
const hostileJson = [
  ["lists in lists", "[".repeat(450_000) + "]".repeat(450_000)],
  ["many names", `{${times(90_000, (i) => `"${i.toString(36)}":1`).join()}}`],
  ["many empty objects", `[${"{},".repeat(330_000)}1]`],
] as const;

const search = (operand: string, negated = false) => ({ operator: "search", operand, negated });
const inLong = (filled: Filled) => [
  { operator: "channel", operand: filled.everyone, negated: false },
  { operator: "topic", operand: "long", negated: false },
];
const page = (num_before: number, narrow: unknown) => ({
  anchor: "newest",
  num_before,
  num_after: 0,
  narrow,
});
const searches: readonly [what: string, terms: readonly ReturnType<typeof search>[]][] = [
  ["a word that all have", [search("harbour")]],
  ["the same word a hundred times", times(100, () => search("harbour"))],
  [
    "many words that all have",
    [search("harbour über release Zürich window crane lantern quiet backup naïve")],
  ],
  ["many phrases", times(30, (i) => search(`"harbour${" ".repeat(i)}"`))],
  ["many words that none has", times(30, (i) => search(`word${i}`, true))],
  ["a phrase without the index", [search('"e"')]],
  ["letters", [search("a e i o u")]],
];

const flagsOf = (filled: Filled, nth: number) => ({
  flag: "starred",
  op: nth % 2 === 0 ? "add" : "remove",
  messages: [...filled.messages.long, ...filled.messages.short, ...filled.messages.own].slice(0, 5_000),
});
const groupSetting = (filled: Filled) => ({
  direct_members: filled.people.slice(0, 1_000),
  direct_subgroups: filled.groups.slice(0, 1_000),
});
const lab = (place: number) => (filled: Filled, nth: number) => filled.labs[place + nth] ?? 0;
const labNames = (from: number, count: number) => times(count, (i) => `lab ${from + i}`);
const person = (place: number) => (filled: Filled, nth: number) => filled.people[place + nth] ?? 0;
const labPath = (place: number) => (filled: Filled, nth: number) => `/streams/${lab(place)(filled, nth)}`;

const movesOf = (place: number, group: string): Case[] => {
  const path = ({ groups }: Filled) => `/user_groups/${groups[place]}/members`;
  const joins = post(path, ({ people }) => ({ add: people.slice(100) }), `everybody joins ${group}`);
  const leaves = post(path, ({ people }) => ({ delete: people.slice(100) }), `everybody leaves ${group}`);
  return [undoneBy(joins, leaves), undoneBy(leaves, joins)];
};
const movesThatOpen = [
  ...movesOf(opening.one, "a group that opens a channel"),
  ...movesOf(opening.many, "a group that opens hundreds"),
];
const subgroupsOf = ({ groups }: Filled) => `/user_groups/${groups[11]}/subgroups`;
const allGroupsIn = post(subgroupsOf, ({ groups }) => ({ add: groups.slice(20, 900) }), "all groups");
const allGroupsOut = post(subgroupsOf, ({ groups }) => ({ delete: groups.slice(20, 900) }), "no group");

const storing = by(
  "bot",
  request(
    "PUT",
    "/bot_storage",
    (_, nth) => ({ storage: Object.fromEntries(times(19_000, (i) => [`fresh ${i}`, `${nth}`])) }),
    "many keys",
  ),
);

const changedLinkifier = patch("/realm/filters/2", (_, nth) => ({
  pattern: `T-(?P<id>[0-9]{${nth + 1}})`,
  url_template: "https://e.com/{id}",
}));

/** Empties what is kept of all groups, and of the settings of all channels. */
const renamedGroup = patch(
  ({ groups }) => `/user_groups/${groups[12]}`,
  () => ({ name: `renamed ${crypto.randomUUID()}` }),
);
const afterChange = (made: Case): Case => ({
  ...after(renamedGroup, made),
  what: `${made.what}, after a change of a group`,
});

/** Edits that concern everybody. */
const mentions = (mention: string, what: string) => {
  const own = ({ messages }: Filled, nth: number) => `/messages/${messages.own[12 + nth]}`;
  return {
    added: patch(own, { content: `to ${mention}` }, `mentions ${what}`),
    removed: patch(own, { content: "to nobody" }, `no longer mentions ${what}`),
  };
};

/** Somebody gets a role while their client listens, and had another. */
const roleOfListener = (from: number, to: number): Case => {
  const become = (role: number) =>
    patch("/users/p1@example.com", { role }, `role ${to} instead of ${from}, while one listens`);
  return undoneBy(after(by("first", post("/register")), become(to)), become(from));
};

/** By operation ID. */
export const worstCases: Record<string, readonly Case[]> = {
  "get-messages": [
    get("/messages", page(5_000, []), "the longest page"),
    after(
      changedLinkifier,
      get("/messages", page(5_000, []), "the longest page, with the links of two thousand topics to find"),
    ),
    get(
      "/messages",
      { anchor: "first_unread", num_before: 2_500, num_after: 2_500, client_gravatar: false },
      "around the first unread one",
    ),
    ...searches.map(([what, terms]) =>
      get(
        "/messages",
        { anchor: "date", anchor_date: "2020-01-01", num_before: 2_500, num_after: 2_500, narrow: terms },
        `from a day on, searching everywhere ${what}`,
      ),
    ),
    ...["unread", "muted", "followed", "alerted", "mentioned", "resolved"].map((operand) =>
      get(
        "/messages",
        page(
          5_000,
          times(30, () => ({ operator: "is", operand, negated: operand !== "unread" })),
        ),
        `${operand} thirty times`,
      ),
    ),
    get("/messages", (filled) => page(5_000, inLong(filled)), "the longest messages"),
    get(
      "/messages",
      (filled) => ({ ...page(5_000, inLong(filled)), apply_markdown: false }),
      "the longest sources",
    ),
    get(
      "/messages",
      (filled) => ({ message_ids: filled.messages.short.slice(0, 1_000) }),
      "a thousand by ID",
    ),
    get(
      "/messages",
      ({ messages: { own } }) => page(10, [{ operator: "id", operand: own[0], negated: false }]),
      "the longest past",
    ),
    ...searches.flatMap(([what, terms]) => [
      get("/messages", (filled) => page(5_000, [...inLong(filled), ...terms]), `searching ${what}`),
      get("/messages", page(5_000, terms), `searching everywhere ${what}`),
    ]),
    get(
      "/messages",
      page(5_000, [{ operator: "dm", operand: times(1_000, (i) => i + 4), negated: false }]),
      "a thousand people",
    ),
    get(
      "/messages",
      page(
        5_000,
        times(32, (i) => ({ operator: "topic", operand: `topic ${i}`, negated: true })),
      ),
      "as many terms as there may be",
    ),
    get(
      "/messages",
      page(
        5_000,
        times(32, (i) => ({ operator: "dm-including", operand: i + 10, negated: true })),
      ),
      "as many terms of people",
    ),
  ],
  "check-messages-match-narrow": searches.map(([what, terms]) =>
    get(
      "/messages/matches_narrow",
      (filled) => ({ msg_ids: filled.messages.long.slice(0, 150), narrow: terms }),
      `searching ${what}`,
    ),
  ),
  "update-message-flags": [
    post("/messages/flags", flagsOf, "five thousand messages"),
    post(
      "/messages/flags",
      (filled, nth) => ({ ...flagsOf(filled, nth + 1), flag: "read" }),
      "reading, or keeping unread",
    ),
    refused(
      post(
        "/messages/flags",
        { flag: "read", op: "add", messages: times(50_000, (i) => i + 1) },
        "messages that are none",
      ),
    ),
    ...hostileJson.map(([what, json]) => ({
      ...refused(post("/messages/flags", {}, what)),
      ask: () => ({
        method: "POST" as const,
        path: "/api/v1/messages/flags",
        text: `flag=read&op=add&messages=${json}`,
        as: "owner" as const,
      }),
    })),
  ],
  "update-message-flags-for-narrow": searches.flatMap(([what, terms]) => [
    post(
      "/messages/flags/narrow",
      (filled, nth) => ({
        ...page(5_000, [...inLong(filled), ...terms]),
        flag: "starred",
        op: nth % 2 ? "remove" : "add",
      }),
      `searching ${what}`,
    ),
    post(
      "/messages/flags/narrow",
      (_, nth) => ({ ...page(5_000, terms), flag: "read", op: nth % 2 ? "add" : "remove" }),
      `reading everywhere ${what}`,
    ),
  ]),
  "mark-all-as-read": [post("/mark_all_as_read")],
  "mark-stream-as-read": [post("/mark_stream_as_read", (filled) => ({ stream_id: filled.everyone }))],
  "mark-topic-as-read": [
    post("/mark_topic_as_read", (filled) => ({ stream_id: filled.everyone, topic_name: "long" })),
  ],
  "get-read-receipts": [get(({ messages }) => `/messages/${messages.long[3]}/read_receipts`)],
  "render-message": [
    ...each((name, content) => post("/messages/render", { content }, name)),
    post("/messages/render", { content: megabyte }, "the largest body"),
    ...manyParameters.map(([what, text]) => ({
      ...post("/messages/render", {}, what),
      isRefused: true as const,
      ask: () => ({ method: "POST" as const, path: "/api/v1/messages/render", text, as: "owner" as const }),
    })),
  ],
  "send-message": [
    ...each((name, content) =>
      post(
        "/messages",
        (filled) => ({ type: "channel", to: filled.everyone, topic: "hostile", content }),
        name,
      ),
    ),
    post(
      "/messages",
      (filled) => ({ type: "channel", to: filled.everyone, topic: "x", content: "@**all** @*crowd*" }),
      "to ten thousand",
    ),
    post(
      "/messages",
      (filled) => ({ type: "direct", to: filled.people.slice(0, 1_000), content: "hi" }),
      "to a thousand people",
    ),
    post(
      "/messages",
      { type: "direct", to: times(50_000, () => 1), content: "hi" },
      "to one person, named often",
    ),
    post(
      "/messages",
      (filled) => ({ type: "channel", to: filled.everyone, topic: megabyte, content: "hi" }),
      "the longest topic",
    ),
    post(
      "/messages",
      (filled) => ({ type: "channel", to: filled.everyone, topic: "x", content: megabyte }),
      "the largest body",
    ),
  ],
  "update-message": [
    ...[...differing, hostileTexts.lines, hostileTexts.domains].map((content) =>
      patch(
        ({ messages }) => `/messages/${messages.own[10]}`,
        (_, nth) => ({ content: `${nth}${content?.slice(1)}` }),
        "a long text",
      ),
    ),
    ...[
      mentions("@*crowd*", "a group of all"),
      mentions("@**all**", "everybody"),
      mentions("ahoy", "an alert word that all have"),
    ].flatMap(({ added, removed }) => [undoneBy(added, removed), after(added, removed)]),
    patch(
      ({ messages }) => `/messages/${messages.own[wanted]}`,
      (_, nth) => ({ content: `${nth}${hostileTexts.domains?.slice(1)}` }),
      "of which everybody wants to be reminded",
    ),
    // Last, so that the reminders are soon renewed: that of the text above would go on during the next requests.
    patch(
      ({ messages }) => `/messages/${messages.own[wanted]}`,
      (_, nth) => ({ content: `short ${nth}` }),
      "of which everybody wants to be reminded, a short text",
    ),
    patch(
      ({ messages }, nth) => `/messages/${messages.own[(messages.own.length ?? 1) - 1 - nth]}`,
      (_, nth) => ({ topic: `renamed ${nth}`, propagate_mode: "change_all" }),
      "a topic of two thousand messages",
    ),
    patch(
      ({ messages }, nth) => `/messages/${messages.own[(messages.own.length ?? 1) - 4 - nth]}`,
      ({ labs }, nth) => ({
        stream_id: labs[900 + nth],
        topic: `moved ${nth}`,
        propagate_mode: "change_all",
      }),
      "a topic to another channel",
    ),
  ],
  "delete-topic": [
    post(({ moving }, nth) => `/streams/${moving[nth]}/delete_topic`, { topic_name: "moving" }),
  ],
  "delete-message": [
    remove(({ messages }, nth) => `/messages/${messages.own[30 + nth]}`),
    remove(
      ({ messages }, nth) => `/messages/${messages.own[wanted + 1 + nth]}`,
      {},
      "of which everybody wants to be reminded, and waits for a mail",
    ),
  ],
  "get-message": [
    get(({ messages }) => `/messages/${messages.own[0]}`),
    get(({ messages }) => `/messages/${messages.own[1]}`),
  ],
  "get-message-history": [get(({ messages }) => `/messages/${messages.own[0]}/history`)],
  "get-stream-topics": [get(({ everyone }) => `/users/me/${everyone}/topics`)],
  "report-message": [
    post(({ messages }, nth) => `/messages/${messages.long[200 + nth]}/report`, {
      report_type: "other",
      description: "x".repeat(1_000),
    }),
  ],
  "get-reports": [
    get("/reports", { limit: 1000 }),
    get("/reports", { limit: 1000, is_handled: true, report_type: "spam" }, "of which none is found"),
  ],
  "get-report": [get("/reports/401")],
  "handle-report": [
    patch(
      (_, nth) => `/reports/${nth + 1}`,
      { is_handled: true, delete_message: true, note: "x".repeat(1_000), warning: "x".repeat(1_000) },
      "of which a hundred people reported the message",
    ),
  ],
  "add-reaction": [
    post(
      ({ messages }) => `/messages/${messages.own[0]}/reactions`,
      (_, nth) => ({ emoji_name: ["smile", "heart", "tada"][nth] }),
    ),
  ],
  "remove-reaction": [
    undoneBy(
      remove(({ messages }) => `/messages/${messages.own[0]}/reactions`, { emoji_name: "smile" }),
      post(({ messages }) => `/messages/${messages.own[0]}/reactions`, { emoji_name: "smile" }),
    ),
  ],
  "post-external": [
    posted("json", { list: times(40_000, (i) => [i, "x"]) }, "a large document"),
    refused(posted("json", Object.fromEntries(times(90_000, (i) => [i.toString(36), 1])), "many names")),
    posted(
      "slack_incoming",
      { attachments: times(80, () => ({ text: "*a <".repeat(2_500) })) },
      "much markup",
    ),
    posted("slack_incoming", { text: "```".repeat(300_000) }, "code that never ends"),
    posted(
      "grafana",
      { status: "firing", alerts: times(900, () => ({ annotations: { summary: "<!--".repeat(250) } })) },
      "many alerts",
    ),
  ],
  "post-submessage": [
    post("/submessage", ({ messages }) => ({
      message_id: messages.own[2],
      msg_type: "widget",
      content: JSON.stringify({ a: "x".repeat(9_000) }),
    })),
  ],
  "set-typing-status": [
    post("/typing", ({ people }) => ({ op: "start", to: people.slice(0, 1_000) }), "to a thousand"),
    post(
      "/typing",
      ({ everyone }) => ({ op: "start", type: "channel", stream_id: everyone, topic: "long" }),
      "to all",
    ),
  ],
  "set-typing-status-for-message-edit": [
    post(({ messages }) => `/messages/${messages.own[5]}/typing`, { op: "start" }),
  ],

  "get-streams": [
    get("/streams", { include_all: true }),
    afterChange(get("/streams", { include_all: true })),
    get("/streams", { include_public: true, include_default: true }, "all that are public"),
  ],
  "get-stream-by-id": [get(({ everyone }) => `/streams/${everyone}`)],
  "get-stream-id": [get("/get_stream_id", { stream: "everyone" })],
  "get-stream-email-address": [get(({ everyone }) => `/streams/${everyone}/email_address`)],
  "create-big-blue-button-video-call": [
    refused(get("/calls/bigbluebutton/create", { meeting_name: "x".repeat(2_000) })),
  ],
  "post-calls-zoom-create": [refused(post("/calls/zoom/create"))],
  "get-subscribers": [get(({ everyone }) => `/streams/${everyone}/members`)],
  "create-channel": [
    post(
      "/channels/create",
      ({ people }, nth) => ({ name: `whole ${nth}`, subscribers: people, announce: false }),
      "everybody in it",
    ),
    post(
      "/channels/create",
      (filled, nth) => ({
        name: `settings ${nth}`,
        subscribers: [],
        can_send_message_group: groupSetting(filled),
      }),
      "a thousand in a setting",
    ),
    post(
      "/channels/create",
      (_, nth) => ({ name: `x ${nth}`, subscribers: times(50_000, () => 1) }),
      "one person, named often",
    ),
    post(
      "/channels/create",
      (_, nth) => ({
        name: `received ${nth}`,
        subscribers: [],
        description: hostileTexts["custom emoji"]?.slice(0, 1_000),
      }),
      "a hostile description",
    ),
  ],
  "update-stream": [
    patch(
      ({ everyone }) => `/streams/${everyone}`,
      (_, nth) => ({ new_name: `everyone${nth}` }),
      "its name",
    ),
    patch(
      ({ everyone }) => `/streams/${everyone}`,
      (_, nth) => ({ is_private: nth % 2 === 0, history_public_to_subscribers: nth % 2 === 1 }),
      "its privacy",
    ),
    patch(
      labPath(700),
      (filled) => ({ can_send_message_group: { new: groupSetting(filled) } }),
      "a thousand in a setting",
    ),
  ],
  "archive-stream": [remove(labPath(990))],
  subscribe: [
    post(
      "/users/me/subscriptions",
      ({ people }, nth) => ({
        subscriptions: [{ name: `crowd ${nth}` }],
        principals: people,
        announce: false,
      }),
      "everybody to a new channel",
    ),
    post(
      "/users/me/subscriptions",
      ({ people }, nth) => ({ subscriptions: [{ name: `lab ${600 + nth}` }], principals: people }),
      "everybody to one channel",
    ),
    post(
      "/users/me/subscriptions",
      (_, nth) => ({ subscriptions: times(1_000, (i) => ({ name: `new ${nth}-${i}` })) }),
      "a thousand new channels",
    ),
    post(
      "/users/me/subscriptions",
      { subscriptions: times(900, (i) => ({ name: `lab ${i + 1}` })) },
      "hundreds of channels one is in",
    ),
    post(
      "/users/me/subscriptions",
      ({ people }, nth) => ({
        subscriptions: labNames(300, 200).map((name) => ({ name })),
        principals: people.slice(nth * 500 + 5_000, nth * 500 + 5_200),
      }),
      "many to many",
    ),
    refused(
      post(
        "/users/me/subscriptions",
        ({ people }) => ({
          subscriptions: times(1_000, (i) => ({ name: `lab ${i + 1}` })),
          principals: people,
        }),
        "everybody to a thousand channels",
      ),
    ),
  ],
  unsubscribe: [
    remove(
      "/users/me/subscriptions",
      ({ people }, nth) => ({ subscriptions: [`lab ${600 + nth}`], principals: people }),
      "everybody from one channel",
    ),
    remove(
      "/users/me/subscriptions",
      ({ people }, nth) => ({
        subscriptions: labNames(300, 200),
        principals: people.slice(nth * 500 + 5_000, nth * 500 + 5_200),
      }),
      "many from many",
    ),
    remove("/users/me/subscriptions", { subscriptions: labNames(801, 190) }, "two hundred channels"),
  ],
  "update-subscriptions": [
    patch("/users/me/subscriptions", {
      add: labNames(801, 190).map((name) => ({ name })),
      delete: labNames(500, 100),
    }),
  ],
  "get-subscriptions": [
    get("/users/me/subscriptions"),
    afterChange(get("/users/me/subscriptions")),
    get("/users/me/subscriptions", { include_subscribers: true }, "with subscribers"),
    get("/users/me/subscriptions", { include_subscribers: "partial" }, "with some subscribers"),
  ],
  "update-subscription-settings": [
    post("/users/me/subscriptions/properties", ({ labs }, nth) => ({
      subscription_data: labs
        .slice(0, 280)
        .flatMap((stream_id) => times(10, () => ({ stream_id, property: "is_muted", value: nth % 2 === 0 }))),
    })),
  ],
  "patch-users-me-subscriptions-stream-id": [
    patch(({ everyone }) => `/users/me/subscriptions/${everyone}`, { property: "is_muted", value: true }),
  ],
  "get-user-channels": [get(({ people }) => `/users/${people[0]}/channels`)],
  "get-subscription-status": [get(({ everyone, people }) => `/users/${people[0]}/subscriptions/${everyone}`)],
  "add-default-stream": [post("/default_streams", ({ labs }, nth) => ({ stream_id: labs[800 + nth] }))],
  "remove-default-stream": [remove("/default_streams", ({ labs }, nth) => ({ stream_id: labs[3 + nth] }))],
  "post-default-stream-groups-create": [
    post("/default_stream_groups/create", (_, nth) => ({
      group_name: `set ${nth}`,
      description: "d",
      stream_names: labNames(620, 150),
    })),
  ],
  "patch-default-stream-groups-group-id": [
    patch("/default_stream_groups/1", (_, nth) => ({
      new_group_name: `renamed ${nth}`,
      new_description: maxText.slice(0, 1_000),
    })),
  ],
  "patch-default-stream-groups-group-id-streams": [
    patch("/default_stream_groups/1/streams", { op: "remove", stream_names: labNames(620, 150) }),
  ],
  "delete-default-stream-groups-group-id": [remove((_, nth) => `/default_stream_groups/${nth + 1}`)],
  "get-channel-folders": [get("/channel_folders", { include_archived: true })],
  "patch-channel-folders": [patch("/channel_folders", { order: times(500, (i) => 500 - i) })],
  "create-channel-folder": [
    post("/channel_folders/create", (_, nth) => ({
      name: `made ${nth}`,
      description: hostileTexts.emphasis?.slice(0, 100),
    })),
  ],
  "update-channel-folder": [patch("/channel_folders/1", (_, nth) => ({ name: `renamed ${nth}` }))],

  "get-user-groups": [
    get("/user_groups", { include_deactivated_groups: true }),
    afterChange(get("/user_groups", { include_deactivated_groups: true })),
  ],
  "deactivate-user-group": [post(({ groups }, nth) => `/user_groups/${groups[1_000 - nth]}/deactivate`)],
  "create-user-group": [
    post(
      "/user_groups/create",
      ({ people }, nth) => ({ name: `whole ${nth}`, description: "d", members: people }),
      "everybody in it",
    ),
    post(
      "/user_groups/create",
      // The row above has deactivated the last groups.
      ({ groups }, nth) => ({
        name: `of groups ${nth}`,
        description: "d",
        members: [],
        subgroups: groups.slice(0, 900),
      }),
      "all groups in it",
    ),
    post(
      "/user_groups/create",
      (_, nth) => ({ name: `x ${nth}`, description: "d", members: times(50_000, () => 1) }),
      "one person, named often",
    ),
  ],
  "update-user-group": [
    patch(
      ({ groups }) => `/user_groups/${groups[1]}`,
      (filled, nth) => ({ name: `renamed ${nth}`, can_mention_group: { new: groupSetting(filled) } }),
    ),
  ],
  "get-user-group-members": [get(({ groups }) => `/user_groups/${groups[0]}/members`)],
  "update-user-group-members": [...movesOf(10, "a group"), ...movesThatOpen],
  "get-is-user-group-member": [get(({ groups, people }) => `/user_groups/${groups[0]}/members/${people[7]}`)],
  "get-user-group-subgroups": [get(({ groups }) => `/user_groups/${groups[0]}/subgroups`)],
  "update-user-group-subgroups": [undoneBy(allGroupsIn, allGroupsOut), undoneBy(allGroupsOut, allGroupsIn)],

  "get-users": [
    get("/users", { client_gravatar: false, include_custom_profile_fields: true }),
    get("/users", ({ people }) => ({ user_ids: people.slice(0, 1_000) }), "a thousand by ID"),
  ],
  "get-sign-ins": [get("/users/sign_ins"), get("/users/sign_ins", { after: 10_000 }, "people further on")],
  "create-user": [
    post("/users", (_, nth) => ({
      email: `new${nth}@example.com`,
      full_name: "x".repeat(90),
      password: `correct horse battery ${nth} staple`.repeat(2),
    })),
  ],
  "get-own-user": [get("/users/me"), afterChange(get("/users/me"))],
  "get-user": [get(({ people }) => `/users/${people[0]}`)],
  "get-user-by-email": [get("/users/p1@example.com")],
  "update-user": [
    patch(
      (filled, nth) => `/users/${person(10)(filled, nth)}`,
      (_, nth) => ({ role: nth % 2 ? 400 : 300, full_name: `Renamed ${nth}` }),
    ),
  ],
  "update-user-by-email": [
    roleOfListener(400, 600),
    roleOfListener(600, 400),
    roleOfListener(400, 200),
    roleOfListener(200, 400),
  ],
  "deactivate-user": [remove((filled, nth) => `/users/${person(9_000)(filled, nth)}`)],
  "count-sent": [get((filled, nth) => `/users/${person(8_900)(filled, nth)}/sent`)],
  "preview-erasure": [get((filled, nth) => `/users/${person(8_900)(filled, nth)}/erasure`)],
  "delete-messages-of-user": [post((filled, nth) => `/users/${person(8_900)(filled, nth)}/delete_messages`)],
  "erase-user": [
    post((filled, nth) => `/users/${person(8_900)(filled, nth)}/erase`, { messages: "keep" }),
    post((filled, nth) => `/users/${person(8_800)(filled, nth)}/erase`, { messages: "delete" }),
    post(
      (filled, nth) => `/users/${person(prolific.person)(filled, nth)}/erase`,
      { messages: "delete" },
      "somebody who has sent much",
    ),
  ],
  "reactivate-user": [post((filled, nth) => `/users/${person(9_000)(filled, nth)}/reactivate`)],
  "get-avatar-picture": [refused(atRoot(get("/user_avatars/1/0123456789abcdef.webp")))],
  "get-avatar": [atRoot(get("/avatar/1"))],
  "get-medium-avatar": [atRoot(get("/avatar/1/medium"))],
  "get-identicon": [atRoot(get("/user_avatars/identicon/0123456789abcdef.png"))],
  "update-settings": [
    patch("/settings", {
      full_name: "Olive",
      timezone: "Europe/Berlin",
    }),
  ],
  "update-display-settings": [patch("/settings/display", { color_scheme: 2 })],
  "update-notification-settings": [patch("/settings/notifications", { enable_sounds: false })],
  "update-realm-user-settings-defaults": [
    patch("/realm/user_settings_defaults", (_, nth) => ({ color_scheme: 1 + nth })),
  ],
  "post-zcommand": [refused(post("/zcommand", { command: megabyte }))],
  "get-user-status": [get(({ people }) => `/users/${people[0]}/status`)],
  "update-status": [
    post("/users/me/status", (_, nth) => ({ status_text: `here ${nth}`, emoji_name: "smile" })),
  ],
  "update-status-for-user": [
    post(({ people }) => `/users/${people[0]}/status`, { status_text: "x".repeat(60) }),
  ],
  "get-alert-words": [get("/users/me/alert_words")],
  "add-alert-words": [
    post("/users/me/alert_words", (_, nth) => ({ alert_words: times(30, (i) => `new word ${nth} ${i}`) })),
  ],
  "remove-alert-words": [
    remove("/users/me/alert_words", (_, nth) => ({
      alert_words: times(900, (i) => `alert word ${i + nth}`),
    })),
  ],
  "fetch-api-key": [
    refused(byNobody(post("/fetch_api_key", { username: "p1@example.com", password: "x".repeat(60_000) }))),
  ],
  "dev-fetch-api-key": [refused(byNobody(post("/dev_fetch_api_key", { username: "x".repeat(60_000) })))],

  "put-bot-storage": [storing],
  "get-bot-storage": [by("bot", get("/bot_storage"))],
  "delete-bot-storage": [
    undoneBy(by("bot", remove("/bot_storage", { keys: times(10_000, (i) => `fresh ${i}`) })), storing),
  ],
  "get-bots": [get("/bots")],
  "post-bots": [post("/bots", (_, nth) => ({ full_name: `Bot ${nth}`, short_name: `bot${nth}` }))],
  "patch-bots-bot-id": [
    patch(
      ({ bot }) => `/bots/${bot}`,
      (_, nth) => ({ full_name: `Storing ${nth}` }),
    ),
  ],
  "delete-bots-bot-id": [remove(({ bot }) => `/bots/${bot}`)],
  "post-bots-bot-id-api-key-regenerate": [post(({ bot }) => `/bots/${bot}/api_key/regenerate`)],

  "get-drafts": [get("/drafts")],
  "create-drafts": [
    post(
      "/drafts",
      ({ everyone }) => ({
        drafts: times(20, () => ({ type: "stream", to: [everyone], topic: "t", content: maxText })),
      }),
      "long ones",
    ),
    post(
      "/drafts",
      {
        drafts: times(70, () => ({
          type: "private",
          to: times(200, (i) => i + 4),
          topic: "t",
          content: "a",
        })),
      },
      "many ones",
    ),
  ],
  "edit-draft": [
    patch("/drafts/1", ({ everyone }) => ({
      draft: { type: "stream", to: [everyone], topic: "t", content: maxText },
    })),
  ],
  "delete-draft": [remove((_, nth) => `/drafts/${nth + 2}`)],
  "register-client-device": [post("/register_client_device")],
  "remove-client-device": [post("/remove_client_device", { device_id: 1 })],
  "get-saved-snippets": [get("/saved_snippets")],
  "create-saved-snippet": [post("/saved_snippets", { title: "t", content: maxText })],
  "edit-saved-snippet": [patch("/saved_snippets/1", { content: maxText })],
  "delete-saved-snippet": [remove((_, nth) => `/saved_snippets/${nth + 2}`)],
  "get-scheduled-messages": [get("/scheduled_messages")],
  "create-scheduled-message": [
    post(
      "/scheduled_messages",
      ({ everyone }) => ({
        type: "stream",
        to: everyone,
        topic: "t",
        content: hostileTexts.emphasis,
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
      "a hostile text",
    ),
    post(
      "/scheduled_messages",
      ({ people }) => ({
        type: "private",
        to: people.slice(0, 1_000),
        content: "a",
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
      "to a thousand",
    ),
  ],
  "update-scheduled-message": [patch("/scheduled_messages/1", { content: hostileTexts.table })],
  "delete-scheduled-message": [remove((_, nth) => `/scheduled_messages/${nth + 2}`)],
  "get-reminders": [get("/reminders")],
  "create-message-reminder": [
    post("/reminders", ({ messages }, nth) => ({
      message_id: messages.long[300 + nth],
      scheduled_delivery_timestamp: 4_000_000_000,
    })),
  ],
  "delete-reminder": [remove((_, nth) => `/reminders/${nth + 2}`)],
  "get-navigation-views": [get("/navigation_views")],
  "add-navigation-view": [
    post("/navigation_views", (_, nth) => ({
      fragment: `narrow/${nth}/${"x".repeat(1_900)}`,
      is_pinned: true,
      name: "n",
    })),
  ],
  "edit-navigation-view": [patch("/navigation_views/narrow%2Fis%2F1", { name: "m", is_pinned: true })],
  "remove-navigation-view": [remove((_, nth) => `/navigation_views/narrow%2Fis%2F${nth + 2}`)],
  "update-user-topic": [
    post("/user_topics", ({ everyone }, nth) => ({
      stream_id: everyone,
      topic: `fresh ${nth}`,
      visibility_policy: 3,
    })),
  ],
  "mute-topic": [
    patch("/users/me/subscriptions/muted_topics", ({ everyone }, nth) => ({
      stream_id: everyone,
      topic: `muted ${nth}`,
      op: "add",
    })),
  ],
  "mute-user": [post((filled, nth) => `/users/me/muted_users/${person(40)(filled, nth)}`)],
  "unmute-user": [remove((filled, nth) => `/users/me/muted_users/${person(40)(filled, nth)}`)],
  "post-users-me-onboarding-steps": [
    post("/users/me/onboarding_steps", { onboarding_step: "visibility_policy_banner" }),
  ],
  "get-attachments": [get("/attachments")],
  "get-upload-space": [get("/attachments/space")],
  "get-largest-files": [get("/attachments/largest?limit=200")],
  "get-space-of-users": [get("/attachments/users")],
  "get-unlinked-files": [get("/attachments/unlinked?older_than_days=0&limit=200")],
  "delete-unlinked-files": [remove("/attachments/unlinked?older_than_days=0")],
  "remove-attachment": [remove((_, nth) => `/attachments/${nth + 1}`)],
  "get-file-temporary-url": [get(({ picture }) => picture)],
  "check-thumbnail-status": [get(({ picture }) => picture.replace("/user_uploads/", "/thumbnail/status/"))],
  "get-thumbnail": [
    atRoot(
      get(({ picture }) => `${picture.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`),
    ),
  ],
  "get-temporary-file": [refused(atRoot(get("/user_uploads/temporary/4000000000/00/1/f1/name.txt")))],
  "get-uploaded-file": [atRoot(get(({ picture }) => picture))],

  "get-presence": [get("/realm/presence")],
  "get-user-presence": [refused(get("/users/p1@example.com/presence"))],
  "update-presence": [
    post("/users/me/presence", {
      status: "active",
      history_limit_days: 365,
      last_update_id: -1,
      slim_presence: true,
    }),
    post("/users/me/presence", { status: "active" }, "in the older form"),
  ],
  "get-custom-emoji": [get("/realm/emoji")],
  "deactivate-custom-emoji": [remove((_, nth) => `/realm/emoji/emoji_${nth + 100}`)],
  "get-emoji-picture": [refused(atRoot(get("/user_avatars/1/emoji/images/0123456789.webp")))],
  "get-emoji-data": [refused(atRoot(get("/static/emoji/0123456789abcdef.json")))],
  "get-extra-emoji-picture": [atRoot(get("/static/generated/emoji/images/emoji/unicode/confab.png"))],
  "get-linkifiers": [get("/realm/linkifiers")],
  "try-linkifiers": [
    get("/realm/linkifiers/trial", { text: "a-0ax ".repeat(160) }),
    get(
      "/realm/linkifiers/trial",
      (_, nth) => ({
        text: "a1b2c3d4 ".repeat(110),
        pattern: `(?P<id>(?:a|b|[a-z0-9]{1,9}){1,9}${nth})`,
        url_template: "https://e.com/{id}",
      }),
      "a hostile pattern",
    ),
  ],
  "reorder-linkifiers": [patch("/realm/linkifiers", { ordered_linkifier_ids: times(190, (i) => 190 - i) })],
  "add-linkifier": [
    post(
      "/realm/filters",
      (_, nth) => ({
        pattern: `(?P<id>(?:a|b|[a-z0-9]{1,9}){1,9}${nth})`,
        url_template: "https://e.com/{id}",
      }),
      "a hostile pattern",
    ),
    refused(
      post(
        "/realm/filters",
        { pattern: "(".repeat(900), url_template: "https://e.com/{id}" },
        "a broken pattern",
      ),
    ),
    refused(
      post(
        "/realm/filters",
        { pattern: `((a{1,100}){1,100}){1,100}`, url_template: "https://e.com/{id}" },
        "a pattern of many repeats",
      ),
    ),
  ],
  "update-linkifier": [
    patch("/realm/filters/1", (_, nth) => ({
      pattern: `x(?P<id>[a-f]{1,99}${nth})`,
      url_template: "https://e.com/{id}",
    })),
  ],
  "remove-linkifier": [remove((_, nth) => `/realm/filters/${nth + 100}`)],
  "add-code-playground": [
    post("/realm/playgrounds", (_, nth) => ({
      name: `new ${nth}`,
      pygments_language: "Rust",
      url_template: `https://e.com/${"{code}".repeat(300)}`,
    })),
  ],
  "remove-code-playground": [remove((_, nth) => `/realm/playgrounds/${nth + 1}`)],
  "get-custom-profile-fields": [get("/realm/profile_fields")],
  "create-custom-profile-field": [
    post("/realm/profile_fields", (_, nth) => ({
      field_type: 3,
      name: `choice ${nth}`,
      field_data: Object.fromEntries(times(200, (i) => [`${i}`, { text: `option ${i}`, order: `${i + 1}` }])),
    })),
    post("/realm/profile_fields", (_, nth) => ({ field_type: 1, name: `text ${nth}` })),
  ],
  "reorder-custom-profile-fields": [patch("/realm/profile_fields", { order: [2, 1] })],
  "get-profile-field-use": [get("/realm/profile_fields/1/use")],
  "patch-realm-profile-fields-field-id": [
    patch("/realm/profile_fields/1", (_, nth) => ({ name: `renamed ${nth}` })),
  ],
  "patch-users-me-profile-data": [
    patch("/users/me/profile_data", { data: [{ id: 2, value: hostileTexts.emphasis?.slice(0, 50) }] }),
  ],
  "delete-users-me-profile-data": [remove("/users/me/profile_data", { data: [2] })],
  "delete-realm-profile-fields-field-id": [remove((_, nth) => `/realm/profile_fields/${nth + 1}`)],

  "get-server-settings": [byNobody(get("/server_settings"))],
  "get-realm-domains": [get("/realm/domains")],
  "post-realm-domains": [
    post("/realm/domains", (_, nth) => ({ domain: `new${nth}.example.com`, allow_subdomains: true })),
  ],
  "patch-realm-domains-domain": [patch("/realm/domains/d1.example.com", { allow_subdomains: true })],
  "delete-realm-domains-domain": [remove((_, nth) => `/realm/domains/d${nth + 5}.example.com`)],
  "get-realm-icon": [get("/realm/icon")],
  "delete-realm-icon": [remove("/realm/icon")],
  "get-realm-logo": [get("/realm/logo", { night: false })],
  "delete-realm-logo": [remove("/realm/logo", { night: false })],
  "get-realm-picture": [refused(atRoot(get("/user_avatars/1/realm/0123456789.webp")))],
  "update-realm": [
    patch("/realm", (_, nth) => ({ description: `${hostileTexts.emphasis?.slice(0, 900)}${nth}` })),
    patch(
      "/realm",
      (filled) => ({ can_create_groups: { new: groupSetting(filled) } }),
      "a thousand in a setting",
    ),
  ],
  "get-invites": [get("/invites")],
  "send-invites": [
    post(
      "/invites",
      (filled, nth) => ({ invitee_emails: `one${nth}@example.com`, stream_ids: filled.labs.slice(0, 280) }),
      "many channels",
    ),
    post(
      "/invites",
      (_, nth) => ({
        invitee_emails: times(90, (i) => `invited${nth}-${i}@example.com`).join(","),
        stream_ids: [],
      }),
      "many addresses",
    ),
  ],
  "create-invite-link": [
    post("/invites/multiuse", ({ labs, groups }) => ({
      stream_ids: labs.slice(0, 280),
      group_ids: groups.slice(0, 900),
    })),
  ],
  "revoke-invite-link": [remove((_, nth) => `/invites/multiuse/${nth + 1}`)],
  "revoke-email-invite": [remove((_, nth) => `/invites/${nth + 1}`)],
  "resend-email-invite": [post((_, nth) => `/invites/${nth + 10}/resend`)],
  "test-welcome-bot-custom-message": [
    post("/realm/test_welcome_bot_custom_message", {
      welcome_message_custom_text: hostileTexts.emphasis?.slice(0, 8_000),
    }),
  ],
  "sign-in": [
    refused(
      byNobody(atRoot(post("/login", { username: "nobody@example.com", password: "x".repeat(60_000) }))),
    ),
  ],
  "get-login-link": [refused(byNobody(atRoot(get("/login/link/none"))))],
  "follow-login-link": [refused(byNobody(atRoot(post("/login/link/none"))))],
  "make-handover": [refused(post("/users/me/sessions/handovers"))],
  "follow-handover": [
    refused(byNobody(atRoot(post("/login/handover", { secret: "none", token: "x".repeat(64) })))),
  ],
  arrive: [
    refused(
      byNobody(
        atRoot(
          post("/login/arrival", {
            token: "x".repeat(64),
            fragment: "",
            kept: { "draft 9 x": "<".repeat(50_000) },
          }),
        ),
      ),
    ),
  ],
  "get-first-visit": [refused(byNobody(atRoot(get("/first-visit/none"))))],
  "complete-first-visit": [refused(byNobody(atRoot(post("/first-visit/none"))))],
  "dev-sign-in": [refused(byNobody(atRoot(post("/login/dev", { username: "nobody@example.com" }))))],
  "sign-out": [atRoot(post("/logout"))],
  "get-two-step": [get("/users/me/two_step")],
  "begin-two-step": [post("/users/me/two_step")],
  "confirm-two-step": [refused(post("/users/me/two_step/confirm", { code: "9".repeat(60_000) }))],
  "end-two-step": [refused(remove("/users/me/two_step", { code: "9".repeat(60_000) }))],
  "renew-recovery-codes": [refused(post("/users/me/two_step/recovery_codes", { code: "9".repeat(60_000) }))],
  "get-user-two-step": [get("/users/9/two_step")],
  "reset-two-step": [refused(remove("/users/9/two_step"))],
  "get-two-step-demand": [get("/realm/two_step")],
  "set-two-step-demand": [patch("/realm/two_step", { required: false })],
  "get-sessions": [get("/users/me/sessions")],
  "end-session": [refused(remove("/users/me/sessions/999999"))],
  "end-other-sessions": [remove("/users/me/sessions")],
  "get-user-sessions": [get("/users/9/sessions")],
  "end-user-session": [refused(remove("/users/9/sessions/999999"))],
  "end-user-sessions": [remove("/users/9/sessions")],
  "get-user-keys": [get("/users/9/keys")],
  // Of somebody who does not exist: these tests need their own keys.
  "end-user-key": [refused(remove("/users/999999/keys/1"))],
  "end-user-keys": [refused(remove("/users/999999/keys"))],
  "get-client-page": [byNobody(atRoot(get("/")))],
  "get-sign-in-page": [byNobody(atRoot(get("/login")))],
  "get-client-file": [refused(byNobody(atRoot(get("/static/web/none.js"))))],
  "get-service-worker": [byNobody(atRoot(get("/service-worker.js")))],
  "get-web-manifest": [byNobody(atRoot(get("/manifest.webmanifest")))],
  "get-unsubscribe-page": [refused(byNobody(atRoot(get(`/mail/unsubscribe/${"x".repeat(2_000)}`))))],
  "unsubscribe-from-mail": [refused(byNobody(atRoot(post(`/mail/unsubscribe/${"x".repeat(2_000)}`))))],
  "get-join-page": [refused(byNobody(atRoot(get("/join/key900"))))],
  join: [
    refused(
      byNobody(
        atRoot(
          post("/join/key901", {
            full_name: "Joining",
            email: "joining@example.com",
            password: "correct horse battery staple",
          }),
        ),
      ),
    ),
  ],

  "get-health": [byNobody(atRoot(get("/health")))],
  "get-metrics": [atRoot(get("/metrics"))],
  "run-command": [
    post("/command", { command: "user list", given: {} }, "everybody"),
    afterChange(post("/command", { command: "channel list", given: {} }, "all channels")),
    afterChange(post("/command", { command: "group list", given: {} }, "all groups")),
    look("the screens of a console elsewhere", { ask: "screens" }),
    afterChange(look("its first people", rowsOf("Users", []))),
    afterChange(look("its other people", rowsOf("Users", ["another"]))),
    afterChange(look("its first channels", rowsOf("Channels", []))),
    afterChange(look("its other channels", rowsOf("Channels", ["another"]))),
    look("its newest messages", rowsOf("Messages", [])),
    look("its overview", rowsOf("Overview", [])),
    look("its settings", rowsOf("Settings", [])),
    // Another case has changed who may create groups.
    after(
      patch("/realm", ({ owner }) => ({
        can_create_groups: { new: { direct_members: [owner], direct_subgroups: [] } },
      })),
      look("its people to choose from", {
        ask: "picks",
        chosen: {},
        screen: "Groups",
        scope: null,
        of: "create",
        id: null,
        field: "members",
      }),
    ),
  ],
  "get-server-log": [atRoot(get("/metrics/log", { limit: 1000 }, "a thousand lines"))],
  // A standalone server refuses it.
  "get-nodes": [refused(atRoot(get("/metrics/nodes")))],
  "make-snapshot": [refused(atRoot(post("/metrics/nodes/snapshot")))],
  "drain-node": [refused(atRoot(post("/metrics/nodes/drain")))],
  "undrain-node": [refused(atRoot(post("/metrics/nodes/undrain")))],
  "get-queues": [atRoot(get("/metrics/queues"))],
  "get-server-state": [atRoot(get("/metrics/server"))],
  // The server of these tests sends no mail.
  "test-mail": [refused(post("/mail/test"))],
  "register-queue": [
    post("/register", {}, "an old client"),
    afterChange(post("/register", {}, "an old client")),
    post(
      "/register",
      {
        client_capabilities: {
          user_list_incomplete: true,
          linkifier_url_template: true,
          archived_channels: true,
          empty_topic_name: true,
        },
        include_subscribers: "partial",
        slim_presence: true,
      },
      "a new client",
    ),
    post("/register", { include_subscribers: true }, "with subscribers"),
    post("/register", { narrow: times(100, (i) => ["topic", `topic ${i}`]) }, "a long narrow"),
  ],
  "get-events": [
    refused(get("/events", { queue_id: megabyte.slice(0, 4_000), last_event_id: -1, dont_block: true })),
  ],
  "delete-queue": [refused(remove("/events", { queue_id: megabyte }))],
  "get-realm-exports": [get("/export/realm")],
  "get-realm-export-consents": [
    get("/export/realm/consents"),
    get("/export/realm/consents", ({ people }) => ({ user_id: people[0] }), "that of one person"),
  ],
  "export-realm": [post("/export/realm", { export_type: 1 })],
  "delete-export-realm-export-id": [refused(remove((_, nth) => `/export/realm/${nth + 1}`))],
  "export-user": [
    after(
      patch("/settings", { allow_private_data_export: true }),
      post(({ owner }) => `/users/${owner}/export`),
    ),
  ],
  "get-export-file": [refused(atRoot(get("/exports/0123456789abcdef")))],
};

const privacy = (isPrivate: boolean, what: string) =>
  patch(
    ({ everyone }) => `/streams/${everyone}`,
    { is_private: isPrivate, history_public_to_subscribers: !isPrivate },
    what,
  );
const becomesPrivate = privacy(true, "a channel becomes private in front of everybody, with their stars");
const becomesPublic = privacy(false, "it becomes public again");

/** Tried while everybody listens. */
export const inFrontOfAll: readonly Case[] = [
  undoneBy(becomesPrivate, becomesPublic),
  undoneBy(becomesPublic, becomesPrivate),
  ...movesThatOpen,
];

/** Uploads, whose bodies are files. */
const sent = (bytes: Uint8Array<ArrayBuffer>, name: string) => () => {
  const form = new FormData();
  form.append("file", new File([bytes], name));
  return form;
};
const manyParts = () => {
  const form = new FormData();
  for (let i = 0; i < 900; i++) form.append(`p${i}`, "x");
  return form;
};
const bytes = new Uint8Array(8_000_000).fill(65);
const animation = largeGif(1_400);
Object.assign(worstCases, {
  "upload-file": [
    sending("/user_uploads", "a large file", sent(bytes, "a.txt")),
    sending("/user_uploads", "a large picture", sent(largePicture, "a.png")),
    refused(sending("/user_uploads", "many parts", manyParts)),
  ],
  "upload-custom-emoji": [
    sending((_, nth) => `/realm/emoji/moving_${nth}`, "a large animation", sent(animation, "a.gif")),
    sending((_, nth) => `/realm/emoji/large_${nth}`, "a large picture", sent(largePicture, "a.png")),
    refused(
      sending(
        (_, nth) => `/realm/emoji/drawn_${nth}`,
        "no picture",
        sent(bytes.slice(0, 4_000_000), "a.png"),
      ),
    ),
  ],
  "post-users-me-avatar": [
    sending("/users/me/avatar", "a large animation", sent(animation, "a.gif")),
    sending("/users/me/avatar", "a large picture", sent(largePicture, "a.png")),
    refused(sending("/users/me/avatar", "no picture", sent(bytes.slice(0, 4_000_000), "a.png"))),
  ],
  "post-realm-icon": [
    sending("/realm/icon", "a large animation", sent(animation, "a.gif")),
    sending("/realm/icon", "a large picture", sent(largePicture, "a.png")),
    refused(sending("/realm/icon", "no picture", sent(bytes.slice(0, 4_000_000), "a.png"))),
  ],
  "post-realm-logo": [
    sending("/realm/logo?night=false", "a large animation", sent(animation, "a.gif")),
    sending("/realm/logo?night=false", "a large picture", sent(largePicture, "a.png")),
    refused(sending("/realm/logo", "no picture", sent(bytes.slice(0, 4_000_000), "a.png"))),
  ],
  "delete-users-me-avatar": [remove("/users/me/avatar")],
  // These delete what other requests need.
  "post-users-me-api-key-regenerate": [by("first", post("/users/me/api_key/regenerate"))],
  "deactivate-own-user": [by("second", remove("/users/me"))],
  "post-realm-deactivate": [post("/realm/deactivate")],
});
