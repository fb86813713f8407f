// What is kept in memory of messages for pages: the answers are those of a server that has just started, whatever happened before.

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { open } from "@/app.ts";
import { updateFlags } from "@/messaging/flags/actions.ts";
import { takeAlteredMessages } from "@/messaging/invalidation/access.ts";
import { cachedFirstMessagesOf, firstCache, firstMessagesOf } from "@/messaging/messages/access.ts";
import { deleteMessages } from "@/messaging/messages/actions.ts";
import { site } from "../support/cast.ts";
import { temporaryFolders } from "../support/folder.ts";
import { type TestNode, testNodes } from "../support/nodes.ts";
import { png } from "../support/pictures.ts";
import { type Random, randomFrom } from "../support/random.ts";
import { basic, type Json, type Params, requestOf } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

const newPlace = temporaryFolders();

const people = ["olive", "moss", "mel", "max", "gus", "bolt"] as const;
type Person = (typeof people)[number];

/** An organization with messages in four channels and between people. */
async function populated(): Promise<{ w: World; channels: number[] }> {
  const w = world();
  const channels: number[] = [];
  const subscribers = people.map((name) => w.user(name).id);
  for (const more of [{}, { is_web_public: true }, { invite_only: true }, protectedHistory]) {
    const name = `channel ${channels.length}`;
    channels.push((await w.as("olive").post("/channels/create", { name, subscribers, ...more })).body.id);
  }
  const { state } = await w.queue("olive", { fetch_event_types: ["realm_user_groups"] });
  const members = state.realm_user_groups.find((group: Json) => group.name === "role:members").id;
  await w.as("olive").patch("/realm", {
    enable_spectator_access: true,
    // Guests may know only people who are in their channels and conversations.
    can_access_all_users_group: { new: members },
  });
  return { w, channels };
}

const protectedHistory = { invite_only: true, history_public_to_subscribers: false };

type Change = (place: Place) => Promise<unknown>;

interface Place {
  w: World;
  random: Random;
  channels: number[];
  /** The IDs of messages, some of which may be deleted. */
  ids: [number, ...number[]];
}

const contents = [
  "plain",
  "**bold** 💬 ü",
  "see #12 and @**Max**",
  "@**all** now",
  "/me waves",
  "/poll where\nhere\nthere",
  "x".repeat(900),
] as const;
const topics = ["tea", "Tea", "✔ tea", "", "see #12", "other"] as const;
const emoji = ["tada", "tea"] as const;

const one = <T>({ random }: Place, list: readonly T[]): T => random(list as readonly [T, ...T[]]);

async function post(place: Place, params: Params): Promise<void> {
  const { body } = await place.w.as(one(place, people)).post("/messages", params);
  if (body.id !== undefined) place.ids.push(body.id);
}

const inChannel: Change = (place) =>
  post(place, {
    type: "channel",
    to: one(place, place.channels),
    topic: one(place, topics),
    content: one(place, contents),
  });

const direct: Change = (place) =>
  post(place, { type: "direct", to: [place.w.user(one(place, people)).id], content: one(place, contents) });

const edit =
  (params: (place: Place) => Params): Change =>
  (place) =>
    place.w.as("olive").patch(`/messages/${one(place, place.ids)}`, params(place));

const react =
  (how: "post" | "delete"): Change =>
  (place) =>
    place.w.as(one(place, people))[how](`/messages/${one(place, place.ids)}/reactions`, {
      emoji_name: one(place, emoji),
    });

const vote: Change = (place) =>
  place.w.as(one(place, people)).post("/submessage", {
    message_id: one(place, place.ids),
    msg_type: "widget",
    content: JSON.stringify({ type: "vote", key: "canned,0", vote: one(place, [1, -1]) }),
  });

const flag: Change = (place) =>
  place.w.as(one(place, people)).post("/messages/flags", {
    messages: [one(place, place.ids), one(place, place.ids), one(place, place.ids)],
    op: one(place, ["add", "remove"]),
    flag: one(place, ["read", "read", "starred", "collapsed"]),
  });

const mute: Change = (place) =>
  place.w
    .as(one(place, people))
    [one(place, ["post", "delete"] as const)](`/users/me/muted_users/${place.w.user(one(place, people)).id}`);

