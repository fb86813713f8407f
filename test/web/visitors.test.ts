// People without an account read the web client; people with one get the notifications that they chose.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import type { Page } from "../support/browser.ts";
import { organizationOnTheWeb, type Seat, type WebOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let visitor: Page;
let mel: Seat;
let open = 0;

beforeAll(async () => {
  w = await organizationOnTheWeb("olive", "mel");
  await w.ask("olive", ["PATCH", "/realm"], { enable_spectator_access: true });
  open = await w.channel("open", ["olive", "mel"], { is_web_public: true });
  await w.channel("inside", ["olive", "mel"]);
  await w.post("olive", "open", "hours", "from nine to five");
  await w.post("olive", "inside", "keys", "under the mat");
  visitor = await w.browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
  await visitor.open(w.server.url);
  mel = await w.sit("mel");
});
afterAll(() => w.close());

const text = () => visitor.tab.evaluate("document.body.innerText") as Promise<string>;

describe("a visitor", () => {
  test("reads what is public on the web, and nothing else", async () => {
    await visitor.tab.waitForFunction("document.body.innerText.includes('from nine to five')");
    await visitor.tab.evaluate(`location.hash = '#narrow/channel/${open}-open/topic/hours'`);
    await visitor.tab.waitForSelector("article");
    const seen = await text();
    expect(seen).toContain("from nine to five");
    expect(seen).toContain("without an account");
    expect(seen).not.toContain("inside");
    expect(seen).not.toContain("under the mat");
    expect(await visitor.tab.$("[data-composer]")).toBeNull();
    expect(await visitor.tab.$("article [aria-label='More']")).toBeNull();
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("opens a link to what is public, and comes back to it by signing in", async () => {
    const page = await w.browser.page({ width: 390, height: 844, colours: "dark", scripts: true });
    await page.open(`${w.server.url}/#narrow/channel/${open}-open/topic/hours`);
    await page.tab.waitForFunction("document.querySelector('main').innerText.includes('from nine to five')");
    expect(await page.overflow()).toBe(0);
    await page.tab.waitForFunction("document.querySelector('main a[href^=\"/login\"]') !== null");
    await page.follow("main a[href^='/login']");
    await page.fill("#username", "mel@example.com");
    await page.fill("#password", "correct horse battery");
    await page.tab.keyboard.press("Enter");
    await page.tab.waitForSelector("[data-composer]");
    expect(await page.tab.evaluate("location.hash")).toBe(`#narrow/channel/${open}-open/topic/hours`);
    await page.tab.close();
  });

  test("gets the same explanation for what is not public and what does not exist", async () => {
    for (const hash of [
      `#narrow/channel/${open + 1}-inside/topic/keys`,
      "#narrow/channel/999999-none/topic/keys",
    ]) {
      await visitor.tab.evaluate(`location.hash = '${hash}'`);
      await visitor.tab.waitForFunction(
        "/does not exist, or that you may not see|There is nothing here/.test(document.querySelector('main').innerText)",
      );
      expect(await text()).not.toContain("under the mat");
    }
  });

  test("finds a topic by keyboard, and can write nothing there", async () => {
    const { tab } = visitor;
    await tab.evaluate("location.hash = '#recent'");
    await tab.waitForSelector("main a[href*='topic/hours']");
    await tab.keyboard.down("Control");
    await tab.keyboard.press("k");
    await tab.keyboard.up("Control");
    await tab.waitForSelector("[role=combobox]");
    await tab.keyboard.type("hours");
    await tab.waitForFunction(
      "/hours.*#open/.test(document.querySelector('[role=option][aria-selected=true]')?.textContent)",
    );
    await tab.keyboard.press("Enter");
    await tab.waitForFunction("document.querySelector('[data-view-title]')?.textContent === 'hours'");
    await tab.waitForSelector("article");
    for (const key of ["r", "x", "e"] as const) await tab.keyboard.press(key);
    expect(await tab.$$("[data-composer], [role=dialog], textarea")).toEqual([]);
  });

  test("finds no view that needs an account, and the way to sign in", async () => {
    for (const hash of ["#settings", "#drafts", "#inbox", "#organization"]) {
      await visitor.tab.evaluate(`location.hash = '${hash}'`);
      await visitor.tab.waitForFunction(
        "document.querySelector('[data-view-title]')?.textContent === 'Recent conversations'",
      );
    }
    const shown = async (hash: string, wait: string) => {
      await visitor.tab.evaluate(`location.hash = '${hash}'`);
      await visitor.tab.waitForSelector(wait);
      return (await visitor.spoken()).filter((one) => /^(button|textbox|radio) /.test(one)).join();
    };
    const needsAccount = /New topic|start a topic|Mute|read|Join|Leave|Unread|New channel|Topic:/;
    expect(await shown(`#topics/channel/${open}`, "main a[href*='topic/hours']")).not.toMatch(needsAccount);
    expect(await shown("#channels", "main a[href*='open']")).not.toMatch(needsAccount);
    expect(await shown("#recent", "main a[href*='topic/hours']")).not.toMatch(needsAccount);
    const hours = `#narrow/channel/${open}-open/topic/hours`;
    expect(await shown(hours, "article")).not.toMatch(needsAccount);
    await visitor.click('[aria-label="More about this topic"]');
    await visitor.tab.waitForSelector("[role=menu]");
    expect(
      await visitor.tab.$$eval("[role^=menuitem]", (rows) => rows.map((row) => row.textContent)),
    ).toEqual(["Jump to a date …", "Copy link"]);
    await visitor.follow("a[href^='/login']");
    await visitor.tab.waitForSelector("#username");
  });
});

describe("notifications while the client is open", () => {
  test("are shown for direct messages and mentions, not for other messages; a click opens the conversation", async () => {
    await mel.go("#recent");
    // Replaces the browser's notification, which no test can click.
    await mel.tab.evaluate(`(() => {
      window.shown = [];
      window.Notification = class { static permission = 'granted'; constructor(title, options) { Object.assign(this, { title, ...options }); window.shown.push(this); } close() {} };
      document.hasFocus = () => false;
    })()`);
    await w.post("olive", "inside", "chat", "to nobody in particular");
    await w.post("olive", "inside", "chat", "to @**Mel**");
    await w.write("olive", ["mel"], "for *you* alone");
    await mel.until("window.shown.length >= 2");
    expect(await mel.tab.evaluate("window.shown.map(({ title, body }) => [title, body])")).toEqual([
      ["Olive in #inside › chat", "to @Mel"],
      ["Olive", "for you alone"],
    ]);
    await mel.tab.evaluate("window.shown[1].onclick()");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Olive'");
  });

  test("are turned on by keyboard, by topic and by channel; the title counts new ones", async () => {
    const reach = async (name: RegExp) => {
      await mel.until(
        `[...document.querySelectorAll('[aria-label]')].some((one) => ${name}.test(one.getAttribute('aria-label')))`,
      );
      for (let presses = 0; presses < 200; presses++) {
        const focused = await mel.tab.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''");
        if (name.test(String(focused))) return;
        await mel.press("Tab");
      }
      throw new Error(`The Tab key does not reach ${name}`);
    };
    const title = (name: string) =>
      mel.until(`document.querySelector('[data-view-title]')?.textContent === '${name}'`);
    await mel.tab.evaluate("window.shown = []");

    await w.post("olive", "inside", "tides", "low at six");
    await mel.go("#inbox");
    await title("Inbox");
    await mel.press("Control+k");
    await mel.sees("# channels");
    await mel.tab.keyboard.type("tides");
    // The topic, once the client knows it; until then, the search for that word is offered.
    await mel.until(
      "/tides.*#inside/.test(document.querySelector('[role=option][aria-selected=true]')?.textContent)",
    );
    await mel.press("Enter");
    await title("tides");
    await reach(/^Topic: As the channel/);
    await mel.press("Enter");
    await mel.until("document.activeElement?.innerText === 'Follow'");
    await mel.press("Enter");
    await mel.tab.waitForSelector("[aria-label='Topic: Following']");

    await mel.press("Control+k");
    await mel.sees("# channels");
    await mel.tab.keyboard.type("notification settings");
    await mel.until(
      "/^Notification settings/.test(document.querySelector('[role=option][aria-selected=true]')?.innerText)",
    );
    await mel.press("Enter");
    await reach(/^Browser for open$/);
    await mel.press("Space");
    await mel.until("document.activeElement?.checked === true");
    expect(await faultsOf(mel.page)).toEqual([]);

    const before = Number(/^\((\d+)\)/.exec(await mel.tab.title())?.[1]);
    await w.post("olive", "inside", "tides", "high at noon");
    await w.post("olive", "open", "hours", "closed today");
    await w.post("olive", "inside", "weather", "to nobody again");
    await mel.until(`document.title.startsWith('(${before + 3}) ')`);
    expect(await mel.tab.evaluate("window.shown.map(({ body }) => body)")).toEqual([
      "high at noon",
      "closed today",
    ]);
    await mel.until("document.querySelector('link[rel=icon]').href.startsWith('data:image/png')");
  });
});
