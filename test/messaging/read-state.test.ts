// Random histories, compared with a model that keeps a row for every reader of every message.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { memberOf } from "@/foundation/permissions/access.ts";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import type { JsonText } from "@/kernel/lib/json-text.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { markAllAsRead, markChannelAsRead, updateFlags } from "@/messaging/flags/actions.ts";
import { unreadState } from "@/messaging/flags/unread-state.ts";
import { updateMessage } from "@/messaging/message-edits/actions.ts";
import type { Receipt } from "@/messaging/message-rows/schema.ts";
import {
  cachedFirstMessagesOf,
  findMessageById,
  firstMessagesOf,
  mayReadMessage,
} from "@/messaging/messages/access.ts";
import { deleteMessage } from "@/messaging/messages/actions.ts";
import { markMutedRead, muteUser, unmuteUser } from "@/messaging/muted-users/actions.ts";
import { flagsOf } from "@/messaging/receipts/access.ts";
import {
  isRead,
  type Mark,
  unmarked,
  unreadRanges,
  withRead,
  withUnread,
} from "@/messaging/receipts/marks.ts";
import { unreadOf, unreadReader } from "@/messaging/receipts/unread.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { channelConversation, conversation, participantsOf } from "@/places/conversations/access.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { type World, world } from "../support/world.ts";

const readers = ["mel", "max", "moss"] as const;
type Reader = (typeof readers)[number];

