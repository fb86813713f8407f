// Every operator, alone, negated and with others: searching by indexes must find the same as checking each message.

import { describe, expect, test } from "bun:test";
import { memberOf } from "@/foundation/permissions/access.ts";
import { type ReadNext as IdReader, merge } from "@/kernel/lib/merge.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { updateFlags } from "@/messaging/flags/actions.ts";
import { indexAll, reindexMessages } from "@/messaging/message-index/actions.ts";
import { plansFor } from "@/messaging/message-pages/plans.ts";
import { selectAmong, selectionOf } from "@/messaging/message-pages/selection.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { findMessageById, mayReadMessage } from "@/messaging/messages/access.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { viewOf } from "@/messaging/receipts/access.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

type Term = { operator: string; operand: Json; negated?: boolean };

const readers = ["mel", "max", "gus", "ada"] as const;
const writers = ["mel", "max", "ada", "moss"] as const;
const topics = ["", "Lunch", "Ünï", "bugs", "✔ bugs"];
const contents = [
  "hello",
  "@**Max** look at the cakes",
  "@**all** look",
  "plain cake",
  "https://example.com/cake.png",
  "[report](https://example.com) baked, then https://example.com",
  "明日の会議は東京で",
  "Baking: hello look",
];

/** Searches, and the texts and topics that they match. */
const searches: Record<string, (text: string, topic: string) => boolean> = {
  cake: (text) => /\bcakes?\b/i.test(text),
  "HELLO look": (text) => /hello/i.test(text) && /look/i.test(text),
  "bake lunch": (text, topic) => /bak(ed|ing)/i.test(text) && topic === "Lunch",
  bug: (_, topic) => topic.endsWith("bugs"),
  '"lain c"': (text) => text.includes("lain c"),
  '"o l" hello': (text) => text.includes("hello look"),
  会議: (text) => text.includes("会議"),
  uni: (_, topic) => topic === "Ünï",
  '"ünï"': (_, topic) => topic === "Ünï",
  '": h"': (text) => text.includes(": h"),
  nothing: () => false,
};

