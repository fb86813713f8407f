// What a cluster does outside or by the clock, while its leader is killed: mail and webhooks at least once, scheduled
// messages, reminders and a bot's replies exactly once. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { cleanUp } from "../support/executable.ts";
import { Passage } from "../support/passage.ts";
import { servePlain } from "../support/plain-server.ts";
import type { Json } from "../support/requests.ts";
import { startMailServer } from "../support/smtp.ts";
import { natsBinary, until } from "./machines.ts";
import { eachTime } from "./results.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody tried mail, webhooks and jobs while a leader is killed");
const mailServer = await startMailServer();
const toMailServer = await Passage.to(Number(new URL(mailServer.url).port));
/** The messages that a webhook got, as often as it got them. */
const called: string[] = [];
let released = Promise.withResolvers<void>();
const receiver = await servePlain(async ({ body }) => {
  const { message } = JSON.parse(body.toString()) as Json;
  called.push(message.content);
  await released.promise;
  return { body: JSON.stringify({ content: `reply to ${message.content.split(" ").at(-1)}` }) };
});
const trio = new Trio(binary ?? "", {
  settings: { smtp_url: `smtp://127.0.0.1:${toMailServer.port}`, webhook_networks: "127.0.0.1" },
});

afterAll(async () => {
  released.resolve();
  await cleanUp();
  await trio.end();
  await receiver.stop();
  toMailServer.close();
  mailServer.close();
});

const title = "the leader is killed while it sends mail and calls webhooks: all is delivered";

describe.skipIf(!binary)("jobs", () => {
  let bot: number;
  let channel: number;

  beforeAll(async () => {
    await trio.begin();
    const subscriptions = [{ name: "general" }];
    expect(await trio.call(1, "POST", "users/me/subscriptions", { subscriptions })).toMatchObject(success);
    const hook = { full_name: "Hook", short_name: "hook", bot_type: 3 };
    const payload_url = `http://127.0.0.1:${receiver.port}/`;
    ({ user_id: bot } = await trio.call(1, "POST", "bots", { ...hook, payload_url }));
    expect(bot).toBeGreaterThan(0);
    ({ stream_id: channel } = await trio.call(1, "GET", "get_stream_id", { stream: "general" }));
  }, 300_000);

  const success = { result: "success" };
  const send = async (at: number, params: Record<string, unknown>): Promise<number> => {
    const sent = await trio.call(at, "POST", "messages", params);
    expect(sent).toMatchObject(success);
    return sent.id;
  };
  /** How often each text occurs in the messages that the owner sees. */
  const seen = async (at: number, texts: readonly string[]) => {
    const params = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };
    const { messages } = await trio.call(at, "GET", "messages", params);
    return texts.map((text) => [
      text,
      messages.filter(({ content }: Json) => ` ${content}`.includes(` ${text}.`)).length,
    ]);
  };

  eachTime(title, async (n) => {
    called.length = 0;
    mailServer.taken.length = 0;
    released = Promise.withResolvers();
    toMailServer.cut();
    const leader = await trio.leader();
    const other = (leader + 1) % 3;
    const numbers = Array.from({ length: 5 }, (_, at) => `${n}-${at}`);
    const questions = numbers.map((one) => `question ${one}.`);
    const guests = numbers.map((one) => `guest-${one}@example.com`);
    const texts = numbers.flatMap((one) => [`scheduled ${one}`, `reminder ${one}`]);

    const first = await send(other, { type: "stream", to: "general", topic: "t", content: "remember" });
    // Of the moment when it is asked for: on a busy machine, ten requests take longer than this.
    const due = () => ({ scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 5 });
    for (const one of numbers) {
      const message = { type: "stream", to: [channel], topic: "t", content: `scheduled ${one}.` };
      expect(await trio.call(other, "POST", "scheduled_messages", { ...message, ...due() })).toMatchObject(
        success,
      );
      const reminder = { message_id: first, note: `reminder ${one}.` };
      expect(await trio.call(other, "POST", "reminders", { ...reminder, ...due() })).toMatchObject(success);
    }
    for (const content of questions) await send(other, { type: "direct", to: [bot], content });
    const invitation = { invitee_emails: guests.join(), stream_ids: [] };
    expect(await trio.call(other, "POST", "invites", invitation)).toMatchObject(success);

    // The leader has called the webhook and the mail server, and neither has answered yet.
    await until("a webhook is called", () => called.length > 0);
    await until("the mail server is called", () => toMailServer.connections > 0);
    await trio.kill(leader);
    toMailServer.mend(true);
    released.resolve();

    await until("each guest has a mail", () =>
      guests.every((guest) => mailServer.taken.some(({ to }) => to === guest)),
    );
    await until("the webhook got each question", () => questions.every((one) => called.includes(one)));
    const replies = numbers.map((one) => `reply to ${one}`);
    const all = [...texts, ...replies];
    await until("all is there", async () => (await seen(other, all)).every(([, count]) => Number(count) > 0));
    await trio.start(leader);
    await until("nothing is waiting", async () => {
      const { scheduled_messages } = await trio.call(leader, "GET", "scheduled_messages");
      const { reminders } = await trio.call(leader, "GET", "reminders");
      return scheduled_messages.length + reminders.length === 0;
    });
    for (const at of [other, leader]) expect(await seen(at, all)).toEqual(all.map((text) => [text, 1]));
  });
});