const step = fc.record({
  act: fc.constantFrom(
    "subscribe",
    "leave",
    "send",
    "send",
    "send",
    "dm",
    "read",
    "unread",
    "star",
    "unstar",
    "all",
    "channel",
    "edit",
    "move",
    "move",
    "delete",
    "mute",
    "unmute",
    "markMuted",
  ),
  who: fc.constantFrom(...readers),
  channel: fc.nat(2),
  topic: fc.constantFrom("t", "u"),
  mode: fc.constantFrom("change_one", "change_later", "change_all"),
  mentions: fc.subarray([...readers]),
  picks: fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
  isRead: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Row {
  isReceived: boolean;
  isHistorical: boolean;
  isRead: boolean;
  isStarred: boolean;
  isMentioned: boolean;
}

interface Sent {
  id: number;
  sender: Reader;
  /** Index of the channel; null for a direct message. */
  channel: number | null;
  /** Index of the channel it was sent to. */
  home: number | null;
  topic: string;
  people: Set<Reader>;
  /** The subscribers when it was last moved there. */
  met: Set<Reader>;
}

/** Public; private with shared history; private with protected history. */
const openChannel = 0;
const sharedChannel = 1;

const blank = {
  isReceived: false,
  isHistorical: false,
  isRead: false,
  isStarred: false,
  isMentioned: false,
} as const;

/** One row for each reader of each message: slow and large, but easy to check. */
class Model {
  readonly sent: Sent[] = [];
  readonly rows = new Map<string, Row>();
  readonly members = [new Set<Reader>(), new Set<Reader>(), new Set<Reader>()];
  /** Pairs of a user and a user that they mute. */
  readonly muted = new Set<string>();

  row(who: Reader, id: number): Row | undefined {
    return this.rows.get(`${who}:${id}`);
  }

  deliver(sent: Sent, readBySender: boolean): void {
    this.sent.push(sent);
    for (const who of sent.people) {
      const isOwn = who === sent.sender && readBySender;
      const isRead = isOwn || this.muted.has(`${who}:${sent.sender}`);
      this.rows.set(`${who}:${sent.id}`, { ...blank, isReceived: true, isRead });
    }
  }

  mute(who: Reader, other: Reader): void {
    this.muted.add(`${who}:${other}`);
    for (const { id, sender } of this.sent) {
      const row = this.row(who, id);
      if (row && sender === other) row.isRead = true;
    }
  }

  mayRead(who: Reader, { channel, id, people, met }: Sent): boolean {
    if (channel === null) return people.has(who);
    if (channel === openChannel) return true;
    if (!this.members[channel]?.has(who)) return false;
    return channel === sharedChannel || met.has(who) || (this.row(who, id)?.isReceived ?? false);
  }

  /** Moves a message: readers who may not read it there keep only that they have read it. */
  move(sent: Sent, { channel, topic }: { channel: number; topic: string }): void {
    sent.topic = topic;
    if (channel === sent.channel) return;
    sent.channel = channel;
    sent.met = new Set(channel === sent.home ? [] : this.members[channel]);
    for (const who of readers) {
      const row = this.row(who, sent.id);
      if (!row || this.mayRead(who, sent)) continue;
      Object.assign(row, { isStarred: false, isMentioned: false, isHistorical: false });
      if (!row.isReceived) this.rows.delete(`${who}:${sent.id}`);
    }
  }

  /** Mentions exactly these users; the message is added to the history of those who never received it. */
  mention(sent: Sent, mentioned: readonly Reader[]): void {
    for (const who of readers) {
      const row = this.row(who, sent.id);
      if (row) row.isMentioned = false;
      const isReached = sent.channel === null ? sent.people.has(who) : this.isNotified(who, sent);
      if (mentioned.includes(who) && isReached) this.touch(who, sent.id).isMentioned = true;
    }
  }

  /** Whether a user gets events about a channel message. */
  isNotified(who: Reader, sent: Sent): boolean {
    const row = this.row(who, sent.id);
    const hasRecord = row !== undefined && (row.isReceived || row.isHistorical);
    return this.mayRead(who, sent) && (hasRecord || (this.members[sent.channel ?? 0]?.has(who) ?? false));
  }

  forget(id: number): void {
    const at = this.sent.findIndex((sent) => sent.id === id);
    this.sent.splice(at, 1);
    for (const who of readers) this.rows.delete(`${who}:${id}`);
  }

  touch(who: Reader, id: number): Row {
    const row = this.row(who, id) ?? { ...blank, isHistorical: true, isRead: true };
    this.rows.set(`${who}:${id}`, row);
    return row;
  }

  /** Whether the message is in a channel that the reader is subscribed to; elsewhere nothing is unread. */
  isThere(who: Reader, { channel }: Sent): boolean {
    return channel === null || (this.members[channel]?.has(who) ?? false);
  }

  readAll(who: Reader, channel: number | null): void {
    for (const sent of this.sent) {
      const row = this.row(who, sent.id);
      if (row && (channel === null || (sent.channel === channel && this.isThere(who, sent))))
        row.isRead = true;
    }
  }

  flags(who: Reader, id: number): string[] {
    const row = this.row(who, id);
    if (!row) return ["historical", "read"];
    const sent = this.sent.find((one) => one.id === id) as Sent;
    const flags = [
      (row.isRead || !this.isThere(who, sent)) && "read",
      row.isStarred && "starred",
      row.isMentioned && "mentioned",
      !row.isReceived && "historical",
    ];
    return flags.filter((flag) => flag !== false).sort();
  }

  unread(who: Reader): number[] {
    const own = this.sent.filter((sent) => this.isThere(who, sent));
    return own.filter(({ id }) => this.row(who, id)?.isRead === false).map(({ id }) => id);
  }
}

interface Stage {
  w: World;
  model: Model;
  channels: [number, number, number];
}

/** The organization, with people in the three channels. */
async function stage(...there: readonly (readonly Reader[])[]): Promise<Stage> {
  const w = world();
  const everybody = { direct_members: readers.map((who) => w.user(who).id), direct_subgroups: [] };
  const name = "can_delete_any_message_group";
  await w.app.env.db.write(w.app.system, (tx) =>
    giveGrant(tx, { scope: "realm", ownerId: 0, name }, everybody),
  );
  const olive = w.ctx("olive");
  const open = await createChannel(olive, { name: "open", description: "", subscribers: [] });
  const closed = (name: string, history_public_to_subscribers: boolean) =>
    createChannel(olive, {
      name,
      description: "",
      subscribers: [w.user("olive").id],
      invite_only: true,
      history_public_to_subscribers,
    });
  const shared = await closed("shared", true);
  const secret = await closed("secret", false);
  const scene = {
    w,
    model: new Model(),
    channels: [open.stream_id, shared.stream_id, secret.stream_id] as [number, number, number],
  };
  for (const [channel, people] of there.entries()) for (const who of people) await enter(scene, who, channel);
  return scene;
}

async function enter({ w, model, channels }: Stage, who: Reader, channel: number): Promise<void> {
  const input = { channel_ids: [channels[channel] as number], user_ids: [w.user(who).id] };
  await subscribe(w.ctx("olive"), input);
  model.members[channel]?.add(who);
  model.readAll(who, channel);
}

function picked(sent: readonly Sent[], picks: readonly number[]): Sent[] {
  const found = picks.map((pick) => sent[pick % Math.max(1, sent.length)]);
  return [...new Set(found.filter((one) => one !== undefined))];
}

async function take(
  { w, model, channels }: Stage,
  { act, who, channel, topic, mode, mentions, picks, isRead: readBySender }: Step,
) {
  const ctx = w.ctx(who);
  const id = channels[channel] as number;
  const members = model.members[channel] as Set<Reader>;
  const user = w.user(who).id;
  const legible = picked(model.sent, picks).filter((sent) => model.mayRead(who, sent));
  const messages = legible.map((sent) => sent.id);

  switch (act) {
    case "subscribe":
      if (!members.has(who)) await enter({ w, model, channels }, who, channel);
      return;
    case "leave":
      if (!members.has(who)) return;
      await unsubscribe(w.ctx("olive"), { channel_ids: [id], user_ids: [user] });
      model.readAll(who, channel);
      members.delete(who);
      return;
    case "send": {
      if (!members.has(who)) return;
      const sent = await sendMessage(ctx, {
        type: "channel",
        to: [id],
        topic,
        content: "x",
        read_by_sender: readBySender,
      });
      const place = { channel, home: channel, topic, people: new Set(members), met: new Set<Reader>() };
      return model.deliver({ id: sent.id, sender: who, ...place }, readBySender);
    }
    case "dm": {
      const other = readers[(readers.indexOf(who) + 1) % readers.length] as Reader;
      const sent = await sendMessage(ctx, {
        type: "direct",
        to: [w.user(other).id],
        content: "x",
        read_by_sender: readBySender,
      });
      const place = { channel: null, home: null, topic: "", people: new Set([who, other]) };
      return model.deliver({ id: sent.id, sender: who, ...place, met: new Set<Reader>() }, readBySender);
    }
    case "read": {
      await updateFlags(ctx, { op: "add", flag: "read", messages });
      for (const sent of legible) {
        const row = model.row(who, sent.id);
        if (row && model.isThere(who, sent)) row.isRead = true;
      }
      return;
    }
    case "unread": {
      const { ignored } = await updateFlags(ctx, { op: "remove", flag: "read", messages });
      const away = legible.filter(({ channel: c }) => c !== null && !model.members[c]?.has(who));
      expect(ignored).toEqual(
        [...new Set(away.map((sent) => channels[sent.channel as number] as number))].sort((a, b) => a - b),
      );
      for (const sent of legible) if (!away.includes(sent)) model.touch(who, sent.id).isRead = false;
      return;
    }
    case "star":
    case "unstar": {
      await updateFlags(ctx, { op: act === "star" ? "add" : "remove", flag: "starred", messages });
      for (const { id } of legible) {
        if (act === "star") model.touch(who, id).isStarred = true;
        else if (model.row(who, id)) model.touch(who, id).isStarred = false;
      }
      return;
    }
    case "edit": {
      for (const sent of picked(
        model.sent.filter((one) => one.sender === who && model.mayRead(who, one)),
        picks,
      )) {
        const content = `${++edits} ${mentions.map((one) => `@**${w.user(one).full_name}**`).join(" ")}`;
        await updateMessage(ctx, { ...wordless, message_id: sent.id, content });
        model.mention(sent, mentions);
      }
      return;
    }
    case "move": {
      const [target] = picked(
        model.sent.filter((one) => one.channel !== null && model.mayRead(who, one)),
        picks,
      );
      const isThere = target?.channel === channel && target.topic === topic;
      const mayPost = channel === openChannel || members.has(who);
      if (!target || isThere || !mayPost) return;
      const wish = { message_id: target.id, channel_id: id, topic, propagate_mode: mode };
      await updateMessage(ctx, { ...wordless, ...wish });
      const together = model.sent.filter((sent) => {
        if (sent === target || mode === "change_one") return sent === target;
        const isSame = sent.channel === target.channel && sent.topic === target.topic;
        return isSame && model.mayRead(who, sent) && (mode === "change_all" || sent.id > target.id);
      });
      for (const sent of together) model.move(sent, { channel, topic });
      return;
    }
    case "delete": {
      for (const { id } of legible) {
        await deleteMessage(ctx, id);
        model.forget(id);
      }
      return;
    }
    case "mute":
    case "unmute": {
      const other = readers[(readers.indexOf(who) + 1 + (channel % 2)) % readers.length] as Reader;
      if (model.muted.has(`${who}:${other}`) === (act === "mute")) return;
      await (act === "mute" ? muteUser : unmuteUser)(ctx, w.user(other).id);
      if (act === "mute") model.mute(who, other);
      else model.muted.delete(`${who}:${other}`);
      return;
    }
    case "markMuted":
      return markMutedRead(w.app.system);
    case "all":
      await markAllAsRead(ctx);
      return model.readAll(who, null);
    default:
      if (channel !== openChannel && !members.has(who)) return;
      await markChannelAsRead(ctx, id);
      return model.readAll(who, channel);
  }
}

let edits = 0;
const wordless = {
  propagate_mode: "change_one",
  send_notification_to_old_thread: false,
  send_notification_to_new_thread: false,
} as const;

function compare({ w, model, channels }: Stage): void {
  const { system } = w.app;
  const [open] = channels.map((id) => channelConversation(system, id));
  for (const who of readers) {
    const user = w.user(who).id;
    const rows = model.sent.map(({ id }) => findMessageById(system, id)).filter((row) => row !== null);
    const flags = flagsOf(system, user, rows);
    for (const { id } of model.sent)
      expect({ id, who, flags: flags.get(id)?.toSorted() }).toEqual({ id, who, flags: model.flags(who, id) });
    for (const row of rows) {
      const sent = model.sent.find(({ id }) => id === row.id) as Sent;
      const isSeen = mayReadMessage(w.ctx(who), memberOf(system, user), row);
      expect({ id: row.id, who, isSeen }).toEqual({ id: row.id, who, isSeen: model.mayRead(who, sent) });
    }
    const unread = model.unread(who);
    expect(unreadOf(system, user, { max: 1000 }).map(({ id }) => id)).toEqual(unread);
    expect(unreadReader(system, user, { direction: "after", from: 0 })(1)[0]?.id).toBe(unread[0]);
    const inOpen = unread.filter((id) => model.sent.some((sent) => sent.id === id && sent.channel === 0));
    expect(unreadOf(system, user, { max: 1000, only: [open as number] }).map(({ id }) => id)).toEqual(inOpen);
  }
}

/** `unread_msgs` as it is kept in memory, and as the database has it. */
function unreadTwice({ w }: Stage, who: Reader): [kept: unknown, fresh: unknown] {
  const ctx = w.ctx(who);
  const capabilities = new Set(["empty_topic_name"]);
  const request = {
    userId: ctx.actor.id,
    types: null,
    fetched: null,
    capabilities,
    taps: new Set<string>(),
    options: {},
  };
  const kept = runSync(unreadState(ctx, request)).unread_msgs as JsonText;
  const rows = unreadOf(ctx, ctx.actor.id, { max: 1000 }).filter((row) => {
    const message = findMessageById(ctx, row.id);
    return message && mayReadMessage(ctx, memberOf(ctx, ctx.actor.id), message);
  });
  const flags = flagsOf(ctx, ctx.actor.id, rows);
  const mentions = rows.filter(({ id }) => flags.get(id)?.some((flag) => /mentioned$/.test(flag)));
  const groups = [...Map.groupBy(rows, (row) => `${row.conversation_id}:${topicKey(row.topic)}`).values()];
  const placed = groups.map((group) => {
    const [{ conversation_id, topic }] = group as [Receipt];
    const place = conversation(ctx, conversation_id);
    return { place, people: participantsOf(place), topic, unread_message_ids: group.map(({ id }) => id) };
  });
  const fresh = {
    count: rows.length,
    streams: placed.flatMap(({ place: { channel_id: stream_id }, topic, unread_message_ids }) =>
      stream_id === null ? [] : [{ stream_id, topic, unread_message_ids }],
    ),
    pms: placed.flatMap(({ people, unread_message_ids }) => {
      const other_user_id = people.find((id) => id !== ctx.actor.id) ?? ctx.actor.id;
      const isPair = people.length === 1 || people.length === 2;
      return isPair ? [{ other_user_id, sender_id: other_user_id, unread_message_ids }] : [];
    }),
    huddles: placed.flatMap(({ people, unread_message_ids }) =>
      people.length > 2 ? [{ user_ids_string: people.join(), unread_message_ids }] : [],
    ),
    mentions: mentions.map(({ id }) => id),
    old_unreads_missing: false,
  };
  return [kept.toJSON(), fresh];
}

function compareKept(scene: Stage): void {
  const { w, channels } = scene;
  for (const who of readers) {
    const [kept, fresh] = unreadTwice(scene, who);
    expect({ who, unread: kept }).toEqual({ who, unread: fresh });
  }
  expect(cachedFirstMessagesOf(w.app.system, channels)).toEqual(firstMessagesOf(w.app.system, channels));
}

/** How often what is kept is brought up to date, so that it is older each time. */
const keptSteps = 7;

describe("what each user knows of a message", () => {
  test("equals a model with a row for every reader, after random operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), async (steps) => {
        const scene = await stage(readers, ["mel", "max"], ["mel", "moss"]);
        for (const [i, one] of steps.entries()) {
          if (i % keptSteps === 0) compareKept(scene);
          await take(scene, one);
        }
        compare(scene);
        compareKept(scene);
      }),
      { numRuns: 100 },
    );
  }, 300_000);
});

