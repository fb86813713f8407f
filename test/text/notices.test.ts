// What the server itself writes is in the language of the person who gets it or, where several read, of the organization.
import { describe, expect, test } from "bun:test";
import { setSite } from "@/foundation/realm-administration/actions.ts";
import { openOrganization } from "@/personal/onboarding/actions.ts";
import { languages } from "@/text/language/languages.ts";
import { runJob } from "../support/jobs.ts";
import { type CastName, type World, world } from "../support/world.ts";

type Received = { content: string; subject: string; type: string; sender_full_name: string };

async function newest(w: World, name: CastName, options: { html?: boolean } = {}): Promise<Received[]> {
  const asked = { anchor: "newest", num_before: 20, apply_markdown: options.html === true };
  return (await w.as(name).get("/messages", asked)).body.messages;
}

const last = async (...asked: Parameters<typeof newest>) => (await newest(...asked)).at(-1);

async function speak(w: World, name: CastName, default_language: string): Promise<void> {
  expect((await w.as(name).patch("/settings", { default_language })).status).toBe(200);
}

async function worldIn(default_language: string): Promise<World> {
  const w = world();
  expect((await w.as("ada").patch("/realm", { default_language })).status).toBe(200);
  return w;
}

async function createChannel(w: World, name: string, subscribers: readonly CastName[]): Promise<number> {
  const people = subscribers.map((one) => w.user(one).id);
  const given = { name, subscribers: people, send_new_subscription_messages: true };
  return (await w.as("ada").post("/channels/create", given)).body.id;
}

const withoutCode = (html: string) => html.replaceAll(/<code>.*?<\/code>/gs, "");
const mention = (w: World, name: CastName) => `@_**${w.user(name).full_name}|${w.user(name).id}**`;

describe("a notice in a channel", () => {
  test("is in the organization's language, whoever reads it", async () => {
    const w = await worldIn("de");
    const id = await createChannel(w, "lab", ["ada", "mel"]);
    await w.as("ada").patch(`/streams/${id}`, { new_name: "workshop" });
    expect(await last(w, "mel")).toMatchObject({
      sender_full_name: "Notification Bot",
      subject: "Änderungen am Kanal",
      content: `${mention(w, "ada")} hat diesen Kanal von **lab** in **workshop** umbenannt.`,
    });
    await w.as("ada").patch(`/streams/${id}`, { description: "For work" });
    expect((await last(w, "mel"))?.content).toBe(
      `${mention(w, "ada")} hat die Beschreibung dieses Kanals geändert.\n\n` +
        "Sie war:\n```quote\n*Keine Beschreibung.*\n```\nSie ist jetzt:\n```quote\nFor work\n```",
    );
  });

  test("is in the new language from the next on", async () => {
    const w = world();
    const id = await createChannel(w, "lab", ["ada", "mel"]);
    const rename = async (new_name: string) => {
      await w.as("ada").patch(`/streams/${id}`, { new_name });
      return (await last(w, "mel"))?.subject;
    };
    expect(await rename("one")).toBe("channel events");
    await w.as("ada").patch("/realm", { default_language: "fr" });
    expect(await rename("two")).toBe("changements du canal");
  });

  test("keeps the mark of resolved topics in each language", async () => {
    const w = await worldIn("ja");
    const to = await createChannel(w, "lab", ["ada", "mel"]);
    const sent = { type: "channel", to, topic: "tea", content: "hello" };
    const { id } = (await w.as("mel").post("/messages", sent)).body;
    await w.as("mel").patch(`/messages/${id}`, { topic: "✔ tea", propagate_mode: "change_all" });
    expect(await last(w, "mel")).toMatchObject({
      subject: "✔ tea",
      content: `${mention(w, "mel")} がこのトピックを解決済みにしました。`,
    });
  });

  test.each(languages.map(({ tag }) => tag))("has links and mentions that work (%s)", async (tag) => {
    const w = await worldIn(tag);
    const hall = await createChannel(w, "hall", ["ada", "mel"]);
    await w.as("ada").patch("/realm", { new_stream_announcements_stream_id: hall });
    const announced = { name: "lab", subscribers: [w.user("ada").id], announce: true };
    expect((await w.as("ada").post("/channels/create", announced)).status).toBe(200);
    const { content: news } = (await last(w, "mel", { html: true })) as Received;
    expect(news).toContain('class="user-mention silent"');
    expect(news).toContain('class="stream"');
    expect(news).not.toContain("**");

    const lab = (await w.as("ada").get("/get_stream_id", { stream: "lab" })).body.stream_id;
    await w.as("ada").patch(`/streams/${hall}`, {
      can_send_message_group: {
        new: { direct_members: [w.user("ada").id, w.user("mel").id], direct_subgroups: [] },
      },
    });
    const { content: posting } = (await last(w, "mel", { html: true })) as Received;
    expect(posting.match(/class="user-mention silent"/g)).toHaveLength(3);
    expect(posting).toContain("<li>");
    expect(posting).not.toContain("**");

    const sent = { type: "channel", to: lab, topic: "tea", content: "hello" };
    const { id } = (await w.as("ada").post("/messages", sent)).body;
    await w.as("ada").post("/messages", sent);
    await w.as("ada").patch(`/messages/${id}`, {
      stream_id: hall,
      topic: "coffee",
      propagate_mode: "change_one",
      send_notification_to_new_thread: true,
    });
    const { content: moved } = (await last(w, "mel", { html: true })) as Received;
    expect(moved).toContain(`/near/${id}"`);
    expect(moved).toContain('class="stream-topic"');
    expect(moved).toContain('class="user-mention silent"');
    expect(moved).not.toMatch(/\*\*|\]\(/);
  });
});

