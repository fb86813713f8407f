// Notifications by Web Push, with a push service that decrypts what it gets.
import { afterAll, describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { followMessages } from "@/outside/web-push/following.ts";
import { pushing } from "@/outside/web-push/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import { servePlain } from "../support/plain-server.ts";
import { type PushBrowser, type PushService, pushService } from "../support/push-receiver.ts";
import { until } from "../support/waiting.ts";
import { givePassword, signedIn } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const running: PushService[] = [];
afterAll(() => {
  for (const one of running) one.stop();
});

interface Scene extends World {
  service: PushService;
  channel: number;
  /** Subscribes a new browser of a user. */
  browserOf(name: CastName): Promise<PushBrowser>;
  send(name: CastName, topic: string, content: string): Promise<number>;
  direct(from: CastName, to: CastName, content: string): Promise<number>;
  /** What the push service got since the last call, by the number of the browser. */
  pushed(): Promise<[number, string, string][]>;
}

async function scene(): Promise<Scene> {
  const w = world();
  await setServerOptions(w.app.system, { webhook_networks: "127.0.0.1" });
  await runJob(w, "web-push");
  const { public_key } = (await w.as("mel").get("/users/me/web_push")).body;
  const service = await pushService(() => public_key);
  running.push(service);
  const people = (["mel", "max", "ada"] as const).map((name) => w.user(name).id);
  const { stream_id: channel } = await createChannel(w.ctx("ada"), { name: "launch", subscribers: people });
  await runJob(w, "web-push");
  let seen = 0;
  return {
    ...w,
    service,
    channel,
    async browserOf(name) {
      const browser = service.browser();
      const { status } = await w.as(name).post("/users/me/web_push", { ...browser });
      expect(status).toBe(200);
      return browser;
    },
    send: async (name, topic, content) =>
      (await w.as(name).post("/messages", { type: "channel", to: channel, topic, content })).body.id,
    direct: async (from, to, content) =>
      (await w.as(from).post("/messages", { type: "direct", to: [w.user(to).id], content })).body.id,
    async pushed() {
      await runJob(w, "web-push");
      const fresh = service.pushed.slice(seen);
      seen = service.pushed.length;
      return fresh.map(({ to, text }) => [to, text.title, text.body]);
    },
  };
}

describe("get-web-push", () => {
  test("returns the server's key, which stays the same, and the caller's browsers alone", async () => {
    const s = await scene();
    const { endpoint } = await s.browserOf("mel");
    const own = (await s.as("mel").get("/users/me/web_push")).body;
    expect(Buffer.from(own.public_key, "base64url")).toHaveLength(65);
    expect(own.subscriptions).toEqual([{ id: 1, endpoint, device: "test", created_at: s.clock.now() }]);
    await runJob(s, "web-push");
    const others = (await s.as("max").get("/users/me/web_push")).body;
    expect([others.public_key, others.subscriptions]).toEqual([own.public_key, []]);
  });
});

describe("subscribe-web-push", () => {
  test("pushes a direct message, encrypted for the browser and signed by the server", async () => {
    const s = await scene();
    await s.browserOf("mel");
    const id = await s.direct("max", "mel", "see **you** at noon :tada:");
    expect(await s.pushed()).toEqual([[0, "Max", "see you at noon 🎉"]]);
    const [{ text, claims, ttl }] = s.service.pushed as [(typeof s.service.pushed)[0]];
    expect(text).toMatchObject({
      tag: `message-${id}`,
      icon: `/avatar/${s.user("max").id}`,
      sent_at: s.clock.now(),
    });
    expect(text.url).toStartWith("/#narrow/dm/");
    expect(text.url).toEndWith(`/near/${id}`);
    expect(claims).toMatchObject({
      aud: new URL(s.service.browser().endpoint).origin,
      sub: "https://chat.example.com",
    });
    expect(ttl).toBeGreaterThan(0);
  });

  test("pushes in the reader's language at the time", async () => {
    const s = await scene();
    await s.browserOf("mel");
    const speak = (default_language: string) => s.as("mel").patch("/settings", { default_language });
    await s.as("mel").patch("/settings", { pm_content_in_desktop_notifications: false });
    await s.as("mel").patch("/settings", { enable_stream_push_notifications: true });
    await speak("ar");
    await s.send("max", "tea", "ready");
    await s.direct("max", "mel", "psst");
    const group = [s.user("mel").id, s.user("ada").id];
    await s.as("max").post("/messages", { type: "direct", to: group, content: "both" });
    expect(await s.pushed()).toEqual([
      [0, "\u2068Max\u2069 في \u2068\u200f\u2068#launch\u2069 › \u2068tea\u2069\u2069", "ready"],
      [0, "Max", "رسالة مباشرة جديدة"],
      [0, "\u2068Max\u2069 وشخص آخر", "رسالة مباشرة جديدة"],
    ]);
    await speak("de");
    await s.direct("max", "mel", "psst");
    expect(await s.pushed()).toEqual([[0, "Max", "Neue Direktnachricht"]]);
  });

  test("pushes to each browser of a person, and no earlier messages", async () => {
    const s = await scene();
    await s.direct("max", "mel", "before");
    await s.browserOf("mel");
    expect(await s.pushed()).toEqual([]);
    await s.direct("max", "mel", "between");
    await s.browserOf("mel");
    await s.direct("max", "mel", "after");
    expect((await s.pushed()).map(([to, , body]) => [to, body]).sort()).toEqual([
      [0, "after"],
      [0, "between"],
      [1, "after"],
    ]);
  });

  test("renews a browser that subscribes again, also for somebody else", async () => {
    const s = await scene();
    const browser = await s.browserOf("mel");
    expect((await s.as("max").post("/users/me/web_push", { ...browser })).status).toBe(200);
    await s.direct("ada", "mel", "to mel");
    await s.direct("ada", "max", "to max");
    expect(await s.pushed()).toEqual([[0, "Ada", "to max"]]);
    expect((await s.as("mel").get("/users/me/web_push")).body.subscriptions).toEqual([]);
  });

  test.each([
    ["a key that is none", { p256dh: "AAAA" }],
    ["a secret that is none", { auth: "AAAA" }],
    ["a key that is no point of the curve", { p256dh: Buffer.alloc(65, 4).toString("base64url") }],
    ["a secret of another length", { auth: Buffer.alloc(17).toString("base64url") }],
    ["an address that is none", { endpoint: "javascript:1" }],
    ["an address without TLS", { endpoint: "http://push.example.com/1" }],
    ["an address of this machine that the operator has not opened", { endpoint: "http://127.0.0.2/1" }],
  ])("refuses %s", async (_, wrong) => {
    const s = await scene();
    const given = { ...s.service.browser(), ...wrong };
    expect(await s.as("mel").post("/users/me/web_push", given)).toMatchObject({ status: 400, events: [] });
    expect((await s.as("mel").get("/users/me/web_push")).body.subscriptions).toEqual([]);
  });

  test("never calls an address in the server's own network, whatever its name", async () => {
    const s = await scene();
    await setServerOptions(s.app.system, { webhook_networks: "" });
    const browser = { ...s.service.browser(), endpoint: "https://127.0.0.1:1/push" };
    expect((await s.as("mel").post("/users/me/web_push", browser)).status).toBe(200);
    await s.direct("max", "mel", "hello");
    await s.pushed();
    expect(s.service.requests).toBe(0);
  });

  test("keeps twenty browsers of a person, the newest", async () => {
    const s = await scene();
    for (let n = 0; n < 21; n++) await s.browserOf("mel");
    const { subscriptions } = (await s.as("mel").get("/users/me/web_push")).body;
    expect([subscriptions.length, subscriptions[0].id]).toEqual([20, 2]);
  });
});

describe("unsubscribe-web-push", () => {
  test("ends the pushes to a browser, for its own user alone", async () => {
    const s = await scene();
    const { endpoint } = await s.browserOf("mel");
    expect((await s.as("max").delete("/users/me/web_push", { endpoint })).status).toBe(200);
    await s.direct("max", "mel", "one");
    expect(await s.pushed()).toHaveLength(1);
    expect((await s.as("mel").delete("/users/me/web_push", { endpoint })).status).toBe(200);
    await s.direct("max", "mel", "two");
    expect(await s.pushed()).toEqual([]);
  });
});

describe("what is pushed", () => {
  test("is sent for messages that mention the person, by name or with everybody", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.send("max", "countdown", "ten days");
    expect(await s.pushed()).toEqual([]);
    await s.send("max", "countdown", "@**Mel** ten days");
    expect(await s.pushed()).toEqual([[0, "Max in #launch › countdown", "@Mel ten days"]]);
    await s.send("max", "countdown", "@**all** nine days");
    expect(await s.pushed()).toHaveLength(1);
    await s.as("mel").patch("/settings", { wildcard_mentions_notify: false });
    await s.send("max", "another", "@**all** eight days");
    expect(await s.pushed()).toEqual([]);
  });

  test("is sent for messages with an alert word", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.as("mel").post("/users/me/alert_words", { alert_words: ["rocket"] });
    await s.send("max", "countdown", "the rocket is here");
    expect(await s.pushed()).toHaveLength(1);
  });

  test("is sent for the chosen channels and topics", async () => {
    const s = await scene();
    await s.browserOf("mel");
    const choose = (value: boolean) =>
      s.as("mel").post("/users/me/subscriptions/properties", {
        subscription_data: [{ stream_id: s.channel, property: "push_notifications", value }],
      });
    await choose(true);
    await s.send("max", "countdown", "asked for");
    expect(await s.pushed()).toHaveLength(1);
    await choose(false);
    await s.send("max", "countdown", "not asked for");
    expect(await s.pushed()).toEqual([]);
    const followed = { stream_id: s.channel, topic: "countdown", visibility_policy: 3 };
    await s.as("mel").post("/user_topics", followed);
    await s.send("max", "countdown", "followed");
    await s.send("max", "elsewhere", "not followed");
    expect((await s.pushed()).map(([, , body]) => body)).toEqual(["followed"]);
  });

  test("is not sent for muted topics, channels and people", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.as("mel").patch("/settings", { enable_stream_push_notifications: true });
    await s.as("mel").post("/users/me/alert_words", { alert_words: ["rocket"] });
    await s.as("mel").post("/user_topics", { stream_id: s.channel, topic: "noise", visibility_policy: 1 });
    await s.send("max", "noise", "the rocket, @**all**");
    expect(await s.pushed()).toEqual([]);
    await s.send("max", "signal", "heard");
    expect(await s.pushed()).toHaveLength(1);
    await s.as("mel").post(`/users/me/muted_users/${s.user("max").id}`);
    await s.direct("max", "mel", "hello?");
    expect(await s.pushed()).toEqual([]);
  });

  test("leaves out a direct message's text if the person chose so", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.as("mel").patch("/settings", { pm_content_in_desktop_notifications: false });
    await s.direct("max", "mel", "the secret plan");
    expect(await s.pushed()).toEqual([[0, "Max", "New direct message"]]);
    expect(JSON.stringify(s.service.pushed)).not.toContain("secret");
  });

  test("contains no spoiler, no quote, and only the beginning of a long text", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.direct("max", "mel", "```spoiler End\nthe gardener\n```\n```quote\nolder\n```\nwell");
    const [[, , body]] = (await s.pushed()) as [[number, string, string]];
    expect(body).toContain("End");
    expect(body).toContain("well");
    expect(body).not.toMatch(/gardener|older/);
    await s.direct("max", "mel", "word ".repeat(1000));
    const [[, , long]] = (await s.pushed()) as [[number, string, string]];
    expect([long.length <= 300, long.endsWith("…")]).toEqual([true, true]);
  });

  test("is not sent if the person has turned push off, has read the message, or is using a client", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.as("mel").patch("/settings", { enable_offline_push_notifications: false });
    await s.direct("max", "mel", "off");
    expect(await s.pushed()).toEqual([]);
    await s.as("mel").patch("/settings", { enable_offline_push_notifications: true });
    const id = await s.direct("max", "mel", "read at once");
    await s.as("mel").post("/messages/flags", { messages: [id], op: "add", flag: "read" });
    expect(await s.pushed()).toEqual([]);
    await s.as("mel").post("/users/me/presence", { status: "active" });
    await s.as("mel").patch("/settings", { enable_online_push_notifications: false });
    await s.direct("max", "mel", "here");
    expect(await s.pushed()).toEqual([]);
    s.clock.advance(60);
    await s.direct("max", "mel", "gone");
    expect(await s.pushed()).toHaveLength(1);
  });

  test("is not sent for a message that was deleted, or for the person's own", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.direct("mel", "mel", "note to self");
    const id = await s.direct("olive", "mel", "oops");
    expect((await s.as("olive").delete(`/messages/${id}`)).status).toBe(200);
    expect(await s.pushed()).toEqual([]);
  });
});