const subscribe: Change = async (place) => {
  const who = one(place, people);
  const { body } = await place.w.as("olive").get(`/streams/${one(place, place.channels)}`);
  const name = body.stream?.name;
  if (one(place, [true, false])) {
    const principals = [place.w.user(who).id];
    return place.w.as("olive").post("/users/me/subscriptions", { subscriptions: [{ name }], principals });
  }
  return place.w.as(who).delete("/users/me/subscriptions", { subscriptions: [name] });
};

const rename: Change = (place) =>
  place.w.as("olive").patch(`/users/${place.w.user(one(place, people)).id}`, {
    full_name: `Name ${one(place, [1, 2, 3, 4, 5])}`,
  });

const visibility: Change = (place) =>
  place.w.as(one(place, people)).patch("/settings", { email_address_visibility: one(place, [1, 3, 4]) });

const picture: Change = async (place) => {
  const client = place.w.as(one(place, people));
  if (one(place, [true, false])) return client.delete("/users/me/avatar");
  return client.upload("/users/me/avatar", new File([png(8, 8)], "me.png"));
};

const linkifier: Change = async (place) => {
  const olive = place.w.as("olive");
  const { linkifiers } = (await olive.get("/realm/linkifiers")).body;
  if (linkifiers.length > 0) return olive.delete(`/realm/filters/${linkifiers[0].id}`);
  return olive.post("/realm/filters", { pattern: "#(?P<id>[0-9]+)", url_template: "https://x.example/{id}" });
};

const channel: Change = (place) =>
  place.w.as("olive").patch(`/streams/${one(place, place.channels)}`, {
    ...one(place, [
      { new_name: `renamed ${one(place, [1, 2, 3, 4])}` },
      { is_private: true, history_public_to_subscribers: true },
      protectedWire,
      { is_private: false, history_public_to_subscribers: true },
    ]),
  });

const protectedWire = { is_private: true, history_public_to_subscribers: false };

const realm: Change = (place) =>
  place.w.as("olive").patch("/realm", {
    message_edit_history_visibility_policy: one(place, ["all", "moves", "none"]),
  });

const role: Change = (place) =>
  place.w.as("olive").patch(`/users/${place.w.user("max").id}`, { role: one(place, [400, 600]) });

/** Changes everything that is left of a message, and then changes its mind. */
const undone: Change = async (place) => {
  const { w } = place;
  const id = one(place, place.ids);
  const changed = w.app.env.db.write(w.ctx("olive"), (tx) => {
    tx.run("UPDATE messages SET content = 'undone', rendered = 'undone' WHERE id = ?", id);
    deleteMessages(tx, [one(place, place.ids)]);
    throw new Error("undone");
  });
  await changed.catch(() => {});
};

/** As when a file that a message links to has got a preview. */
const rendered: Change = ({ w, ...place }) =>
  w.app.env.db.write(w.ctx("system"), (tx) => {
    const id = one({ w, ...place }, place.ids);
    tx.run("UPDATE messages SET rendered = rendered || '<p>more</p>' WHERE id = ?", id);
  });

/** Changes nothing, but keeps the unread messages. */
const register: Change = (place) =>
  place.w
    .as(one(place, people))
    .post("/register", { fetch_event_types: ["message", "update_message_flags"], event_types: [] });

const changes: readonly Change[] = [
  ...[inChannel, inChannel, inChannel, direct, direct],
  edit((place) => ({ content: one(place, contents) })),
  edit((place) => ({ content: one(place, contents) })),
  edit((place) => ({ topic: one(place, topics), propagate_mode: one(place, ["change_one", "change_all"]) })),
  edit((place) => ({ stream_id: one(place, place.channels), propagate_mode: "change_later" })),
  ...[react("post"), react("post"), react("delete"), vote, flag, flag, mute, subscribe, rename, visibility],
  ...[picture, linkifier, channel, realm, role, undone, rendered, register, register, register],
  (place) => place.w.as("olive").delete(`/messages/${one(place, place.ids)}`),
  (place) => place.w.as(one(place, people)).post("/mark_all_as_read"),
];

const web = [{ operator: "channels", operand: "web-public" }];
const narrows = ({ channels }: Place) => [
  [],
  [],
  [],
  [{ operator: "channel", operand: channels[0] }],
  [{ operator: "channel", operand: channels[3] }],
  [
    { operator: "channel", operand: channels[1] },
    { operator: "topic", operand: "tea" },
  ],
  [{ operator: "is", operand: "dm" }],
  [{ operator: "is", operand: "starred" }],
  [{ operator: "is", operand: "unread" }],
  [{ operator: "has", operand: "reaction" }],
  [{ operator: "search", operand: "bold" }],
];

