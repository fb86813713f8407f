// The npm client of this API family, unmodified, against the executable: two people and a bot converse.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { cleanUp, json, newFolder, type Server, serve } from "../support/executable.ts";
import { png } from "../support/pictures.ts";
import { basic, type Json } from "../support/requests.ts";
import { expectEvent } from "../support/shapes.ts";

interface Account {
  user_id: number;
  email: string;
  full_name: string;
  api_key: string;
}

/** A person at the npm client: `call("messages.send", params)` is `client.messages.send(params)`. */
interface Person extends Account {
  call(method: string, ...args: unknown[]): Promise<Json>;
}

let server: Server;
let ada: Person;
let mel: Person;
let bot: Person;
const password = "correct horse battery";
const started: Bun.Subprocess[] = [];

beforeAll(async () => {
  const folder = newFolder();
  const at = ["--data", folder];
  const founding = ["--org", "Crew", "--owner-email", "ada@example.com", "--owner-name", "Ada"];
  const { owner } = await json<{ owner: Account }>(["init", ...at, ...founding]);
  server = await serve(folder);
  ada = person(owner);
  mel = person(await json<Account>(["user", "create", ...at, "--email", "mel@example.com", "--name", "Mel"]));
  bot = person(await json<Account>(["bot", "create", ...at, "--name", "Greeter", "--short-name", "greeter"]));
});

beforeEach(async () => {
  server = await server.revived();
});
afterAll(async () => {
  for (const child of started) child.kill();
  await cleanUp();
});

function person(account: Account): Person {
  const config = { username: account.email, apiKey: account.api_key, realm: server.url };
  return { ...account, call: clientProcess(config) };
}

/** Starts a process of the client. Answers are matched to calls by number. */
function clientProcess(config: object): Person["call"] {
  const script = join(import.meta.dir, "..", "support", "js-client.mjs");
  const waiting = new Map<number, PromiseWithResolvers<Json>>();
  const start = () => {
    const child = Bun.spawn(["node", script, JSON.stringify(config)], { stdin: "pipe", stdout: "pipe" });
    started.push(child);
    createInterface({ input: Readable.fromWeb(child.stdout as never) }).on("line", (line) => {
      const answer = JSON.parse(line);
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
    });
    child.exited.then((status) => {
      for (const { reject } of waiting.values()) reject(new Error(`The client ended with status ${status}`));
      waiting.clear();
    });
    return child;
  };
  let child = start();
  let calls = 0;
  return async (method, ...args) => {
    if (child.exitCode !== null || child.signalCode !== null) child = start();
    const id = ++calls;
    const answered = Promise.withResolvers<Json>();
    waiting.set(id, answered);
    child.stdin.write(`${JSON.stringify({ id, method, args })}\n`);
    child.stdin.flush();
    const { answer, error } = await answered.promise;
    if (error) throw new Error(`${method}: ${error}`);
    return answer;
  };
}

async function succeed(who: Person, method: string, ...args: unknown[]): Promise<Json> {
  const answer = await who.call(method, ...args);
  expect(answer).toMatchObject({ result: "success" });
  return answer;
}

/** Registers as the client's own loop does; `next` polls once and checks what it gets. */
async function listen(who: Person, event_types: string[]) {
  const { queue_id, last_event_id } = await succeed(who, "queues.register", { event_types });
  let last = last_event_id;
  return {
    queue_id,
    next: async () => {
      const poll = { queue_id, last_event_id: last, dont_block: false };
      const { events } = await succeed(who, "events.retrieve", poll);
      for (const event of events) expectEvent(event);
      last = events.at(-1)?.id ?? last;
      return events as Json[];
    },
  };
}