/** The same random numbers in every run. */
function dice(seed: number) {
  let state = seed;
  const roll = (sides: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  return { roll, pick: <T>(list: readonly T[]): T => list[roll(list.length)] as T };
}

interface Busy extends World {
  channels: Record<"open" | "other" | "shared" | "protected" | "attic" | "hall", number>;
  ids: number[];
}

/** Users who join and leave, send, are mentioned, star, read, and whose messages are moved. */
async function busy(seed: number): Promise<Busy> {
  const w = world();
  const { roll, pick } = dice(seed);
  const people = [...readers, "moss"].map((who) => w.user(who as CastName).id);
  const make = async (name: string, more = {}) =>
    (await createChannel(w.ctx("mel"), { name, subscribers: people, ...more })).stream_id;
  const channels = {
    open: await make("open"),
    other: await make("other", { subscribers: [w.user("mel").id] }),
    shared: await make("shared", { invite_only: true, history_public_to_subscribers: true }),
    protected: await make("protected", { invite_only: true, history_public_to_subscribers: false }),
  };
  const attic = await make("attic", { subscribers: [] });
  const hall = await make("hall", { subscribers: [w.user("mel").id] });
  const all = Object.values(channels);
  const ids: number[] = [];
  for (let i = 0; i < 120; i++) {
    const content = pick(contents);
    const people = Array.from({ length: roll(3) }, () => w.user(pick(readers)).id);
    const { id } =
      roll(4) === 0
        ? await sendMessage(w.ctx(pick(writers)), { type: "direct", to: people, content })
        : await sendMessage(w.ctx("mel"), {
            type: "channel",
            to: [pick([...all, hall])],
            topic: pick(topics),
            content,
          });
    ids.push(id);
    if (roll(6) === 0) await comeOrGo(w, pick(readers), pick(all), roll(2) === 0);
  }
  await indexAll(w.app.system);
  for (let i = 0; i < 24; i++) await move(w, pick(ids), pick([...all, attic]), pick(topics));
  for (let i = 0; i < 100; i++) await touch(w, pick(readers), pick(ids), pick(["starred", "read"]));
  for (let i = 0; i < 10; i++) await resend(w, pick(ids), w.user(pick(writers)).id);
  for (let i = 0; i < 10; i++) await alert(w, w.user(pick(readers)).id, pick(ids));
  for (let i = 0; i < 20; i++) await react(w, pick(readers), pick(ids));
  for (let i = 0; i < 30; i++)
    await choose(w, pick(readers), pick([...all, hall]), pick(topics), 1 + roll(3));
  for (let i = 0; i < 4; i++) await muteChannel(w, pick(readers), pick(all));
  return { ...w, channels: { ...channels, attic, hall }, ids };
}

async function comeOrGo(w: World, who: CastName, channel: number, comes: boolean): Promise<void> {
  const membership = { channel_ids: [channel], user_ids: [w.user(who).id] };
  if (comes) await subscribe(w.ctx("mel"), membership);
  else if (who !== "mel") await unsubscribe(w.ctx("mel"), membership);
}

async function touch(w: World, who: CastName, id: number, flag: string): Promise<void> {
  if (!isReadable(w, who, id)) return;
  await updateFlags(w.ctx(who), { messages: [id], op: "add", flag });
}

function isReadable(w: World, who: CastName, id: number): boolean {
  const ctx = w.ctx(who);
  const row = findMessageById(ctx, id);
  return row !== null && mayReadMessage(ctx, memberOf(ctx, w.user(who).id), row);
}

function write(w: World, sql: string, ...params: (string | number)[]): Promise<unknown> {
  return w.app.env.db.write(w.ctx("system"), (tx) => void tx.run(sql, ...params));
}

async function react(w: World, who: CastName, message_id: number): Promise<void> {
  if (isReadable(w, who, message_id))
    await w.as(who).post(`/messages/${message_id}/reactions`, { emoji_name: "cake" });
}

async function choose(w: World, who: CastName, stream_id: number, topic: string, policy: number) {
  await w.as(who).post("/user_topics", { stream_id, topic, visibility_policy: policy });
}

async function muteChannel(w: World, who: CastName, stream_id: number): Promise<void> {
  const change = { stream_id, property: "is_muted", value: true };
  await w.as(who).post("/users/me/subscriptions/properties", { subscription_data: [change] });
}

function reindex(w: World, id: number): Promise<unknown> {
  return w.app.env.db.write(w.ctx("system"), (tx) => reindexMessages(tx, [id]));
}

/** Moves a message to another channel in the database. */
async function move(w: World, id: number, channel: number, topic: string): Promise<void> {
  const isDirect = "(SELECT channel_id IS NULL FROM conversations WHERE id = conversation_id)";
  await write(
    w,
    `UPDATE messages SET conversation_id = ?, topic = ?, topic_key = ? WHERE id = ? AND NOT ${isDirect}`,
    channelConversation(w.ctx("system"), channel),
    topic,
    topic.toLowerCase(),
    id,
  );
  await reindex(w, id);
}

async function resend(w: World, id: number, sender: number): Promise<void> {
  await write(w, "UPDATE messages SET sender_id = ? WHERE id = ?", sender, id);
  await reindex(w, id);
}

const alert = (w: World, user: number, id: number) =>
  write(
    w,
    "INSERT INTO message_flags VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET bits = bits | ?3",
    user,
    id,
    flagBits.alertWord,
  );

interface Seen {
  message: Json;
  raw: string;
  isOwn: boolean;
}

/** The reader's own settings that narrows use: topic policies and channels. */
interface Chosen {
  policy(m: Json): number;
  isMuted(m: Json): boolean;
}

async function chosenBy(w: Busy, who: CastName): Promise<Chosen> {
  const { user_topics, subscriptions } = (await w.queue(who)).state;
  const policy = (m: Json) =>
    user_topics.find(
      (t: Json) => t.stream_id === m.stream_id && t.topic_name.toLowerCase() === m.subject.toLowerCase(),
    )?.visibility_policy ?? 0;
  const muted = subscriptions.filter((one: Json) => one.is_muted).map((one: Json) => one.stream_id);
  return {
    policy,
    isMuted: (m) => m.type === "stream" && (policy(m) === 0 ? muted.includes(m.stream_id) : policy(m) === 1),
  };
}

/** All messages that the reader may read, checked one by one. */
async function seenBy(w: Busy, who: CastName): Promise<Seen[]> {
  const ctx = w.ctx(who);
  const found: Seen[] = [];
  for (const id of w.ids.filter((id) => isReadable(w, who, id))) {
    const { body } = await w.as(who).get(`/messages/${id}`, { allow_empty_topic_name: true });
    const row = findMessageById(ctx, id);
    found.push({
      message: body.message,
      raw: body.raw_content,
      isOwn: row !== null && viewOf(ctx, w.user(who).id).isOwn(row),
    });
  }
  return found;
}

const peopleOf = (m: Json): number[] =>
  m.type === "private" ? m.display_recipient.map((p: Json) => p.id) : [];
const same = (a: number[], b: number[]) => [...new Set(a)].sort().join() === [...new Set(b)].sort().join();
const mentions = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];