describe("a notice to one person", () => {
  test("is in their language, and in the new one from the next on", async () => {
    const w = world();
    await speak(w, "mel", "ja");
    const subscribe = async (name: string) => {
      await createChannel(w, name, ["ada", "mel", "max"]);
      return [(await last(w, "mel"))?.content, (await last(w, "max"))?.content];
    };
    expect(await subscribe("lab")).toEqual([
      `${mention(w, "ada")} があなたをチャンネル #**lab** に追加しました。`,
      `${mention(w, "ada")} subscribed you to the channel #**lab**.`,
    ]);
    await speak(w, "mel", "es");
    expect((await subscribe("den"))[0]).toBe(`${mention(w, "ada")} le suscribió al canal #**den**.`);
  });

  test("says why a scheduled message was not sent, and keeps what was written", async () => {
    const w = world();
    await speak(w, "mel", "de");
    const to = await createChannel(w, "lab", ["ada", "mel"]);
    const scheduled_delivery_timestamp = w.clock.now() + 600;
    const message = { type: "channel", to, topic: "tea", content: "hello", scheduled_delivery_timestamp };
    expect((await w.as("mel").post("/scheduled_messages", message)).status).toBe(200);
    w.clock.advance(100_000);
    await runJob(w, "deliver-scheduled-messages");
    const { content } = (await last(w, "mel")) as Received;
    expect(content).toStartWith("Die Nachricht, die Sie für <time:");
    expect(content).toContain("> Der Server lief zur geplanten Zeit nicht.\n\nDas haben Sie geschrieben:\n");
    expect(content).toContain("hello");
    expect(content).toEndWith("Sie finden sie in Ihren [geplanten Nachrichten](#scheduled).");
  });

  test("quotes the message of a reminder below words in Arabic", async () => {
    const w = world();
    await speak(w, "mel", "ar");
    const to = await createChannel(w, "lab", ["ada", "mel"]);
    const { id } = (
      await w.as("ada").post("/messages", { type: "channel", to, topic: "tea", content: "hello" })
    ).body;
    const reminder = { message_id: id, scheduled_delivery_timestamp: w.clock.now() + 60 };
    expect((await w.as("mel").post("/reminders", reminder)).status).toBe(200);
    w.clock.advance(120);
    await runJob(w, "deliver-reminders");
    const { content } = (await last(w, "mel", { html: true })) as Received;
    expect(content).toContain("طلبت تذكيرك بهذه الرسالة:");
    expect(content).toContain('class="user-mention silent"');
    expect(content).toMatch(/\/near\/\d+">اقتباس<\/a> من /);
    expect(content).toContain("<blockquote>");
  });
});

describe("the welcome", () => {
  const joinIn = async (w: World, language: string, full_name: string) => {
    const { pathname } = new URL((await w.as("ada").post("/invites/multiuse")).body.invite_link);
    const form = {
      full_name,
      email: `${full_name.toLowerCase()}@example.org`,
      password: "seven yellow kettles",
    };
    const headers = { accept: "text/html", "accept-language": language };
    const body = new URLSearchParams(form);
    expect((await w.anonymous.request(pathname, { method: "POST", headers, body })).status).toBeLessThan(400);
    const login = { username: form.email, password: form.password };
    const { api_key } = (await w.anonymous.post("/fetch_api_key", login)).body;
    const asked = { anchor: "newest", num_before: 20, apply_markdown: false };
    const { messages } = (await w.login(form.email, api_key).get("/messages", asked)).body;
    return (messages as Received[]).filter(({ sender_full_name }) => sender_full_name === "Welcome Bot");
  };

  test("is in the language of the newcomer, and names the organization's own topic; the organization's text stays", async () => {
    const w = await worldIn("de");
    await setSite(w.app.system, "https://chat.example.com");
    const hall = await createChannel(w, "hall", ["ada"]);
    await w.as("ada").post("/default_streams", { stream_id: hall });
    await w.as("ada").patch("/realm", { welcome_message_custom_text: "House rules" });
    const [first, second] = await joinIn(w, "fr", "Nia");
    expect(first?.content).toContain("Bonjour, et bienvenue dans Test Organization\u00a0!");
    expect(first?.content).toContain("1. Dites bonjour dans #**hall>Begrüßung**.");
    expect(first?.content).toContain("**Applications qui fonctionnent ici**");
    expect(second?.content).toBe("House rules");
  });

  test.each([
    ["de", "allgemein", "Ausprobieren"],
    ["ar", "عام", "تجارب"],
    ["ja", "全般", "お試し"],
  ])("of a new organization is in its language (%s)", async (tag, channel, topic) => {
    const w = await worldIn(tag);
    await openOrganization(w.app.system, "https://chat.example.com");
    const { streams } = (await w.as("mel").get("/streams")).body;
    expect(streams.map(({ name }: { name: string }) => name)).toContain(channel);
    const messages = await newest(w, "mel", { html: true });
    expect(messages[0]?.subject).toBe(topic);
    for (const { content } of messages) expect(withoutCode(content)).not.toContain("**");
    // Each person is welcomed in their own language.
    expect(messages.at(-1)?.content).toContain("Hello, and welcome");
  });

  test("in Arabic has addresses that can be opened", async () => {
    const w = world();
    await speak(w, "mel", "ar");
    await openOrganization(w.app.system, "https://chat.example.com");
    const { content } = (await last(w, "mel", { html: true })) as Received;
    expect(content).toContain('<a href="https://chat.example.com">https://chat.example.com</a>');
    expect(content).toContain('class="stream-topic"');
    expect(content).not.toContain("**");
  });
});