describe("a subscription", () => {
  test.each([[404], [410]])("is deleted when the push service answers %i", async (status) => {
    const s = await scene();
    await s.browserOf("mel");
    s.service.status = status;
    await s.direct("max", "mel", "one");
    await s.pushed();
    s.service.status = 201;
    await s.direct("max", "mel", "two");
    expect(await s.pushed()).toEqual([]);
    expect(s.service.requests).toBe(1);
    expect((await s.as("mel").get("/users/me/web_push")).body.subscriptions).toEqual([]);
  });

  test("with a key that was stored before keys were checked is deleted, and stops nobody's notifications", async () => {
    const s = await scene();
    await s.browserOf("mel");
    await s.browserOf("max");
    const { db } = s.app.env;
    const wrong = Buffer.alloc(65, 4).toString("base64url");
    await db.write(s.app.system, (tx) =>
      tx.run("UPDATE push_subscriptions SET p256dh = ? WHERE user_id = ?", wrong, s.user("mel").id),
    );
    await s.direct("ada", "mel", "to mel");
    await s.direct("ada", "max", "to max");
    expect(await s.pushed()).toEqual([[1, "Ada", "to max"]]);
    expect((await s.as("mel").get("/users/me/web_push")).body.subscriptions).toEqual([]);
  });

  test("whose host does not answer delays nobody else's, and is asked for few of its pushes", async () => {
    const s = await scene();
    const arrived: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const silent = await servePlain(async ({ path }) => {
      arrived.push(path);
      await waiting.promise;
      return { status: 503 };
    });
    for (let n = 0; n < 20; n++) {
      const browser = { ...s.service.browser(), endpoint: `http://127.0.0.1:${silent.port}/${n}` };
      expect((await s.as("mel").post("/users/me/web_push", browser)).status).toBe(200);
    }
    await s.browserOf("max");
    for (let n = 0; n < 10; n++) await s.direct("ada", "mel", `to mel ${n}`);
    const first = runJob(s, "web-push");
    await until(() => arrived.length >= pushing.limits.perOwner, "the pushes arrive");
    await s.direct("ada", "max", "to max");
    const second = runJob(s, "web-push");
    await until(() => s.service.pushed.length > 0, "the other is pushed");
    expect(s.service.pushed.map(({ text }) => text.body)).toEqual(["to max"]);
    expect(arrived).toHaveLength(pushing.limits.perOwner);
    waiting.resolve();
    await Promise.all([first, second]);
    expect(new Set(arrived).size).toBe(20);
    await silent.stop();
  });

  test("whose push service gives no answer has its try for everything that is due", async () => {
    const s = await scene();
    const gone = await servePlain(() => ({}));
    await gone.stop();
    const browser = { ...s.service.browser(), endpoint: `http://127.0.0.1:${gone.port}/1` };
    await s.as("mel").post("/users/me/web_push", browser);
    for (let n = 0; n < 5; n++) await s.direct("ada", "mel", `to mel ${n}`);
    const tries = () => s.app.env.db.all("SELECT DISTINCT tries, due_at FROM pushes");
    await runJob(s, "web-push");
    expect(tries()).toEqual([{ tries: 1, due_at: s.clock.now() + 5 }]);
    s.clock.advance(5);
    await runJob(s, "web-push");
    expect(tries()).toEqual([{ tries: 2, due_at: s.clock.now() + 60 }]);
    for (const pause of [60, 300]) {
      s.clock.advance(pause);
      await runJob(s, "web-push");
    }
    expect(tries()).toEqual([]);
  });

  test("is tried again when the push service is busy, and given up after the last try", async () => {
    const s = await scene();
    await s.browserOf("mel");
    s.service.status = 503;
    await s.direct("max", "mel", "one");
    expect(await s.pushed()).toEqual([]);
    s.service.status = 201;
    expect(await s.pushed()).toEqual([]);
    s.clock.advance(5);
    expect(await s.pushed()).toEqual([[0, "Max", "one"]]);
    s.service.status = 500;
    await s.direct("max", "mel", "two");
    for (const pause of [0, 5, 60, 300, 3600]) {
      s.clock.advance(pause);
      await s.pushed();
    }
    expect(s.service.requests).toBe(6);
    expect(s.app.env.db.all("SELECT * FROM pushes")).toEqual([]);
  });

  test("is tried again in time, also if the clock is set back; nobody counts as active in the future", async () => {
    const s = await scene();
    await s.browserOf("mel");
    s.service.status = 503;
    await s.direct("max", "mel", "one");
    await s.pushed();
    s.service.status = 201;
    await s.as("mel").post("/users/me/presence", { status: "active" });
    await s.as("mel").patch("/settings", { enable_online_push_notifications: false });
    s.clock.step(-86_400);
    await s.direct("max", "mel", "two");
    expect((await s.pushed()).map(([, , body]) => body).sort()).toEqual(["one", "two"]);
  });

  test("that a bot's key has made ends when the bot is given away, or gets another key", async () => {
    const s = await scene();
    const bolt = s.user("bolt").id;
    const write = (content: string) => s.as("max").post("/messages", { type: "direct", to: [bolt], content });
    await s.browserOf("bolt");
    await write("for its keeper");
    expect(await s.pushed()).toHaveLength(1);
    await s.as("mel").post(`/bots/${bolt}/api_key/regenerate`);
    await write("after its key was replaced");
    expect(await s.pushed()).toEqual([]);

    const { user_id, api_key } = (await s.as("mel").post("/bots", { full_name: "Spy", short_name: "spy" }))
      .body;
    const spy = s.login("spy-bot@chat.example.com", api_key);
    expect((await spy.post("/users/me/web_push", { ...s.service.browser() })).status).toBe(200);
    await s.as("mel").patch(`/bots/${user_id}`, { bot_owner_id: s.user("max").id });
    await s.as("max").post("/messages", { type: "direct", to: [user_id], content: "secret" });
    expect(await s.pushed()).toEqual([]);
  });

  test("ends with the session that made it, and with the account", async () => {
    const s = await scene();
    await givePassword(s, "mel");
    const page = await signedIn(s, "mel");
    await page.ask("POST", "/json/users/me/web_push", { ...s.service.browser() });
    await s.direct("max", "mel", "one");
    expect(await s.pushed()).toHaveLength(1);
    await page.ask("POST", "/logout");
    await s.direct("max", "mel", "two");
    expect(await s.pushed()).toEqual([]);

    await s.browserOf("max");
    await s.direct("mel", "max", "three");
    await deactivateUser(s.ctx("olive"), s.user("max").id);
    expect(await s.pushed()).toEqual([]);
  });
});

