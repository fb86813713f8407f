// The web client where much is unread and much arrives, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  harbour = await w.channel("harbour", ["olive", "mel"]);
});
afterAll(() => w.close());

test("what arrives between two frames is drawn together", async () => {
  await w.post("mel", "harbour", "boats", "the first");
  const { tab, sees } = await w.sit("olive", `#narrow/channel/${harbour}-harbour/topic/boats`);
  await sees("the first");
  // From now on, frames come when the test says.
  await tab.evaluate(`
    window.waiting = [];
    window.draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    window.wait = window.setTimeout.bind(window);
    window.setTimeout = (callback, delay, ...more) => delay === 100 ? 0 : wait(callback, delay, ...more);
    window.newest = [];
    const feed = document.querySelector("[data-feed]");
    new MutationObserver(() => {
      const last = [...feed.querySelectorAll("article")].at(-1)?.innerText.match(/number \\d+/)?.[0];
      if (last && newest.at(-1) !== last) newest.push(last);
    }).observe(feed, { childList: true, subtree: true });
  `);
  for (let n = 1; n <= 12; n++) await w.post("mel", "harbour", "boats", `number ${n}`);
  // Puppeteer would look once a frame.
  await tab.waitForFunction("waiting.length > 0", { polling: 50 });
  expect(await tab.evaluate("newest")).toEqual([]);
  await tab.evaluate(`
    window.requestAnimationFrame = draw;
    window.setTimeout = wait;
    for (const callback of waiting) draw(callback);
  `);
  await sees("number 12");
  // The answer that waits for the frame has the first of them, and the next one has all the rest.
  expect(((await tab.evaluate("newest")) as string[]).length).toBeLessThanOrEqual(2);
  await tab.close();
}, 120_000);

describe("an inbox of 700 conversations", () => {
  beforeAll(async () => {
    // A page that was closed may not have said yet what it has shown.
    await w.ask("olive", ["POST", "/mark_all_as_read"]);
    const say = (n: number) => w.post("mel", "harbour", `topic ${n}`, `words ${n}`);
    // The ends by themselves: of those that are sent at once, any may be the first.
    await say(0);
    const others = Array.from({ length: 698 }, (_, n) => n + 1);
    while (others.length > 0) await Promise.all(others.splice(0, 20).map(say));
    await say(699);
  }, 240_000);

  const rows = "[...document.querySelectorAll('#view [data-row]')]";
  const focused = "document.activeElement.closest('li')";

  test("has few elements, and says how long it is; the keyboard reaches its ends", async () => {
    const { page, tab, until, press } = await w.sit("olive", "#inbox");
    // The rows come in parts, the newest not first: the key chooses the first one of those that are there.
    await until(`${rows}.length > 10 && ${rows}[0].closest("[aria-setsize]").ariaSetSize === '700'`);
    expect(await tab.evaluate("document.querySelectorAll('*').length")).toBeLessThan(1500);
    await press("j");
    await until(`${focused}?.ariaPosInSet === '1' && ${focused}.ariaSetSize === '700'`);
    for (let n = 0; n < 40; n++) await press(n % 2 ? "j" : "ArrowDown");
    await until(`${focused}?.ariaPosInSet === '41'`);
    await press("End");
    await until(`${focused}?.ariaPosInSet === '700' && ${focused}.innerText.includes('words 0')`);
    expect(await tab.evaluate("document.querySelectorAll('*').length")).toBeLessThan(1500);
    expect(await faultsOf(page)).toEqual([]);
    await press("k", "Home");
    await until(`${focused}?.ariaPosInSet === '1' && ${focused}.innerText.includes('words 699')`);
    await press("Enter");
    await until("document.querySelector('[data-view-title]')?.textContent === 'topic 699'");
    // Read: what comes next begins with one fewer.
    await until("document.title.startsWith('(699)')");
    await tab.close();
  }, 120_000);

  test("keeps its place: beside what arrives, without the focused row, and when one comes back", async () => {
    const { tab, until, go } = await w.sit("olive", "#inbox");
    await until(`${rows}.length > 10`);
    await tab.evaluate("document.querySelector('#view [data-row]').focus()");
    await tab.evaluate("document.querySelector('[data-virtual]').scrollTop = 20000");
    const inSight = `${rows}.find((row) => row.getBoundingClientRect().top > 100)`;
    await until(`/words 3\\d\\d/.test(${inSight}?.innerText)`);
    const place = `JSON.stringify([${inSight}?.innerText.match(/topic \\d+/)?.[0], Math.round(${inSight}?.getBoundingClientRect().top)])`;
    // Once rows have been measured, and nothing moves for some frames.
    await until(
      `(() => { const now = ${place}; globalThis.still = now === globalThis.last ? globalThis.still + 1 : 0; globalThis.last = now; return still > 9; })()`,
    );
    const before = await tab.evaluate(place);
    // The row with the focus is far away, and still there.
    expect(await tab.evaluate("document.activeElement.matches('[data-row]')")).toBe(true);
    const length =
      "Math.max(...[...document.querySelectorAll('[aria-setsize]')].map((row) => row.ariaSetSize))";
    const count = Number(await tab.evaluate(length));
    await w.post("mel", "harbour", "a new topic", "a new word");
    await until(`${length} === ${count + 1}`);
    await until(`${place} === ${JSON.stringify(before)}`);
    await go(`#narrow/channel/${harbour}-harbour/topic/topic.20300`);
    await until(`${rows}.length === 0`);
    // One has been read, and another arrives meanwhile.
    await w.post("mel", "harbour", "another topic", "another word");
    await go("#inbox");
    await until(`${rows}.length > 10 && ${place} === ${JSON.stringify(before)}`);
    await tab.close();
  }, 120_000);
});
