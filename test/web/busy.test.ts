// The web client where much is unread and much arrives, in a real browser.
import { afterAll, beforeAll, expect, test } from "bun:test";
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