/** The reader of a narrow, and everything they may read. */
interface Reader {
  who: CastName;
  id: number;
  seen: Seen[];
  chosen: Chosen;
  open: number[];
}

/** The meaning of each operator, for a message as clients get it. */
function means({ operator, operand }: Term, { message: m, raw }: Seen, reader: Reader): boolean {
  const meanings: Record<string, () => boolean> = {
    channel: () => m.stream_id === operand,
    channels: () => reader.open.includes(m.stream_id),
    topic: () => m.type === "stream" && m.subject.toLowerCase() === operand.toLowerCase(),
    sender: () => m.sender_id === operand,
    id: () => m.id === operand,
    dm: () => m.type === "private" && same(peopleOf(m), [reader.id, ...operand]),
    "dm-including": () => peopleOf(m).includes(operand),
    "group-pm-with": () => peopleOf(m).includes(operand) && peopleOf(m).length > 2,
    is: () => isSo(operand, m, reader.chosen),
    in: () => !reader.chosen.isMuted(m),
    has: () => has(operand, m, raw),
    search: () => searches[operand]?.(raw, m.subject) ?? false,
    with: () => isInSameTopic(m, reader.seen.find(({ message }) => message.id === operand)?.message),
  };
  return meanings[operator]?.() ?? false;
}

function isSo(operand: string, m: Json, chosen: Chosen): boolean {
  if (operand === "dm") return m.type === "private";
  if (operand === "resolved") return m.subject.startsWith("✔ ");
  if (operand === "followed") return m.type === "stream" && chosen.policy(m) === 3;
  return operand === "muted" ? chosen.isMuted(m) : isFlagged(m.flags, operand);
}

function has(operand: string, m: Json, raw: string): boolean {
  if (operand === "reaction") return m.reactions.length > 0;
  if (operand === "attachment") return false;
  return operand === "link" ? raw.includes("https:") : raw.includes(".png");
}

const isInSameTopic = (m: Json, other: Json) =>
  m.recipient_id === other?.recipient_id && m.subject.toLowerCase() === other.subject.toLowerCase();

/** Without terms that have no effect or are overridden by `with`. */
function effective(narrow: Term[], { seen }: Reader): Term[] {
  const isSeen = (id: number) => seen.some(({ message }) => message.id === id);
  const saying = narrow.filter(({ operator, operand }) => {
    if (operator === "with") return isSeen(operand);
    return operator !== "near" && !(operator === "in" && operand === "all");
  });
  const isPlaced = saying.some(({ operator, negated }) => operator === "with" && !negated);
  return isPlaced ? saying.filter(({ operator }) => !["channel", "topic", "dm"].includes(operator)) : saying;
}

function isFlagged(flags: string[], operand: string): boolean {
  if (operand === "unread") return !flags.includes("read");
  if (operand === "alerted") return flags.includes("has_alert_word");
  return operand === "mentioned" ? mentions.some((flag) => flags.includes(flag)) : flags.includes(operand);
}

