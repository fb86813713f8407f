import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { reachOf } from "@/outside/webhooks/reach.ts";
import { calling } from "@/outside/webhooks/schema.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type CapturedEvent, type World, world } from "../support/world.ts";

interface Asked {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A service on this machine that answers each request with the next of `answers`, and then always with the last. */
async function service(...answers: { status?: number; body?: unknown; headers?: Record<string, string> }[]) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push({ headers: request.headers, body });
      const { status = 200, body: answer = "", headers } = answers[asked.length - 1] ?? answers.at(-1) ?? {};
      response.writeHead(status, headers);
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}/hook`, port };
}

/** A service that answers nothing until it is released, and then says that no response is required. */
async function silent() {
  const held: (() => void)[] = [];
  const paths: string[] = [];
  let released = false;
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    request.resume();
    if (released) response.end();
    else held.push(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    paths,
    url: `http://127.0.0.1:${port}`,
    reached: (count: number) =>
      until(
        () => paths.length >= count,
        () => `${count} requests arrive, not ${paths.length}`,
      ),
    release() {
      released = true;
      for (const answer of held) answer();
    },
  };
}

/** A service that answers its first caller when told to. */
async function answeringLate(body: object) {
  let count = 0;
  let answer = () => {};
  const server = createServer((request, response) => {
    request.resume();
    count++;
    answer = () => response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    reached: () => until(() => count > 0, "a connection arrives"),
    answer: () => answer(),
  };
}

const running: (() => void)[] = [];
afterAll(() => {
  for (const stop of running) stop();
});

interface Office extends World {
  bot: { id: number; email: string; key: string };
  channel: number;
  run(): Promise<CapturedEvent[]>;
}

/** A bot of mel's with a service, and a channel of mel and max. */
async function office(payload_url: string, interface_type: 1 | 2 = 1): Promise<Office> {
  const w = world();
  await setServerOptions(w.app.system, { webhook_networks: "127.0.0.1" });
  const made = await createBot(w.ctx("mel"), {
    full_name: "Hook",
    short_name: "hook",
    bot_type: botTypes.outgoingWebhook,
    payload_url,
    interface_type,
  });
  const { stream_id } = await createChannel(w.ctx("mel"), {
    name: "builds",
    subscribers: [w.user("mel").id, w.user("max").id],
  });
  const bot = { id: made.user.user_id, email: made.user.email, key: made.api_key };
  return { ...w, bot, channel: stream_id, run: () => runJob(w, "webhooks") };
}

const mention = (w: World, content = "@**Hook** build it") =>
  w.as("max").post("/messages", { type: "stream", to: "builds", topic: "night", content });
const direct = (w: Office, content = "hello") =>
  w.as("max").post("/messages", { type: "direct", to: [w.bot.id], content });
const messages = (events: CapturedEvent[]): Json[] =>
  events.filter(({ event }) => event.type === "message").map(({ event }) => event.message);

describe("a mention of an outgoing webhook bot", () => {
  test("is posted to its service, whose reply the bot writes in the topic", async () => {
    const { asked, url } = await service({ body: { content: "**built**" } });
    const w = await office(url);
    const { id } = (await mention(w)).body;
    const events = await w.run();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers["content-type"]).toBe("application/json");
    const { state } = await w.queue("mel", { fetch_event_types: ["realm_bot"] });
    const hook = state.realm_bots.find((one: Json) => one.user_id === w.bot.id);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      bot_email: w.bot.email,
      bot_full_name: "Hook",
      data: "@**Hook** build it",
      token: hook.services[0].token,
      trigger: "mention",
      message: expect.objectContaining({
        id,
        sender_id: w.user("max").id,
        sender_full_name: "Max",
        subject: "night",
        type: "stream",
        content: "@**Hook** build it",
        rendered_content: expect.stringContaining("user-mention"),
        avatar_url: expect.any(String),
      }),
    });
    expect(messages(events)).toMatchObject([
      { sender_id: w.bot.id, subject: "night", content: "<p><strong>built</strong></p>" },
    ]);
    expect(events[0]?.audience).toEqual(["mel", "max"]);
    expect(messages(await w.run())).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test("is posted nowhere once the bot has been given away, and a pending reply is dropped", async () => {
    const { asked, url } = await service();
    const slow = await answeringLate({ content: "A word in your name" });
    const w = await office(slow.url);
    await mention(w);
    const running = w.run();
    await slow.reached();
    await mention(w, "@**Hook** and this");
    const given = await w.as("mel").patch(`/bots/${w.bot.id}`, { bot_owner_id: w.user("olive").id });
    expect(given.status).toBe(200);
    slow.answer();
    expect(messages(await running).filter(({ sender_id }) => sender_id === w.bot.id)).toEqual([]);
    expect(messages(await w.run())).toEqual([]);
    expect(slow.count()).toBe(1);

    await w.as("olive").patch(`/bots/${w.bot.id}`, { service_payload_url: url });
    await mention(w);
    await w.run();
    expect(asked).toHaveLength(1);
  });

  test("is not caused by a silent mention, or by a mention of another user", async () => {
    const { asked, url } = await service();
    const w = await office(url);
    await mention(w, "@_**Hook** hello");
    await mention(w, "@**Bolt** hello");
    await w.run();
    expect(asked).toEqual([]);
  });

  test("is answered where the message is by then", async () => {
    const { url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const { id } = (await mention(w)).body;
    await w.as("max").patch(`/messages/${id}`, { topic: "day" });
    expect(messages(await w.run())).toMatchObject([{ subject: "day" }]);
  });

  test("is dropped if the message or the bot is gone", async () => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const { id } = (await mention(w)).body;
    await w.as("ada").delete(`/messages/${id}`);
    await mention(w);
    await deactivateUser(w.ctx("ada"), w.bot.id);
    expect(messages(await w.run())).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("is not posted after a move to where the bot may not read", async () => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const { id } = (await mention(w)).body;
    const subscribers = [w.user("ada").id, w.user("max").id];
    const vault = await w
      .as("ada")
      .post("/channels/create", { name: "vault", invite_only: true, subscribers });
    const moved = await w.as("ada").patch(`/messages/${id}`, { stream_id: vault.body.id, topic: "night" });
    expect(moved.status).toBe(200);
    expect(messages(await w.run())).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("by a bot is never posted, so that no two bots answer each other forever", async () => {
    const { asked, url } = await service({ body: { content: "@**Hook** again" } });
    const w = await office(url);
    await w
      .as("bolt")
      .post("/messages", { type: "stream", to: "builds", topic: "t", content: "@**Hook** hi" });
    await w.run();
    expect(asked).toEqual([]);
    await mention(w);
    expect(messages(await w.run())).toHaveLength(1);
    await w.run();
    expect(asked).toHaveLength(1);
  });

  test("is not posted to a bot that may not read there", async () => {
    const { asked, url } = await service();
    const w = await office(url);
    const subscribers = [w.user("max").id];
    await createChannel(w.ctx("max"), { name: "secret", invite_only: true, subscribers });
    await w
      .as("max")
      .post("/messages", { type: "stream", to: "secret", topic: "t", content: "@**Hook** hi" });
    await w.run();
    expect(asked).toEqual([]);
  });
});

describe("a mention of a group with an outgoing webhook bot in it", () => {
  /** A group with the bot in it, and a group that contains that one. */
  async function groups(w: Office) {
    const { body } = await w
      .as("ada")
      .post("/user_groups/create", { name: "builders", description: "", members: [w.bot.id] });
    const around = { name: "crew", description: "", members: [], subgroups: [body.group_id] };
    await w.as("ada").post("/user_groups/create", around);
  }

  test.each([
    ["the group", "@*builders*"],
    ["a group around it", "@*crew*"],
    ["both, and the bot itself", "@*crew* @*builders* @**Hook**"],
  ])("is posted to it, once: %s", async (_, content) => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    await groups(w);
    await mention(w, content);
    expect(messages(await w.run())).toMatchObject([{ sender_id: w.bot.id, subject: "night" }]);
    expect(asked.map(({ body }) => JSON.parse(body).trigger)).toEqual(["mention"]);
  });

  test.each([
    ["a silent mention", "@_*crew* hello"],
    ["a quoted one", "```quote\n@*crew* hello\n```"],
    ["one in code", "`@*crew*`"],
    ["one of a group without it", "@*others*"],
    ["everyone in the channel", "@**all** hello"],
    ["everyone in the topic", "@**topic** hello"],
  ])("is not caused by %s", async (_, content) => {
    const { asked, url } = await service();
    const w = await office(url);
    await groups(w);
    const members = [w.user("max").id];
    await w.as("ada").post("/user_groups/create", { name: "others", description: "", members });
    await w.as("mel").post("/users/me/subscriptions", {
      subscriptions: [{ name: "builds" }],
      principals: [w.bot.id],
    });
    expect((await mention(w, content)).status).toBe(200);
    await w.run();
    expect(asked).toEqual([]);
  });

  test("is not posted to a bot that may not read there, nor to one that is gone", async () => {
    const { asked, url } = await service();
    const w = await office(url);
    await groups(w);
    const subscribers = [w.user("max").id];
    await createChannel(w.ctx("max"), { name: "secret", invite_only: true, subscribers });
    const hidden = { type: "stream", to: "secret", topic: "t", content: "@*crew* hi" };
    expect((await w.as("max").post("/messages", hidden)).status).toBe(200);
    await w.run();
    await deactivateUser(w.ctx("ada"), w.bot.id);
    expect((await mention(w, "@*crew* hi")).status).toBe(200);
    await w.run();
    expect(asked).toEqual([]);
  });
});

describe("a direct message to an outgoing webhook bot", () => {
  test("is posted, and answered to all who are in it", async () => {
    const { asked, url } = await service({ body: { response_string: "old form" } });
    const w = await office(url);
    const to = [w.bot.id, w.user("ada").id];
    await w.as("max").post("/messages", { type: "direct", to, content: "hello" });
    const events = await w.run();
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ trigger: "direct_message", data: "hello" });
    expect(events.filter(({ event }) => event.type === "message")).toMatchObject([
      { audience: ["ada", "max", w.bot.id], event: { message: { sender_id: w.bot.id } } },
    ]);
  });

  test.each([
    ["nothing", ""],
    ["an empty object", {}],
    ["that no response is required", { response_not_required: true, content: "x" }],
    ["an empty reply", { content: " " }],
  ])("needs no reply: %s", async (_, body) => {
    const { asked, url } = await service({ body });
    const w = await office(url);
    await direct(w);
    expect(messages(await w.run())).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe("a service of the Slack-compatible interface", () => {
  test("gets a form, and replies with text", async () => {
    const { asked, url } = await service({ body: { text: "done" } });
    const w = await office(url, 2);
    const { id } = (await mention(w)).body;
    expect(messages(await w.run())).toMatchObject([{ sender_id: w.bot.id, content: "<p>done</p>" }]);
    expect(asked[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toEqual({
      token: expect.stringMatching(/^\w{32}$/),
      team_id: "T1",
      team_domain: "chat.example.com",
      channel_id: `C${w.channel}`,
      channel_name: "builds",
      thread_ts: String(id),
      timestamp: String(w.clock.now()),
      user_id: `U${w.user("max").id}`,
      user_name: "Max",
      text: "@**Hook** build it",
      trigger_word: "mention",
      service_id: String(w.bot.id),
    });
  });

  test("gets no direct messages", async () => {
    const { asked, url } = await service({ body: { text: "done" } });
    const w = await office(url, 2);
    await direct(w);
    const [shown, received] = messages(await w.run());
    expect([shown.sender_id, received.content]).toEqual([
      w.bot.id,
      expect.stringContaining("does not accept direct messages"),
    ]);
    expect(asked).toEqual([]);
  });
});

describe("a service that fails", () => {
  /** The messages in the conversation, and those to the bot's owner. */
  const failed = (w: Office, reason: string) => [
    { sender_id: w.bot.id, subject: "night", content: expect.stringContaining("Failure!") },
    { sender_full_name: "Notification Bot", content: expect.stringContaining(reason) },
  ];

  test("with a server error is called again, twice, and then given up", async () => {
    const { asked, url } = await service({ status: 503 });
    const w = await office(url);
    await mention(w);
    expect(messages(await w.run())).toEqual([]);
    expect(messages(await w.run())).toEqual([]);
    expect(asked).toHaveLength(1);
    w.clock.advance(calling.pauses[0]);
    expect(messages(await w.run())).toEqual([]);
    w.clock.advance(calling.pauses[1]);
    const events = await w.run();
    expect(messages(events)).toMatchObject(failed(w, "it answered with status 503"));
    expect(events.filter(({ event }) => event.type === "message").map(({ audience }) => audience)).toEqual([
      ["mel", "max"],
      expect.arrayContaining(["mel"]),
    ]);
    w.clock.advance(1000);
    await w.run();
    expect(asked).toHaveLength(3);
  });

  test("is called again in time, also if the clock is set back", async () => {
    const { asked, url } = await service({ status: 500 }, { body: { content: "built" } });
    const w = await office(url);
    await mention(w);
    await w.run();
    w.clock.step(-86_400);
    expect(messages(await w.run())).toMatchObject([{ content: "<p>built</p>" }]);
    expect(asked).toHaveLength(2);
  });

  test("for a while succeeds in the end", async () => {
    const { url } = await service({ status: 500 }, { body: { content: "built" } });
    const w = await office(url);
    await mention(w);
    await w.run();
    w.clock.advance(calling.pauses[0]);
    expect(messages(await w.run())).toMatchObject([{ content: "<p>built</p>" }]);
  });

  test.each([
    ["refuses", { status: 403 }, "it answered with status 403"],
    ["leads elsewhere", { status: 302, headers: { location: "http://127.0.0.1/" } }, "status 302"],
    ["answers no JSON", { body: "<html>" }, "its response is not JSON"],
    ["answers a list", { body: [1] }, "its response is not a JSON object"],
    ["replies by a number", { body: { content: 5 } }, "its reply is not text"],
    ["answers without end", { body: "x".repeat(calling.maxReplyBytes + 1) }, "its response is too long"],
  ])("because it %s is given up", async (_, answer, reason) => {
    const { asked, url } = await service(answer);
    const w = await office(url);
    await mention(w);
    const received = messages(await w.run());
    // A connection that breaks may have failed by accident, so it is retried.
    for (const pause of received.length > 0 ? [] : calling.pauses) {
      w.clock.advance(pause);
      received.push(...messages(await w.run()));
    }
    expect(received).toMatchObject(failed(w, reason));
    expect(asked.length).toBe(reason.includes("too long") ? 3 : 1);
  });

  test("because nobody listens is retried, and then given up", async () => {
    const w = await office("http://127.0.0.1:9/hook");
    await mention(w);
    await w.run();
    for (const pause of calling.pauses) {
      w.clock.advance(pause);
      const received = messages(await w.run());
      expect(received).toHaveLength(pause === calling.pauses.at(-1) ? 2 : 0);
    }
  });

  test("is not shown if the bot may not post there, but its owner gets a notice", async () => {
    const { url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const value = { direct_members: [w.user("max").id], direct_subgroups: [] };
    await w.as("ada").patch(`/streams/${w.channel}`, { can_send_message_group: { new: value } });
    await mention(w);
    expect(messages(await w.run())).toMatchObject([
      { sender_full_name: "Notification Bot", content: expect.stringContaining("permission to post") },
    ]);
  });

  test("does not delay others", async () => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    await w.as("mel").post("/bots", {
      full_name: "Broken",
      short_name: "broken",
      bot_type: 3,
      payload_url: "http://127.0.0.1:9/",
    });
    await mention(w, "@**Broken** @**Hook** hello");
    expect(messages(await w.run())).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  test("to answer does not delay others, however many of its calls wait", async () => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const slow = await silent();
    const { user_id } = (
      await w
        .as("mel")
        .post("/bots", { full_name: "Slow", short_name: "slow", bot_type: 3, payload_url: slow.url })
    ).body;
    const waiting = Array.from(
      { length: 1500 },
      () => ({ type: "direct", to: [user_id], content: "hi" }) as const,
    );
    await Promise.all(waiting.map((message) => sendMessage(w.ctx("max"), message)));
    await mention(w);
    const running = w.run();
    await until(() => asked.length > 0, "it is asked");
    expect(asked).toHaveLength(1);
    await w.as("mel").delete(`/bots/${user_id}`);
    slow.release();
    expect(messages(await running)).toMatchObject([{ sender_id: w.bot.id, content: "<p>built</p>" }]);
    expect(slow.paths).toHaveLength(calling.limits.perOwner);
  });

  test("to answer leaves places to others, however many bots call the same host", async () => {
    const { asked, url } = await service({ body: { content: "built" } });
    const w = await office(url);
    const slow = await silent();
    const bots = Array.from({ length: calling.limits.atOnce }, (_, index) => `slow${index}`);
    for (const name of bots) {
      const payload_url = `${slow.url}/${name}`;
      await w.as("mel").post("/bots", { full_name: name, short_name: name, bot_type: 3, payload_url });
    }
    await mention(w, bots.map((name) => `@**${name}**`).join(" "));
    const first = w.run();
    await slow.reached(calling.limits.perHost);
    await mention(w);
    const second = w.run();
    await until(() => asked.length > 0, "the other bot is asked");
    expect(slow.paths).toHaveLength(calling.limits.perHost);
    slow.release();
    await Promise.all([first, second]);
    expect(new Set(slow.paths).size).toBe(bots.length);
  });

  test("to answer is called as often as others while all are slow", async () => {
    const w = await office("http://127.0.0.1:9/");
    const slow = await silent();
    const count = calling.limits.atOnce + 2;
    const bots = Array.from({ length: count }, (_, index) => `slow${index}`);
    for (const name of bots) {
      await w.as("mel").post("/bots", {
        full_name: name,
        short_name: name,
        bot_type: 3,
        payload_url: `${slow.url}/${name}`,
      });
    }
    for (const _ of [1, 2]) await mention(w, bots.map((name) => `@**${name}**`).join(" "));
    const running = w.run();
    await slow.reached(calling.limits.perHost);
    slow.release();
    await running;
    expect(new Set(slow.paths.slice(0, count)).size).toBe(count);
    expect(slow.paths).toHaveLength(2 * count);
  });
});

describe("what outgoing webhooks may reach", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "fd00:ec2::254",
    "fe80::1",
    "ff02::1",
    "2002:7f00:1::",
  ])("is not %s, unless the operator says so", async (address) => {
    const w = world();
    expect(reachOf(w.app.system)(address)).toBe(false);
    await setServerOptions(w.app.system, { webhook_networks: "0.0.0.0/0,::/0" });
    expect(reachOf(w.app.system)(address)).toBe(true);
  });

  test.each(["93.184.215.14", "1.1.1.1", "2606:4700:4700::1111"])("is %s", (address) => {
    expect(reachOf(world().app.system)(address)).toBe(true);
  });

  test.each(["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"])(
    "no request leaves for %s",
    async (host) => {
      const { asked, port } = await service({ body: { content: "secret" } });
      const w = await office(`http://${host}:${port}/`);
      await setServerOptions(w.app.system, { webhook_networks: "" });
      await mention(w);
      await w.run();
      for (const pause of calling.pauses) {
        w.clock.advance(pause);
        await w.run();
      }
      expect(asked).toEqual([]);
      const { body } = await w.as("mel").get("/messages", { anchor: "newest", num_before: 1, num_after: 0 });
      expect(body.messages[0].content).toContain("own network");
    },
  );
});
