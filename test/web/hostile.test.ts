// Hostile texts wherever people can write, shown by the client in a real browser: nothing in them runs, and every view remains
// usable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { faultsInBothThemes, faultsOf } from "../support/axe.ts";
import { call, type Server } from "../support/executable.ts";
import { messages } from "../support/hostile-messages.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let channel = 0;
let bot: number;
let group = 0;
const dialogs: string[] = [];
const reports: string[] = [];

/** Each would run by itself if a view treated it as HTML, an address or a style. */
const payloads = [
  '<img src=x onerror="alert(1)">',
  "<svg/onload=alert(1)>",
  '"><script>alert(1)</script>',
  "</title></script><iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  "javascript:alert(1)",
  "<style>*{background:url(//evil.example/x)}</style>",
  "<a href=javascript:alert(1) id=root>press</a>",
  "[press](javascript:alert(1))",
  "![](//evil.example/x.png)",
  "{{constructor.constructor('alert(1)')()}}",
];
const [first = ""] = payloads;
/** Names must not contain `>` or `"`. */
const name = "<img src=x onerror=alert(1) ";
const written = [...payloads, ...fc.sample(messages, { numRuns: 60, seed: 7 })];

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  const people = ["olive", "mel", "max"].map((one) => w.people[one]?.id);
  channel = await w.channel(first.slice(0, 60), ["olive", "mel", "max"], { description: payloads.join(" ") });
  const { id } = await w.ask("olive", ["POST", "/user_groups/create"], {
    name: "<svg onload=alert(1) ",
    description: payloads.join(" ").slice(0, 500),
    members: people,
  });
  group = Number(id);
  await w.ask("olive", ["POST", "/channel_folders/create"], { name: first, description: first });
  // An owner, so that every section of the organization shows what it has.
  await w.ask("olive", ["PATCH", `/users/${w.people.mel?.id}`], { role: 100 });
  await w.ask("olive", ["POST", "/realm/filters"], {
    pattern: "<img src=x onerror=alert(1)>",
    url_template: "https://example.com/",
  });
  await w.ask("olive", ["POST", "/realm/playgrounds"], {
    name: first,
    pygments_language: "text",
    url_template: "https://example.com/?javascript:alert(1)={code}",
  });
  await w.ask("olive", ["POST", "/realm/profile_fields"], {
    ...{ field_type: 3, name: first.slice(0, 40), hint: first },
    field_data: { [first]: { text: first, order: "1" } },
  });
  await w.ask("olive", ["POST", "/default_stream_groups/create"], {
    ...{ group_name: first, description: first },
    stream_names: [first.slice(0, 60)],
  });
  await w.ask("olive", ["PATCH", "/realm"], { name: "<img src=x onerror=alert(1)>", description: first });
  await w.ask("max", ["PATCH", "/settings"], { full_name: `${name}Max` });
  await w.ask("max", ["POST", "/users/me/status"], { status_text: first });
  await w.ask("mel", ["POST", "/users/me/alert_words"], { alert_words: ["alert", "<img"] });
  const made = await w.ask("mel", ["POST", "/bots"], {
    full_name: `${name}Bot`,
    short_name: "x",
    bot_type: 2,
  });
  bot = Number(made.user_id);
  const sender = encodeURIComponent(first);
  await fetch(`${w.server.url}/api/v1/external/${sender}?api_key=${made.api_key}`, {
    method: "POST",
    body: "{}",
  });
  await w.ask("mel", ["POST", "/saved_snippets"], { title: first, content: first });
  for (const [i, content] of written.entries()) {
    // Some of the generated ones are empty, or mention something that does not exist.
    const topic = payloads[i % payloads.length]?.slice(0, 60);
    const to = channel;
    await call(w.server, w.people.max as never, ["POST", "/messages"], {
      ...{ type: "channel", to: JSON.stringify(to), topic: topic ?? "", content },
    });
  }
  const file = await upload(w.server, '"><img src=x onerror=alert(1)>.png');
  await w.ask("max", ["POST", "/messages"], {
    ...{ type: "direct", to: [w.people.mel?.id], content: `[${first}](${file}) ${first}` },
  });
  mel = await w.sit("mel");
  mel.tab.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await mel.tab.exposeFunction("reported", (text: string) => void reports.push(text));
  const listen = `document.addEventListener("securitypolicyviolation", (event) =>
    reported([event.violatedDirective, event.blockedURI, event.sample].join(" ")))`;
  await mel.tab.evaluateOnNewDocument(listen);
  await mel.tab.reload();
  await mel.until("document.querySelector('[data-view-title]')");
}, 240_000);
afterAll(() => w.close());

