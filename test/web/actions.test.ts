// Actions on messages in the web client, with mouse, keyboard and touch: two people on the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { png } from "../support/pictures.ts";
import {
  choose,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let mel: Seat;
let harbour = 0;
let reports = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  reports = await w.channel("reports", ["olive"], { invite_only: true });
  await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: reports });
  await w.post("max", "harbour", "lunch", "fish at noon");
  [olive, mel] = await Promise.all([w.sit("olive"), w.sit("mel")]);
}, 240_000);
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;

async function open(seat: Seat, name: string): Promise<void> {
  await seat.go(topic(name));
  await seat.until(`document.querySelector('[data-view-title]')?.textContent === ${JSON.stringify(name)}`);
  await seat.tab.waitForSelector("article[data-message]");
}

/** Selects the newest message with the keyboard. */
async function select(seat: Seat, text: string): Promise<void> {
  await seat.sees(text);
  await seat.tab.evaluate("document.activeElement?.blur()");
  await seat.press("Shift+G");
  await seat.until(`document.activeElement?.innerText?.includes(${JSON.stringify(text)})`);
}

describe("a reminder", () => {
  test("is set in the menu, listed, opens its message after a reload, and is deleted", async () => {
    await open(mel, "lunch");
    await choose(mel, "fish at noon", "Remind me of this …");
    await mel.tab.waitForSelector("[role=dialog]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Remind me");
    await mel.sees("You are reminded");
    await mel.go("#reminders");
    await mel.sees("harbour");
    await mel.tab.reload();
    await mel.sees(/#harbour › lunch/);
    await mel.click("#view li a");
    await mel.sees("fish at noon");
    await mel.go("#reminders");
    await pressButton(mel, "Forget the reminder");
    await mel.sees("No reminders");
    expect((await w.ask("mel", ["GET", "/reminders"])).reminders).toEqual([]);
  });
});

describe("a report", () => {
  test("reaches the moderators, with the reporter's description", async () => {
    await open(mel, "lunch");
    await choose(mel, "fish at noon", "Report …");
    const field = await mel.page.find('aria/What should they know?[role="textbox"]');
    await field?.type("It was not noon.");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Report");
    await mel.sees("The moderators have been told.");
    await olive.go(`#narrow/channel/${reports}-reports`);
    await olive.sees("It was not noon.");
    await olive.sees("fish at noon");
  });
});

describe("reactions", () => {
  test("are added by key and by mouse, and both see them and their authors", async () => {
    await open(olive, "lunch");
    await open(mel, "lunch");
    await select(mel, "fish at noon");
    await mel.press("Shift++");
    await olive.tab.waitForSelector('[aria-label=":+1: Mel"]');
    await olive.click('[aria-label=":+1: Mel"]');
    await mel.tab.waitForSelector('[aria-label=":+1: You, Olive"], [aria-label=":+1: You and Olive"]');
    await choose(mel, "fish at noon", "Who reacted");
    await mel.until("document.querySelector('[role=dialog]')?.innerText.match(/Mel[^]*Olive|Olive[^]*Mel/)");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Escape");
    await mel.until(noDialog);
  });
});

describe("keys on a message", () => {
  test("e edits the person's own message, Escape cancels", async () => {
    await w.post("mel", "harbour", "keys", "a words");
    await open(mel, "keys");
    await select(mel, "a words");
    await mel.press("e");
    await mel.until(
      "document.activeElement?.tagName === 'TEXTAREA' && document.activeElement.value === 'a words'",
    );
    await mel.press("Control+a");
    await mel.tab.keyboard.type("some words");
    await mel.press("Control+Enter");
    await mel.sees("some words");
    await open(olive, "keys");
    await olive.sees("some words");
    await olive.sees("edited");
  });

  test("> quotes it in the composer", async () => {
    await open(olive, "keys");
    await select(olive, "some words");
    await olive.press("Shift+>");
    await olive.until("document.querySelector('[data-composer]').value.includes('some words')");
    expect(await olive.tab.$eval("[data-composer]", (area) => (area as HTMLTextAreaElement).value)).toMatch(
      /^@_\*\*Mel\|\d+\*\* \[said\]\(.*\):\n```quote\nsome words\n```/,
    );
    await olive.tab.focus("[data-composer]");
    await olive.press("Control+a", "Backspace");
  });
});

describe("pictures", () => {
  test("open in a viewer by mouse and keyboard; arrows show the next, and Escape returns", async () => {
    const folder = mkdtempSync(join(tmpdir(), "confab-pictures-"));
    const uploaded: string[] = [];
    for (const name of ["first.png", "second.png"]) {
      const bytes = png(40, 30);
      writeFileSync(join(folder, name), bytes);
      const body = new FormData();
      body.append("file", new File([bytes], name, { type: "image/png" }));
      const { email, api_key } = w.people.max as { email: string; api_key: string };
      const answer = await fetch(`${w.server.url}/api/v1/user_uploads`, {
        method: "POST",
        body,
        headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
      });
      uploaded.push(`[${name}](${((await answer.json()) as { url: string }).url})`);
    }
    await w.post("max", "harbour", "views", uploaded.join("\n"));
    await open(mel, "views");
    await mel.click("article .message_inline_image a");
    await mel.tab.waitForSelector('[role=dialog][aria-label="first.png, 1 of 2"]');
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("ArrowRight");
    await mel.tab.waitForSelector('[role=dialog][aria-label="second.png, 2 of 2"]');
    await mel.press("Escape");
    await mel.until(noDialog);
    await mel.tab.focus("article .message_inline_image a");
    await mel.press("Enter");
    await mel.tab.waitForSelector('[role=dialog][aria-label="first.png, 1 of 2"]');
    await mel.press("Escape");
    await mel.until(noDialog);
  });
});

describe("an emoji of the organization", () => {
  test("is added with its picture, and used by another person", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "confab-emoji-")), "gull.png");
    writeFileSync(file, png(40, 30));
    await olive.go("#organization/emoji");
    await (await olive.page.find('aria/Name[role="textbox"]'))?.type("gull");
    const input = await olive.tab.waitForSelector("input[type=file]");
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file);
    await pressButton(olive, "Add the emoji");
    await olive.sees(":gull: is added.");
    await olive.page.find('aria/Remove gull[role="button"]');
    await open(mel, "lunch");
    await mel.tab.focus("[data-composer]");
    await mel.tab.keyboard.type("look :gul");
    await mel.until("document.querySelector('[role=option]')?.innerText.includes('gull')");
    await mel.press("Enter", "Control+Enter");
    await open(olive, "lunch");
    await olive.tab.waitForSelector("article img.emoji[alt=':gull:']");
  });
});