describe("sending a message", () => {
  test("writes nothing for those who want notifications: a job does, after the commit", async () => {
    const written: string[] = [];
    const w = world({ onBatch: (batch) => void written.push(...batch.map(({ sql }) => sql)) });
    await setServerOptions(w.app.system, { webhook_networks: "127.0.0.1" });
    const { stream_id: id } = await createChannel(w.ctx("ada"), {
      name: "launch",
      subscribers: [w.user("mel").id, w.user("max").id],
    });
    const send = async (content: string) => {
      written.length = 0;
      await w.as("max").post("/messages", { type: "channel", to: id, topic: "t", content });
      return [...written];
    };
    await send("warm");
    const before = await send("plain");
    const service = await pushService(() => "");
    running.push(service);
    for (let n = 0; n < 5; n++) await w.as("mel").post("/users/me/web_push", { ...service.browser() });
    await w.as("mel").patch("/settings", { enable_stream_push_notifications: true });
    expect(await send("plain")).toEqual(before);
    expect(service.requests).toBe(0);
  });

  test("queues the notifications of many people in several transactions, and keeps none of their URLs", async () => {
    const queued: number[] = [];
    const w = world({
      onBatch: (batch) => {
        const pushes = batch.filter(({ sql }) => sql.includes("INTO pushes"));
        if (pushes.length > 0) queued.push(pushes.reduce((sum, { changes }) => sum + changes, 0));
      },
    });
    const count = 450;
    const subscribers = await w.app.env.db.write(w.app.system, (tx) => {
      const columns = "email, email_key, delivery_email, delivery_email_key, full_name, full_name_key";
      tx.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) ` +
          `INSERT INTO users (${columns}, role, is_bot, date_joined) ` +
          `SELECT ${columns.replaceAll(/\w+/g, "'p' || i")}, 400, 0, 0 FROM n`,
      );
      const people = "FROM users WHERE email LIKE 'p%' AND email NOT LIKE '%@%'";
      tx.run(
        "INSERT INTO push_subscriptions (user_id, endpoint, p256dh, auth, device, since_id, created_at) " +
          `SELECT id, 'https://push.example.com/' || id, '', '', '', 0, 0 ${people}`,
      );
      return tx.db.all<{ id: number }>(`SELECT id ${people}`).map(({ id }) => id);
    });
    const { stream_id: to } = await createChannel(w.ctx("ada"), { name: "launch", subscribers });
    await w.as("ada").post("/messages", { type: "channel", to, topic: "t", content: "@**all**" });
    await followMessages(w.app.system);
    expect(queued.reduce((sum, n) => sum + n, 0)).toBe(count);
    expect(Math.max(...queued)).toBeLessThanOrEqual(200);
    queued.length = 0;
    await followMessages(w.app.system);
    expect(queued).toEqual([]);
    expect(Bun.inspect([...w.app.env.db.kept.values()], { depth: 8 })).not.toContain("push.example.com");
  });

  test("writes nothing if nobody wants notifications", async () => {
    const w = world();
    await runJob(w, "web-push");
    await w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content: "hi" });
    await runJob(w, "web-push");
    expect(w.app.env.db.all("SELECT * FROM push_progress")).toEqual([]);
  });
});
