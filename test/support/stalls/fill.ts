// Fills the data folder of a stopped Confab for the slowest requests: a large organization, with one user who has the
// maximum of everything. Runs as a separate process and writes to the database, because the API would take hours.
// Usage: bun fill.ts DATA-FOLDER; prints the JSON of a `Filled`.

import { open } from "@/app.ts";
import { insertUser } from "@/foundation/accounts/store.ts";
import { insertKey } from "@/foundation/keys/store.ts";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import type { SqlValue, Tx } from "@/kernel/core/context.ts";
import { indexAll } from "@/messaging/message-index/actions.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { setMark } from "@/messaging/receipts/store.ts";
import { insertSpans } from "@/messaging/receipts/store-reception.ts";
import { insertMessage, openClient } from "@/messaging/sending/store.ts";
import { insertChannel } from "@/places/channel-administration/store.ts";
import * as conversations from "@/places/conversations/store.ts";
import { setSubscribed } from "@/places/subscriptions/store.ts";
import { type Filled, keys, listener, opening, prolific, sizes, textOf, wanted } from "./filled.ts";

const app = open(Bun.argv[2] ?? "");
const { db } = app.env;
db.sqlite.run("PRAGMA synchronous = OFF");
const write = <T>(body: (tx: Tx) => T): Promise<T> => db.write(app.system, body);
const owner = db.get<{ id: number }>("SELECT id FROM users WHERE role = ?", roles.owner)?.id ?? 0;