function randomTerm(w: Busy, { roll, pick }: ReturnType<typeof dice>): Term {
  const operator = pick([
    ...["channel", "channel", "topic", "dm", "dm-including", "group-pm-with", "sender", "id", "near"],
    ...["is", "is", "is", "channels", "has", "in", "with", "search", "search", "search"],
  ]);
  const someone = w.user(pick(readers)).id;
  const operands: Record<string, Json> = {
    channel: pick(Object.values(w.channels)),
    topic: pick(["", "lunch", "ÜNÏ", "bugs", "none"]),
    dm: pick([[someone], [someone, w.user("ada").id], [w.user("mel").id]]),
    id: pick(w.ids),
    near: pick(w.ids),
    is: pick(["dm", "unread", "alerted", "mentioned", "starred", "resolved", "followed", "muted"]),
    channels: "public",
    has: pick(["link", "image", "reaction"]),
    in: pick(["home", "all"]),
    with: pick(w.ids),
    search: pick(Object.keys(searches)),
  };
  return { operator, operand: operands[operator] ?? someone, negated: roll(3) === 0 };
}

/** Contradictory narrows and those of invisible channels are refused; the others are answered. */
const isRefused = (status: number, body: Json) => status === 400 && body.code === "BAD_NARROW";

async function readerOf(w: Busy, who: CastName): Promise<Reader> {
  const { open, other, attic, hall } = w.channels;
  const seen = await seenBy(w, who);
  return { who, id: w.user(who).id, seen, chosen: await chosenBy(w, who), open: [open, other, attic, hall] };
}

function expectedIds(w: Busy, reader: Reader, narrow: Term[]): number[] {
  const terms = effective(narrow, reader);
  const sharesHistory = (id: number) => reader.open.includes(id) || id === w.channels.shared;
  const channelOf = (id: number) => reader.seen.find(({ message }) => message.id === id)?.message.stream_id;
  const opens = terms.some(
    ({ operator, operand, negated }) =>
      !negated &&
      ((operator === "channel" && sharesHistory(operand)) ||
        (operator === "with" && sharesHistory(channelOf(operand))) ||
        (operator === "channels" && reader.who !== "gus") ||
        operator === "id"),
  );
  const ownOnly =
    !opens || terms.some(({ operator, operand }) => operator === "is" && !/resolved|followed/.test(operand));
  return reader.seen
    .filter(({ isOwn }) => isOwn || !ownOnly)
    .filter((one) => terms.every((term) => means(term, one, reader) !== (term.negated ?? false)))
    .map(({ message }) => message.id);
}

/** Runs each plan alone and in small steps; returns those that miss some of the messages. */
function waysThatMiss(w: Busy, who: CastName, narrow: Term[], anchor: number): Json[] {
  const ctx = w.ctx(who);
  const terms = narrow.map(({ negated = false, ...term }) => ({ ...term, negated }));
  const selection = selectionOf(ctx, narrowOf(ctx, terms));
  const shown = runSync(selectAmong(ctx, selection, w.ids));
  return (["before", "after"] as const).flatMap((direction) => {
    const isBeyond = (id: number) => (direction === "before" ? id < anchor : id > anchor);
    const expected = direction === "before" ? shown.filter(isBeyond).reverse() : shown.filter(isBeyond);
    const ways = plansFor(
      ctx,
      selection,
    )(direction).map(({ lists }) => inSteps(merge(lists(), direction, anchor)));
    const found = ways.map((ids) => runSync(selectAmong(ctx, selection, ids)));
    return found.flatMap((ids, way) =>
      ids.join() === expected.join() ? [] : [{ narrow, direction, way, ids, expected }],
    );
  });
}

function inSteps(reader: IdReader): number[] {
  const found: number[] = [];
  for (let step = runSync(reader(7)); step.length > 0; step = runSync(reader(7))) found.push(...step);
  return found;
}

