// What concerns thousands of people or messages costs little.
import { expect, test } from "bun:test";
import { createUser } from "@/foundation/accounts/actions.ts";
import { subscribe } from "@/places/subscriptions/actions.ts";
import { expectCpu } from "../support/stalls/cpu-time.ts";
import { type CastName, type World, world } from "../support/world.ts";

async function channel(w: World, people: readonly CastName[]): Promise<number> {
  const subscribers = people.map((name) => w.user(name).id);
  return (await w.as("ada").post("/channels/create", { name: "party", subscribers })).body.id;
}

async function send(w: World): Promise<number> {
  const message = { type: "channel", to: "party", topic: "cake", content: "crumbs" };
  return (await w.as("mel").post("/messages", message)).body.id;
}

/** So many messages like this one. */
async function copies(w: World, id: number, count: number): Promise<void> {
  const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
  await w.app.env.db.write(w.app.system, (tx) => {
    tx.run(
      `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
        `SELECT conversation_id, home_id, seq + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
      JSON.stringify(Array.from({ length: count }, (_, i) => i + 1)),
      id,
    );
    tx.run(
      "UPDATE sequences SET last_seq = last_seq + ? WHERE conversation_id = (SELECT conversation_id FROM messages WHERE id = ?)",
      count,
      id,
    );
  });
}

test("ten thousand users are subscribed in one call", async () => {
  const w = world();
  const id = await channel(w, ["mel"]);
  const made = Array.from({ length: 10_000 }, (_, i) =>
    createUser(w.ctx("ada"), { email: `user${i}@example.com`, full_name: `User ${i}` }),
  );
  const user_ids = (await Promise.all(made)).map(({ user }) => user.user_id);
  await expectCpu(4_000, () => subscribe(w.ctx("mel"), { channel_ids: [id], user_ids }), 1);
  expect((await w.as("mel").get(`/streams/${id}`)).body.stream.subscriber_count).toBe(10_001);
});

test("a topic of 10,000 messages moves", async () => {
  const w = world();
  await channel(w, ["mel", "max", "gus", "moss"]);
  const id = await send(w);
  await copies(w, id, 9_999);
  const change = { topic: "tart", propagate_mode: "change_all" };
  await expectCpu(
    4_000,
    async () => expect((await w.as("ada").patch(`/messages/${id}`, change)).status).toBe(200),
    1,
  );
});

test("a client registers that has 50,000 unread messages in one topic", async () => {
  const w = world();
  await channel(w, ["mel", "max"]);
  await copies(w, await send(w), 50_000);
  await expectCpu(5_000, async () => {
    const { unread_msgs } = (await w.queue("max")).state;
    expect(unread_msgs).toMatchObject({ count: 50_000, old_unreads_missing: true });
  });
});

test("who has read a message is told in a channel of 10,000", async () => {
  const w = world();
  const id = await channel(w, ["mel"]);
  await send(w);
  await crowd(w, id, 10_000);
  const last = await send(w);
  await expectCpu(150, async () =>
    expect((await w.as("mel").get(`/messages/${last}/read_receipts`)).body.user_ids).toHaveLength(5000),
  );
});

/** Subscribes this many new people to the channel. All of them have read its first message, every other one the second. */
async function crowd({ app, ctx }: World, channel: number, size: number): Promise<void> {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < ${1000 + size})`;
  const home = `(SELECT id FROM conversations WHERE channel_id = ${channel})`;
  const rows = [
    "users (id, email, email_key, delivery_email, delivery_email_key, full_name, full_name_key, role, date_joined) " +
      "SELECT i, i, i, i, i, i, i, 400, 0",
    `subscriptions (channel_id, user_id, is_subscribed, color) SELECT ${channel}, i, 1, '#000000'`,
    `receipt_spans (conversation_id, user_id, from_seq) SELECT ${home}, i, 1`,
    `read_marks (user_id, conversation_id, upto_seq) SELECT i, ${home}, 1 + i % 2`,
  ];
  await app.env.db.write(ctx("system"), (tx) => {
    for (const row of rows) {
      const [, table, columns, values] = /^(\w+) (\(.*?\)) (SELECT .*)$/.exec(row) ?? [];
      tx.run(`INSERT INTO ${table} ${columns} ${numbers} ${values} FROM n`);
    }
  });
}
