// Mails about missed messages, received by a real mail server and read as a mail program reads them.
import { afterAll, describe, expect, test } from "bun:test";
import { setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { mailForms } from "@/outside/missed-messages/forms.ts";
import { inEnglish } from "@/text/language/tables.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type MailServer, startMailServer, type Taken } from "../support/smtp.ts";
import { type CastName, type World, world } from "../support/world.ts";

const server: MailServer = await startMailServer();
afterAll(() => server.close());

interface Scene extends World {
  channel: number;
  say(who: CastName, content: string, topic?: string): Promise<number>;
  tell(who: CastName, to: readonly CastName[], content: string): Promise<number>;
  /** The mails that arrive within this many seconds, without earlier ones. */
  mails(seconds?: number): Promise<Taken[]>;
}

/** An organization with a mail server, and a channel with mel, max, moss and gus. */
async function scene(): Promise<Scene> {
  const w = world();
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  const people = (["mel", "max", "moss", "gus"] as const).map((name) => w.user(name).id);
  const made = await w.as("ada").post("/channels/create", { name: "design", subscribers: people });
  expect(made.status).toBe(200);
  const channel: number = made.body.id;
  const sent = async (who: CastName, params: Json): Promise<number> => {
    const answer = await w.as(who).post("/messages", params);
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  await runJob(w, "missed-messages");
  server.taken.length = 0;
  return {
    ...w,
    channel,
    say: (who, content, topic = "launch") => sent(who, { type: "channel", to: channel, topic, content }),
    tell: (who, to, content) => sent(who, { type: "direct", to: to.map((name) => w.user(name).id), content }),
    async mails(seconds = 120) {
      await runJob(w, "missed-messages");
      w.clock.advance(seconds);
      await runJob(w, "missed-messages");
      for (;;) {
        const before = server.taken.length;
        await runJob(w, "mail");
        if (server.taken.length === before) break;
      }
      return server.taken.splice(0);
    },
  };
}

const set = async (w: World, name: CastName, settings: Json) =>
  expect((await w.as(name).patch("/settings", settings)).status).toBe(200);
const setRealm = async (w: World, settings: Json) =>
  expect((await w.as("olive").patch("/realm", settings)).status).toBe(200);
const subscription = async (w: Scene, name: CastName, property: string, value: boolean) => {
  const subscription_data = [{ stream_id: w.channel, property, value }];
  const answer = await w.as(name).post("/users/me/subscriptions/properties", { subscription_data });
  expect(answer.status).toBe(200);
};
const follow = async (w: Scene, name: CastName, policy = 3) =>
  expect(
    (
      await w
        .as(name)
        .post("/user_topics", { stream_id: w.channel, topic: "launch", visibility_policy: policy })
    ).status,
  ).toBe(200);
const recipients = (taken: readonly Taken[]) => taken.map(({ to }) => to.split("@")[0]).toSorted();

describe("a mail about missed messages", () => {
  test("brings a direct message, with its sender, its text and a link into the conversation", async () => {
    const w = await scene();
    const id = await w.tell("mel", ["max"], "The **rocket** is at https://example.org/pad :rocket:");
    const taken = await w.mails();
    expect(taken).toHaveLength(1);
    const [{ mail, to }] = taken as [Taken];
    expect([to, mail.subject]).toEqual(["max@example.com", "Direct messages with Mel"]);
    expect(mail.from?.text).toBe('"Mel" <noreply@chat.example.com>');
    expect(mail.text).toContain("> The rocket is at https://example.org/pad 🚀");
    expect(mail.html).toContain("The <strong>rocket</strong>");
    const ids = [w.user("mel").id, w.user("max").id].join(",");
    const url = `https://chat.example.com/#narrow/dm/${ids}-dm/near/${id}`;
    expect(mail.text).toContain(url);
    expect(mail.html).toContain(`href="${url}"`);
    expect(await w.mails()).toEqual([]);
  });

  test("sends one mail for each conversation's messages of the batching period", async () => {
    const w = await scene();
    await w.tell("mel", ["max"], "one");
    await w.say("mel", "@**Max** two");
    w.clock.advance(60);
    await w.tell("mel", ["max"], "three");
    expect(await w.mails(59)).toEqual([]);
    const taken = await w.mails(1);
    expect(taken.map(({ mail }) => mail.subject)).toEqual(["Direct messages with Mel", "#design > launch"]);
    expect(taken[0]?.mail.text).toMatch(/> one[\s\S]*> three/);
    expect(taken[1]?.mail.text).toContain("> @Max two");
  });

  test("does not wait for a clock that is set back", async () => {
    const w = await scene();
    await w.tell("mel", ["max"], "hello");
    expect(await w.mails(0)).toEqual([]);
    w.clock.step(-86_400);
    expect(await w.mails(0)).toHaveLength(1);
    await w.tell("mel", ["max"], "again");
    expect(await w.mails(119)).toEqual([]);
    expect(await w.mails(1)).toHaveLength(1);
  });

  test("is sent after the person's batching period, even if they change it meanwhile", async () => {
    const w = await scene();
    await set(w, "max", { email_notifications_batching_period_seconds: 600 });
    await w.tell("mel", ["max"], "hello");
    expect(await w.mails(599)).toEqual([]);
    expect(await w.mails(1)).toHaveLength(1);
    await w.tell("mel", ["max"], "again");
    await runJob(w, "missed-messages");
    await set(w, "max", { email_notifications_batching_period_seconds: 30 });
    expect(await w.mails(30)).toHaveLength(1);
  });

  test("keeps a conversation in one thread, and conversations and people apart", async () => {
    const w = await scene();
    await w.tell("mel", ["max"], "one");
    await w.say("mel", "@**Max** and @**Moss** one");
    const first = await w.mails();
    await w.tell("mel", ["max"], "two");
    await w.say("max", "@**Moss** two");
    const second = (await w.mails()).filter(({ to }) => !to.startsWith("mel"));
    const threads = [...first, ...second].map(({ mail }) => mail.inReplyTo);
    for (const { mail } of [...first, ...second]) {
      expect([mail.references].flat()).toEqual([mail.inReplyTo!]);
      expect(mail.inReplyTo).toMatch(/^<[\w-]+@chat\.example\.com>$/);
    }
    expect(new Set([...first, ...second].map(({ mail }) => mail.messageId)).size).toBe(5);
    const named = (taken: Taken[], name: string, subject: RegExp) =>
      taken.find(({ to, mail }) => to.startsWith(name) && subject.test(mail.subject ?? ""))?.mail.inReplyTo;
    expect(named(first, "max", /^Direct/)).toBe(named(second, "max", /^Direct/)!);
    expect(named(first, "moss", /^#/)).toBe(named(second, "moss", /^#/)!);
    expect(new Set(threads).size).toBe(3);
    const list = first.find(({ mail }) => mail.subject?.startsWith("#"))!.mail.headers.get("list") as Json;
    expect(list.id).toEqual({ id: `channel-${w.channel}.chat.example.com`, name: "design" });
  });

  test("is not sent about messages that were read, deleted or moved out of sight", async () => {
    const w = await scene();
    const read = await w.tell("mel", ["max"], "read");
    const deleted = await w.tell("ada", ["max"], "deleted");
    await w.say("mel", "@**Gus** hidden");
    await w.as("max").post("/messages/flags", { op: "add", flag: "read", messages: [read] });
    await w.as("ada").delete(`/messages/${deleted}`);
    await runJob(w, "missed-messages");
    await w.as("ada").delete("/users/me/subscriptions", {
      subscriptions: ["design"],
      principals: [w.user("gus").id],
    });
    expect(await w.mails()).toEqual([]);
  });

  test("that waits for the mail server is withdrawn if its message is deleted", async () => {
    const w = await scene();
    const id = await w.tell("ada", ["max"], "my password is swordfish");
    server.refusals.push("450 later");
    expect(await w.mails()).toEqual([]);
    await w.as("ada").delete(`/messages/${id}`);
    w.clock.advance(60);
    await runJob(w, "mail");
    expect(server.taken).toEqual([]);
    expect(w.app.env.db.all("SELECT id FROM mails")).toEqual([]);
  });

  test.each<[string, (w: Scene) => Promise<{ status: number; body: unknown }>]>([
    [
      "was removed from the private channel",
      (w) =>
        w.as("ada").delete("/users/me/subscriptions", {
          subscriptions: ["vault"],
          principals: [w.user("max").id],
        }),
    ],
    ["was deactivated", (w) => w.as("olive").delete(`/users/${w.user("max").id}`)],
    [
      "has another address",
      (w) => w.as("olive").patch(`/users/${w.user("max").id}`, { new_email: "max@new.example.org" }),
    ],
    ["cannot sign in, because the organization is closed", (w) => w.as("olive").post("/realm/deactivate")],
  ])("that waits for the mail server is withdrawn if its reader %s", async (_, change) => {
    const w = await scene();
    const people = [w.user("ada").id, w.user("max").id];
    const made = await w
      .as("ada")
      .post("/channels/create", { name: "vault", subscribers: people, invite_only: true });
    const say = {
      type: "channel",
      to: made.body.id,
      topic: "keys",
      content: "@**Max** the code is 1234",
    };
    expect((await w.as("ada").post("/messages", say)).status).toBe(200);
    server.refusals.push("450 later");
    expect(await w.mails()).toEqual([]);
    expect(w.app.env.db.all("SELECT DISTINCT mail_id FROM mail_messages")).toHaveLength(1);
    expect(await change(w)).toMatchObject({ status: 200 });
    w.clock.advance(60);
    await runJob(w, "mail");
    const quoting = server.taken.filter(({ mail }) => `${mail.text}`.includes("1234"));
    expect(quoting).toEqual([]);
    expect(w.app.env.db.all("SELECT * FROM mail_messages")).toEqual([]);
  });

  test("that waits for the mail server still comes if its reader may read it", async () => {
    const w = await scene();
    await w.tell("ada", ["max"], "the code is 1234");
    server.refusals.push("450 later");
    expect(await w.mails()).toEqual([]);
    w.clock.advance(60);
    await runJob(w, "mail");
    expect(server.taken.splice(0).map(({ to }) => to)).toEqual([expect.stringContaining("max")]);
  });

  test("shows the current text of an edited message, and ignores a removed mention", async () => {
    const w = await scene();
    const one = await w.tell("mel", ["max"], "the old text");
    await set(w, "moss", { automatically_follow_topics_where_mentioned: false });
    const two = await w.say("mel", "@**Moss** look");
    await w.as("mel").patch(`/messages/${one}`, { content: "the new text" });
    await w.as("mel").patch(`/messages/${two}`, { content: "nobody" });
    const taken = await w.mails();
    expect(recipients(taken)).toEqual(["max"]);
    expect(taken[0]?.mail.text).toContain("the new text");
    expect(taken[0]?.raw).not.toContain("old text");
  });

  test("is not sent to people who have been active since, to bots, or to deactivated users", async () => {
    const w = await scene();
    await w.tell("mel", ["max", "moss", "bolt"], "hello");
    w.clock.advance(60);
    await w.as("max").post("/users/me/presence", { status: "active", ping_only: true });
    await runJob(w, "missed-messages");
    await w.as("ada").delete(`/users/${w.user("moss").id}`);
    expect(await w.mails()).toEqual([]);
  });

  test("is sent to people who were only idle, or active before", async () => {
    const w = await scene();
    await w.as("max").post("/users/me/presence", { status: "active", ping_only: true });
    w.clock.advance(60);
    await w.tell("mel", ["max"], "hello");
    w.clock.advance(60);
    await w.as("max").post("/users/me/presence", { status: "idle", ping_only: true });
    expect(await w.mails()).toHaveLength(1);
  });

  test("is not sent for the person's own messages, or those of a muted user", async () => {
    const w = await scene();
    await w.as("max").post(`/users/me/muted_users/${w.user("mel").id}`);
    await w.tell("mel", ["max"], "hello");
    await w.say("mel", "@**Max** hello, says @**Mel**");
    expect(await w.mails()).toEqual([]);
  });

  test("can be ended with one click, for channels and topics too", async () => {
    const w = await scene();
    await subscription(w, "max", "email_notifications", true);
    await w.say("mel", "hello");
    const [{ mail }] = (await w.mails()) as [Taken];
    const list = mail.headers.get("list") as Json;
    const { pathname } = new URL(list.unsubscribe.url);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await w.anonymous.request(pathname, { method: "POST", body })).status).toBe(200);
    await follow(w, "max");
    await w.say("mel", "@**Max** hello");
    await w.tell("mel", ["max"], "hello");
    expect(await w.mails()).toEqual([]);
  });

  test("is not sent about messages from before the server had a mail server", async () => {
    const w = await scene();
    await setServerOptions(w.app.system, { sends_mail: false });
    await w.tell("mel", ["max"], "hello");
    await runJob(w, "missed-messages");
    await setServerOptions(w.app.system, { sends_mail: true });
    expect(await w.mails()).toEqual([]);
  });

  test("loads nothing, runs nothing, and keeps spoilers hidden", async () => {
    const w = await scene();
    await w.tell(
      "mel",
      ["max"],
      "```spoiler The end\nThe butler did it\n```\n<img src=https://evil.example/x.png> [x](javascript:alert(1)) $$E=mc^2$$",
    );
    const [{ mail, raw }] = (await w.mails()) as [Taken];
    expect(mail.html).not.toMatch(/<img|<script|href="javascript:|<[^>]* src=|url\(/i);
    expect(mail.html).toContain("&lt;img src=");
    expect(raw).not.toContain("butler");
    expect(mail.text).toContain("The end");
    expect(mail.text).toContain("E=mc^2");
  });
});

describe("whether a person gets a mail", () => {
  const cases: [string, (w: Scene) => Promise<unknown>, (w: Scene) => Promise<unknown>, CastName[]][] = [
    ["mention by name", async () => {}, (w) => w.say("mel", "@**Max**"), ["max"]],
    ["plain message", async () => {}, (w) => w.say("mel", "hello"), []],
    [
      "alert word",
      (w) => w.as("max").post("/users/me/alert_words", { alert_words: ["rocket"] }),
      (w) => w.say("mel", "a rocket"),
      ["max"],
    ],
    ["wildcard", async () => {}, (w) => w.say("ada", "@**all** hello"), ["gus", "max", "mel", "moss"]],
    [
      "wildcard, wildcard_mentions_notify off",
      (w) => set(w, "max", { wildcard_mentions_notify: false }),
      (w) => w.say("ada", "@**all** hello"),
      ["gus", "mel", "moss"],
    ],
    [
      "wildcard, off for the channel",
      (w) => subscription(w, "max", "wildcard_mentions_notify", false),
      (w) => w.say("ada", "@**all** hello"),
      ["gus", "mel", "moss"],
    ],
    [
      "wildcard in a muted channel",
      (w) => subscription(w, "max", "is_muted", true),
      (w) => w.say("ada", "@**all** hello"),
      ["gus", "mel", "moss"],
    ],
    ["mention in a muted topic", (w) => follow(w, "max", 1), (w) => w.say("mel", "@**Max**"), ["max"]],
    [
      "wildcard in a followed topic, by enable_followed_topic_wildcard_mentions_notify alone",
      async (w) => {
        await set(w, "max", {
          wildcard_mentions_notify: false,
          enable_followed_topic_email_notifications: false,
        });
        await follow(w, "max");
      },
      (w) => w.say("ada", "@**all** hello"),
      ["gus", "max", "mel", "moss"],
    ],
    [
      "wildcard in a followed topic, enable_followed_topic_wildcard_mentions_notify off",
      async (w) => {
        await set(w, "max", {
          wildcard_mentions_notify: false,
          enable_followed_topic_email_notifications: false,
          enable_followed_topic_wildcard_mentions_notify: false,
        });
        await follow(w, "max");
      },
      (w) => w.say("ada", "@**all** hello"),
      ["gus", "mel", "moss"],
    ],
    [
      "enable_offline_email_notifications off",
      (w) =>
        set(w, "max", {
          enable_offline_email_notifications: false,
          automatically_follow_topics_where_mentioned: false,
        }),
      async (w) => [await w.say("mel", "@**Max**"), await w.tell("mel", ["max"], "hi")],
      [],
    ],
    ["followed topic", (w) => follow(w, "max"), (w) => w.say("mel", "hello"), ["max"]],
    [
      "followed topic, enable_followed_topic_email_notifications off",
      async (w) => {
        await follow(w, "max");
        await set(w, "max", { enable_followed_topic_email_notifications: false });
      },
      (w) => w.say("mel", "hello"),
      [],
    ],
    [
      "enable_stream_email_notifications on",
      (w) => set(w, "max", { enable_stream_email_notifications: true }),
      (w) => w.say("mel", "hello"),
      ["max"],
    ],
    [
      "email_notifications of the channel on",
      (w) => subscription(w, "max", "email_notifications", true),
      (w) => w.say("mel", "hello"),
      ["max"],
    ],
    [
      "email_notifications of the channel off, against the setting for all",
      async (w) => {
        await set(w, "max", { enable_stream_email_notifications: true });
        await subscription(w, "max", "email_notifications", false);
      },
      (w) => w.say("mel", "hello"),
      [],
    ],
    [
      "email_notifications of a muted channel",
      async (w) => {
        await subscription(w, "max", "email_notifications", true);
        await subscription(w, "max", "is_muted", true);
      },
      (w) => w.say("mel", "hello"),
      [],
    ],
  ];
  test.each(cases)("%s", async (_, prepare, act, expected) => {
    const w = await scene();
    await prepare(w);
    await act(w);
    expect(recipients(await w.mails())).toEqual(expected);
  });
});

describe("what a mail tells", () => {
  const secret = /secret|mel|rocket|launch|design/i;
  const hidden: [string, (w: Scene) => Promise<unknown>][] = [
    [
      "message_content_in_email_notifications",
      (w) => set(w, "max", { message_content_in_email_notifications: false }),
    ],
    [
      "message_content_allowed_in_email_notifications",
      (w) => setRealm(w, { message_content_allowed_in_email_notifications: false }),
    ],
  ];
  test.each(hidden)("is nothing of a message if %s is off", async (_, prepare) => {
    const w = await scene();
    await prepare(w);
    await w.tell("mel", ["max"], "secret rocket");
    await w.say("mel", "@**Max** secret");
    const taken = await w.mails();
    expect(taken).toHaveLength(1);
    const [{ mail }] = taken as [Taken];
    for (const part of [mail.text, String(mail.html), mail.subject, mail.from?.text, mail.inReplyTo]) {
      expect(part).not.toMatch(secret);
    }
    expect(mail.headers.get("list")).not.toMatchObject({ id: { name: expect.stringMatching(secret) } });
    expect(mail.text).toContain("https://chat.example.com/#inbox");
  });

  test.each([
    [1, "Direct messages with Mel"],
    [2, "[Test Organization] Direct messages with Mel"],
    [3, "Direct messages with Mel"],
  ])("names the organization by realm_name_in_email_notifications_policy %p", async (policy, subject) => {
    const w = await scene();
    await set(w, "max", { realm_name_in_email_notifications_policy: policy });
    await w.tell("mel", ["max"], "hello");
    expect((await w.mails())[0]?.mail.subject).toBe(subject);
  });

  test("shows times in the person's zone and format", async () => {
    const w = await scene();
    await set(w, "max", { timezone: "Asia/Kolkata", twenty_four_hour_time: true });
    await w.tell("mel", ["max"], "hello");
    const { text = "" } = (await w.mails())[0]!.mail;
    expect(text).toMatch(/Mel, \w{3} \d{1,2}, \d\d:\d\d GMT\+5:30/);
    await set(w, "max", { twenty_four_hour_time: false });
    await w.tell("mel", ["max"], "hello again");
    const { text: other = "" } = (await w.mails())[0]!.mail;
    expect(other).toMatch(/Mel, \w{3} \d{1,2}, \d{1,2}:\d\d\s[AP]M GMT\+5:30/);
  });
});

describe("a message as mails show it", () => {
  const shown = (html: string) => mailForms(html, "https://chat.example.com", inEnglish);

  test("keeps quotes, lists, code and links in both forms", () => {
    const { html, text } = shown(
      '<p>See <a class="stream" data-stream-id="1" href="/#narrow/channel/1-x">#x</a>:</p>\n<blockquote>\n<p>one<br>\ntwo</p>\n</blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<pre><code>x &lt; y\n  z</code></pre>',
    );
    expect(text).toBe(
      "See #x (https://chat.example.com/#narrow/channel/1-x):\n\n> one\n> two\n\n* a\n* b\n\nx < y\n  z",
    );
    expect(html.text).toContain('<a href="https://chat.example.com/#narrow/channel/1-x">#x</a>');
    expect(html.text).not.toContain("class=");
  });

  test("says the address of a picture that stands for it, and leaves out what other pages say", () => {
    const box = (href: string, title = "") =>
      `<div class="message_inline_image"><a href="${href}"${title}>` +
      '<img data-original-dimensions="6x4" src="/external_content/ab/cd"></a></div>';
    const [x, y, z] = ["http://e.com/x.png", "http://e.com/y.png", "http://e.com/z"];
    const card = `<div class="message_embed"><a class="message_embed_image" href="${z}"></a><div>Z</div></div>`;
    const named = `<p>a <a href="${y}">${y}</a> <a href="${z}">${z}</a></p>\n${box(y)}${card}`;
    const { html, text } = shown(`${box(x)}\n${named}`);
    expect(text).toBe(`${x}\n\na ${y} ${z}`);
    expect(html.text.split(x)).toHaveLength(3);
    expect(html.text.split(y)).toHaveLength(3);
  });

  test("turns pictures and players into links or names", () => {
    const { html, text } = shown(
      '<p><a href="/user_uploads/1/a.png">a.png</a></p>\n<div class="message_inline_image"><a href="/user_uploads/1/a.png" title="a.png"><img src="/user_uploads/thumbnail/1/a.png/840x560.webp"></a></div><p><img alt=":own:" class="emoji" src="/user_avatars/1/emoji/1.png" title="own"> <audio controls src="/user_uploads/1/b.mp3" title="b.mp3"></audio></p>',
    );
    expect(html.text).not.toContain("<img");
    expect(text).toBe(
      "a.png (https://chat.example.com/user_uploads/1/a.png)\n\n:own: b.mp3 (https://chat.example.com/user_uploads/1/b.mp3)",
    );
  });
});
