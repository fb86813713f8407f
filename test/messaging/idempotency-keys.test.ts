// A send with an Idempotency-Key may be repeated: the message is sent once, and each answer is the first one.
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "@/app.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import { basic, type Json, type Params, requestOf } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const day = 86_400;
const lunch = { type: "channel", to: "Design", topic: "Lunch", content: "soup" };

async function sendWith(w: World, key: string | undefined, params: Params = {}, who: CastName = "mel") {
  const { email, key: apiKey } = w.user(who);
  const headers = {
    authorization: basic(email, apiKey),
    ...(key !== undefined && { "idempotency-key": key }),
  };
  const request = requestOf("http://x/api/v1/messages", "POST", { params: { ...lunch, ...params }, headers });
  const response = await w.app.fetch(request);
  return { status: response.status, body: (await response.json()) as Json };
}

async function office(): Promise<World> {
  const w = world();
  const subscribers = (["mel", "max"] as const).map((one) => w.user(one).id);
  await createChannel(w.ctx("mel"), { name: "Design", subscribers });
  return w;
}

const count = (w: World) =>
  w.app.env.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE content = 'soup'")?.n;
const keys = (w: World) => w.app.env.db.all("SELECT key FROM idempotency_keys").length;
const sentEvents = (w: World) => w.events.filter(({ event }) => event.type === "message").length;

describe("a send with an Idempotency-Key", () => {
  test("is answered like any other", async () => {
    const w = await office();
    const { status, body } = await sendWith(w, "k1");
    expect([status, body]).toMatchObject([200, { result: "success", msg: "", id: expect.any(Number) }]);
    expect(count(w)).toBe(1);
  });

  test("that is repeated is sent once, and gets the first answer", async () => {
    const w = await office();
    const first = await sendWith(w, "k1", { queue_id: "1:1", local_id: "9.1" });
    const events = sentEvents(w);
    // A client that has registered again names another queue.
    const again = await sendWith(w, "k1", { queue_id: "1:2", local_id: "9.2", read_by_sender: true });
    expect(again).toEqual(first);
    expect([count(w), sentEvents(w)]).toEqual([1, events]);
  });

  test("gets the first answer with its visibility policy, too", async () => {
    const w = await office();
    await w.as("mel").patch("/settings", { automatically_follow_topics_policy: 1 });
    const first = await sendWith(w, "k1", { topic: "New" });
    expect(first.body.automatic_new_visibility_policy).toBe(3);
    expect(await sendWith(w, "k1", { topic: "New" })).toEqual(first);
  });

  test("that is repeated at the same time is sent once", async () => {
    const w = await office();
    const all = await Promise.all(Array.from({ length: 20 }, () => sendWith(w, "k1")));
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect([all[0]?.status, count(w)]).toEqual([200, 1]);
  });

  test("that is repeated among sends which are refused, is sent once", async () => {
    const w = await office();
    const bad = { to: "nowhere" };
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        sendWith(w, i % 3 === 1 ? `bad${i}` : "k1", i % 3 === 1 ? bad : {}),
      ),
    );
    expect(new Set(all.filter(({ status }) => status === 200).map(({ body }) => body.id)).size).toBe(1);
    expect(all.filter(({ status }) => status === 400)).toHaveLength(4);
    expect([count(w), keys(w)]).toEqual([1, 1]);
  });

  test("is a message of its own for each key, and without a key", async () => {
    const w = await office();
    const ids = [
      await sendWith(w, "k1"),
      await sendWith(w, "k2"),
      await sendWith(w, undefined),
      await sendWith(w, undefined),
    ];
    expect(new Set(ids.map(({ body }) => body.id)).size).toBe(4);
    expect(keys(w)).toBe(2);
  });

  test("is another sender's own with the same key", async () => {
    const w = await office();
    const [mel, max] = [await sendWith(w, "k1"), await sendWith(w, "k1", {}, "max")];
    expect(max.status).toBe(200);
    expect(max.body.id).not.toBe(mel.body.id);
    expect((await sendWith(w, "k1", {}, "max")).body.id).toBe(max.body.id);
  });

  test.each<[string, Params]>([
    ["content", { content: "salad" }],
    ["topic", { topic: "Dinner" }],
    ["recipient", { to: "office" }],
    ["kind", { type: "direct", to: "[1]" }],
  ])("is refused with another %s under the same key", async (_, other) => {
    const w = await office();
    await sendWith(w, "k1");
    const { status, body } = await sendWith(w, "k1", other);
    expect([status, body]).toEqual([
      422,
      {
        result: "error",
        code: "IDEMPOTENCY_KEY_REUSED",
        msg: "This Idempotency-Key was already used for another message.",
      },
    ]);
    expect(w.app.env.db.all("SELECT 1 FROM messages WHERE content = 'salad' OR topic = 'Dinner'")).toEqual(
      [],
    );
  });

  test("gets its first answer after the sender has left the channel, and the message is gone", async () => {
    const w = await office();
    const first = await sendWith(w, "k1");
    await w.as("ada").delete(`/messages/${first.body.id}`);
    await w.as("mel").delete("/users/me/subscriptions", { subscriptions: ["Design"] });
    expect(await sendWith(w, "k1")).toEqual(first);
    expect(count(w)).toBe(0);
  });

  test("that was refused leaves no key", async () => {
    const w = await office();
    expect((await sendWith(w, "k1", { to: "Later" })).status).toBe(400);
    await createChannel(w.ctx("mel"), { name: "Later", subscribers: [w.user("mel").id] });
    expect((await sendWith(w, "k1", { to: "Later" })).status).toBe(200);
  });

  test.each(["", "two words", "clé", "tab\there", "k".repeat(256)])(
    "is refused with the key %p",
    async (key) => {
      const w = await office();
      const header = new TextDecoder("latin1").decode(new TextEncoder().encode(key));
      const { status, body } = await sendWith(w, header);
      expect([status, body.code, body.msg]).toEqual([
        400,
        "BAD_REQUEST",
        "Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces",
      ]);
      expect(count(w)).toBe(0);
    },
  );

  test.each(["k".repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "!~"])(
    "takes the key %p",
    async (key) => {
      const w = await office();
      const first = await sendWith(w, key);
      expect(first.status).toBe(200);
      expect(await sendWith(w, key)).toEqual(first);
    },
  );

  test("is kept for a day, whether or not expired keys have been deleted", async () => {
    const w = await office();
    const first = await sendWith(w, "k1");
    w.clock.advance(day - 1);
    expect(await sendWith(w, "k1")).toEqual(first);
    w.clock.advance(1);
    const next = await sendWith(w, "k1");
    expect(next.body.id).toBeGreaterThan(first.body.id);
    expect(await sendWith(w, "k1")).toEqual(next);
    expect([count(w), keys(w)]).toEqual([2, 1]);
  });

  test("is forgotten after a day, a bounded number at a time", async () => {
    const w = await office();
    await w.app.env.db.write(w.ctx("system"), (tx) => {
      for (let i = 1; i <= 1_200; i++)
        tx.run("INSERT INTO idempotency_keys VALUES (?, 1, ?, ?, x'00', NULL)", -i, `old${i}`, tx.now - day);
    });
    await sendWith(w, "k1");
    const written = await countWrites(w, () => runJob(w, "expired-idempotency-keys"));
    expect(w.app.env.db.all("SELECT key FROM idempotency_keys")).toEqual([{ key: "k1" }]);
    expect(written).toBe(3);
    w.clock.advance(day);
    await runJob(w, "expired-idempotency-keys");
    expect(keys(w)).toBe(0);
  });
});