function question(place: Place): { who: Person | null; params: Params; agent: string } {
  const { random, ids } = place;
  const who = random<Person | null>([...people, null]);
  const yes = () => random<boolean | undefined>([true, false, undefined]);
  const around = {
    anchor: random(["newest", "newest", "oldest", "first_unread", String(random(ids))]),
    num_before: random([0, 3, 100]),
    num_after: random([0, 3, 100]),
  };
  const params = {
    ...(random([1, 2, 3, 4]) === 1 ? { message_ids: ids.slice(-40) } : around),
    narrow: who ? random(narrows(place) as [unknown]) : web,
    apply_markdown: yes(),
    client_gravatar: yes(),
    allow_empty_topic_name: yes(),
  };
  return { who, params, agent: random(["test/1.0", "ZulipMobile/27.0"]) };
}

async function ask(w: World, { who, params, agent }: ReturnType<typeof question>): Promise<string> {
  const headers: Record<string, string> = { "user-agent": agent };
  if (who) headers.authorization = basic(w.user(who).email, w.user(who).key);
  const answer = await w.app.fetch(requestOf(`${site}/api/v1/messages`, "GET", { params, headers }));
  return `${answer.status} ${await answer.text()}`;
}

/** What a server answers that has just started. */
async function askFresh(w: World, asked: ReturnType<typeof question>): Promise<string> {
  const { kept } = w.app.env.db;
  const before = new Map(kept);
  kept.clear();
  const answer = await ask(w, asked);
  kept.clear();
  for (const [key, value] of before) kept.set(key, value);
  return answer;
}

