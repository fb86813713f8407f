// Whole ways of a person, in an organization that is empty, the sample, and a large one, at a desk and on a phone. Each ends with what
// the server has, and with what somebody else sees.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, startBrowser } from "../support/browser.ts";
import { askOf, lastTold, openInDesktopApp } from "../support/desktop-app.ts";
import { cleanUp } from "../support/executable.ts";
import { openWorld } from "../support/journeys.ts";
import { Passage } from "../support/passage.ts";
import { png } from "../support/pictures.ts";
import { until } from "../support/waiting.ts";
import { contentOf, noDialog, openMenu, type Seat, type WebOrganization } from "../support/web-people.ts";

const looks = [
  ["at a desk", { width: 1440, height: 900 }],
  ["on a phone", { width: 390, height: 780 }],
] as const;
const composer = "textarea[data-composer]";
const titled = (name: string) =>
  `document.querySelector('[data-view-title]')?.textContent === ${JSON.stringify(name)}`;

/** Another site, with a page and a picture. */
const elsewhere = createServer((request, response) => {
  const isPicture = request.url?.endsWith(".png") === true;
  response.writeHead(200, { "content-type": isPicture ? "image/png" : "text/html" });
  const head =
    '<meta property="og:title" content="How lighthouses are lit"><meta property="og:image" content="/lens.png">';
  response.end(isPicture ? png(640, 320) : `<head>${head}</head>`);
});

let browser: Browser;
beforeAll(async () => {
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  browser = await startBrowser();
}, 240_000);
afterAll(async () => {
  elsewhere.closeAllConnections();
  elsewhere.close();
  await browser.close();
  await cleanUp();
});

