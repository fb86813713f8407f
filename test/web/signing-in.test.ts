// A link into the chat, opened by somebody who is not signed in: every way of signing in ends where the link leads.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "../support/browser.ts";
import { json } from "../support/executable.ts";
import { type WebOrganization, webOrganization } from "../support/web-people.ts";

const password = "correct horse battery";
let w: WebOrganization;
let place = "";
let messageLink = "";

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  const channel = await w.channel("harbour", ["olive", "mel"]);
  const id = await w.post("olive", "harbour", "tides", "High water at noon");
  place = `#narrow/channel/${channel}-harbour/topic/tides`;
  messageLink = `${place}/near/${id}`;
});
afterAll(() => w.close());

async function opened(path: string, width = 1280): Promise<Page> {
  const page = await w.browser.page({ width, height: 844, colours: "light", scripts: true });
  await page.open(`${w.server.url}${path}`);
  await page.tab.waitForSelector("#username");
  return page;
}

async function enter(page: Page, secret = password): Promise<void> {
  await page.fill("#username", "mel@example.com");
  await page.fill("#password", secret);
  await page.tab.keyboard.press("Enter");
}

/** Waits until the message is shown, and returns the fragment of the address. */
async function hashOnceRead(page: Page): Promise<unknown> {
  await page.tab.waitForFunction("document.querySelector('main')?.innerText.includes('High water at noon')");
  return page.tab.evaluate("location.hash");
}

describe("a link that is opened while signed out", () => {
  test.each([
    ["the start page, on a desk", "/", 1280],
    ["the start page, on a phone", "/", 390],
    ["the sign-in page, as after the session ended", "/login", 1280],
  ])("leads to its place from %s, after a wrong password, too", async (_where, path, width) => {
    const page = await opened(`${path}${messageLink}`, width);
    await enter(page, "wrong");
    await page.tab.waitForFunction("document.querySelector('[role=alert]')?.innerText.includes('is wrong')");
    await enter(page);
    expect(await hashOnceRead(page)).toStartWith(place);
    expect(await page.tab.evaluate("location.pathname")).toBe("/");
    await page.tab.close();
  });

  test("leads to its place after a page that loses the fragment; the next start is at the usual one", async () => {
    const page = await opened(`/${messageLink}`);
    await page.follow("a[href='/password/reset']");
    await page.follow("a[href='/login']");
    await page.tab.waitForSelector("#username");
    expect(await page.tab.evaluate("location.hash")).toBe("");
    await enter(page);
    expect(await hashOnceRead(page)).toStartWith(place);
    await page.open(`${w.server.url}/`);
    await page.tab.waitForSelector("[data-view-title]");
    expect(await page.tab.evaluate("location.hash")).not.toContain("harbour");
    await page.tab.close();
  });

  test("leads to its place after a link for signing in, in the same tab", async () => {
    const page = await opened(`/${messageLink}`);
    const made = await json<{ url: string }>(["user", "login-link", "mel@example.com", "--data", w.data]);
    await page.open(made.url);
    await page.follow("button");
    expect(await hashOnceRead(page)).toStartWith(place);
    await page.tab.close();
  });
});
