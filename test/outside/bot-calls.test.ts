// What became of the last calls of tools to bots and of the server to bots elsewhere, and trying both.
import { afterAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { keeping } from "@/outside/bot-calls/schema.ts";
import { senders } from "@/outside/incoming-webhooks/senders.ts";
import { testing } from "@/outside/webhooks/schema.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, type World, world } from "../support/world.ts";

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** A service on this machine that answers everything with this. */
async function service(status: number, answer: string) {
  const asked: Json[] = [];
  const types: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      types.push(request.headers["content-type"]);
      asked.push(body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)));
      response.writeHead(status).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => server.close());
  return { asked, types, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** Mel's channel, and her bot whose key tools have. */
async function incoming(params: Json = {}) {
  const w = world();
  const mel = w.as("mel");
  const fields = { full_name: "Builder", short_name: "builder", bot_type: 2, ...params };
  const { user_id, api_key } = (await mel.post("/bots", fields)).body;
  await mel.post("/users/me/subscriptions", { subscriptions: [{ name: "builds" }] });
  const post = async (sender: string, body: unknown, query = "&stream=builds") => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const path = `/api/v1/external/${sender}?api_key=${api_key}${query}`;
    return (await w.anonymous.request(path, init)).status;
  };
  const calls = async (who: CastName = "mel"): Promise<Json[]> =>
    (await w.as(who).get(`/bots/${user_id}/calls`)).body.calls;
  const test = (who: CastName, given: Json) => w.as(who).post(`/bots/${user_id}/test_event`, given);
  return { w, mel, id: user_id as number, post, calls, test };
}

const audited = async (w: World, event: string): Promise<Json[]> =>
  (await w.as("olive").get("/audit_log")).body.entries.filter((one: Json) => one.event === event);

const alert = { status: "firing", alerts: [{ status: "firing", labels: { alertname: "Disk" } }] };