async function upload(server: Server, filename: string): Promise<string> {
  const { email, api_key } = w.people.max as { email: string; api_key: string };
  const body = new FormData();
  body.append("file", new File(["text"], filename, { type: "image/png" }));
  const authorization = `Basic ${btoa(`${email}:${api_key}`)}`;
  const answer = await fetch(`${server.url}/api/v1/user_uploads`, {
    method: "POST",
    body,
    headers: { authorization },
  });
  return ((await answer.json()) as { url: string }).url;
}

/** Checks that nothing ran, that the page's policy blocked nothing, and that no other site was requested. */
function expectNothingRan(): void {
  expect([dialogs, reports, mel.strangers]).toEqual([[], [], []]);
  expect(mel.page.complaints.filter((text) => !/status of 40[034]/.test(text))).toEqual([]);
}

const draft = { type: "stream", topic: first.slice(0, 60), content: first };

const views: [string, () => string][] = [
  ["the inbox", () => "#inbox"],
  ["recent conversations", () => "#recent"],
  ["the combined feed", () => "#feed"],
  ["the topics of a channel", () => `#topics/channel/${channel}`],
  ["a topic", () => `#narrow/channel/${channel}-x/topic/${encodeURIComponent(first).replaceAll("%", ".")}`],
  ["a channel's messages", () => `#narrow/channel/${channel}-x`],
  ["a direct conversation", () => `#narrow/dm/${w.people.max?.id}-x`],
  ["mentions", () => "#narrow/is/mentioned"],
  ["starred messages", () => "#narrow/is/starred"],
  ["what a search found", () => "#narrow/search/alert"],
  ["the search", () => "#search"],
  ["drafts", () => "#drafts"],
  ["scheduled messages", () => "#scheduled"],
  ["reminders", () => "#reminders"],
  ["all channels", () => "#channels"],
  ...["about", "people", "permissions"].map((one): [string, () => string] => [
    `a channel: ${one}`,
    () => `#channels/${channel}/x/${one}`,
  ]),
  ["groups", () => "#groups"],
  ["a group", () => `#groups/${group}/x`],
  ["a bot and its calls", () => `#organization/bots/${bot}`],
  ["a person", () => `#user/${w.people.max?.id}`],
  ...["profile", "account", "appearance", "writing", "notifications", "bots", "alert-words", "privacy"].map(
    (one): [string, () => string] => [`settings: ${one}`, () => `#settings/${one}`],
  ),
  ...[
    "general",
    "people",
    "permissions",
    "messages",
    "notices",
    "retention",
    "bots",
    "joining",
    "signing-in",
    "profile-fields",
    "profile-fields/new",
    "names",
    "start",
    "server",
    "invitations",
    "folders",
    "linkifiers",
    "playgrounds",
    "emoji",
    "reports",
    "reports/1",
    "audit",
    "statistics",
    "files",
    "exports",
  ].map((one): [string, () => string] => [`the organization: ${one}`, () => `#organization/${one}`]),
  [
    "an address of hostile words",
    () => "#narrow/topic/<img src=x onerror=alert(1)>/near/javascript:alert(1)",
  ],
  ["an address of code", () => "#javascript:alert(1)"],
];

