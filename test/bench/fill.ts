// Fills the data folder of a stopped Confab, in a separate process. Writes through the stores, because ten thousand users through
// the API would each cost a password hash and a million messages a million requests. Usage: bun fill.ts DATA-FOLDER
// JSON-OF-A-WORLD; prints the JSON of a Filled.

import { open } from "@/app.ts";
import { insertUser } from "@/foundation/accounts/store.ts";
import { insertKey } from "@/foundation/keys/store.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { hasUnindexed, indexOldest, mergeSegments, newestId } from "@/messaging/message-index/store.ts";
import { setMark } from "@/messaging/receipts/store.ts";
import { insertSpans } from "@/messaging/receipts/store-reception.ts";
import { insertMessage, openClient } from "@/messaging/sending/store.ts";
import { insertChannel } from "@/places/channel-administration/store.ts";
import * as conversations from "@/places/conversations/store.ts";
import { setSubscribed } from "@/places/subscriptions/store.ts";
import { messageText } from "./requests.ts";
import { apiKeyOf, emailOf, type Filled, type World } from "./worlds.ts";

type Place = { channel: number; conversation: number; subscribers: number[]; isQuiet: boolean };

const [folder = "", wanted = "{}"] = Bun.argv.slice(2);
const world = JSON.parse(wanted) as World;
const inOneBody = 5_000;
/** Large batches and a large buffer leave the index little to merge; merging would otherwise take most of the time. */
const indexedAtOnce = 50_000;
const pagesMergedAtOnce = 4_000;
const indexBufferBytes = 64 * 1_048_576;
const rareTopics = 20;
const unread = 20;

const app = open(folder);
const { db } = app.env;
db.sqlite.run("PRAGMA synchronous = OFF");
db.sqlite.run("PRAGMA cache_size = -400000");
setIndexBuffer(indexBufferBytes);
const filled = await fill();
await app.close();
console.log(JSON.stringify(filled));

async function fill(): Promise<Filled> {
  const users = await write((tx) => createUsers(tx, world.users));
  const places = await write((tx) =>
    world.channels.map(({ name, subscribers, isQuiet = false }, i) => {
      return { ...createChannel(tx, name, shareOf(users, subscribers, i)), isQuiet };
    }),
  );
  for (let from = 0; from < world.messages; from += inOneBody) {
    await write((tx) => sendMany(tx, places, users, from, Math.min(from + inOneBody, world.messages)));
    if ((from + inOneBody) % indexedAtOnce === 0) await indexMany();
  }
  while (hasUnindexed({ db })) await indexMany();
  setIndexBuffer(1_048_576);
  if (world.messages > 0) for (const place of places) await write((tx) => markMostRead(tx, place));
  return {
    accounts: users.map((_, i) => ({ email: emailOf(i), apiKey: apiKeyOf(i) })),
    channels: Object.fromEntries(world.channels.map(({ name }, i) => [name, places[i]?.channel ?? 0])),
    lastMessageId: newestId({ db }),
  };
}

async function indexMany(): Promise<void> {
  await write((tx) => indexOldest(tx, indexedAtOnce, Number.POSITIVE_INFINITY));
  while (await write((tx) => mergeSegments(tx, pagesMergedAtOnce)));
}

/** FTS5's default, 1 MB. */
function setIndexBuffer(bytes: number): void {
  db.sqlite.run(`INSERT INTO message_index (message_index, rank) VALUES ('hashsize', ${bytes})`);
}

function write<T>(body: (tx: Tx) => T): Promise<T> {
  return db.write(app.system, body);
}

function createUsers(tx: Tx, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const plain = { role: roles.member, password_hash: null, bot_type: null, bot_owner_id: null };
    const id = insertUser(tx, { ...plain, email: emailOf(i), full_name: `Bench User ${i}` });
    insertKey(tx, { user_id: id, hash: hashKey(apiKeyOf(i)), kind: "main", device: "" });
    return id;
  });
}

/**
 * The first users are in the special channels, so that these are comparable. The other channels take users in turn, and the last two
 * are in all: the server reads ahead as the first of them, and the other is the one who is measured.
 */
function shareOf(users: number[], count: number, turn: number): number[] {
  if (turn < world.special) return users.slice(0, count);
  const [others, last] = [users.slice(0, -2), users.slice(-2)];
  const inTurn = Array.from({ length: count - 2 }, (_, i) => others[(turn * count + i) % others.length] ?? 0);
  return [...inTurn, ...last];
}

function createChannel(tx: Tx, name: string, subscribers: number[]): Omit<Place, "isQuiet"> {
  const channel = insertChannel(tx, {
    name,
    description: "For the bench",
    rendered_description: "<p>For the bench</p>",
    creator_id: null,
    invite_only: false,
    history_public_to_subscribers: true,
  });
  const conversation = conversations.insertOfChannel(tx, channel);
  const distinct = [...new Set(subscribers)];
  setSubscribed(
    tx,
    distinct.map((user_id) => ({ channel_id: channel, user_id, color: "#76ce90" })),
  );
  insertSpans(
    tx,
    distinct.map((userId) => ({ userId, conversationId: conversation })),
  );
  return { channel, conversation, subscribers };
}

/** Messages number `from` to `to`, spread over the channels and their topics. */
function sendMany(tx: Tx, places: Place[], users: number[], from: number, to: number): void {
  const client_id = openClient(tx, "bench");
  for (let i = from; i < to; i++) {
    const place = places[i % places.length];
    const home_id = place?.conversation ?? 0;
    const seq = Math.floor(i / places.length) + 1;
    const topic = seq % 2 === 0 ? "bench" : `topic ${seq % rareTopics}`;
    const isQuiet = place?.isQuiet && seq % 1000 !== 0;
    const content = isQuiet ? messageText(i).replaceAll("backup", "restore") : messageText(i);
    insertMessage(tx, {
      conversation_id: home_id,
      home_id,
      seq,
      sender_id: users[(i * 31) % users.length] ?? 0,
      client_id,
      sent_at: tx.now - world.messages + i,
      bits: 0,
      topic,
      topic_key: topic,
      content,
      rendered: `<p>${content}</p>`,
    });
    conversations.setLastSeq(tx, home_id, seq);
  }
}

/** Everyone has read all but the last few messages. */
function markMostRead(tx: Tx, { conversation, subscribers }: Place): void {
  const upto = conversations.lastSeq(tx, conversation) - unread;
  for (const user of subscribers) setMark(tx, user, conversation, { upto, bits: null });
}