describe.each(["empty", "sample", "large"] as const)("in the %s organization", (name) => {
  let w: WebOrganization;
  let passage: Passage;
  let max: Seat;

  beforeAll(async () => {
    w = await openWorld(name, browser);
    passage = await Passage.to(w.server.port);
    max = await w.sit("max", "", { width: 1440, height: 900 });
  }, 240_000);
  afterAll(async () => {
    await max.tab.close();
    passage.close();
    await w.server.end("SIGTERM");
  });

  describe.each(looks)("%s", (lookName, look) => {
    const isPhone = look.width < 600;
    const channel = `quay ${look.width}`;
    let mel: Seat;
    let id = 0;
    let boats: number[];
    const topic = (to: string) => `#narrow/channel/${id}-quay/topic/${to}`;

    /** The newest messages of a topic of the channel, as the server has them. */
    async function has(who: string, of: string): Promise<Record<string, unknown>[]> {
      const narrow = [
        { operator: "channel", operand: id },
        { operator: "topic", operand: of },
      ];
      const page = { anchor: "newest", num_before: 100, num_after: 0, narrow, apply_markdown: false };
      return (await w.ask(who, ["GET", "/messages"], page)).messages as Record<string, unknown>[];
    }
    const contents = async (of: string) => (await has("max", of)).map(({ content }) => content as string);
    const shows = (words: string) => `[...document.querySelectorAll('[data-feed] article[data-message]')]
      .filter((one) => one.innerText.includes(${JSON.stringify(words)}))`;
    async function unreadCount(): Promise<number> {
      const types = { event_types: ["message", "update_message_flags"] };
      return ((await w.ask("mel", ["POST", "/register"], types)).unread_msgs as { count: number }).count;
    }

    async function write(text: string): Promise<void> {
      await mel.tab.waitForSelector(composer);
      await mel.tab.focus(composer);
      await mel.press("Control+a", "Backspace");
      await mel.tab.keyboard.type(text);
    }
    async function send(text: string): Promise<void> {
      await write(text);
      await pressSend();
      await mel.until(`document.querySelector('${composer}').value === ''`);
    }
    /** By the button on phones, and else by the key that the composer says. */
    async function pressSend(): Promise<void> {
      if (isPhone) return tap("form [aria-label=Send]");
      await mel.tab.focus(composer);
      const isWithCtrl = await mel.tab.evaluate("document.body.innerText.includes('Ctrl Enter sends')");
      await mel.press(isWithCtrl ? "Control+Enter" : "Enter");
    }
    async function tap(selector: string): Promise<void> {
      await mel.click(selector, { isTouch: true });
    }
    /** With the mouse, or by a long press. */
    async function openMenuOf(words: string): Promise<void> {
      if (!isPhone) return openMenu(mel, words);
      const find = () => contentOf(mel, words);
      await (await find())?.evaluate((one) => one.scrollIntoView({ block: "center" }));
      // A list that still moves would take the press for scrolling.
      let at: { x: number; y: number } | null = null;
      await until(
        async () => {
          const before = at;
          at = (await (await find())?.boundingBox()) ?? null;
          return at !== null && at.y === before?.y;
        },
        "the message stands still",
        100,
      );
      const { x, y } = at ?? { x: 0, y: 0 };
      await mel.tab.touchscreen.touchStart(x + 8, y + 8);
      await mel.tab.waitForSelector("[role=menu]");
      await mel.tab.touchscreen.touchEnd();
    }

    beforeAll(async () => {
      id = await w.channel(channel, ["olive", "mel", "max"]);
      boats = [];
      for (const text of ["the Gull is back", "with nets full of herring", "who sells it?"])
        boats.push(await w.post("max", channel, "boats", text));
      await w.post("max", channel, "nets", "two are torn");
      // Somebody else looks on.
      await max.go(topic("boats"));
      await max.sees("who sells it?");
    }, 120_000);
    afterAll(() => mel?.tab.close());

    test("comes by a link while signed out, signs in, and reads the unread topic", async () => {
      mel = await w.arrive("mel", topic("boats"), look, `http://127.0.0.1:${passage.port}`);
      await mel.until(titled("boats"));
      await mel.sees("who sells it?");
      await until(
        async () => (await has("mel", "boats")).every(({ flags }) => (flags as string[]).includes("read")),
        "all are read",
      );
      expect((await has("mel", "nets")).flatMap(({ flags }) => flags)).toEqual([]);
      expect(await mel.page.overflow()).toBe(0);
      // Nothing but panes scroll.
      expect(await mel.tab.evaluate("document.documentElement.scrollHeight - innerHeight")).toBeLessThan(1);
    });

    test("reacts with a thumb, and the others see whose it is", async () => {
      if (isPhone) {
        await openMenuOf("who sells it?");
        await tap("[role=menu] [aria-label=':+1:']");
      } else {
        await mel.press("End");
        await mel.until(
          "document.activeElement?.closest('[data-message]')?.innerText.includes('who sells it?')",
        );
        await mel.press("Shift++");
      }
      await mel.until("document.querySelectorAll('[aria-label=Reactions] button').length === 1");
      const me = w.people.mel?.id;
      await until(
        async () => ((await has("max", "boats")).at(-1)?.reactions as unknown[] | undefined)?.length === 1,
        "it is there",
      );
      expect((await has("max", "boats")).at(-1)?.reactions).toMatchObject([
        { emoji_name: "+1", user_id: me },
      ]);
      await max.until(
        `${shows("who sells it?")}[0]?.querySelector('[aria-label=Reactions] button')?.ariaLabel.startsWith(':+1:')`,
      );
    });

    test("goes to the next unread conversation, which is read then", async () => {
      const before = await unreadCount();
      if (isPhone) await tap("[data-next-unread]");
      else await mel.press("n");
      await mel.until(`document.querySelector('[data-view-title]') !== null && !(${titled("boats")})`);
      await until(async () => (await unreadCount()) < before, "fewer are unread");
      expect(await mel.page.overflow()).toBe(0);
      await mel.go(topic("boats"));
      await mel.until(titled("boats"));
      await mel.sees("who sells it?");
    });

    test("writes, loses the connection, writes again, and comes back: everything arrives once, in order", async () => {
      const words = ["first", "second", "third", "fourth"].map((word) => `the ${word} word`);
      await send(words[0] ?? "");
      await max.until(`${shows(words[0] ?? "")}.length === 1`);
      // The key that sends is said where there is one. Escape gives the keyboard to the conversation.
      expect(await mel.tab.evaluate("document.body.innerText.includes('Enter sends')")).toBe(!isPhone);
      if (!isPhone) {
        const at = (text: string) =>
          mel.until(`document.activeElement?.closest('[data-message]')?.innerText.includes('${text}')`);
        await mel.press("Escape", "Home");
        await at("the Gull is back");
        await mel.press("Shift+G");
        await at(words[0] ?? "");
      }
      // Chromium keeps the failure of a script that is under way when the connection ends.
      await mel.until(
        "performance.getEntriesByType('resource').some(({ name }) => name.includes('/dialogs-'))",
      );
      await mel.tab.waitForNetworkIdle({ concurrency: 1 });
      passage.cut();
      for (const text of words.slice(1)) await send(text);
      await mel.sees("No connection.");
      await mel.sees("Waiting to be sent");
      expect(await contents("boats")).not.toContain(words[1]);
      // What it does not need the server for goes on.
      await mel.go(topic("nets"));
      await mel.until(titled("nets"));
      await mel.go(topic("boats"));
      await mel.until(titled("boats"));
      passage.mend(true);
      await mel.missed("No connection.");
      await until(async () => (await contents("boats")).includes(words.at(-1) ?? ""), "all are sent");
      expect((await contents("boats")).slice(-4)).toEqual(words);
      await mel.missed("Waiting to be sent");
      for (const seat of [mel, max]) {
        for (const text of words) await seat.until(`${shows(text)}.length === 1`);
        const order = words.map((text) => `${shows(text)}[0]?.getBoundingClientRect().top`).join();
        expect(
          await seat.tab.evaluate(`[${order}].every((top, n, all) => n === 0 || top > all[n - 1])`),
        ).toBe(true);
      }
    });

    test("pastes words in bold and a link, adds a picture, and what the others get is whole", async () => {
      const give = (act: string) =>
        mel.tab.evaluate(`(() => {
          const give = (kind, at, fill) => {
            const data = new DataTransfer();
            fill(data);
            const traits = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true };
            const event = kind === "paste" ? new ClipboardEvent(kind, traits) : new DragEvent(kind, traits);
            document.querySelector(at).dispatchEvent(event);
          };
          ${act}
        })()`);
      await write("see ");
      await give(`give("paste", "${composer}", (data) => {
        data.setData("text/html", "<b>also</b>");
        data.setData("text/plain", "also");
      })`);
      await mel.until(`document.querySelector('${composer}').value === "see **also**"`);
      await mel.tab.keyboard.type(" ");
      await give(`
        give("paste", "${composer}", (data) => data.setData("text/plain", location.origin + "/${topic("nets")}"));
        const pixel = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mM4AwAAzgDNee7qPQAAAABJRU5ErkJggg=="), (one) => one.charCodeAt(0));
        const picture = new File([pixel], "gull.png", { type: "image/png" });
        give("drop", "[data-feed]", (data) => data.items.add(picture));
      `);
      await mel.until(
        `/gull\\.png\\]\\(\\/user_uploads\\//.test(document.querySelector('${composer}').value)`,
      );
      await pressSend();
      await until(async () => (await contents("boats")).at(-1)?.includes("gull.png"), "it is sent");
      expect((await contents("boats")).at(-1)).toStartWith(`see **also** #**${channel}>nets**`);
      await max.until(
        `${shows("see also #")}.at(-1)?.querySelector('img')?.naturalWidth > 0 && ${shows("see also #")}.at(-1).querySelector('a[href*="/topic/nets"], a[href*="topic/nets"]') !== null`,
      );
    });

    test("is reminded tomorrow", async () => {
      await openMenuOf("the first word");
      await mel.click("aria/Remind me of this …[role='menuitem']");
      await mel.sees("Tomorrow morning");
      await mel.tab.evaluate(
        "[...document.querySelectorAll('[role=dialog] li button')].find((one) => /Tomorrow morning/.test(one.innerText)).click()",
      );
      await mel.sees("You are reminded");
      const { reminders } = await w.ask("mel", ["GET", "/reminders"]);
      const tomorrow = await mel.tab.evaluate(() => new Date().setHours(24 + 9, 0, 0, 0) / 1000);
      expect(
        (reminders as { scheduled_delivery_timestamp: number }[]).at(-1)?.scheduled_delivery_timestamp,
      ).toBe(tomorrow as number);
    });

    test("searches, and the marks end with the search", async () => {
      await mel.go("#narrow/search/herring");
      await mel.until("document.querySelector('article .highlight')?.textContent === 'herring'");
      await mel.go(topic("boats"));
      await mel.until(titled("boats"));
      await mel.sees("with nets full of herring");
      expect(await mel.tab.$("article .highlight")).toBeNull();
      expect(boats).toContain((await has("max", "boats"))[1]?.id as number);
    });

    // test/web/lists.test.ts does so on a phone.
    if (!isPhone)
      test("begins a conversation from the inbox, names another in it, and jumps to a day", async () => {
        await mel.go("#inbox");
        await mel.until(titled("Inbox"));
        await mel.click("aria/New message[role='button']");
        const field = "document.activeElement?.closest('[role=dialog]') && document.activeElement";
        await mel.until(`${field}?.matches('input')`);
        await mel.tab.keyboard.type(channel.slice(0, -1));
        await mel.until("document.querySelectorAll('[role=option]').length === 1");
        await mel.press("Enter");
        await mel.until(`${field}?.value === ''`);
        await mel.tab.keyboard.type("cargo");
        await mel.press("Enter");
        await mel.until(titled("cargo"));
        await write(`as in #${channel}`);
        await mel.tab.waitForSelector("[role=option]");
        await mel.press("Enter");
        await mel.until("/nets/.test(document.querySelector('[role=listbox]')?.textContent)");
        await mel.tab.keyboard.type("net");
        await mel.until("document.querySelectorAll('[role=option]').length === 1");
        await mel.press("Enter");
        await pressSend();
        await until(async () => (await contents("cargo")).length === 1, "it is sent");
        expect(await contents("cargo")).toEqual([`as in #**${channel}>nets**`]);

        const day = await mel.tab.evaluate(() => new Date().toLocaleDateString("sv"));
        await mel.go(`${topic("boats")}/date/${day}`);
        await mel.until(titled("boats"));
        await mel.until(`${shows("the Gull is back")}.some((one) => one.getBoundingClientRect().top > 0)`);
      });

    test("sends links to a page and a picture, and everybody sees what is there without asking the other site", async () => {
      const site = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
      for (const seat of [mel, max]) await seat.go(topic("lights"));
      await mel.until(titled("lights"));
      await send(`read ${site}/lighthouses`);
      await send(`look ${site}/lens.png`);
      for (const seat of [mel, max]) {
        const at = (words: string, part: string) => `${shows(words)}.at(-1)?.querySelector('${part}')`;
        await seat.until(
          `${at("read http", ".message_embed")}?.innerText.includes("How lighthouses are lit")`,
        );
        await seat.until(`${at("look http", ".message_inline_image img")}?.naturalWidth > 0`);
        expect(await seat.page.overflow()).toBe(0);
        expect(seat.strangers).toEqual([]);
      }
      if (isPhone) await tap("main .message_inline_image a");
      else await mel.click("main .message_inline_image a");
      await mel.until("document.querySelector('[role=dialog] img')?.naturalWidth > 0");
      await mel.press("Escape");
      await mel.until(noDialog);
    });

    test("clears the inbox, and takes that back", async () => {
      // In the same organization, there are those of the other look already.
      const [sails, ropes] = [`sails ${look.width}`, `ropes ${look.width}`];
      for (const one of [sails, ropes]) await w.post("max", channel, one, "new ones are here");
      await mel.go("#inbox");
      // It can give back only what it has got.
      await mel.sees(ropes);
      await mel.until("document.querySelectorAll('#view [data-row]').length > 1");
      expect(await mel.tab.evaluate("document.documentElement.scrollHeight - innerHeight")).toBeLessThan(1);
      expect(await mel.tab.evaluate("document.querySelectorAll('*').length")).toBeLessThan(3_000);
      await mel.click("aria/Mark everything as read[role='button']");
      await mel.sees(/Mark [\d,]+ conversations as read\?/);
      const said = await mel.tab.$eval(
        "[role=dialog]",
        (one) => /([\d,]+) messages are unread/.exec(one.textContent ?? "")?.[1],
      );
      const before = Number(said?.replaceAll(",", ""));
      let counted = Number.NaN;
      await until(
        async () => {
          counted = await unreadCount();
          return counted === before;
        },
        () => `the server has all that was read before: ${counted} are unread there, ${before} on the page`,
      );
      await mel.click("[role=dialog] [type=submit]");
      // At once, because it is not offered for long.
      await mel.until(`document.body.innerText.includes("All caught up") &&
        [...document.querySelectorAll("button")].some((one) => one.innerText === "Undo" && (one.click(), true))`);
      await until(async () => (await unreadCount()) === before, "all are unread again");
      await mel.sees(ropes);
      expect(await mel.page.overflow(), lookName).toBe(0);
    });

    test("is in the desktop application: is notified, answers from there, and signs out by its menu", async () => {
      await max.go(topic("boats"));
      await mel.go(topic("nets"));
      await openInDesktopApp(mel);
      await w.post("max", channel, "boats", `is it sold, @**|${w.people.mel?.id}**?`);
      await mel.until("window.notices.length === 1");
      await mel.until(
        `${lastTold("total_unread_count")} === Number(/^\\((\\d+)\\)/.exec(document.title)?.[1] ?? 0)`,
      );
      await askOf(
        mel,
        "send_notification_reply_message",
        await mel.tab.evaluate("window.notices[0].tag"),
        "since noon",
      );
      await mel.until(titled("boats"));
      await mel.until(`${shows("since noon")}.length === 1`);
      await max.until(`${shows("since noon")}.length === 1`);
      expect((await contents("boats")).at(-1)).toBe("since noon");
      expect(await mel.page.overflow()).toBe(0);
      await Promise.all([mel.tab.waitForNavigation(), askOf(mel, "logout")]);
      await mel.tab.waitForSelector("#username");
    });
  });
});