const anchors = [0, 5, 60, 61, 121, 10_000_000_000_000_000];

function randomNarrows(w: Busy, random: ReturnType<typeof dice>): Term[][] {
  const alone = topics.map((operand) => [{ operator: "topic", operand }]);
  const mixed = Array.from({ length: 90 }, () => {
    return Array.from({ length: random.roll(4) }, () => randomTerm(w, random));
  });
  return [...alone, ...mixed];
}

describe("narrows", () => {
  test.each([1, 2, 3])("find by indexes what matches one by one (history %d)", async (seed) => {
    const w = await busy(seed);
    const random = dice(seed * 77);
    let found = 0;
    for (const who of readers) {
      const reader = await readerOf(w, who);
      for (const narrow of randomNarrows(w, random)) {
        const around = {
          anchor: random.pick(anchors),
          num_before: random.pick([0, 3, 500]),
          num_after: random.pick([0, 4, 500]),
        };
        const asked = { ...around, narrow, allow_empty_topic_name: true };
        const { status, body } = await w.as(who).get("/messages", asked);
        if (isRefused(status, body)) continue;
        const expected = pageOf(expectedIds(w, reader, narrow), around);
        const ids = body.messages.map((m: Json) => m.id);
        expect({ who, ...asked, ids }).toEqual({ who, ...asked, ids: expected });
        expect(waysThatMiss(w, who, narrow, around.anchor)).toEqual([]);
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(500);
  });
});

function pageOf(all: number[], around: { anchor: number; num_before: number; num_after: number }): number[] {
  const { anchor, num_before, num_after } = around;
  return [
    ...(num_before > 0 ? all.filter((id) => id < anchor).slice(-num_before) : []),
    ...all.filter((id) => id === anchor),
    ...all.filter((id) => id > anchor).slice(0, num_after),
  ];
}

/** Two channels, one of which max may not see; a direct message, one to oneself, and one to several people. */
async function small() {
  const w = world();
  const make = (name: string, who: CastName[], more = {}) =>
    createChannel(w.ctx("mel"), { name, subscribers: who.map((one) => w.user(one).id), ...more });
  const design = await make("Design", ["mel", "max"]);
  const secret = await make("Secret", ["mel"], { invite_only: true });
  const send = async (who: CastName, to: (string | number)[], topic?: string) =>
    (
      await sendMessage(w.ctx(who), {
        type: topic === undefined ? "direct" : "channel",
        to,
        topic,
        content: "x",
      })
    ).id;
  const [mel, max, ada] = [w.user("mel"), w.user("max"), w.user("ada")];
  const ids = {
    general: await send("mel", ["Design"], ""),
    lunch: await send("mel", ["Design"], "Lunch"),
    secret: await send("mel", ["Secret"], "Lunch"),
    note: await send("mel", [mel.id]),
    pair: await send("max", [mel.id]),
    group: await send("ada", [mel.id, max.id]),
  };
  const read = async (who: CastName, narrow: Json) => {
    const { body } = await w.as(who).get("/messages", { anchor: "newest", num_before: 10, narrow });
    return body.messages?.map((m: Json) => m.id) ?? body;
  };
  return { w, ids, read, mel, max, ada, design, secret };
}

describe("operands", () => {
  test("name channels by ID or by name, ignoring case", async () => {
    const { read, ids, design } = await small();
    for (const operand of [design.stream_id, "design", " DESIGN ", String(design.stream_id)]) {
      expect(await read("mel", [{ operator: "channel", operand }])).toEqual([ids.general, ids.lunch]);
    }
  });

  test("name topics ignoring case, the empty one by each of its names", async () => {
    const { read, ids } = await small();
    expect(await read("mel", [{ operator: "topic", operand: "LUNCH" }])).toEqual([ids.lunch, ids.secret]);
    for (const operand of ["", "(no topic)", "general chat"]) {
      expect(await read("mel", [{ operator: "topic", operand }])).toEqual([ids.general]);
    }
  });

  test("name people by ID, by IDs, by address and by addresses joined by commas", async () => {
    const { read, ids, mel, max, ada } = await small();
    for (const operand of [max.id, [max.id], [mel.id, max.id], "MAX@example.com", [max.email]]) {
      expect(await read("mel", [{ operator: "dm", operand }])).toEqual([ids.pair]);
    }
    expect(await read("mel", [{ operator: "dm", operand: `${max.email}, ${ada.email}` }])).toEqual([
      ids.group,
    ]);
    expect(await read("mel", [{ operator: "dm", operand: mel.id }])).toEqual([ids.note]);
    expect(await read("mel", [{ operator: "sender", operand: max.email }])).toEqual([ids.pair]);
  });

  test("find nothing if users have never written to each other", async () => {
    const { read, w } = await small();
    expect(await read("mel", [{ operator: "dm", operand: w.user("gus").id }])).toEqual([]);
  });

  test("find direct messages that include a user; the caller's own ID finds all", async () => {
    const { read, ids, mel, max } = await small();
    const including = (operator: string, operand: Json) => read("mel", [{ operator, operand }]);
    expect(await including("dm-including", max.id)).toEqual([ids.pair, ids.group]);
    expect(await including("dm-including", mel.email)).toEqual([ids.note, ids.pair, ids.group]);
    expect(await including("group-pm-with", max.id)).toEqual([ids.group]);
  });

  test("take message IDs as numbers and as text", async () => {
    const { read, ids } = await small();
    expect(await read("mel", [{ operator: "id", operand: ids.pair }])).toEqual([ids.pair]);
    expect(await read("mel", [{ operator: "id", operand: String(ids.pair) }])).toEqual([ids.pair]);
    expect(await read("mel", [{ operator: "near", operand: String(ids.pair) }])).toHaveLength(6);
  });
});

describe("old names", () => {
  test("mean the same as new ones, also in pairs", async () => {
    const { read, ids, max } = await small();
    const forms: [Json, number[]][] = [
      [[["stream", "Design"]], [ids.general, ids.lunch]],
      [
        [
          ["channel", "Design"],
          ["topic", "lunch"],
        ],
        [ids.lunch],
      ],
      [[["pm-with", max.email]], [ids.pair]],
      [[["pm_with", max.email]], [ids.pair]],
      [[["group_pm_with", max.id]], [ids.group]],
      [[["is", "private"]], [ids.note, ids.pair, ids.group]],
      [[{ operator: "streams", operand: "public" }], [ids.general, ids.lunch]],
      [
        [{ operator: "stream", operand: "Design", negated: true }],
        [ids.secret, ids.note, ids.pair, ids.group],
      ],
    ];
    for (const [narrow, expected] of forms) expect(await read("mel", narrow)).toEqual(expected);
  });
});

describe("BAD_NARROW", () => {
  test.each([
    ["an unknown operator", [["colour", "red"]], "unknown operator colour"],
    ["an unknown 'is'", [["is", "green"]], "unknown 'is' operand green"],
    ["unknown kinds of channels", [["channels", "dark"]], "unknown 'channels' operand dark"],
    ["an unknown channel", [["channel", "Nowhere"]], "unknown channel"],
    ["an unknown channel ID", [{ operator: "channel", operand: 999 }], "unknown channel"],
    ["an unknown sender", [["sender", "who@example.com"]], "unknown user"],
    ["somebody unknown in a conversation", [{ operator: "dm", operand: [2, 999] }], "unknown user"],
    ["a conversation with nobody", [{ operator: "dm", operand: [] }], "a direct conversation needs somebody"],
    ["a topic that is not text", [{ operator: "topic", operand: 5 }], "a topic must be a string"],
    ["an ID that is not one", [["id", "five"]], "a message ID is a number"],
  ])("answers %s", async (_, narrow, desc) => {
    const { w } = await small();
    expect(await w.as("mel").get("/messages", { anchor: "newest", narrow })).toMatchObject({
      status: 400,
      body: { code: "BAD_NARROW", msg: `Invalid narrow operator: ${desc}`, desc },
    });
  });

  test("is not the answer to too many terms, which are not parsed", async () => {
    const narrow = Array.from({ length: 33 }, (_, i) => ["is", `green ${i}`]);
    const { body } = await world().as("mel").get("/messages", { anchor: "newest", narrow });
    expect(body).toMatchObject({ code: "BAD_REQUEST", msg: "A narrow has at most 32 terms." });
  });

  test("answers for an invisible channel as if it did not exist", async () => {
    const { w, secret } = await small();
    const asked = (operand: Json) =>
      w.as("max").get("/messages", { anchor: "newest", narrow: [{ operator: "channel", operand }] });
    const { body } = await asked("Nowhere");
    expect((await asked("Secret")).body).toEqual(body);
    expect((await asked(secret.stream_id)).body).toEqual(body);
  });

  test("answers narrows for channel and direct messages at once, unless negated", async () => {
    const { w, max, read, ids } = await small();
    const sides = [
      ["channel", "Design"],
      ["topic", "Lunch"],
      ["channels", "public"],
    ];
    const directs = [
      ["dm", max.email],
      ["is", "dm"],
      ["is", "private"],
      ["dm-including", max.email],
    ];
    for (const side of sides) {
      for (const direct of directs) {
        const { body } = await w.as("mel").get("/messages", { anchor: "newest", narrow: [side, direct] });
        expect(body.code).toBe("BAD_NARROW");
      }
    }
    const not = { operator: "is", operand: "dm", negated: true };
    expect(await read("mel", [["topic", "Lunch"], not])).toEqual([ids.lunch, ids.secret]);
  });

  test("is not returned for malformed narrows", async () => {
    const { w } = await small();
    for (const narrow of [{ channel: 1 }, ["channel"], [["channel"]], [{ operator: "channel" }]]) {
      const { body } = await w.as("mel").get("/messages", { anchor: "newest", narrow });
      expect(body.code).toBe("REQUEST_VARIABLE_INVALID");
    }
  });
});

describe("event queues", () => {
  const eventsDuring = async (
    narrow: Json,
    act: (w: Awaited<ReturnType<typeof small>>) => Promise<unknown>,
  ) => {
    const made = await small();
    const queue = await made.w.queue("max", { narrow, event_types: ["message"] });
    await act(made);
    return (await queue.poll()).map(({ message }) => message.subject || message.type);
  };
  const sendAll = async ({ w, max }: Awaited<ReturnType<typeof small>>) => {
    for (const topic of ["Lunch", "other"]) {
      await sendMessage(w.ctx("mel"), { type: "channel", to: ["Design"], topic, content: "@**Max**" });
    }
    await sendMessage(w.ctx("ada"), { type: "direct", to: [max.id], content: "hello" });
  };

  test.each([
    ["a channel", [["stream", "design"]], ["Lunch", "other"]],
    [
      "a topic",
      [
        ["channel", "Design"],
        ["topic", "lunch"],
      ],
      ["Lunch"],
    ],
    ["a sender", [["sender", "ada@example.com"]], ["private"]],
    ["direct messages", [["is", "dm"]], ["private"]],
    ["direct messages by their old name", [["is", "private"]], ["private"]],
    ["mentions", [["is", "mentioned"]], ["Lunch", "other"]],
    ["what is unread", [["is", "unread"]], ["Lunch", "other", "private"]],
    ["what is starred, which nothing new is", [["is", "starred"]], []],
    ["what is resolved, which neither topic is", [["is", "resolved"]], []],
  ])("can be narrowed to %s", async (_, narrow, expected) => {
    expect(await eventsDuring(narrow, sendAll)).toEqual(expected);
  });

  test.each([
    ["dm", "max@example.com"],
    ["id", "5"],
    ["channels", "public"],
    ["is", "followed"],
    ["is", "muted"],
    ["in", "home"],
    ["has", "link"],
    ["with", "5"],
    ["search", "word"],
    ["colour", "red"],
  ])("cannot be narrowed by %s:%s", async (...pair) => {
    const { w } = await small();
    expect(await w.as("max").post("/register", { narrow: [pair] })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
  });
});
