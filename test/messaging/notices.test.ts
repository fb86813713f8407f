// Notices from system bots, through the function that sends them; the notices of each action are tested with its
// domain.

import { describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { type World, world } from "../support/world.ts";

/** As an action of mel would send it. */
function inAction<T>({ app, ctx }: World, body: (tx: Tx) => T): Promise<T> {
  return app.env.db.write(ctx("mel"), body);
}

async function lab(test: World, names: readonly ("mel" | "max" | "gus")[]): Promise<number> {
  const subscribers = names.map((name) => test.user(name).id);
  const made = await test.as("ada").post("/channels/create", { name: "lab", subscribers, invite_only: true });
  return made.body.id;
}

describe("a notice", () => {
  test("comes from the notification bot, to those who can read it", async () => {
    const test = world();
    const channelId = await lab(test, ["mel", "max"]);
    const before = test.events.length;
    const content = "@**all** @**Max** in #**lab**";
    const id = await inAction(test, (tx) => sendNotice(tx, { to: { channelId, topic: "news" }, content }));

    const { message } = (await test.as("max").get(`/messages/${id}`)).body;
    expect(message).toMatchObject({
      sender_full_name: "Notification Bot",
      sender_email: "notification-bot@chat.example.com",
      subject: "news",
      stream_id: channelId,
      // Quoted or not, only mentions of people by name work.
      flags: ["mentioned"],
    });
    expect(message.content).toContain(`data-stream-id="${channelId}"`);
    expect(test.events.slice(before)).toMatchObject([
      { audience: ["mel", "max"], event: { type: "message" } },
    ]);
    expect((await test.as("gus").get(`/messages/${id}`)).status).toBe(400);
  });

  test("sent to people reaches only them", async () => {
    const test = world();
    const people = [test.user("max").id];
    const id = await inAction(test, (tx) => sendNotice(tx, { to: { people }, content: "Hello" }));

    const { message } = (await test.as("max").get(`/messages/${id}`)).body;
    expect(message).toMatchObject({ type: "private", content: "<p>Hello</p>", flags: [] });
    expect(test.events.at(-1)).toMatchObject({ audience: [notificationBot(test.ctx("mel")).id, "max"] });
    expect((await test.as("mel").get(`/messages/${id}`)).status).toBe(400);
  });

  test("is undone with the action that sent it", async () => {
    const test = world();
    const people = [test.user("max").id];
    const failing = inAction(test, (tx) => {
      sendNotice(tx, { to: { people }, content: "Hello" });
      throw new Error("afterwards");
    });
    await expect(failing).rejects.toThrow("afterwards");
    expect(test.events).toEqual([]);
    const asked = { anchor: "newest", num_before: 5 };
    expect((await test.as("max").get("/messages", asked)).body.messages).toEqual([]);
  });
});

describe("system bots", () => {
  test("can receive messages, and cannot be changed", async () => {
    const { as, ctx, events } = world();
    const bot = notificationBot(ctx("mel"));
    const sent = await as("mel").post("/messages", { type: "direct", to: [bot.id], content: "Thanks" });
    expect(sent.status).toBe(200);

    const before = events.length;
    await expect(deactivateUser(ctx("olive"), bot.id)).rejects.toMatchObject({
      message: "The organization's own bots cannot be changed.",
    });
    expect(events.length).toBe(before);
    expect((await as("mel").get(`/users/${bot.id}`)).body.user).toMatchObject({
      is_bot: true,
      is_active: true,
    });
  });
});