/** How many transactions the work makes. */
async function countWrites(w: World, work: () => Promise<unknown>): Promise<number> {
  const { db } = w.app.env;
  const { write } = db;
  let written = 0;
  db.write = function <T>(this: typeof db, ...given: Parameters<typeof write>): Promise<T> {
    written++;
    return write.apply(db, given) as Promise<T>;
  } as typeof write;
  await work();
  db.write = write;
  return written;
}

test("a repetition after a restart of the server gets the first answer", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "confab-test-"));
  const first = open(dataDir, { hosting: true, site: "http://x" });
  const owner = { owner_email: "olive@example.com", owner_name: "Olive", avatar_salt: "salt" };
  const { api_key: key } = await createRealm(first.system, { name: "Once", ...owner });
  const ask = async (app: typeof first) => {
    const headers = { authorization: basic("olive@example.com", key), "idempotency-key": "k1" };
    const params = { type: "direct", to: ["olive@example.com"], content: "note" };
    return (await (
      await app.fetch(requestOf("http://x/api/v1/messages", "POST", { params, headers }))
    ).json()) as Json;
  };
  const before = await ask(first);
  await first.close();
  const second = open(dataDir, { hosting: true, site: "http://x" });
  expect(before).toMatchObject({ result: "success", id: expect.any(Number) });
  expect(await ask(second)).toEqual(before);
  await second.close();
  rmSync(dataDir, { recursive: true, force: true });
});
