// Finding messages: those of a day, and those of a search.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let phone: Seat;
const days = 30;
const perDay = 12;
const topic = "#narrow/channel/1-harbour/topic/tides";
const title = (text: string) => `document.querySelector('[data-view-title]')?.textContent === '${text}'`;

/** The day where the browser is, so many days after 1 May 2026. */
const dayOf = (n: number) => new Date(Date.UTC(2026, 4, 1 + n)).toISOString().slice(0, 10);

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  await w.channel("harbour", ["olive", "mel"]);
  const ids: number[] = [];
  for (let i = 0; i < days * perDay; i++)
    ids.push(await w.post("olive", "harbour", "tides", `high water ${i} of day ${Math.floor(i / perDay)}`));
  // No command writes messages of the past: a month of them is made of these while the server rests.
  await w.server.end("SIGTERM");
  const database = new Database(join(w.data, "confab.db"));
  const set = database.prepare("UPDATE messages SET sent_at = ? WHERE id = ?");
  const start = Date.UTC(2026, 4, 1, 12) / 1000;
  const [first = 0] = ids;
  for (const { id } of database
    .query<{ id: number }, [number]>("SELECT id FROM messages WHERE id < ?")
    .all(first))
    set.run(start - 1, id);
  for (const [i, id] of ids.entries())
    set.run(start + Math.floor(i / perDay) * 86_400 + (i % perDay) * 60, id);
  database.close();
  await w.server.revived();
  [mel, phone] = await Promise.all([
    w.sit("mel", topic, { width: 1440, height: 900 }),
    w.sit("mel", topic, { width: 390, height: 844 }),
  ]);
});
afterAll(() => w.close());

/** The first message in sight, and how far below the top of the list its day's line is. */
const atTop = `(() => {
  const feed = document.querySelector('[data-feed]');
  const top = feed?.getBoundingClientRect().top;
  const seen = [...(feed?.querySelectorAll('article[data-message]') ?? [])].find((one) => one.getBoundingClientRect().bottom > top + 60);
  return seen?.innerText.match(/high water (\\d+) of/)?.[1];
})()`;
const opensAt = (n: number) => `${atTop} === '${n * perDay}'`;
const choose = async (seat: Seat, date: string) => {
  await seat.tab.waitForSelector("[role=dialog] input[type=date]:focus");
  await seat.tab.evaluate((value) => {
    const field = document.querySelector<HTMLInputElement>("[role=dialog] input[type=date]");
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    set?.call(field, value);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  }, date);
  await seat.press("Enter");
};