function marksOf(w: World, who: Reader): { upto_seq: number; bits: Uint8Array | null }[] {
  return w.app.env.db.all("SELECT upto_seq, bits FROM read_marks WHERE user_id = ?", w.user(who).id);
}

describe("a read mark", () => {
  const change = fc.record({
    isRead: fc.boolean(),
    seqs: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 12 }),
  });

  test("holds exactly the seqs that were read, in the shortest form", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const read = new Set<number>();
        let mark: Mark = unmarked;
        for (const { isRead, seqs } of changes) {
          for (const seq of seqs) isRead ? read.add(seq) : read.delete(seq);
          mark = isRead ? withRead(mark, seqs) : withUnread(mark, seqs);
        }
        for (let seq = 1; seq <= 90; seq++) expect(isRead(mark, seq)).toBe(read.has(seq));
        expect(isRead(mark, mark.upto + 1)).toBe(false);
        expect(mark.bits?.at(-1)).not.toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("lists ranges with all unread seqs up to a limit, without long read runs", () => {
    const read = fc.array(fc.record({ from: fc.nat(600), length: fc.nat(300) }), { maxLength: 6 });
    fc.assert(
      fc.property(read, fc.nat(700), (runs, top) => {
        const seqs = runs.flatMap(({ from, length }) => Array.from({ length }, (_, i) => from + i + 1));
        const mark = withRead(unmarked, seqs);
        const ranges = unreadRanges(mark, top);
        const within = (seq: number) => ranges.some(({ from, to }) => seq >= from && seq <= to);
        for (let seq = 1; seq <= top; seq++) expect(within(seq) || isRead(mark, seq)).toBe(true);
        expect(ranges.every(({ from, to }, i) => from <= to && from > (ranges[i - 1]?.to ?? 0))).toBe(true);
        expect(ranges.every(({ to }) => to <= top)).toBe(true);
      }),
    );
    const mark = withRead(
      unmarked,
      Array.from({ length: 1000 }, (_, i) => i + 9),
    );
    expect(unreadRanges(mark, 1010)).toEqual([
      { from: 1, to: 8 },
      { from: 1009, to: 1010 },
    ]);
  });

  test("stays short if a user stars messages they did not receive", async () => {
    const { w, channels } = await stage();
    const [open] = channels;
    await subscribe(w.ctx("olive"), { channel_ids: [open], user_ids: [w.user("mel").id] });
    for (let i = 0; i < 20; i++) {
      const message = { type: "channel", to: [open], topic: "t", content: "x" } as const;
      const { id } = await sendMessage(w.ctx("mel"), message);
      if (i % 5 === 0) await updateFlags(w.ctx("max"), { op: "add", flag: "starred", messages: [id] });
    }
    expect(marksOf(w, "max")).toEqual([{ upto_seq: 16, bits: null }]);
  });

  test("stays short if users answer each other", async () => {
    const w = world();
    const say = (by: Reader, to: Reader) =>
      sendMessage(w.ctx(by), {
        type: "direct",
        to: [w.user(to).id],
        content: "x",
        read_by_sender: true,
      });
    for (let i = 0; i < 20; i++) {
      const { id } = await say("mel", "max");
      await updateFlags(w.ctx("max"), { op: "add", flag: "read", messages: [id] });
      await say("max", "mel");
      await say("max", "mel");
    }
    expect(marksOf(w, "max")).toEqual([{ upto_seq: 58, bits: null }]);
  });
});
