// Single sign-on in Chromium, on the executable, with real OpenID providers: signing in, being refused, and the text of each
// refusal.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { ageProofs } from "../support/database.ts";
import { cleanUp, confab, newFolder, type Server, serve } from "../support/executable.ts";
import { client, startProvider, type TestProvider } from "../support/oidc.ts";

const password = "correct horse battery";
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#c33"/></svg>';
const data = newFolder();
let server: Server;
let browser: Browser;
let company: TestProvider;
let school: TestProvider;

beforeAll(async () => {
  [company, school] = await Promise.all([startProvider(null), startProvider(null, "school")]);
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  await confab(["init", "--data", data, "--org", "Harbour", ...owner]);
  for (const name of ["Mel", "Dex"]) {
    const person = ["--email", `${name.toLowerCase()}@example.com`, "--name", name, "--password-stdin"];
    await confab(["user", "create", "--data", data, ...person], { input: `${password}\n` });
  }
  await confab(["user", "deactivate", "dex@example.com", "--yes", "--data", data]);
  writeFileSync(join(data, "red.svg"), icon);
  const table = (name: string, { issuer }: TestProvider, more: string) =>
    `[oidc.${name}]\nissuer = "${issuer}"\nclient_id = "${client.client_id}"\nclient_secret = "${client.client_secret}"\n${more}\n`;
  writeFileSync(
    join(data, "confab.toml"),
    table("company", company, `button = "Company account"\nicon = "${join(data, "red.svg")}"`) +
      table("school", school, 'button = "School"'),
  );
  server = await serve(data);
  company.serve(server.url);
  school.serve(server.url);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  company.close();
  school.close();
  await cleanUp();
});
beforeEach(() => {
  company.person = { sub: "mel-1", email: "mel@example.com", email_verified: true, name: "Mel" };
  company.forge = null;
});

async function atSignIn(): Promise<Page> {
  const page = await browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
  await page.open(`${server.url}/login`);
  await page.tab.waitForSelector("#username");
  return page;
}

const isIn = (page: Page) => page.tab.waitForSelector("[data-view-title]");
const said = (page: Page) => page.tab.evaluate("document.body.innerText") as Promise<string>;

/** Presses a provider's button; returns the text of the page that follows. */
async function press(page: Page, button: string): Promise<string> {
  await page.click(`aria/${button}[role="link"]`);
  await page.tab.waitForFunction(
    `document.querySelector("[data-view-title]") !== null || document.querySelector("h1")?.innerText === "You are not signed in"`,
  );
  return said(page);
}

/** Checks a refusal: its text, that there is no session, a link back, and no faults found by axe. */
async function expectRefused(page: Page, words: string): Promise<void> {
  expect(await said(page)).toContain(words);
  expect((await page.tab.cookies()).filter(({ name }) => name.endsWith("sessionid"))).toEqual([]);
  expect(await faultsOf(page)).toEqual([]);
  await page.follow('a[href="/login"]');
  await page.tab.waitForSelector("#username");
}