describe("a day", () => {
  test("is chosen in a calendar from a topic's menu, and the address says it", async () => {
    await mel.until(title("tides"));
    await mel.click('[aria-label="More about this topic"]');
    await mel.click('aria/Jump to a date …[role="menuitem"]');
    await mel.tab.waitForSelector("[role=dialog] input[type=date]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await choose(mel, dayOf(5));
    await mel.until(opensAt(5));
    expect(await mel.tab.evaluate("location.hash")).toBe(`${topic}/date/${dayOf(5)}`);
    await mel.until(noDialog);
  });

  test("is chosen again after the person has scrolled away", async () => {
    await mel.press("Home");
    await mel.until(opensAt(0));
    await mel.press("Control+k");
    await mel.tab.waitForSelector('[role="combobox"]:focus');
    await mel.tab.keyboard.type("jump to a date");
    await mel.press("Enter");
    await choose(mel, dayOf(5));
    await mel.until(opensAt(5));
  });

  test("opens by a link, also on a phone and in a view of several conversations", async () => {
    await phone.go(`#narrow/channel/1-harbour/date/${dayOf(9)}`);
    await phone.until(opensAt(9));
    await phone.tab.reload();
    await phone.until(opensAt(9));
    await phone.click('aria/Jump to a date[role="button"]');
    await choose(phone, dayOf(2));
    await phone.until(opensAt(2));
    expect(await phone.page.overflow()).toBe(0);
  });

  test("without messages leads to the next one, and after the last one to the newest", async () => {
    await mel.go(`${topic}/date/2020-02-02`);
    await mel.until(opensAt(0));
    await mel.go(`${topic}/date/2031-01-01`);
    await mel.sees(`high water ${days * perDay - 1} of`);
  });

  test("that is none is said to be nowhere", async () => {
    await mel.go(`${topic}/date/2026-02-30`);
    await mel.sees("There is nothing here");
  });

  test("offers the day of the line that was pressed", async () => {
    await mel.go(`${topic}/date/${dayOf(7)}`);
    await mel.until(opensAt(7));
    await mel.tab.evaluate("document.querySelector('[data-feed] h2 > button').click()");
    await mel.tab.waitForSelector("[role=dialog] input[type=date]");
    expect(await mel.tab.$eval("[role=dialog] input", ({ value }) => value)).toMatch(/^2026-05-\d\d$/);
    await mel.press("Escape");
  });

  test("begins where the reader is", async () => {
    // In Kiritimati, what was said at noon in Greenwich was said on the next day.
    const far = await w.sit("olive", "#inbox");
    await far.tab.emulateTimezone("Pacific/Kiritimati");
    await far.go(`${topic}/date/${dayOf(6)}`);
    await far.until(opensAt(5));
    await far.tab.close();
  });
});

describe("a search", () => {
  const says = (pattern: RegExp) =>
    `[...document.querySelectorAll('#view [role=status]')].some((one) => ${pattern}.test(one.textContent))`;

  test("says how many it has found, exactly once all are loaded", async () => {
    await mel.go("#narrow/channel/1-harbour/search/day.203");
    await mel.until(says(/^\d+ messages found$/));
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.go("#narrow/channel/1-harbour/search/high.20water");
    await mel.until(says(/^\d+\+ messages found$/));
  });

  test("is read from the newest or from the oldest", async () => {
    const last = `high water ${days * perDay - 1} of`;
    await mel.sees(last);
    await mel.click('aria/From the oldest[role="button"]');
    await mel.until(opensAt(0));
    await mel.missed(last);
    await mel.click('aria/From the newest[role="button"]');
    await mel.sees(last);
    expect(await phone.page.overflow()).toBe(0);
  });
});

describe("an emoji", () => {
  const found = "[...document.querySelectorAll('[role=dialog] [role=option]')].map((one) => one.ariaLabel)";

  test("is found by how well its name fits, and picked by keyboard", async () => {
    await mel.go(topic);
    await mel.tab.waitForSelector("[data-composer]");
    await mel.click('form [aria-label="Emoji"]');
    const field = await mel.tab.waitForSelector('[role=dialog] input[aria-label="Search emoji"]');
    await field?.type("rock");
    await mel.until(`${found}.includes('rocket')`);
    const names = (await mel.tab.evaluate(found)) as string[];
    expect(names.slice(0, 2)).toEqual(["rock", "rocket"]);
    expect(names.indexOf("sign of the horns")).toBeGreaterThan(1);
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("ArrowRight", "Enter");
    await mel.until("document.querySelector('[data-composer]').value.startsWith(':rocket:')");
    await mel.press("Control+a", "Backspace");
  });

  test("that nobody has is said to be none, and what follows is found", async () => {
    await mel.click('form [aria-label="Emoji"]');
    const field = await mel.tab.waitForSelector('[role=dialog] input[aria-label="Search emoji"]');
    await field?.type("xyzzy");
    await mel.sees("No emoji is called “xyzzy”.");
    await field?.evaluate((one) => one.select());
    await mel.press("Backspace");
    await mel.sees("Often used");
  });

  test("stays in its place, also if the device has no picture of its own for it", async () => {
    const field = await mel.tab.waitForSelector('[role=dialog] input[aria-label="Search emoji"]');
    await field?.type("man");
    await mel.until(`${found}.length > 20`);
    const sticksOut = `[...document.querySelectorAll('[role=dialog] [role=option]')].filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().width > one.getBoundingClientRect().width + 1;
    }).map((one) => one.ariaLabel)`;
    expect(await mel.tab.evaluate(sticksOut)).toEqual([]);
    await mel.press("Escape");
  });
});