describe("kept messages", () => {
  for (const seed of [1, 2]) {
    test(`answer as if nothing was kept, after random changes (${seed})`, async () => {
      const { w, channels } = await populated();
      const { body } = await w.as("olive").post("/messages", {
        type: "channel",
        to: channels[0],
        topic: "tea",
        content: "first",
      });
      const place: Place = { w, random: randomFrom(seed), channels, ids: [body.id] };
      for (let i = 0; i < 30; i++) await inChannel(place);
      for (let i = 0; i < 120; i++) {
        await one(place, changes)(place);
        for (let n = 0; n < 3; n++) {
          const asked = question(place);
          expect(await ask(w, asked)).toBe(await askFresh(w, asked));
        }
      }
    });
  }

  test("are not those of a client that knows other types of emoji", async () => {
    const { w, channels } = await populated();
    const [to] = channels;
    const { id } = (await w.as("mel").post("/messages", { type: "channel", to, topic: "t", content: "x" }))
      .body;
    await w.as("max").post(`/messages/${id}/reactions`, { emoji_name: "confab" });
    const asked = { who: "mel", params: { anchor: "newest", num_before: 1, num_after: 0 } } as const;
    const typesFor = async (agent: string) => {
      const { messages } = JSON.parse((await ask(w, { ...asked, agent })).slice(4));
      return messages[0].reactions[0].reaction_type;
    };
    expect(await typesFor("Mozilla/5.0")).toBe("service_extra_emoji");
    expect(await typesFor("ZulipMobile/27.0")).toBe("zulip_extra_emoji");
    expect(await typesFor("Mozilla/5.0")).toBe("service_extra_emoji");
  });

  test("are those of before after a rollback", async () => {
    const { w, ids } = await conversed();
    const { db } = w.app.env;
    expect(await contentsFor(w)).toEqual(["one", "two", "three"]);
    const undone = db.write(w.ctx("olive"), (tx) => {
      tx.run("UPDATE messages SET content = 'undone' WHERE id = ?", ids[0] as number);
      deleteMessages(tx, [ids[1] as number]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await contentsFor(w)).toEqual(["one", "two", "three"]);
  });

  test("are dropped together after more changes than are noted, however many come before the next page", async () => {
    const { w, ids } = await conversed();
    const { db } = w.app.env;
    const to = [w.user("max").id];
    const texts = Array.from({ length: 1_100 }, (_, i) => `text ${i}`);
    const sent = await Promise.all(
      texts.map((content) => w.as("mel").post("/messages", { type: "direct", to, content })),
    );
    const newest = sent.map(({ body }) => body.id as number).sort((a, b) => a - b);
    const before = await contentsFor(w);
    takeAlteredMessages(w.app.system);
    const change = (content: string, from: number) =>
      db.write(w.app.system, (tx) => {
        tx.run("UPDATE messages SET content = ? WHERE id >= ?", content, from);
      });
    const noted = () => db.get<{ n: number }>("SELECT COUNT(*) AS n FROM temp.altered_messages")?.n;
    for (const content of ["first", "second", "third"]) await change(content, ids[0] as number);
    expect(noted()).toBe(1_001);
    expect(await contentsFor(w)).toEqual(before.map(() => "third"));
    expect(noted()).toBe(0);
    for (const content of ["fourth", "fifth"]) await change(content, newest.at(-2) as number);
    expect(noted()).toBe(2);
    expect(takeAlteredMessages(w.app.system)).toEqual(newest.slice(-2));
  });

  test("lack what another process has changed", async () => {
    const { w, ids } = await conversed();
    const folder = newPlace();
    await Bun.write(join(folder, "confab.db"), w.app.env.db.sqlite.serialize());
    const [server, command] = [open(folder, { hosting: true }), open(folder)];
    const { email, key } = w.user("max");
    const headers = { authorization: basic(email, key) };
    const messages = async () => {
      const request = requestOf(`${site}/api/v1/messages`, "GET", { params: page, headers });
      return ((await (await server.fetch(request)).json()) as Json).messages;
    };
    const contents = async () => (await messages()).map((one: Json) => one.content);
    expect(await contents()).toEqual(["one", "two", "three"]);
    await command.env.db.write(command.system, (tx) => {
      deleteMessages(tx, [ids[1] as number]);
      tx.run("UPDATE messages SET content = 'changed' WHERE id = ?", ids[2] as number);
    });
    expect(await contents()).toEqual(["one", "changed"]);
    expect((await messages())[0].flags).toEqual([]);
    const max = command.ctx({ kind: "user", id: w.user("max").id, client: "test" });
    await updateFlags(max, { messages: [ids[0] as number], op: "add", flag: "read" });
    expect((await messages())[0].flags).toEqual(["read"]);
    await Promise.all([command.close(), server.close()]);
  });

  test("follow the log of a cluster", async () => {
    const { w, nodes, caughtUp, close } = testNodes(2);
    const [leader, follower] = nodes as [TestNode, TestNode];
    const contents = async () => {
      const { messages } = (await follower.as("max").get("/messages", wirePage)) as Json;
      return messages.map((one: Json) => [one.content, ...one.flags]);
    };
    const ids: number[] = [];
    const to = JSON.stringify([w.user("max").id]);
    for (const content of ["one", "two", "three"]) {
      const sent: Json = await leader.as("mel").post("/messages", { type: "direct", to, content });
      ids.push(sent.id);
    }
    await caughtUp();
    expect(await contents()).toEqual([["one"], ["two"], ["three"]]);
    await leader.app.env.db.write(leader.app.system, (tx) => {
      deleteMessages(tx, [ids[0] as number]);
      tx.run("UPDATE messages SET content = 'changed' WHERE id = ?", ids[1] as number);
    });
    const read = { messages: JSON.stringify([ids[2]]), op: "add", flag: "read" };
    await leader.as("max").post("/messages/flags", read);
    await caughtUp();
    expect(await contents()).toEqual([["changed"], ["three", "read"]]);
    await close();
  });
});

const page = { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false };
const wirePage = { anchor: "newest", num_before: "10", num_after: "0", apply_markdown: "false" };

/** Three messages of mel's to max, and their IDs. */
async function conversed(): Promise<{ w: World; ids: number[] }> {
  const w = world();
  const ids: number[] = [];
  for (const content of ["one", "two", "three"]) {
    const to = [w.user("max").id];
    ids.push((await w.as("mel").post("/messages", { type: "direct", to, content })).body.id);
  }
  return { w, ids };
}

async function contentsFor(w: World): Promise<string[]> {
  return (await w.as("max").get("/messages", page)).body.messages.map((one: Json) => one.content);
}

test("the first messages of more channels than are kept are all there", async () => {
  const w = world();
  const olive = w.as("olive");
  const channels: number[] = [];
  for (const name of ["one", "two", "three"]) {
    const subscribers = [w.user("olive").id];
    channels.push((await olive.post("/channels/create", { name, subscribers })).body.id);
    await olive.post("/messages", { type: "channel", to: name, topic: "t", content: "m" });
  }
  firstCache(w.app.system).max = 2;
  const all = firstMessagesOf(w.app.system, channels);
  expect(all.size).toBe(3);
  for (let i = 0; i < 2; i++) expect(cachedFirstMessagesOf(w.app.system, channels)).toEqual(all);
});
