// Two people use the web client of the executable: finding, reading and writing, with mouse and keyboard.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsInBothThemes } from "../support/axe.ts";
import { noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let max: Seat;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("max", "harbour", "boats", "the *Gull* is back");
  await w.post("max", "harbour", "lunch", "fish at noon");
  await w.write("max", ["mel"], "hello there");
  [mel, max] = await Promise.all([w.sit("mel"), w.sit("max")]);
});
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;
const title = (seat: Seat) => seat.tab.evaluate("document.querySelector('[data-view-title]')?.textContent");
const links = "[...document.querySelectorAll('nav a')]";
const rowOf = (name: string) =>
  mel.tab.evaluate(
    `${links}.find((link) => link.textContent.includes(${JSON.stringify(name)}))?.textContent`,
  );

describe("the inbox", () => {
  test("lists unread messages by conversation, direct messages first", async () => {
    await mel.sees("fish at noon");
    const text = String(await mel.tab.evaluate("document.querySelector('main').innerText"));
    const at = ["Direct messages", "hello there", "#harbour", "fish at noon", "the Gull is back"].map(
      (part) => text.indexOf(part),
    );
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
  });

  test("shows new messages", async () => {
    await w.post("max", "harbour", "lunch", "or soup");
    await mel.sees("or soup");
  });
});

describe("a conversation", () => {
  test("is opened by a click on a channel and its topic, and marks read what is read", async () => {
    await mel.click('nav a[href*="-harbour"]');
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'harbour'");
    await mel.sees("New topic");
    await mel.click('main a[href*="topic/lunch"]');
    await mel.tab.waitForSelector("article + article, [data-unread-line]");
    await mel.until("document.querySelectorAll('[data-unread-line]').length === 1");
    expect(await title(mel)).toBe("lunch");
    await mel.until(
      "![...document.querySelectorAll('nav a')].some((a) => a.href.includes('topic/lunch') && /unread/.test(a.textContent))",
    );
    const isRead = async () => {
      const narrow = [{ operator: "topic", operand: "lunch" }];
      const params = { anchor: "newest", num_before: 10, narrow };
      const { messages } = await w.ask("mel", ["GET", "/messages"], params);
      return (messages as { flags: string[] }[]).every(({ flags }) => flags.includes("read"));
    };
    while (!(await isRead())) await Bun.sleep(20);
  });

  test("shows a new message at once, to both", async () => {
    await mel.go(topic("lunch"));
    await max.go(topic("lunch"));
    await mel.click("[data-composer]");
    await mel.tab.type("[data-composer]", "soup **please**");
    await mel.press("Control+Enter");
    await mel.sees("soup please");
    await max.sees("soup please");
    expect(await mel.tab.$$eval("article strong", (found) => found.map((one) => one.textContent))).toContain(
      "please",
    );
  });

  test("keeps the unread line while the person reads, and follows new messages", async () => {
    await mel.go(topic("boats"));
    await mel.sees("the Gull is back");
    for (let i = 1; i <= 30; i++) await w.post("max", "harbour", "boats", `report ${i}`);
    await mel.sees("report 30");
    // Also those that passed by faster than the page is drawn.
    const unread = "a.href.includes('topic/boats') && /unread/.test(a.textContent)";
    await mel.until(`![...document.querySelectorAll('nav a')].some((a) => ${unread})`);
  });

  test.each([21, 46])(
    "marks as read %d messages that came at once, more than there is room for",
    async (count) => {
      const name = `burst ${count}`;
      const read = `![...document.querySelectorAll('nav a')].some((a) => a.href.includes('topic/burst') && /unread/.test(a.textContent))`;
      await w.post("max", "harbour", name, "the first");
      await mel.go(topic(name));
      await mel.sees("the first");
      await mel.until(read);
      // The answer with the first one is kept back; the next one has all others.
      await mel.tab.evaluate(() => {
        const { fetch } = window;
        const kept = new Promise((resolve) => Object.assign(window, { release: resolve }));
        Object.assign(window, {
          fetch: async (...request: Parameters<typeof fetch>) => {
            const answer = await fetch(...request);
            if (String(request[0]).includes("/events")) await kept;
            return answer;
          },
        });
      });
      for (let i = 1; i <= count; i++) await w.post("max", "harbour", name, `more ${i}\nof\nit`);
      await mel.tab.evaluate("release()");
      await mel.sees(`more ${count}`);
      await mel.until(read);
    },
  );

  test("shows the conversation in the window's title, with the number of unread messages", async () => {
    await mel.go("#recent");
    await w.post("max", "harbour", "boats", "one more");
    await mel.until("/^\\(\\d+\\) Recent conversations – Harbour$/.test(document.title)");
    await mel.go(topic("boats"));
    await mel.sees("one more");
  });
});