describe("the npm client", () => {
  test("reads the server's settings and its own account", async () => {
    expect(await succeed(mel, "server.settings")).toMatchObject({
      zulip_version: "11.0",
      realm_name: "Crew",
    });
    expect(await succeed(mel, "users.me.getProfile")).toMatchObject({
      user_id: mel.user_id,
      email: mel.email,
    });
    const { members } = await succeed(bot, "users.retrieve");
    expect(members).toMatchObject([
      { full_name: "Ada" },
      { full_name: "Mel" },
      { full_name: "Greeter", is_bot: true },
    ]);
  });

  test("subscribes and sends to a channel, and all listeners get the message", async () => {
    const subscriptions = JSON.stringify([{ name: "support" }]);
    for (const who of [ada, mel, bot]) await succeed(who, "users.me.subscriptions.add", { subscriptions });
    const { streams } = await succeed(bot, "streams.retrieve");
    expect(streams).toMatchObject([{ name: "support" }]);

    const [atMel, atBot] = [await listen(mel, ["message"]), await listen(bot, ["message"])];
    const received = Promise.all([atMel.next(), atBot.next()]);
    const sent = await succeed(ada, "messages.send", {
      to: "support",
      type: "stream",
      topic: "printer",
      content: "It is **on fire**, @**Mel**",
    });
    const message = {
      id: sent.id,
      type: "stream",
      display_recipient: "support",
      subject: "printer",
      sender_full_name: "Ada",
      content: "It is **on fire**, @**Mel**",
    };
    const [byMel, byBot] = await received;
    expect(byMel).toMatchObject([{ type: "message", message, flags: ["mentioned"] }]);
    expect(byBot).toMatchObject([{ type: "message", message, flags: [] }]);
  });

  test("a bot answers directly, by address and by ID", async () => {
    const atMel = await listen(mel, ["message"]);
    const byAddress = await succeed(bot, "messages.send", {
      to: mel.email,
      type: "private",
      content: "Need help?",
    });
    expect(await atMel.next()).toMatchObject([
      { message: { id: byAddress.id, type: "private", subject: "" } },
    ]);

    const atBot = await listen(bot, ["message"]);
    const byId = await succeed(mel, "messages.send", {
      to: [bot.user_id],
      type: "direct",
      content: "Water!",
    });
    const [{ message }] = await atBot.next();
    expect(message).toMatchObject({ id: byId.id, content: "Water!" });
    expect(message.display_recipient.map((one: { id: number }) => one.id).sort()).toEqual([
      mel.user_id,
      bot.user_id,
    ]);
  });

  test("flags messages, and finds them again", async () => {
    const { messages } = await succeed(mel, "messages.retrieve", {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: "channel", operand: "support" }],
    });
    expect(messages).toMatchObject([{ subject: "printer", flags: ["mentioned"] }]);
    const [{ id }] = messages;

    const atMel = await listen(mel, ["update_message_flags"]);
    expect((await succeed(mel, "messages.flags.add", { messages: [id], flag: "starred" })).messages).toEqual([
      id,
    ]);
    await succeed(mel, "messages.flags.add", { messages: [id], flag: "read" });
    const received = [...(await atMel.next())];
    if (received.length < 2) received.push(...(await atMel.next()));
    expect(received).toMatchObject([
      { op: "add", flag: "starred", messages: [id] },
      { op: "add", flag: "read", messages: [id] },
    ]);

    const starred = await succeed(mel, "messages.retrieve", {
      anchor: 0,
      num_before: 0,
      num_after: 10,
      narrow: [["is", "starred"]],
    });
    expect(starred.messages).toMatchObject([
      { id, flags: expect.arrayContaining(["read", "starred", "mentioned"]) },
    ]);
    const one = await succeed(mel, "messages.getById", { message_id: id });
    expect(one.raw_content).toContain("on fire");
  });

  test("edits a message, moves its topic, and reads its history", async () => {
    const atMel = await listen(mel, ["update_message"]);
    const asked = { to: "support", type: "stream", topic: "scanner", content: "It hums" };
    const { id: message_id } = await succeed(ada, "messages.send", asked);
    await succeed(ada, "messages.update", { message_id, content: "It **sings**" });
    const moved = { message_id, topic: "✔ scanner", propagate_mode: "change_all" };
    expect(await succeed(ada, "messages.update", moved)).toMatchObject({ detached_uploads: [] });

    const received = [...(await atMel.next())];
    if (received.length < 2) received.push(...(await atMel.next()));
    expect(received).toMatchObject([
      { message_id, orig_content: "It hums", content: "It **sings**", flags: [] },
      { message_id, message_ids: [message_id], orig_subject: "scanner", subject: "✔ scanner" },
    ]);
    const { message_history } = await succeed(mel, "messages.getHistoryById", { message_id });
    expect(message_history).toMatchObject([
      { content: "It hums", topic: "scanner", user_id: ada.user_id },
      { prev_content: "It hums", content_html_diff: expect.stringContaining("highlight_text_inserted") },
      { prev_topic: "scanner", topic: "✔ scanner", content: "It **sings**" },
    ]);
    const late = await mel.call("messages.update", { message_id, content: "mine" });
    expect(late).toMatchObject({ result: "error", code: "BAD_REQUEST" });
  });

  test("uploads a file and links to it; the message's receivers can read it", async () => {
    const path = join(newFolder(), "plan b.txt");
    const plan = "two buckets\n".repeat(100_000);
    await Bun.write(path, plan);
    const { url } = await succeed(mel, "callEndpoint", "/user_uploads", "POST", {
      "any/field": { file_at: path },
    });
    expect(url).toEndWith("/plan-b.txt");
    const download = (who: Person, headers = {}) =>
      fetch(server.url + url, { headers: { authorization: basic(who.email, who.api_key), ...headers } });
    expect((await download(ada)).status).toBe(403);

    const content = `[the plan](${url})`;
    await succeed(mel, "messages.send", { to: "support", type: "stream", topic: "printer", content });
    expect(await (await download(ada)).text()).toBe(plan);
    const part = await download(ada, { range: "bytes=4-10" });
    expect([part.status, await part.text()]).toEqual([206, "buckets"]);
    expect((await fetch(server.url + url)).status).toBe(401);
    const { attachments } = await succeed(mel, "callEndpoint", "/attachments", "GET");
    expect(attachments).toMatchObject([{ name: "plan-b.txt", size: plan.length, messages: [{}] }]);
  });

  test("shows a picture in a message and as an avatar", async () => {
    const path = join(newFolder(), "plan.png");
    await Bun.write(path, png(900, 300));
    const { url } = await succeed(mel, "callEndpoint", "/user_uploads", "POST", { f: { file_at: path } });
    const { rendered } = await succeed(mel, "callEndpoint", "/messages/render", "POST", {
      content: `[plan](${url})`,
    });
    const thumbnail = /<img data-original-dimensions="900x300".* src="([^"]+)"/.exec(rendered)?.[1];
    const headers = { authorization: basic(mel.email, mel.api_key) };
    const small = await fetch(server.url + thumbnail, { headers });
    expect(small.headers.get("content-type")).toBe("image/webp");
    expect(await new Bun.Image(await small.arrayBuffer()).metadata()).toMatchObject({
      width: 840,
      height: 280,
    });

    const avatar = await succeed(mel, "callEndpoint", "/users/me/avatar", "POST", { f: { file_at: path } });
    const shown = await fetch(server.url + avatar.avatar_url);
    expect(await new Bun.Image(await shown.arrayBuffer()).metadata()).toMatchObject({
      width: 100,
      height: 100,
    });
  });

  test("gets errors with their messages", async () => {
    const nowhere = { to: "nowhere", type: "stream", topic: "x", content: "y" };
    expect(await mel.call("messages.send", nowhere)).toMatchObject({
      code: "STREAM_DOES_NOT_EXIST",
      stream: "nowhere",
    });
    expect(await mel.call("callEndpoint", "/no/such/thing")).toMatchObject({
      result: "error",
      code: "NOT_FOUND",
    });
    const poll = { queue_id: "1:none", last_event_id: -1 };
    expect(await mel.call("events.retrieve", poll)).toMatchObject({ code: "BAD_EVENT_QUEUE_ID" });
    const stranger = person({ ...mel, api_key: "wrong" });
    expect(await stranger.call("users.me.getProfile")).toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("deletes its queue", async () => {
    const { queue_id, next } = await listen(ada, ["message"]);
    const waiting = next();
    await succeed(ada, "queues.deregister", { queue_id });
    expect(await waiting).toEqual([]);
  });

  test("logs in by password", async () => {
    await succeed(ada, "users.create", { email: "nia@example.com", password, full_name: "Nia" });
    const call = clientProcess({ username: "nia@example.com", password, realm: server.url });
    expect(await call("users.me.getProfile")).toMatchObject({ full_name: "Nia" });
  });
});