describe("the server's own emoji", () => {
  /** Waits until there are this many pictures of it, all loaded. */
  const pictures = (seat: Seat, selector: string, count: number) =>
    seat.until(`(() => {
      const all = [...document.querySelectorAll(${JSON.stringify(selector)})]
        .filter((image) => image.src.endsWith("/static/generated/emoji/images/emoji/unicode/confab.png"));
      return all.length === ${count} && all.every((image) => image.complete && image.naturalWidth === 64);
    })()`);

  test("is offered while writing under both its names, and in the picker, and can be seen in each place", async () => {
    const id = await w.post("max", "harbour", "mascot", "a new mascot");
    await w.ask("max", ["POST", `/messages/${id}/reactions`], { emoji_name: "zulip" });
    await w.ask("max", ["POST", "/users/me/status"], { status_text: "", emoji_name: "confab" });
    await open(mel, "mascot");
    await pictures(mel, "article button img", 1);
    await mel.click("article [data-person]");
    await pictures(mel, "[role=dialog][aria-label=Person] img", 1);
    await mel.press("Escape");
    await mel.until(noDialog);
    for (const name of ["confa", "zuli"]) {
      await mel.tab.focus("[data-composer]");
      await mel.tab.keyboard.type(` :${name}`);
      await pictures(mel, "[role=option] img", 1);
      await mel.press("Enter");
    }
    const text = await mel.tab.$eval("[data-composer]", (field) => (field as HTMLTextAreaElement).value);
    expect(text.trim()).toBe(":confab:  :zulip:");
    await mel.tab.$eval("[data-composer]", (field) => (field as HTMLTextAreaElement).select());
    await mel.press("Backspace");

    await (await mel.tab.waitForSelector("article[data-message]"))?.hover();
    await mel.click("article[data-message]:hover [aria-label=React]");
    await (await mel.page.find("aria/Search emoji"))?.type("zulip");
    await mel.tab.waitForSelector("[role=dialog] [role=option]");
    await pictures(mel, "[role=dialog] [role=option] img", 1);
    await mel.until("/\\bConfab\\b/.test(document.querySelector('[role=dialog]').innerText)");
    await mel.press("Enter");
    await mel.until("document.querySelector('article [aria-pressed=true] img') !== null");
    // Mel's page shows the reaction before the server has it, Olive's page afterwards.
    await olive.go(topic("mascot"));
    // In the order of their reactions, or of their accounts if both are fetched with the message.
    await olive.until("/Max and Mel|Mel and Max/.test(document.body.innerText)");
    const { message } = await w.ask("mel", ["GET", `/messages/${id}`]);
    expect((message as { reactions: unknown }).reactions).toMatchObject(
      Array(2).fill({ emoji_name: "confab", emoji_code: "confab", reaction_type: "service_extra_emoji" }),
    );
    await choose(mel, "a new mascot", "Who reacted");
    await pictures(mel, "[role=dialog] h3 img", 1);
    await mel.press("Escape");
    await mel.until(noDialog);
    await olive.go("#organization/emoji");
    await pictures(olive, "li img", 1);
  });
});

