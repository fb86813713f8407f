// Each mail is in the language of its reader, from its subject to its last line.
import { afterAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { sendTestMail, setMailServer } from "@/foundation/mail/host.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeLoginLink } from "@/foundation/sessions/actions-links.ts";
import { inviteImported } from "@/operations/import/inviting.ts";
import { runJob } from "../support/jobs.ts";
import type { Json } from "../support/requests.ts";
import { type MailServer, startMailServer, type Taken } from "../support/smtp.ts";
import { givePassword, password, signedIn, webClient } from "../support/web-session.ts";
import { type CastName, type World, world } from "../support/world.ts";

const started: MailServer[] = [];
afterAll(() => {
  for (const server of started) server.close();
});

interface Scene extends World {
  server: MailServer;
  /** The mails that wait, and those about messages that are missed by then. */
  mails(): Promise<Taken[]>;
}

/** An organization with a mail server. */
async function scene(): Promise<Scene> {
  const w = world();
  const server = await startMailServer();
  started.push(server);
  setMailServer(w.app.env, { url: server.url, from: "noreply@chat.example.com" });
  await setServerOptions(w.app.system, { sends_mail: true });
  await runJob(w, "missed-messages");
  w.clock.advance(3600);
  return {
    ...w,
    server,
    async mails() {
      // Work after an answer is done in the next turns of the event loop.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      await runJob(w, "missed-messages");
      w.clock.advance(120);
      await runJob(w, "missed-messages");
      for (let before = -1; before < server.taken.length; ) {
        before = server.taken.length;
        await runJob(w, "mail");
      }
      return server.taken.splice(0);
    },
  };
}

const speak = async (w: World, name: CastName, default_language: string) =>
  expect((await w.as(name).patch("/settings", { default_language })).status).toBe(200);
const speakInOrganization = async (w: World, default_language: string) =>
  expect((await w.as("olive").patch("/realm", { default_language })).status).toBe(200);
const tell = async (w: World, to: CastName, content: string) =>
  expect((await w.as("ada").post("/messages", { type: "direct", to: [w.user(to).id], content })).status).toBe(
    200,
  );
const invite = (w: World, invitee_emails = "ann@example.org") =>
  w.as("olive").post("/invites", { invitee_emails, stream_ids: [], invite_expires_in_minutes: 60 });

const htmlOf = ({ mail }: Taken) => String(mail.html);
const languageOf = (taken: Taken) => /<html lang="(\w+)" dir="(\w+)">/.exec(htmlOf(taken))?.slice(1);

const form = (fields: Record<string, string>, language = "en") => ({
  method: "POST",
  headers: { accept: "text/html", "accept-language": language },
  body: new URLSearchParams(fields),
});

/** Joins as somebody whose browser likes a language. */
async function join(w: World, language: string): Promise<void> {
  const { body } = await w.as("olive").post("/invites/multiuse", { stream_ids: [] });
  const person = { full_name: "Ann", email: "ann@example.org", password };
  const answer = await w.anonymous.request(new URL(body.invite_link).pathname, form(person, language));
  expect(answer.status).toBe(303);
}

async function protect(w: World): Promise<{ secret: string; recovery_codes: string[] }> {
  const { secret } = (await w.as("mel").post("/users/me/two_step", { password })).body;
  const code = generateSync({ secret, epoch: w.clock.now() });
  const { body } = await w.as("mel").post("/users/me/two_step/confirm", { code });
  return { secret, recovery_codes: body.recovery_codes };
}

/** What causes mails to Mel, who speaks German and has a password; and what their subjects are. */
const causes: Record<string, { cause: (w: Scene) => Promise<unknown>; subjects: string[]; says: string }> = {
  "a new login": {
    cause: (w) => signedIn(w, "mel"),
    subjects: ["Neue Anmeldung bei Test Organization"],
    says: "Gerät: Firefox unter Linux",
  },
  "a forgotten password": {
    cause: (w) => w.anonymous.request("/password/reset", form({ email: "mel@example.com" })),
    subjects: ["Ein neues Passwort für Test Organization"],
    says: "Passwort wählen:\n    https://chat.example.com/password/reset/",
  },
  "a changed password": {
    cause: (w) =>
      w.as("mel").patch("/settings", { old_password: password, new_password: "seven green bicycles" }),
    subjects: ["Ihr Passwort bei Test Organization wurde geändert"],
    says: "Guten Tag Mel,\n\ndas Passwort Ihres Kontos bei Test Organization wurde geändert. Alle",
  },
  "another address": {
    cause: async (w) => {
      await w.as("mel").patch("/settings", { email: "melody@example.com" });
    },
    subjects: ["Bestätigen Sie Ihre neue Adresse bei Test Organization"],
    says: "Neu: melody@example.com",
  },
  "an address that changed": {
    cause: (w) => w.as("olive").patch(`/users/${w.user("mel").id}`, { new_email: "melody@example.com" }),
    subjects: Array(2).fill("Ihre Adresse bei Test Organization wurde geändert"),
    says: "Bisher: mel@example.com",
  },
  "a new API key": {
    cause: (w) => w.as("mel").post("/users/me/api_key/regenerate"),
    subjects: ["Ein neuer API-Schlüssel bei Test Organization"],
    says: "Konto: mel@example.com\n    Zeit: 3. März 2026 um ",
  },
  "two-step sign-in": {
    async cause(w) {
      const { recovery_codes } = await protect(w);
      w.clock.advance(60);
      await w.as("mel").post("/users/me/two_step/recovery_codes", { code: recovery_codes[0] });
      await w.as("ada").delete(`/users/${w.user("mel").id}/two_step`);
      w.clock.advance(60);
      const { secret } = await protect(w);
      w.clock.advance(60);
      await w.as("mel").delete("/users/me/two_step", {
        code: generateSync({ secret, epoch: w.clock.now() }),
      });
    },
    subjects: [
      "Die Zwei-Schritt-Anmeldung bei Test Organization ist eingeschaltet",
      "Bei Test Organization wurde ein Wiederherstellungscode benutzt",
      "Neue Wiederherstellungscodes bei Test Organization",
      "Die Zwei-Schritt-Anmeldung bei Test Organization wurde zurückgesetzt",
      "Die Zwei-Schritt-Anmeldung bei Test Organization ist eingeschaltet",
      "Die Zwei-Schritt-Anmeldung bei Test Organization ist ausgeschaltet",
    ],
    says: "9 Wiederherstellungscodes sind übrig; erstellen Sie",
  },
  "a deactivated account": {
    cause: (w) =>
      w.as("ada").delete(`/users/${w.user("mel").id}`, { deactivation_notification_comment: "Danke!" }),
    subjects: ["Ihr Konto bei Test Organization wurde deaktiviert"],
    says: "wurde von Ada deaktiviert. Dazu heißt es:\n\n    Danke!",
  },
  "a missed message": {
    cause: (w) => tell(w, "mel", "Moin"),
    subjects: ["Direktnachrichten mit Ada"],
    says: "Grund dieser E-Mail: Ada hat Ihnen eine Direktnachricht geschickt. Zum Antworten",
  },
  "missed messages that it does not show": {
    async cause(w) {
      await w.as("mel").patch("/settings", { message_content_in_email_notifications: false });
      for (const content of ["one", "two"]) await tell(w, "mel", content);
    },
    subjects: ["Neue Nachrichten"],
    says: "Test Organization öffnen:\n    https://chat.example.com/#inbox",
  },
};

describe("a mail to somebody who speaks German", () => {
  test.each(Object.entries(causes))("about %s is in German", async (_, { cause, subjects, says }) => {
    const w = await scene();
    await givePassword(w, "mel");
    await speak(w, "mel", "de");
    await w.mails();
    await cause(w);
    const taken = (await w.mails()).filter(({ to }) => to.startsWith("mel"));
    expect(taken.map(({ mail }) => mail.subject)).toEqual(subjects);
    const texts = taken.map(({ mail }) => mail.text ?? "");
    expect(texts.some((text) => text.includes(says)) || texts).toBe(true);
    expect(texts.join("\n")).not.toMatch(/\b(you|your|the|this|has|was|works?|if|[ap]m)\b/i);
    for (const one of taken) expect(languageOf(one)).toEqual(["de", "ltr"]);
  });

  test("without a password brings the code that shows who they are", async () => {
    const w = await scene();
    await speak(w, "max", "de");
    const { path } = await makeLoginLink(w.ctx("olive"), w.user("max").id);
    const browser = webClient(w.app);
    await browser.ask("POST", path);
    await w.mails();
    w.clock.advance(600);
    expect((await browser.ask("POST", "/json/users/me/proof/mail")).status).toBe(200);
    const [taken] = await w.mails();
    expect(taken?.mail.subject).toBe("Ihr Code für Test Organization");
    expect(taken?.mail.text).toMatch(/ {4}Code: \w+-\w+\n\nGeben Sie ihn innerhalb von zehn Minuten/);
  });

  test("who was imported says where everything went", async () => {
    const w = await scene();
    await speak(w, "max", "de");
    const { id } = w.user("max");
    const range = { firstId: id, lastId: id, source: "slack", by: "mail", life: 86_400 } as const;
    await inviteImported(w.app.system, { ...range, onProgress: () => {} });
    const [taken] = await w.mails();
    expect(taken?.mail.subject).toBe("Ihr Konto bei Test Organization");
    expect(taken?.mail.text).toContain(
      "Test Organization ist von Slack zu https://chat.example.com umgezogen",
    );
    expect(taken?.mail.text).toMatch(/einmal, bis \d\d\.\d\d\.\d{4}\. Danach/);
  });
});

describe("a mail to somebody without an account", () => {
  test("is in the organization's language", async () => {
    const w = await scene();
    await speakInOrganization(w, "ja");
    await speak(w, "olive", "de");
    expect((await invite(w)).status).toBe(200);
    const [taken] = (await w.mails()) as [Taken];
    expect(taken.mail.subject).toBe("Test Organization への招待");
    expect(languageOf(taken)).toEqual(["ja", "ltr"]);
    expect(taken.mail.text).toMatch(
      /このリンクはあなた専用です。有効期限は \d{4}\/\d\d\/\d\d \d\d:\d\d \(UTC\) です。/,
    );
    expect(taken.mail.text).toContain("スマートフォンのアプリストアから Zulip アプリをインストールします。");
  });

  test("is in English where the organization's language is none of those that there are", async () => {
    const w = await scene();
    await speakInOrganization(w, "pl");
    await invite(w);
    const [taken] = (await w.mails()) as [Taken];
    expect(taken.mail.subject).toBe("Invitation to Test Organization");
    expect(taken.mail.text).toMatch(/only for you\. It is valid until \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.\n/);
  });

  test("that tries the mail server is in the organization's language", async () => {
    const w = await scene();
    await speakInOrganization(w, "fr");
    const server = { url: w.server.url, from: "noreply@chat.example.com" };
    expect(await sendTestMail(w.app.system, server, "ann@example.org")).toBeNull();
    const [taken] = w.server.taken;
    expect(taken?.mail.subject).toBe("E-mail de test de Test Organization");
    expect(taken?.mail.text).toContain("Ouvrir Test Organization\u00a0:\n    https://chat.example.com");
  });
});

describe("the mail that welcomes somebody", () => {
  test("is in the language of the browser in which they joined", async () => {
    const w = await scene();
    await speakInOrganization(w, "ja");
    await join(w, "fr-CA, de;q=0.5");
    const taken = (await w.mails()).find(({ to }) => to === "ann@example.org");
    expect(taken?.mail.subject).toBe("Bienvenue chez Test Organization");
    expect(taken?.mail.text).toContain("Se connecter en tant que\u00a0: ann@example.org");
  });

  test("is in the organization's language if an administrator adds them", async () => {
    const w = await scene();
    await speakInOrganization(w, "es");
    await w.as("olive").post("/users", { full_name: "Ann", email: "ann@example.org", password });
    const taken = (await w.mails()).find(({ to }) => to === "ann@example.org");
    expect(taken?.mail.subject).toBe("Le damos la bienvenida a Test Organization");
  });
});

describe("a mail in Arabic", () => {
  /** Without the invisible marks around what is isolated. */
  const plain = (text = "") => text.replaceAll(/[\u2068\u2069]/g, "");

  test("runs from right to left, with names and addresses apart", async () => {
    const w = await scene();
    await speak(w, "mel", "ar");
    await givePassword(w, "mel");
    await w.mails();
    await signedIn(w, "mel");
    const [taken] = (await w.mails()) as [Taken];
    expect(languageOf(taken)).toEqual(["ar", "rtl"]);
    expect(taken.mail.subject).toBe("تسجيل دخول جديد إلى \u2068Test Organization\u2069");
    // Mail programs on the web show a part of the page only.
    const html = htmlOf(taken);
    expect(html).toMatch(/<table [^>]*class="ground" lang="ar" dir="rtl"/);
    expect(html).toContain("text-align:right");
    expect(html).not.toContain("text-align:left");
    expect(html).toContain(">\u2068\u2068Firefox\u2069 على \u2068Linux\u2069\u2069</td>");
    expect(html).toContain('<a href="https://chat.example.com" dir="ltr"');
    expect(taken.mail.text).toContain("إلى حسابك \u2068mel@example.com\u2069");
    // A line of isolated parts alone has no direction of its own.
    expect(taken.mail.text).toContain("    \u200f\u2068الجهاز\u2069: \u2068\u2068Firefox\u2069 على");
  });

  test("about missed messages lets each message run in its own direction", async () => {
    const w = await scene();
    await speak(w, "mel", "ar");
    const to = JSON.stringify(["mel", "max"].map((name) => w.user(name as CastName).id));
    await w.as("ada").post("/messages", { type: "direct", to, content: "Hello, both of you." });
    const taken = (await w.mails()).find((one) => one.to.startsWith("mel"));
    expect(taken?.mail.subject).toBe("رسائل مباشرة مع \u2068\u2068Ada\u2069 و\u2068Max\u2069\u2069");
    expect(htmlOf(taken!)).toContain("<strong>\u2068Ada\u2069</strong>");
    expect(htmlOf(taken!)).toMatch(/<div class="message" dir="auto"[^>]*><p>Hello, both of you\.<\/p>/);
    expect(plain(taken?.mail.text)).toContain("سبب وصول هذه الرسالة: رسالة مباشرة من Ada. للرد");
  });
});

test("a mail about the topic without a name calls it by the reader's language, with the channel's sign before its name", async () => {
  const w = await scene();
  await speak(w, "mel", "ar");
  const subscribers = JSON.stringify([w.user("mel").id, w.user("ada").id]);
  const { body } = await w.as("ada").post("/channels/create", { name: "harbour", subscribers });
  const sent = { type: "stream", to: body.id, topic: "", content: "@**Mel** look" };
  expect((await w.as("ada").post("/messages", sent)).status).toBe(200);
  const taken = (await w.mails()).find((one) => one.to.startsWith("mel"));
  expect(taken?.mail.subject).toBe("\u200f\u2068#harbour\u2069 > \u2068الدردشة العامة\u2069");
});

describe("the language of a mail", () => {
  test("is that of its reader, whatever others in the same run read", async () => {
    const w = await scene();
    const readers = { max: "ar", mel: "de", moss: "en", gus: "fr" } as const;
    for (const [name, tag] of Object.entries(readers)) await speak(w, name as CastName, tag);
    for (const name of Object.keys(readers)) await tell(w, name as CastName, "hello");
    const taken = await w.mails();
    const subjects = taken.map(({ to, mail }) => [to.split("@")[0], mail.subject]);
    expect(Object.fromEntries(subjects)).toEqual({
      max: "رسائل مباشرة مع \u2068Ada\u2069",
      mel: "Direktnachrichten mit Ada",
      moss: "Direct messages with Ada",
      gus: "Messages directs avec Ada",
    });
    const tags = taken.map((one) => [one.to.split("@")[0], languageOf(one)?.[0]]);
    expect(Object.fromEntries(tags)).toEqual(readers);
  });

  test("changes with the next mail after the person changes it", async () => {
    const w = await scene();
    const subject = async () => (await w.mails()).map(({ mail }) => mail.subject);
    await tell(w, "mel", "one");
    expect(await subject()).toEqual(["Direct messages with Ada"]);
    await tell(w, "mel", "two");
    await speak(w, "mel", "es");
    expect(await subject()).toEqual(["Mensajes directos con Ada"]);
    await speak(w, "mel", "en");
    await tell(w, "mel", "three");
    expect(await subject()).toEqual(["Direct messages with Ada"]);
  });

  test("is the organization's for somebody who chose one that is not there", async () => {
    const w = await scene();
    await speakInOrganization(w, "de");
    await speak(w, "mel", "pl");
    await tell(w, "mel", "one");
    const [taken] = await w.mails();
    expect(taken?.mail.subject).toBe("Direktnachrichten mit Ada");
  });

  test("brings numbers, times and several reasons in its own way", async () => {
    const w = await scene();
    await speak(w, "mel", "ja");
    const { id } = (await w.as("ada").post("/channels/create", { name: "design", subscribers: [] })).body;
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "design" }] });
    const say = (who: CastName, content: string): Promise<Json> =>
      w.as(who).post("/messages", { type: "channel", to: id, topic: "launch", content });
    await say("ada", "@**Mel** one");
    await w.as("max").post("/users/me/subscriptions", { subscriptions: [{ name: "design" }] });
    await say("max", "@**Mel** two");
    for (let i = 0; i < 20; i++) await say("ada", `@**Mel** ${i}`);
    const taken = (await w.mails()).find(({ to }) => to.startsWith("mel"));
    expect(taken?.mail.subject).toBe("#design > launch");
    expect(taken?.mail.text).toContain("ほかに 2\u00a0件のメッセージがあります。");
    expect(taken?.mail.text).toContain(
      "Ada さんがあなたをメンションしました。Max さんがあなたをメンションしました。返信するには",
    );
    expect(taken?.mail.text).toMatch(/^Ada、\d+月\d+日 /m);
    expect(taken?.mail.from?.text).toBe('"Ada、Max" <noreply@chat.example.com>');
  });
});