describe("every view", () => {
  beforeAll(async () => {
    await w.ask("mel", ["POST", "/drafts"], {
      drafts: [{ ...draft, to: [channel], timestamp: 1_795_000_000 }],
    });
    const soon = Math.floor(Date.now() / 1000) + 86_400;
    await w.ask("mel", ["POST", "/scheduled_messages"], {
      ...{ type: "channel", to: channel, topic: first.slice(0, 60), content: first },
      scheduled_delivery_timestamp: soon,
    });
    const { messages: found } = (await w.ask("mel", ["GET", "/messages"], {
      anchor: "newest",
      num_before: 3,
    })) as { messages: { id: number }[] };
    const [message] = found;
    await w.ask("mel", ["POST", "/messages/flags"], { messages: [message?.id], op: "add", flag: "starred" });
    await w.ask("mel", ["POST", "/reminders"], {
      message_id: message?.id,
      scheduled_delivery_timestamp: soon,
      note: first,
    });
    const moderation = await w.channel("moderation", ["olive", "mel"], { invite_only: true });
    await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: moderation });
    const report = { report_type: "other", description: payloads.join(" ").slice(0, 1000) };
    await w.ask("mel", ["POST", `/messages/${message?.id}/report`], report);
  });

  test.each(views)(
    "shows hostile words as words, and passes axe in both themes: %s",
    async (_, hashOf) => {
      await mel.go(hashOf());
      await mel.until("document.querySelector('[aria-busy=true]') === null");
      expect(await faultsInBothThemes(mel.page)).toEqual([]);
      expectNothingRan();
    },
    240_000,
  );
});

describe("what opens above a view", () => {
  test("completion, preview and palette", async () => {
    await mel.go(`#narrow/dm/${w.people.max?.id}-x`);
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("@<img");
    await mel.tab.waitForSelector("[role=option]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Enter");
    await mel.tab.keyboard.type(` #<im`);
    await mel.tab.waitForSelector("[role=option]");
    await mel.press("Escape");
    await mel.tab.keyboard.type(payloads.join(" "));
    await mel.click('aria/Preview[role="button"]');
    await mel.sees("javascript:alert(1)");
    await mel.tab.evaluate("document.activeElement.blur()");
    await mel.press("Control+k");
    await mel.tab.waitForSelector("[role=combobox]");
    await mel.tab.keyboard.type("<img");
    await mel.tab.waitForSelector("[role=option]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Escape");
    expectNothingRan();
  });

  test("a person's card, and a click on every part of a message", async () => {
    await mel.go(`#narrow/channel/${channel}-x`);
    await mel.until("document.querySelectorAll('article').length > 5");
    await mel.tab.waitForSelector("article [data-person]");
    // Not with the mouse: messages may still move while their pictures load.
    await mel.tab.$eval("article [data-person]", (one) => (one as HTMLElement).click());
    await mel.tab.waitForSelector('[role=dialog][aria-label="Person"] dl');
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Escape");
    await mel.tab.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLElement>(
        "article a, article button, article [role=button]",
      )) {
        one.dispatchEvent(new Event("mouseover", { bubbles: true }));
        // A link to another site opens in a new tab, and only if the reader clicks it.
        if (!/^(https?|mailto):/.test(one.getAttribute("href") ?? "")) one.click();
      }
    });
    await mel.press("Escape");
    expectNothingRan();
  });

  test("links in messages lead only to the web, to mail or into the chat", async () => {
    const addresses = (await mel.tab.$$eval("article a[href], article img[src]", (found) =>
      found.map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? ""),
    )) as string[];
    expect(addresses.length).toBeGreaterThan(0);
    expect(
      addresses.filter((one) => !/^(https?:|mailto:|tel:|#|\/(?!\/)|data:image\/|xmpp:|ftp:)/.test(one)),
    ).toEqual([]);
  });
});

test("all hostile texts were stored and shown", async () => {
  const { messages: found } = (await w.ask("mel", ["GET", "/messages"], {
    anchor: "newest",
    num_before: 100,
    narrow: [{ operator: "channel", operand: channel }],
  })) as { messages: object[] };
  expect(found.length).toBeGreaterThan(50);
  for (const hash of [
    "#feed",
    "#drafts",
    "#scheduled",
    "#reminders",
    "#channels",
    "#groups",
    "#narrow/is/starred",
  ]) {
    await mel.go(hash);
    await mel.until("document.querySelector('#view').innerText.match(/<(img|svg)/)");
  }
  await mel.go(`#narrow/dm/${w.people.max?.id}-x`);
  await mel.until("document.querySelector('#view').innerText.match(/<img/)");
  await mel.tab.waitForSelector("article a[href*='user_uploads']");
  expectNothingRan();
});