describe("on a phone", () => {
  test("a long press opens the message's menu, whose rows work by touch", async () => {
    const phone = await w.sit("max", topic("lunch"), { width: 390, height: 780 });
    await phone.tab.waitForSelector("article[data-message]");
    const box = await (await phone.tab.$("article[data-message] .message-content"))?.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 8];
    await phone.tab.touchscreen.touchStart(x, y);
    await phone.tab.waitForSelector("[role=menu]");
    await phone.tab.touchscreen.touchEnd();
    await phone.click('aria/Star[role="menuitem"]', { isTouch: true });
    await phone.go("#narrow/is/starred");
    await phone.sees("fish at noon");
    expect(await phone.page.overflow()).toBe(0);
    await phone.tab.close();
  });

  test("a long press in the list opens the menu of a channel and of a topic, without going there", async () => {
    const phone = await w.sit("max", topic("lunch"), { width: 390, height: 780 });
    await phone.tab.waitForSelector("article[data-message]");
    await phone.click("aria/Back to the list", { isTouch: true });
    for (const [row, item] of [
      ["nav [data-channel] a[data-row]", "New topic"],
      ["nav a[data-topic]", "Follow"],
    ] as const) {
      const {
        x = 0,
        y = 0,
        height = 0,
      } = (await (await phone.tab.waitForSelector(row))?.boundingBox()) ?? {};
      const before = await phone.tab.evaluate("location.hash");
      await phone.tab.touchscreen.touchStart(x + 40, y + height / 2);
      await phone.tab.waitForSelector("[role=menu]");
      await phone.tab.touchscreen.touchEnd();
      expect(await phone.tab.evaluate("location.hash")).toBe(before);
      await phone.page.find(`aria/${item}`);
      if (item === "New topic") {
        await phone.tab.touchscreen.tap(150, 20);
        await phone.until("document.querySelector('[role=menu]') === null");
      } else await phone.click(`aria/${item}`, { isTouch: true });
    }
    await phone.tab.waitForSelector("nav a[data-topic] [aria-label=followed]");
    await phone.tab.close();
  });
});

