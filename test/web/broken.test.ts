// What the web client shows if a part of it cannot be loaded, in a real browser.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { HTTPRequest } from "puppeteer-core";
import { faultsOf } from "../support/axe.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

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
  for (const colours of ["light", "dark"] as const) {
    await mel.tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: colours }]);
    expect(await faultsOf(mel.page)).toEqual([]);
  }
  mel.tab.off("request", refuse);
  await mel.tab.setRequestInterception(false);
  await mel.click('aria/Load the page again[role="button"]');
  await mel.tab.waitForSelector('aria/Theme[role="combobox"]');
});
