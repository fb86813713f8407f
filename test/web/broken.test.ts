// Parts of the web client that are loaded later: what is shown if one cannot be, and that those of every day are there in time.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { HTTPRequest } from "puppeteer-core";
import { faultsInBothThemes } from "../support/axe.ts";
import { Passage } from "../support/passage.ts";
import { openMenu, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  mel = await w.sit("mel");
});
afterAll(() => w.close());

test("the page says so, and can be loaded again", async () => {
  const refuse = (request: HTTPRequest) =>
    void (request.resourceType() === "script" ? request.abort() : request.continue());
  mel.tab.on("request", refuse);
  await mel.tab.setRequestInterception(true);
  await mel.go("#settings/appearance");
  await mel.sees("This page could not be shown");
  // Enter loads it again.
  await mel.until("document.activeElement?.textContent === 'Load the page again'");
  expect(await faultsInBothThemes(mel.page)).toEqual([]);
  mel.tab.off("request", refuse);
  await mel.tab.setRequestInterception(false);
  await mel.click('aria/Load the page again[role="button"]');
  await mel.page.find('aria/Theme[role="combobox"]');
});

test.each([
  ["connections are closed", "refuse", "#settings/appearance", "Theme"],
  ["nothing arrives any more", "cut", "#groups", "Groups"],
] as const)(
  "one that is first asked for while %s opens once the connection is back",
  async (_, loss, hash, shown) => {
    const passage = await Passage.to(w.server.port);
    const { tab, go, sees, until } = await w.sit("mel", "#feed", {}, `http://127.0.0.1:${passage.port}`);
    await until("document.querySelector('[data-view-title]') !== null");
    passage[loss]();
    // It may not be noticed yet.
    await until(
      "performance.now() - Math.max(...performance.getEntriesByType('resource').map((one) => one.responseEnd)) > 600",
    );
    await go(hash);
    await sees("No connection.");
    expect(await tab.$("main [aria-busy=true]")).not.toBeNull();
    passage.mend(true);
    await until(`document.querySelector("main")?.innerText.includes("${shown}") === true`);
    await tab.close();
    passage.close();
  },
);

test("one opens although the connection broke off while each of its files was loaded", async () => {
  const { tab, page, go, until } = await w.sit("mel", "#feed");
  await until("document.querySelector('[data-view-title]') !== null");
  // Not by puppeteer's own interception, which turns the browser's cache off.
  const session = await tab.createCDPSession();
  const broken = new Set<string>();
  session.on("Fetch.requestPaused", ({ requestId, request: { url } }) => {
    const isFirst = !broken.has(url);
    broken.add(url);
    const what = isFirst
      ? session.send("Fetch.failRequest", { requestId, errorReason: "ConnectionClosed" })
      : session.send("Fetch.continueRequest", { requestId });
    what.catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/static/web/*.js" }] });
  await go("#settings/appearance");
  await page.find('aria/Theme[role="combobox"]');
  expect([...broken].filter((url) => url.includes("/settings-"))).toHaveLength(1);
  expect(broken.size).toBeGreaterThan(3);
  await tab.close();
});

test("menus, cards and dialogs that the first screen does without open without a connection", async () => {
  const { people } = w;
  await w.channel("harbour", ["olive", "mel"]);
  await w.post("olive", "harbour", "boats", `ask @**Mel|${people.mel?.id}**`);
  const mel = await w.sit("mel", "#feed");
  const { tab, click, until, press, sees } = mel;
  await until("document.querySelector('.user-mention') !== null");
  // What is loaded after the first view, each with the files that it needs itself.
  const isLoaded = (name: string) =>
    `(async () => {
      const file = performance.getEntriesByType("resource").find((one) => /\\/${name}-[^/]*\\.js$/.test(one.name));
      return file !== undefined && (await import(file.name)) !== null;
    })()`;
  for (const name of ["open-menu", "card", "dialogs", "palette"]) await until(isLoaded(name));
  await tab.setOfflineMode(true);
  // The banner moves everything.
  await sees("No connection.");
  await openMenu(mel, "ask");
  await press("Escape");
  await click(".user-mention");
  await tab.waitForSelector("[role=dialog][aria-label=Person]");
  await press("Escape", "Control+K");
  await until("document.activeElement?.getAttribute('role') === 'combobox'");
  await tab.close();
});