describe("folders", () => {
  test("keep channels together in everyone's sidebar, as soon as they are chosen", async () => {
    await w.ask("olive", ["POST", "/channel_folders/create"], { name: "Waterfront", description: "" });
    await olive.go(`#channels/${harbour}/harbour`);
    const field = await olive.page.find('aria/Folder[role="combobox"]');
    const value = await field?.evaluate(
      (select) =>
        [...(select as HTMLSelectElement).options].find(({ text }) => text === "Waterfront")?.value ?? "",
    );
    await (field as unknown as { select(value: string): Promise<string[]> }).select(value ?? "");
    for (const seat of [olive, mel])
      await seat.until(
        "document.querySelector('nav section[aria-label=Waterfront]')?.innerText.includes('harbour')",
      );
  });
});

describe("views of several conversations", () => {
  test("show new, starred and scheduled messages as they come", async () => {
    await mel.go("#feed");
    await w.post("max", "harbour", "tides", "high at six");
    await mel.sees("high at six");
    await mel.go("#recent");
    await mel.sees("tides");
    await mel.go("#narrow/is/starred");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Starred'");
    const { messages } = (await w.ask("mel", ["GET", "/messages"], { anchor: "newest", num_before: 1 })) as {
      messages: { id: number }[];
    };
    await w.ask("mel", ["POST", "/messages/flags"], {
      messages: messages.map(({ id }) => id),
      op: "add",
      flag: "starred",
    });
    await mel.sees("high at six");
    await mel.go("#drafts");
    const draft = {
      type: "stream",
      to: [harbour],
      topic: "tides",
      content: "half a thought",
      timestamp: 1_795_000_000,
    };
    await w.ask("mel", ["POST", "/drafts"], { drafts: [draft] });
    await mel.sees("half a thought");
    await mel.click("#view li a");
    await mel.until("document.querySelector('[data-composer]')?.value === 'half a thought'");
    await mel.go("#drafts");
    await pressButton(mel, "Delete the draft");
    await mel.sees("No drafts");
    await mel.go("#scheduled");
    await w.ask("mel", ["POST", "/scheduled_messages"], {
      ...{ type: "channel", to: harbour, topic: "tides", content: "low at noon" },
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
    });
    await mel.sees("low at noon");
    await pressButton(mel, "Do not send it");
    await mel.sees("Nothing is scheduled");
  });
});

describe("without a connection", () => {
  test("the client shows a banner, keeps the draft, and reconnects by itself", async () => {
    await open(mel, "tides");
    await mel.tab.focus("[data-composer]");
    await mel.tab.keyboard.type("still here");
    await mel.tab.setOfflineMode(true);
    await mel.tab.evaluate("dispatchEvent(new Event('online'))");
    await mel.sees("No connection.");
    await mel.tab.waitForSelector("nav [aria-label$='you are not connected']");
    await w.post("max", "harbour", "tides", "said meanwhile");
    await mel.tab.setOfflineMode(false);
    await mel.sees("said meanwhile");
    await mel.missed("No connection.");
    await mel.tab.waitForSelector("nav [aria-label$='you are connected']");
    expect(await mel.tab.$eval("[data-composer]", (area) => (area as HTMLTextAreaElement).value)).toBe(
      "still here",
    );
  }, 240_000);
});

describe("the start", () => {
  test("asks for the state once, while the client is still loading", async () => {
    const asked: string[] = [];
    mel.tab.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await mel.tab.reload();
    await mel.until("document.querySelector('[data-view-title]')");
    expect(asked.filter((path) => path === "/json/register")).toHaveLength(1);
  });
});

test("no page requested anything from another site", () => {
  expect([...mel.strangers, ...olive.strangers]).toEqual([]);
});