/** One INSERT of `count` rows, in which `n.value` counts from 1. */
function many(tx: Tx, count: number, sql: string, ...params: SqlValue[]): void {
  tx.run(`${sql} FROM json_each(?) AS n WHERE true`, ...params, JSON.stringify(upTo(count)));
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

function newPerson(tx: Tx, name: string, role: Role = roles.member): number {
  const plain = { password_hash: null, bot_type: null, bot_owner_id: null };
  return insertUser(tx, { ...plain, role, email: `${name}@example.com`, full_name: `Person ${name}` });
}

function newChannel(tx: Tx, name: string, subscribers: readonly number[]) {
  const channel = insertChannel(tx, {
    name,
    description: textOf(1, 200),
    rendered_description: `<p>${textOf(1, 200)}</p>`,
    creator_id: owner,
    invite_only: false,
    history_public_to_subscribers: true,
  });
  const conversation = conversations.insertOfChannel(tx, channel);
  setSubscribed(
    tx,
    subscribers.map((user_id) => ({ channel_id: channel, user_id, color: "#76ce90" })),
  );
  insertSpans(
    tx,
    subscribers.map((userId) => ({ userId, conversationId: conversation })),
  );
  return { channel, conversation };
}

interface Place {
  conversation: number;
  topic: (i: number) => string;
  content: (i: number) => string;
  rendered?: (i: number) => string;
  senders: readonly number[];
}

function send(tx: Tx, count: number, { conversation, topic, content, rendered, senders }: Place): number[] {
  const client_id = openClient(tx, "stalls");
  let seq = conversations.lastSeq(tx, conversation);
  const ids = upTo(count).map((i) => {
    seq++;
    const written = content(i);
    return insertMessage(tx, {
      conversation_id: conversation,
      home_id: conversation,
      seq,
      sender_id: senders[i % senders.length] ?? owner,
      client_id,
      sent_at: tx.now - 200 + Math.floor(i / 100),
      bits: 0,
      topic: topic(i),
      topic_key: topic(i),
      content: written,
      rendered: rendered?.(i) ?? `<p>${written}</p>`,
    });
  });
  conversations.setLastSeq(tx, conversation, seq);
  return ids;
}

const people = await write((tx) => {
  insertKey(tx, { user_id: owner, hash: hashKey(keys.owner), kind: "main", device: "" });
  const made = upTo(sizes.people).map((i) => newPerson(tx, `p${i}`));
  insertKey(tx, { user_id: made[0] ?? 0, hash: hashKey(keys.first), kind: "main", device: "" });
  insertKey(tx, { user_id: made[1] ?? 0, hash: hashKey(keys.second), kind: "main", device: "" });
  for (const [i, id] of made.entries())
    insertKey(tx, { user_id: id, hash: hashKey(listener(i + 1).key), kind: "main", device: "" });
  return made;
});
const all = [owner, ...people];
const everyone = await write((tx) => newChannel(tx, "everyone", all));
const labs = await write((tx) =>
  upTo(sizes.channels).map((i) =>
    newChannel(tx, `lab ${i}`, [owner, ...upTo(20).map((k) => people[(i * 20 + k) % people.length] ?? 0)]),
  ),
);
const vaults = await write((tx) =>
  upTo(1 + opening.channels).map((i) => newChannel(tx, `vault ${i}`, [owner])),
);

const long = await write((tx) =>
  send(tx, sizes.longMessages, {
    conversation: everyone.conversation,
    topic: () => "long",
    content: (i) => textOf(i, 10_000),
    senders: all,
  }),
);
const own = await write((tx) =>
  send(tx, sizes.ownMessages, {
    conversation: everyone.conversation,
    topic: () => "own",
    content: (i) => textOf(i, 200),
    senders: [owner],
  }),
);
const short = await write((tx) =>
  send(tx, sizes.shortMessages, {
    conversation: everyone.conversation,
    topic: (i) => `topic ${i % sizes.topics}`,
    content: (i) => textOf(i, 60),
    senders: all,
  }),
);
const moving = await write((tx) =>
  labs.slice(0, sizes.movable).map(({ channel, conversation }) => {
    send(tx, sizes.perTopic, {
      conversation,
      topic: () => "moving",
      content: (i) => textOf(i, 60),
      senders: all,
    });
    return channel;
  }),
);
await write((tx) =>
  send(tx, sizes.prolific * sizes.perProlific, {
    conversation: labs[prolific.lab]?.conversation ?? 0,
    topic: (i) => `topic ${i % 20}`,
    content: (i) => textOf(i, 60),
    senders: people.slice(prolific.person, prolific.person + sizes.prolific),
  }),
);
await write((tx) => {
  for (const user of people) setMark(tx, user, everyone.conversation, { upto: 10, bits: null });
});

// Everybody has starred some messages.
await write((tx) =>
  many(
    tx,
    sizes.people * sizes.stars,
    "INSERT INTO message_flags (user_id, message_id, bits) " +
      "SELECT ?1 + n.value % ?2, ?3 + (n.value % ?2 % ?4 * 7 + n.value / ?2 * 131) % ?5, ?6",
    ...[people[0] ?? 0, sizes.people, short[0] ?? 0, sizes.starLists, short.length, flagBits.starred],
  ),
);

// The maximum of reactions, edits and similar on a message.
const [busy = 0] = own;
await write((tx) => {
  many(
    tx,
    200,
    "INSERT INTO message_edits (message_id, nth, user_id, edited_at, prev_content, prev_rendered) " +
      "SELECT ?, n.value, ?, ?, ? || n.value || ?, '<p>' || ? || n.value || ? || '</p>'",
    ...[busy, owner, tx.now, textOf(1, 2_400), textOf(2, 2_400), textOf(1, 2_400), textOf(2, 2_400)],
  );
  tx.run("UPDATE messages SET bits = bits | 1 WHERE id = ?", busy);
  many(
    tx,
    5_000,
    "INSERT INTO reactions (message_id, user_id, type, code, name, reacted_at) " +
      "SELECT ?, ? + n.value, 'U', '1f44d', '+1', ?",
    ...[busy, people[0] ?? 0, tx.now],
  );
  many(
    tx,
    10_000,
    "INSERT INTO submessages (message_id, sender_id, msg_type, content) SELECT ?, ?, 'widget', '{\"a\":' || n.value || '}'",
    ...[own[1] ?? 0, owner],
  );
});

// The owner's personal lists.
await write((tx) => {
  const text = textOf(1, 9_000);
  many(
    tx,
    900,
    "INSERT INTO drafts (user_id, type, recipients, topic, content, edited_at) SELECT ?, 'stream', ?, 'a', ? || n.value, ?",
    ...[owner, JSON.stringify([everyone.channel]), text, tx.now],
  );
  many(
    tx,
    990,
    "INSERT INTO saved_snippets (user_id, title, content, date_created) SELECT ?, 'title ' || n.value, ? || n.value, ?",
    ...[owner, text, tx.now],
  );
  many(
    tx,
    800,
    "INSERT INTO scheduled_messages (sender_id, type, recipients, topic, content, rendered, deliver_at, client) " +
      "SELECT ?, 'stream', ?, 'a', ? || n.value, '<p>' || ? || '</p>', ?, 'x'",
    ...[owner, JSON.stringify([everyone.channel]), text, text, tx.now + 1_000_000],
  );
  many(
    tx,
    900,
    "INSERT INTO reminders (user_id, message_id, note, content, rendered, deliver_at) SELECT ?, ? + n.value, 'note', ?, '<p>' || ? || '</p>', ?",
    ...[owner, long[0] ?? 0, text, text, tx.now + 1_000_000],
  );
  many(
    tx,
    900,
    "INSERT INTO alert_words (user_id, word_key, word) SELECT ?, 'alert word ' || n.value, 'Alert word ' || n.value",
    owner,
  );
  many(
    tx,
    400,
    "INSERT INTO navigation_views (user_id, fragment, is_pinned, name, added_at) SELECT ?, 'narrow/is/' || n.value, 1, 'view ' || n.value, ?",
    ...[owner, tx.now],
  );
  many(
    tx,
    9_000,
    "INSERT INTO user_topics (user_id, channel_id, topic_key, topic, policy, last_updated) SELECT ?, ?, 'topic ' || n.value, 'topic ' || n.value, 1, ?",
    ...[owner, everyone.channel, tx.now],
  );
  many(
    tx,
    49_000,
    "INSERT INTO attachments (owner_id, file, path_id, name, size, content_type, uploaded_at) " +
      "SELECT ?, printf('%032x', n.value), printf('1/%032x/name.txt', n.value), 'name.txt', 10, 'text/plain', ?",
    ...[owner, tx.now],
  );
  many(
    tx,
    900,
    "INSERT INTO invitations (kind, number, key_hash, key, inviter_id, role, channel_ids, group_ids, with_defaults, notify_inviter, invited_at) " +
      "SELECT 'link', n.value, CAST('hash' || n.value AS BLOB), 'key' || n.value, ?, 400, '[]', '[]', 0, 0, ?",
    ...[owner, tx.now],
  );
});

// Everybody wants to be reminded of some messages, waits for mails that quote them, and has the same alert word.
await write((tx) => {
  const [first = 0, last = 0] = [own[wanted], own[wanted + sizes.wanted - 1]];
  many(
    tx,
    sizes.people * sizes.wanted,
    "INSERT INTO reminders (user_id, message_id, note, content, rendered, deliver_at) " +
      "SELECT ?1 + (n.value - 1) % ?2, ?3 + (n.value - 1) / ?2, 'note', 'text', '<p>text</p>', ?4",
    ...[people[0] ?? 0, sizes.people, first, tx.now + 1_000_000],
  );
  tx.run(
    "INSERT INTO mails (recipient, subject, body, headers, sender_id, tells_sender, queued_at, due_at) " +
      "SELECT 'p@example.com', message_id, note, '{}', ?1, 0, ?2, ?2 + 1000 FROM reminders WHERE message_id BETWEEN ?3 AND ?4",
    ...[owner, tx.now, first, last],
  );
  tx.run("INSERT INTO mail_messages (mail_id, message_id) SELECT id, subject FROM mails");
  many(
    tx,
    sizes.people,
    "INSERT INTO alert_words (user_id, word_key, word) SELECT ? + n.value - 1, 'ahoy', 'Ahoy'",
    people[0] ?? 0,
  );
});

// The organization's lists.
await write((tx) => {
  tx.run("INSERT OR REPLACE INTO upload_space (id, used) VALUES (1, 490000)");
  tx.run(
    "INSERT INTO settings (scope, owner_id, name, value) VALUES ('realm', 0, 'moderation_request_channel_id', ?)",
    String(labs[1]?.channel),
  );
  tx.run(
    "INSERT INTO settings (scope, owner_id, name, value) VALUES ('realm', 0, 'message_content_edit_limit_seconds', 'null')",
  );
  // A hundred people report each of four messages, and everybody else a fifth one.
  const [reported = 0] = long.slice(300);
  tx.run(
    "INSERT INTO reports (message_id, reported_id, reporter_id, report_type, description, notice_id, reported_at, content) " +
      "SELECT messages.id, messages.sender_id, ?1 + n.value - 1, 'other', printf('%.1000c', 'x'), 0, ?2, messages.content " +
      "FROM messages JOIN json_each(?4) AS n ON messages.id = ?3 + iif(n.value > 400, 4, n.value % 4)",
    people[0] ?? 0,
    tx.now,
    reported,
    JSON.stringify(upTo(sizes.people)),
  );
  many(
    tx,
    9_000,
    "INSERT INTO realm_emoji (name, file, author_id) SELECT 'emoji_' || n.value, 'file' || n.value, ?",
    owner,
  );
  many(
    tx,
    190,
    "INSERT INTO linkifiers (position, pattern, url_template) SELECT n.value, '(?:[a-z]+-)*(?P<id>' || n.value || '[0-9a-f]+)x', 'https://e.com/' || n.value || '/{id}'",
  );
  many(
    tx,
    190,
    "INSERT INTO playgrounds (name, pygments_language, url_template) SELECT 'play ' || n.value, 'Rust', 'https://e.com/{code}'",
  );
  many(
    tx,
    500,
    "INSERT INTO channel_folders (name, name_key, description, rendered_description, position, date_created) " +
      "SELECT 'folder ' || n.value, 'folder ' || n.value, 'd', '<p>d</p>', n.value, ?",
    tx.now,
  );
  many(
    tx,
    1_000,
    "INSERT INTO realm_domains (domain, allow_subdomains) SELECT 'd' || n.value || '.example.com', 0",
  );
  many(tx, 500, "INSERT INTO default_channels (channel_id) SELECT ? + n.value", labs[0]?.channel ?? 0);
});
const groups = await write((tx) => {
  const first = tx.run(
    "INSERT INTO user_groups (kind, name, name_key, date_created) VALUES ('named', 'crowd', 'crowd', ?)",
    tx.now,
  ).lastInsertRowid;
  many(
    tx,
    sizes.people,
    "INSERT INTO group_members (group_id, user_id) SELECT ?, ? + n.value - 1",
    first,
    people[0] ?? 0,
  );
  many(
    tx,
    sizes.groups,
    "INSERT INTO user_groups (kind, name, name_key, date_created) SELECT 'named', 'group ' || n.value, 'group ' || n.value, ?",
    tx.now,
  );
  many(
    tx,
    sizes.groups,
    "INSERT INTO group_members (group_id, user_id) SELECT ? + n.value, ? + n.value",
    ...[first, people[0] ?? 0],
  );
  // A group opens one private channel, and another hundreds of them.
  for (const [place, { channel }] of vaults.entries()) {
    tx.run("UPDATE channels SET invite_only = 1 WHERE id = ?", channel);
    tx.run(
      "INSERT INTO grants (scope, owner_id, name, group_id) VALUES ('channel', ?, 'can_subscribe_group', ?)",
      ...[channel, first + (place === 0 ? opening.one : opening.many)],
    );
  }
  return upTo(sizes.groups + 1).map((i) => first + i - 1);
});
const settled = await write((tx) => {
  const plain = { role: roles.member, password_hash: null };
  const bot = insertUser(tx, {
    ...plain,
    email: "storing-bot@example.com",
    full_name: "Storing",
    bot_type: 1,
    bot_owner_id: owner,
  });
  insertKey(tx, { user_id: bot, hash: hashKey(keys.bot), kind: "main", device: "" });
  many(
    tx,
    3_000,
    "INSERT INTO bot_storage (bot_id, key, value) SELECT ?, 'key ' || n.value, ?",
    ...[bot, textOf(3, 1_000)],
  );
  return { bot };
});
await indexAll(app.system);
await app.close();
const filled: Omit<Filled, "picture"> = {
  owner,
  people,
  everyone: everyone.channel,
  labs: labs.map(({ channel }) => channel),
  moving,
  messages: { long, own, short },
  groups,
  ...settled,
};
console.log(JSON.stringify(filled));