describe("the keyboard alone", () => {
  test("opens any view, reads and replies", async () => {
    await w.post("max", "harbour", "tides", "high at six");
    await mel.press("Escape");
    await mel.go("#inbox");
    await mel.press("Control+k");
    await mel.tab.waitForSelector('[role="combobox"]');
    await mel.tab.keyboard.type("tides");
    await mel.sees("tides");
    await mel.until(
      "/tides.*#harbour/.test(document.querySelector('[role=option][aria-selected=true]')?.textContent)",
    );
    await mel.press("Enter");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'tides'");
    await mel.sees("high at six");
    await mel.press("k");
    await mel.until("document.activeElement?.textContent?.includes('high at six')");
    await mel.press("s");
    await mel.until("[...document.querySelectorAll('nav a')].some((a) => /Starred\\s*1/.test(a.innerText))");
    await mel.press("r");
    await mel.until("document.activeElement?.matches('[data-composer]')");
    await mel.tab.keyboard.type("thanks");
    await mel.press("Control+Enter");
    await max.go(topic("tides"));
    await max.sees("thanks");
  });

  test("goes to the next unread conversation, and home", async () => {
    await w.post("max", "harbour", "nets", "torn");
    await mel.go("#recent");
    await mel.sees("nets");
    await mel.tab.evaluate("document.activeElement?.blur()");
    const unread =
      "[...document.querySelectorAll('nav a')].some((a) => /unread/.test(a.textContent) && !/Inbox/.test(a.textContent))";
    for (let i = 0; i < 4 && (await mel.tab.evaluate(unread)); i++) {
      const before = await title(mel);
      await mel.press("n");
      await mel.until(
        `document.querySelector('[data-view-title]')?.textContent !== ${JSON.stringify(before)}`,
      );
      await mel.tab.waitForSelector("article");
    }
    await mel.until(`!(${unread})`);
    await mel.press("Escape");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Inbox'");
  });

  test("shows a list of keys", async () => {
    await mel.press("Shift+?");
    await mel.sees("Mark as unread from here");
    await mel.press("Escape");
    await mel.until(noDialog);
  });
});

describe("every view", () => {
  const views = [
    "#inbox",
    "#recent",
    "#feed",
    "#channels",
    "#drafts",
    "#narrow/is/starred",
    "#topics/channel/1",
    "",
  ];

  test("passes axe in both themes", async () => {
    for (const view of [...views.slice(0, -2), `#topics/channel/${harbour}`, topic("boats")]) {
      await mel.go(view);
      await mel.until("document.querySelector('[aria-busy=true]') === null");
      expect([view, await faultsInBothThemes(mel.page)]).toEqual([view, []]);
    }
    await mel.go(topic("lunch"));
    await mel.until(
      "document.querySelector('[data-view-title]').textContent === 'lunch' && document.querySelector('article [data-person]')",
    );
    const click = (selector: string) => () =>
      mel.tab.$eval(selector, (button) => (button as unknown as { click(): void }).click());
    const opening = {
      "the menu of a message": async () => {
        await mel.tab.hover("article[data-message]");
        await mel.tab.waitForSelector("article:hover [aria-label=More]");
        await mel.click("article:hover [aria-label=More]");
      },
      "the menu of a topic": click('[aria-label="More about this topic"]'),
      "what one hears of a topic": click('main header [aria-label^="Topic: "]'),
      "one's own menu": click('nav [aria-label$="you are connected"]'),
      "the menu of a channel": () => mel.click("nav [data-channel] a[data-row]", { button: "right" }),
      "the card of a person": click("article [data-person]"),
      "the palette": () => mel.press("Control+k"),
      "a new message": () => mel.press("x"),
      "the keys": () => mel.press("Shift+?"),
    };
    for (const [name, open] of Object.entries(opening)) {
      await mel.tab.evaluate("document.activeElement?.blur()");
      await open();
      await mel.tab.waitForSelector("[role=menu], [role=dialog]");
      await mel.until("document.querySelector('[aria-busy=true]') === null");
      expect([name, await faultsInBothThemes(mel.page)]).toEqual([name, []]);
      await mel.press("Escape");
      await mel.until("document.querySelector('[role=menu], [role=dialog]') === null");
    }
  }, 240_000);

  test("requests nothing from other sites", () => {
    expect([...mel.strangers, ...max.strangers]).toEqual([]);
    expect([...mel.page.complaints, ...max.page.complaints]).toEqual([]);
  });
});

test("unread counts are words, too", async () => {
  await w.write("max", ["mel"], "are you there?");
  await mel.go("#recent");
  await mel.sees("are you there?");
  expect(await rowOf("Max")).toContain("unread");
});

test("an old link with the channel's name opens the conversation", async () => {
  await mel.go("#narrow/stream/Harbour/subject/boats");
  await mel.until("document.querySelector('[data-view-title]')?.textContent === 'boats'");
  await mel.tab.waitForSelector("[data-composer]");
});

test("an address that leads nowhere is explained, and offers to go home, not to try again", async () => {
  for (const hash of [
    "#narrow/channel/9999-nowhere/topic/x",
    "#topics/channel/9999",
    "#channels/9999/nowhere",
    "#user/9999",
  ]) {
    await mel.go(hash);
    await mel.sees(/does not exist, or that you may not see|or you have no access to it/);
    const home = await mel.page.find('aria/Go to the inbox[role="button"]');
    expect(await mel.tab.evaluate("document.querySelector('main').innerText")).not.toContain("Try again");
    await home?.focus();
    await mel.press("Enter");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Inbox'");
  }
});