describe("get-bot-calls", () => {
  test("says what became of the posts of tools, the newest first, and why they were refused", async () => {
    const { post, calls } = await incoming();
    expect(await post("alertmanager", alert)).toBe(200);
    expect(await post("alertmanager", { status: "strange" })).toBe(200);
    expect(await post("alertmanager", alert, '&stream=builds&exclude_events=["firing"]')).toBe(200);
    expect(await post("slack_incoming", { text: "" })).toBe(200);
    expect(await post("alertmanager", alert, "&stream=nowhere")).toBe(400);
    expect(await post("unheard", alert)).toBe(404);
    const told = (await calls()).map(({ about, outcome, reason }) => [about, outcome, reason]);
    expect(told).toEqual([
      ["unheard", "refused", expect.stringContaining("There is no sender 'unheard'")],
      ["alertmanager", "refused", expect.stringContaining("nowhere")],
      ["slack_incoming: message", "nothing_to_say", null],
      ["alertmanager: firing", "left_out", null],
      ["alertmanager: strange", "unknown_event", null],
      ["alertmanager: firing", "sent", null],
    ]);
    const [first] = (await calls()).slice(-1);
    expect(first).toMatchObject({ direction: "in", is_test: false, message_id: expect.any(Number) });
  });

  test("says what became of calls of the server, also of those that are tried again", async () => {
    const works = await service(200, '{"content": "built"}');
    const { w, mel, id, calls } = await incoming({ bot_type: 3, payload_url: works.url });
    await setServerOptions(w.app.system, { webhook_networks: "127.0.0.1" });
    const { id: message } = (await mel.post("/messages", { type: "direct", to: [id], content: "go" })).body;
    await runJob(w, "webhooks");
    expect(await calls()).toMatchObject([
      { direction: "out", about: "direct_message", outcome: "answered", message_id: message },
    ]);
    const broken = await service(500, "");
    await mel.patch(`/bots/${id}`, { service_payload_url: broken.url });
    await mel.post("/messages", { type: "direct", to: [id], content: "again" });
    for (const seconds of [0, 2, 10]) {
      w.clock.advance(seconds);
      await runJob(w, "webhooks");
    }
    const told = (await calls()).map(({ outcome, reason }) => [outcome, reason]);
    const reason = "it answered with status 500";
    expect(told).toEqual([
      ["failed", reason],
      ["retrying", reason],
      ["retrying", reason],
      ["answered", null],
    ]);
  });

  test("is for the bot's owner and administrators alone", async () => {
    const { w, id, post, calls } = await incoming();
    await post("alertmanager", alert);
    expect(await calls("ada")).toHaveLength(1);
    const refused = await w.as("max").get(`/bots/${id}/calls`);
    expect([refused.status, refused.body.msg]).toEqual([400, "Insufficient permission"]);
    const absent = await w.as("max").get(`/bots/${w.user("mel").id}/calls`);
    expect([absent.status, absent.body.msg]).toEqual([400, "No such bot"]);
  });

  test("keeps the newest of each bot, for a day", async () => {
    const { w, post, calls } = await incoming();
    for (let at = 0; at < keeping.perBot + 3; at++) await post("alertmanager", { status: `strange ${at}` });
    const kept = await calls();
    expect(kept).toHaveLength(keeping.perBot);
    expect(kept[0]?.about).toBe(`alertmanager: strange ${keeping.perBot + 2}`);
    w.clock.advance(keeping.seconds);
    expect(await calls()).toEqual([]);
    await runJob(w, "sweep-bot-calls");
    expect(w.app.system.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM bot_calls")).toEqual({ n: 0 });
  });
});

describe("get-senders", () => {
  test("lists the tools whose events bots can post", async () => {
    const { senders: listed } = (await world().as("max").get("/external")).body;
    expect(listed.map(({ name }: Json) => name)).toEqual(senders.map(({ name }) => name));
    expect(listed.find(({ name }: Json) => name === "alertmanager")).toEqual({
      name: "alertmanager",
      title: "Prometheus Alertmanager",
      where: "the configuration, at a receiver: an entry in “webhook_configs”",
      field: "url",
      paste: null,
      takes_others: false,
      signs: false,
      events: ["firing", "resolved"],
      left_out: [],
    });
  });
});

describe("send-test-event", () => {
  test("posts a sample of each sender as the bot, and is audited", async () => {
    const { w, mel, id, calls, test } = await incoming();
    for (const { name } of senders) {
      // Only some may be sent in a minute.
      w.clock.advance(60);
      const { status, body } = await test("mel", { sender: name, stream: "builds" });
      expect([name, status]).toEqual([name, 200]);
      const { message } = (await mel.get(`/messages/${body.id}`, { apply_markdown: false })).body;
      expect(message).toMatchObject({ sender_id: id, display_recipient: "builds" });
      expect(message.content).not.toBe("");
      expect((await calls())[0]).toMatchObject({ about: name, is_test: true, message_id: body.id });
    }
    const entries = await audited(w, "bot_test_event_sent");
    expect(entries).toHaveLength(senders.length);
    expect(entries[0]).toMatchObject({
      actor_id: w.user("mel").id,
      about: { kind: "bot", id },
      person_id: w.user("mel").id,
    });
  });

  test("goes to the bot's owner without a channel, and to a topic", async () => {
    const { mel, test } = await incoming();
    const direct = await test("mel", { sender: "json" });
    expect((await mel.get(`/messages/${direct.body.id}`)).body.message.type).toBe("private");
    const inTopic = await test("mel", { sender: "json", stream: "builds", topic: "tests" });
    expect((await mel.get(`/messages/${inTopic.body.id}`)).body.message.subject).toBe("tests");
  });

  test("is refused to others, for unknown senders and for deactivated bots", async () => {
    const { mel, id, test } = await incoming();
    const sample = { sender: "json", stream: "builds" };
    expect((await test("ada", sample)).status).toBe(200);
    expect((await test("max", sample)).body.msg).toBe("Insufficient permission");
    expect((await test("mel", { ...sample, sender: "unheard" })).status).toBe(404);
    await mel.delete(`/bots/${id}`);
    expect((await test("mel", sample)).body.msg).toBe("The bot is deactivated.");
  });

  test("tells nobody of a channel that they do not see, though the bot may post there", async () => {
    const { w, mel, id } = await incoming();
    await mel.post("/users/me/subscriptions", { subscriptions: [{ name: "secret" }], invite_only: true });
    await w.as("ada").patch(`/bots/${id}`, { bot_owner_id: w.user("max").id });
    // Where the new owner may not post, the answer is the same as for a channel that does not exist.
    const test = (stream: string) => w.as("max").post(`/bots/${id}/test_event`, { sender: "json", stream });
    const [hidden, absent] = [await test("secret"), await test("nowhere")];
    expect(hidden.status).toBe(absent.status);
    expect(hidden.body.code).toBe(absent.body.code);
  });

  test("is limited", async () => {
    const { test } = await incoming();
    for (let at = 0; at < 10; at++)
      expect((await test("mel", { sender: "json", stream: "builds" })).status).toBe(200);
    expect((await test("mel", { sender: "json", stream: "builds" })).status).toBe(429);
    expect((await test("ada", { sender: "json", stream: "builds" })).status).toBe(200);
  });
});

describe("test-outgoing-webhook", () => {
  const outgoing = async (url: string, more: Json = {}, networks = "127.0.0.1") => {
    const made = await incoming({ bot_type: 3, payload_url: url, ...more });
    await setServerOptions(made.w.app.system, { webhook_networks: networks });
    const call = (who: CastName = "mel") => made.w.as(who).post(`/bots/${made.id}/test_call`);
    return { ...made, call };
  };

  test("shows what the bot would have replied, sends nothing, and is audited", async () => {
    const { asked, url } = await service(200, '{"content": "all is well"}');
    const { w, id, call, calls } = await outgoing(url);
    const answer = await call();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 200, reply: "all is well", problem: null });
    expect(answer.events).toEqual([]);
    expect(asked).toMatchObject([
      {
        data: "This is a test event.",
        trigger: "direct_message",
        token: expect.any(String),
        message: { id: 0, type: "private", sender_id: w.user("mel").id },
      },
    ]);
    expect(await calls()).toMatchObject([{ about: "test", outcome: "answered", is_test: true }]);
    expect(await audited(w, "bot_test_call_made")).toMatchObject([{ about: { kind: "bot", id } }]);
  });

  test("says why it failed, and does not show what else is at the address", async () => {
    const { url } = await service(200, "internal figures");
    const { call, mel, id, calls } = await outgoing(url);
    expect((await call()).body).toMatchObject({
      status: 200,
      reply: null,
      problem: "its response is not JSON",
    });
    const missing = await service(404, "");
    await mel.patch(`/bots/${id}`, { service_payload_url: missing.url });
    expect((await call()).body).toMatchObject({ status: 404, problem: "it answered with status 404" });
    expect((await calls())[0]).toMatchObject({ outcome: "failed", reason: "it answered with status 404" });
  });

  test("reaches no address that the operator has not opened", async () => {
    const { asked, url } = await service(200, "{}");
    const { call } = await outgoing(url, {}, "");
    const { body } = await call();
    expect([body.status, body.problem]).toEqual([null, expect.stringContaining("server's own network")]);
    expect(asked).toEqual([]);
  });

  test("has the form of Slack where the bot has that", async () => {
    const { asked, types, url } = await service(200, '{"text": "hello"}');
    const { call } = await outgoing(url, { interface_type: 2 });
    expect((await call()).body.reply).toBe("hello");
    expect(types).toEqual(["application/x-www-form-urlencoded"]);
    expect(asked).toMatchObject([{ text: "This is a test event.", trigger_word: "mention" }]);
  });

  test("is refused to others, and for bots without an address", async () => {
    const { url } = await service(200, "{}");
    const { call, mel } = await outgoing(url);
    expect((await call("max")).body.msg).toBe("Insufficient permission");
    expect((await call("ada")).body.problem).toBeNull();
    const { user_id } = (await mel.post("/bots", { full_name: "Plain", short_name: "plain" })).body;
    const plain = await mel.post(`/bots/${user_id}/test_call`);
    expect(plain.body.msg).toBe("Only outgoing webhooks have a URL to post to.");
    for (let at = 1; at < testing.perMinute; at++) await call("ada");
    expect((await call("ada")).status).toBe(429);
  });
});
