import { describe, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import { deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { reactivateRealm } from "@/foundation/realm-administration/actions.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

const hour = 3600;

/** A message of max's in a channel that he shares with mel. */
async function office(content = "Cake at **four**") {
  const w = world();
  const subscribers = [w.user("mel").id, w.user("max").id];
  const made = await w
    .as("ada")
    .post("/channels/create", { name: "the office", subscribers, invite_only: true });
  const to = { type: "channel", to: "the office", topic: "cake" };
  const id: number = (await w.as("max").post("/messages", { ...to, content })).body.id;
  return { ...w, channelId: made.body.id as number, id, at: w.clock.now() + hour };
}
type Office = Awaited<ReturnType<typeof office>>;

function remind(w: Office, given: object = {}, who: CastName = "mel") {
  return w.as(who).post("/reminders", {
    message_id: w.id,
    scheduled_delivery_timestamp: w.at,
    ...given,
  });
}

async function listOf(w: World, name: CastName = "mel") {
  return (await w.as(name).get("/reminders")).body.reminders;
}

/** What the notification bot has written to a person. */
async function noticesTo(w: World, name: CastName) {
  const asked = { anchor: "newest", num_before: 100, apply_markdown: false };
  const { messages } = (await w.as(name).get("/messages", asked)).body;
  return messages.filter((one: { sender_full_name: string }) => one.sender_full_name === "Notification Bot");
}

const deliver = (w: World) => runJob(w, "deliver-reminders");
const missing = { status: 404, body: { code: "BAD_REQUEST", msg: "Reminder does not exist" }, events: [] };

function quoted(w: Office, text: string): string {
  const url = `/#narrow/channel/${w.channelId}-the-office/topic/cake/near/${w.id}`;
  return `@_**Max|${w.user("max").id}** [wrote](${url}):\n\`\`\`quote\n${text}\n\`\`\``;
}

describe("create-message-reminder", () => {
  test("stores it with the message quoted, and emits it only to its owner's clients", async () => {
    const w = await office();
    const { status, body, events } = await remind(w);
    const [reminder] = await listOf(w);
    expect(status).toBe(200);
    expect(reminder).toEqual({
      reminder_id: body.reminder_id,
      type: "private",
      to: [w.user("mel").id],
      content: `You asked to be reminded of this message:\n\n${quoted(w, "Cake at **four**")}`,
      rendered_content: expect.stringContaining("<p>Cake at <strong>four</strong></p>\n</blockquote>"),
      scheduled_delivery_timestamp: w.at,
      failed: false,
      reminder_target_message_id: w.id,
    });
    expect(events).toEqual([
      { audience: ["mel"], event: { type: "reminders", op: "add", reminders: [reminder] } },
    ]);
    expect(await listOf(w, "max")).toEqual([]);
  });

  test("takes a note", async () => {
    const w = await office();
    await remind(w, { note: " Bring\nforks " });
    const [{ content }] = await listOf(w);
    expect(content).toBe(
      "You asked to be reminded of this message, with this note:\n> Bring\n> forks\n\n" +
        quoted(w, "Cake at **four**"),
    );
  });

  test("is not a scheduled message", async () => {
    const w = await office();
    await remind(w);
    expect((await w.as("mel").get("/scheduled_messages")).body.scheduled_messages).toEqual([]);
  });

  test.each([
    [
      "a time that is now",
      (w: Office) => ({ scheduled_delivery_timestamp: w.clock.now() }),
      "Scheduled delivery time must be in the future.",
    ],
    ["a message that is not there", () => ({ message_id: 4711 }), "Invalid message(s)"],
    ["a long note", () => ({ note: "👋".repeat(1001) }), "Maximum reminder note length: 1000 characters"],
    ["a null byte", () => ({ note: "a\0b" }), "A note must not contain null bytes"],
  ])("refuses %s", async (_, given, msg) => {
    const w = await office();
    const answer = await remind(w, given(w));
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    expect(await listOf(w)).toEqual([]);
  });

  test("answers for an unreadable message as if it did not exist", async () => {
    const w = await office();
    const answer = await remind(w, {}, "gus");
    expect(answer).toMatchObject({ status: 400, body: { msg: "Invalid message(s)" }, events: [] });
  });

  test.each(["message_id", "scheduled_delivery_timestamp"])("needs %s", async (name) => {
    const answer = await remind(await office(), { [name]: undefined });
    const body = { code: "REQUEST_VARIABLE_MISSING", var_name: name };
    expect(answer).toMatchObject({ status: 400, body, events: [] });
  });

  test("quotes only a part of a long message before delivery, and then as much as fits", async () => {
    const w = await office("x".repeat(10_000));
    await remind(w, { note: "👋".repeat(1000) });
    const [{ content }] = await listOf(w);
    const [opening, quote] = content.split("\n\n");
    expect(opening).toEndWith(`${"👋".repeat(1000)}`);
    expect(quote).toHaveLength(1000);
    expect(quote).toEndWith("x\n[message truncated]\n```");

    w.clock.advance(hour);
    await deliver(w);
    const [notice] = await noticesTo(w, "mel");
    expect(notice.content).toHaveLength(10_000);
    expect(notice.content).toEndWith("x\n[message truncated]\n```");
  });

  test("refuses more than ten per message, and more than a thousand in all", async () => {
    const w = await office();
    const most = async (message_id: number) => {
      await Promise.all(Array.from({ length: 10 }, () => remind(w, { message_id })));
      return remind(w, { message_id });
    };
    const refusal = (msg: string) => ({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
    const ofOne = "You can have at most 10 reminders of one message.";
    expect(await most(w.id)).toMatchObject(refusal(ofOne));
    expect((await remind(w, {}, "max")).status).toBe(200);
    for (let n = 1; n < 100; n++) {
      const sent = await w
        .as("max")
        .post("/messages", { type: "direct", to: [w.user("mel").id], content: "hi" });
      await most(sent.body.id);
    }
    const { body } = await w
      .as("mel")
      .post("/messages", { type: "direct", to: [w.user("max").id], content: "hi" });
    expect(await remind(w, { message_id: body.id })).toMatchObject(
      refusal("You can have at most 1000 reminders."),
    );
  });
});

describe("get-reminders", () => {
  test("lists the caller's own by time of delivery, as the initial state does", async () => {
    const w = await office();
    const later = (await remind(w, { scheduled_delivery_timestamp: w.at + 1 })).body.reminder_id;
    const sooner = (await remind(w)).body.reminder_id;
    await remind(w, {}, "max");
    const listed = await listOf(w);
    const ids = listed.map((one: { reminder_id: number }) => one.reminder_id);
    expect(ids).toEqual([sooner, later]);
    const { state } = await w.queue("mel", { fetch_event_types: ["reminders"] });
    expect(state.reminders).toEqual(listed);
  });
});

describe("delete-reminder", () => {
  test("deletes it, and emits it only to its owner's clients", async () => {
    const w = await office();
    const { reminder_id } = (await remind(w)).body;
    const { status, events } = await w.as("mel").delete(`/reminders/${reminder_id}`);
    expect(status).toBe(200);
    expect(events).toEqual([{ audience: ["mel"], event: { type: "reminders", op: "remove", reminder_id } }]);
    expect(await listOf(w)).toEqual([]);
    w.clock.advance(hour);
    expect(await deliver(w)).toEqual([]);
  });

  test("answers for another user's reminder as if it did not exist", async () => {
    const w = await office();
    const { reminder_id } = (await remind(w)).body;
    expect(await w.as("max").delete(`/reminders/${reminder_id}`)).toMatchObject(missing);
    expect(await w.as("mel").delete("/reminders/4711")).toMatchObject(missing);
    expect(await listOf(w)).toHaveLength(1);
  });
});

describe("delivery of reminders", () => {
  test("comes at the time as a message of the notification bot, once", async () => {
    const w = await office();
    const { reminder_id } = (await remind(w)).body;
    w.clock.advance(hour - 1);
    expect(await deliver(w)).toEqual([]);
    w.clock.advance(1);
    const bot = notificationBot(w.ctx("mel")).id;
    expect(await deliver(w)).toMatchObject([
      { audience: expect.arrayContaining([bot, "mel"]), event: { type: "message" } },
      { audience: ["mel"], event: { type: "reminders", op: "remove", reminder_id } },
    ]);
    expect(await noticesTo(w, "mel")).toMatchObject([
      { content: `You asked to be reminded of this message:\n\n${quoted(w, "Cake at **four**")}`, flags: [] },
    ]);
    expect(await noticesTo(w, "max")).toEqual([]);
    expect(await listOf(w)).toEqual([]);
    expect(await deliver(w)).toEqual([]);
  });

  test("runs every second", () => {
    const jobs = domains.flatMap(({ jobs = [] }) => jobs);
    expect(jobs.find(({ name }) => name === "deliver-reminders")?.everySeconds).toBe(1);
  });

  test("comes once, even if two jobs overlap", async () => {
    const w = await office();
    await remind(w);
    w.clock.advance(hour);
    await Promise.all([deliver(w), deliver(w)]);
    expect(await noticesTo(w, "mel")).toHaveLength(1);
  });

  test("comes late rather than never", async () => {
    const w = await office();
    await remind(w);
    w.clock.advance(hour * 100);
    await deliver(w);
    expect(await noticesTo(w, "mel")).toHaveLength(1);
  });

  test("mentions nobody, whatever it quotes", async () => {
    const w = await office("@**Mel** @**all**\n````\n@**Mel**");
    await remind(w);
    w.clock.advance(hour);
    await deliver(w);
    const [notice] = await noticesTo(w, "mel");
    expect(notice.flags).toEqual([]);
    expect(notice.content).toContain("`````quote\n@**Mel** @**all**\n````\n@**Mel**\n`````");
  });

  test("links to a direct message in its conversation", async () => {
    const w = await office();
    const people = [w.user("mel").id, w.user("max").id];
    const sent = await w.as("max").post("/messages", { type: "direct", to: people, content: "Psst" });
    await remind(w, { message_id: sent.body.id });
    const [{ content }] = await listOf(w);
    expect(content).toContain(`[wrote](/#narrow/dm/${people.join(",")}-dm/near/${sent.body.id})`);
  });

  test("waits while the organization is deactivated", async () => {
    const w = await office();
    await remind(w);
    await w.as("olive").post("/realm/deactivate");
    w.clock.advance(hour);
    expect(await deliver(w)).toEqual([]);
    await reactivateRealm(w.ctx("olive"));
    await deliver(w);
    expect(await noticesTo(w, "mel")).toHaveLength(1);
  });

  test("for a deactivated user fails, and emits nothing", async () => {
    const w = await office();
    await remind(w);
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    w.clock.advance(hour);
    expect(await deliver(w)).toEqual([]);
    await reactivateUser(w.ctx("ada"), w.user("mel").id);
    expect(await listOf(w)).toMatchObject([{ failed: true }]);
    expect(await deliver(w)).toEqual([]);
    expect(await noticesTo(w, "mel")).toEqual([]);
  });
});

describe("a reminder of a message that", () => {
  const gone = "You asked to be reminded of a message that you can no longer read";

  test("was deleted keeps none of its text, and says so", async () => {
    const w = await office();
    await remind(w, { note: "Forks:" });
    await remind(w);
    expect((await w.as("max").delete(`/messages/${w.id}`)).status).toBe(200);
    const deleted = [`${gone}, with this note:\n> Forks:`, `${gone}.`];
    const reminders = await listOf(w);
    expect(reminders).toMatchObject(deleted.map((content) => ({ content })));
    expect(reminders[1].rendered_content).toBe(`<p>${gone}.</p>`);
    w.clock.advance(hour);
    await deliver(w);
    expect(await noticesTo(w, "mel")).toMatchObject(deleted.map((content) => ({ content })));
  });

  test("was edited quotes the current text", async () => {
    const w = await office();
    await remind(w);
    await w.as("max").patch(`/messages/${w.id}`, { content: "Cake at five" });
    const content = `You asked to be reminded of this message:\n\n${quoted(w, "Cake at five")}`;
    const reminders = await listOf(w);
    expect(reminders).toMatchObject([{ content }]);
    expect(reminders[0].rendered_content).not.toContain("four");
    w.clock.advance(hour);
    await deliver(w);
    expect(await noticesTo(w, "mel")).toMatchObject([{ content }]);
  });

  const textsStored = (w: World) =>
    w
      .ctx("mel")
      .db.all<{ content: string; rendered: string }>("SELECT content, rendered FROM reminders ORDER BY id");

  test.each([
    ["edited", (w: Office) => w.as("max").patch(`/messages/${w.id}`, { content: "Cake at five" })],
    ["deleted", (w: Office) => w.as("max").delete(`/messages/${w.id}`)],
  ])("was %s is soon stored as it is listed, for everybody who set one", async (_, change) => {
    const w = await office();
    for (const who of ["mel", "max", "mel"] as const) await remind(w, { note: "**Forks**" }, who);
    await change(w);
    const listed = [...(await listOf(w)), ...(await listOf(w, "max"))];
    expect(textsStored(w).map(({ content }) => content)).not.toEqual(listed.map(({ content }) => content));
    expect(await runJob(w, "renew-reminders")).toEqual([]);
    const renewed = [...(await listOf(w)), ...(await listOf(w, "max"))];
    expect(renewed).toEqual(listed);
    const sorted = renewed.toSorted((a, b) => a.reminder_id - b.reminder_id);
    expect(textsStored(w)).toEqual(
      sorted.map(({ content, rendered_content: rendered }) => ({ content, rendered })),
    );
  });

  test("was edited is in the initial state with the current text", async () => {
    const w = await office();
    await remind(w);
    await w.as("max").patch(`/messages/${w.id}`, { content: "Cake at **five**" });
    const { state } = await w.queue("mel", { fetch_event_types: ["reminders"] });
    expect(state.reminders).toEqual(await listOf(w));
    expect(state.reminders[0].rendered_content).toContain("<strong>five</strong>");
  });

  test("was edited while it is being renewed is renewed again", async () => {
    const w = await office();
    for (let n = 0; n < 3; n++) await remind(w);
    await w.as("max").patch(`/messages/${w.id}`, { content: "Cake at five" });
    await Promise.all([
      runJob(w, "renew-reminders"),
      w.as("max").patch(`/messages/${w.id}`, { content: "Cake at six" }),
    ]);
    await runJob(w, "renew-reminders");
    for (const { content } of textsStored(w)) expect(content).toContain("Cake at six");
  });

  test("was edited keeps only the note of somebody who is deactivated", async () => {
    const w = await office();
    await remind(w, { note: "**Forks**\n<b>" });
    await deactivateUser(w.ctx("ada"), w.user("mel").id);
    await w.as("max").patch(`/messages/${w.id}`, { content: "Cake at five" });
    await runJob(w, "renew-reminders");
    expect(textsStored(w)).toEqual([
      {
        content: `${gone}, with this note:\n> **Forks**\n> <b>`,
        rendered: `<p>${gone}, with this note:<br>&gt; **Forks**<br>&gt; &lt;b&gt;</p>`,
      },
    ]);
  });

  test("the user may no longer read does not quote it", async () => {
    const w = await office();
    await remind(w);
    await w.as("mel").delete("/users/me/subscriptions", { subscriptions: ["the office"] });
    w.clock.advance(hour);
    await deliver(w);
    expect(await noticesTo(w, "mel")).toMatchObject([{ content: `${gone}.` }]);
  });
});