describe("signing in at a provider, in Chromium", () => {
  test("the page has a button for each provider, with its text and picture, besides the password", async () => {
    const page = await atSignIn();
    const buttons = (await page.tab.evaluate(
      "[...document.querySelectorAll('a[href^=\"/login/oidc/\"]')].map((a) => [a.innerText, a.querySelector('img')?.naturalWidth > 0])",
    )) as unknown[];
    expect(buttons).toEqual([
      ["Company account", true],
      ["School", false],
    ]);
    expect(await page.tab.$("#password")).not.toBeNull();
    expect(await faultsOf(page)).toEqual([]);
    if (process.env.CONFAB_TEST_PICTURES) {
      await Bun.write(`${process.env.CONFAB_TEST_PICTURES}/providers.png`, await page.screenshot());
    }
  });

  test("signs in the first time by the verified address, later by the identity, and out again", async () => {
    const page = await browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
    await page.open(`${server.url}/#settings/account`);
    await page.tab.waitForSelector("#username");
    await press(page, "Company account");
    await isIn(page);
    // The link with which the page was opened leads to its place, although providers lose it.
    expect(await page.tab.evaluate("location.hash")).toBe("#settings/account");
    const signOut = `fetch("/logout", { method: "POST", headers: { "x-csrftoken": document.cookie.match(/csrftoken=([^;]+)/)[1] } }).then((answer) => answer.status)`;
    expect(await page.tab.evaluate(signOut)).toBe(200);
    await page.open(`${server.url}/`);
    await page.tab.waitForSelector("#username");
    company.person = { sub: "mel-1", email: "changed@example.com", email_verified: false };
    await press(page, "Company account");
    await isIn(page);
    const who = await page.tab.evaluate("fetch('/json/users/me').then((answer) => answer.json())");
    expect(who).toMatchObject({ full_name: "Mel" });
  }, 240_000);

  test("asks for the password of an account whose address nobody has proved, and then signs in to it", async () => {
    const una = ["--email", "una@example.com", "--name", "Una", "--password-stdin"];
    await confab(["user", "create", "--data", data, ...una], { input: `${password}\n` });
    await confab(["user", "address", "una@example.com", "--unproved", "--data", data]);
    company.person = { sub: "una-1", email: "una@example.com", email_verified: true, name: "Una" };
    const page = await atSignIn();
    await page.click('aria/Company account[role="link"]');
    await page.tab.waitForFunction(`document.querySelector("h1")?.innerText === "Is this your account?"`);
    expect(await said(page)).toContain("There is an account with the address una@example.com already");
    expect(await faultsOf(page)).toEqual([]);
    await page.fill("#password", "not it");
    await page.follow("button");
    expect(await said(page)).toContain("Your username or password is incorrect");
    await page.fill("#password", password);
    await page.follow("button");
    await isIn(page);
    const who = await page.tab.evaluate("fetch('/json/users/me').then((answer) => answer.json())");
    expect(who).toMatchObject({ full_name: "Una" });
  });

  test("shows who uses a browser that has been open for long, in a window of its own", async () => {
    const page = await atSignIn();
    await press(page, "Company account");
    await isIn(page);
    ageProofs(data);
    await page.tab.evaluate("location.hash = '#settings/account'");
    await page.click('aria/Make a new key[role="button"]');
    await page.click('[role=dialog] button[type="submit"]');
    await page.click('aria/Sign in at Company account[role="button"]');
    expect(await faultsOf(page)).toEqual([]);
    await page.tab.waitForFunction("document.body.innerText.includes('Your new key')");
    expect(await page.tab.$$("[role=dialog]")).toEqual([]);
  });

  test.each([
    [
      "an unverified address",
      { sub: "x1", email: "mel@example.com", email_verified: false },
      "Company account has not verified that mel@example.com is your address.",
    ],
    [
      "a deactivated account",
      { sub: "x2", email: "dex@example.com", email_verified: true },
      "Your account is deactivated. An administrator can change that.",
    ],
    [
      "a stranger without an invitation",
      { sub: "x3", email: "sam@example.com", email_verified: true },
      "There is no account for sam@example.com, and joining needs an invitation.",
    ],
    ["somebody who does not agree", { sub: "denied" }, "You did not agree at Company account"],
  ])("refuses %s", async (_, person, words) => {
    company.person = person;
    const page = await atSignIn();
    await press(page, "Company account");
    await expectRefused(page, words);
  });

  test.each([
    ["a wrong nonce", { nonce: "another" }, "belongs to another sign-in"],
    ["a wrong audience", { aud: "another" }, "is meant for another program"],
    ["a wrong issuer", { iss: "https://evil.example" }, "is meant for another program"],
    ["an expired token", { iat: 1_000_000, exp: 1_000_600 }, "is not valid at this time"],
  ])("refuses %s", async (_, claims, words) => {
    company.forge = (given) => ({ ...given, ...claims });
    const page = await atSignIn();
    await press(page, "Company account");
    await expectRefused(page, words);
    // The same sign-in works if the token is not changed.
    company.forge = (given) => given;
    await press(page, "Company account");
    await isIn(page);
  });

  test("refuses a wrong state", async () => {
    const page = await atSignIn();
    await page.tab.setRequestInterception(true);
    let isChanged = false;
    page.tab.on("request", (request) => {
      const url = new URL(request.url());
      if (isChanged || !url.pathname.startsWith("/complete/")) return void request.continue();
      isChanged = true;
      url.searchParams.set("state", "another");
      void request.respond({ status: 302, headers: { location: url.href } });
    });
    await page.tab.evaluate("document.querySelector('a[href=\"/login/oidc/company\"]').click()");
    await page.tab.waitForFunction("document.querySelector('h1')?.innerText === 'You are not signed in'");
    expect(isChanged).toBe(true);
    await expectRefused(page, "This sign-in was started in another browser");
  });

  test("says that a provider is down, while the other one and passwords let people in", async () => {
    school.close();
    const page = await atSignIn();
    await press(page, "School");
    await expectRefused(page, "School cannot be reached just now.");
    await page.fill("#username", "mel@example.com");
    await page.fill("#password", password);
    await page.tab.keyboard.press("Enter");
    await isIn(page);
    const other = await atSignIn();
    await press(other, "Company account");
    await isIn(other);
  }, 240_000);
});
