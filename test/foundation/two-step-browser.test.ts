// Two-step sign-in in Chromium: the settings, the sign-in page, and the organization's setting that requires it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { faultsOf } from "../support/axe.ts";
import type { Page } from "../support/browser.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

const password = "correct horse battery";
let w: WebOrganization;
let olive: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
});
afterAll(() => w.close());

const pictures = process.env.CONFAB_TEST_PICTURES;

/** Saves a screenshot if the variable names a folder. */
async function keep(page: Page, name: string): Promise<void> {
  if (pictures) await Bun.write(`${pictures}/${name}.png`, await page.screenshot());
}

async function press(page: Page, name: string): Promise<void> {
  await page.click(`aria/${name}[role="button"]`);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await page.click(`aria/${label}`, { count: 3 });
  await page.tab.keyboard.type(text);
}

const sees = (page: Page, text: string) =>
  page.tab.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);

/** The app's code now, or this many steps later; each works only once. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });

const secretOn = (page: Page) =>
  page.tab.evaluate(
    "[...document.querySelectorAll('code')].at(-1).innerText.replaceAll(' ', '')",
  ) as Promise<string>;

const codesOn = (page: Page) =>
  page.tab.evaluate(
    "[...document.querySelectorAll('[aria-label=\"Recovery codes\"] li')].map((li) => li.innerText)",
  ) as Promise<string[]>;

async function atSignIn(name: string, colours: "light" | "dark" = "light", width = 1280): Promise<Page> {
  const page = await w.browser.page({ width, height: 860, colours, scripts: true });
  await page.open(`${w.server.url}/#recent`);
  await page.tab.waitForSelector("#username");
  await page.fill("#username", `${name}@example.com`);
  await page.fill("#password", password);
  await page.tab.keyboard.press("Enter");
  return page;
}

/** Waits for the client, in the place that the address named before. */
async function entered(page: Page): Promise<void> {
  await page.tab.waitForSelector("[data-view-title], nav");
  expect(await page.tab.evaluate("location.hash")).toBe("#recent");
}

describe("two-step sign-in", () => {
  let mel: Seat;
  let secret = "";
  /** The code that was entered at the end of the set-up. */
  let used = "";
  let codes: string[] = [];

  test("is set up in the settings: password, QR code, code, recovery codes", async () => {
    mel = await w.sit("mel", "#settings/account");
    await press(mel.page, "Set up …");
    await type(mel.page, "Your password", "wrong");
    await press(mel.page, "Continue");
    await sees(mel.page, "Wrong password!");
    await type(mel.page, "Your password", password);
    await press(mel.page, "Continue");
    await sees(mel.page, "Scan this with your app");
    await keep(mel.page, "set-up");
    expect(await faultsOf(mel.page)).toEqual([]);
    secret = await secretOn(mel.page);
    const loaded = "document.querySelector('img[src^=\"data:image/svg\"]').naturalWidth > 0";
    expect(await mel.tab.evaluate(loaded)).toBe(true);

    await type(mel.page, "Code", "000000");
    await press(mel.page, "Turn on");
    await sees(mel.page, "This code is wrong");
    used = codeOf(secret);
    await type(mel.page, "Code", used);
    await press(mel.page, "Turn on");
    await sees(mel.page, "Keep your recovery codes");
    await keep(mel.page, "recovery-codes");
    expect(await faultsOf(mel.page)).toEqual([]);
    codes = await codesOn(mel.page);
    expect(codes).toHaveLength(10);
    await press(mel.page, "I have kept them");
    await sees(mel.page, "10 recovery codes are left.");
    await keep(mel.page, "account");
    expect(mel.strangers).toEqual([]);
  }, 240_000);

  test("asks for the code on the sign-in page, and explains a wrong one", async () => {
    const page = await atSignIn("mel", "dark", 390);
    await sees(page, "Enter your code");
    await keep(page, "code-dark");
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.overflow()).toBe(0);
    await type(page, "Code", used);
    await page.tab.keyboard.press("Enter");
    await sees(page, "This code is wrong or was used before.");
    await type(page, "Code", codeOf(secret, 1));
    await page.tab.keyboard.press("Enter");
    await entered(page);
  }, 240_000);

  test("takes a recovery code", async () => {
    const page = await atSignIn("mel");
    await sees(page, "Enter your code");
    await type(page, "Code", codes[0] ?? "");
    await press(page, "Sign in");
    await entered(page);
    expect((await w.ask("mel", ["GET", "/users/me/two_step"])).recovery_codes_left).toBe(9);
  }, 240_000);

  test("gives new recovery codes and is turned off in exchange for a code", async () => {
    await press(mel.page, "New recovery codes …");
    await type(mel.page, "Code", codes[1] ?? "");
    await press(mel.page, "Make new codes");
    await sees(mel.page, "Keep your recovery codes");
    const renewed = await codesOn(mel.page);
    expect(renewed).not.toContain(codes[2]);
    await press(mel.page, "I have kept them");
    await press(mel.page, "Turn off …");
    await type(mel.page, "Code", codes[2] ?? "");
    await press(mel.page, "Turn off");
    await sees(mel.page, "This code is wrong");
    await type(mel.page, "Code", renewed[0] ?? "");
    await press(mel.page, "Turn off");
    await sees(mel.page, "Two-step sign-in is off.");
    await mel.page.find('aria/Set up …[role="button"]');
    expect((await w.ask("mel", ["GET", "/users/me/two_step"])).is_on).toBe(false);
  }, 240_000);

  test("is turned off by an administrator on the person's card; members cannot do this", async () => {
    const begun = await w.ask("max", ["POST", "/users/me/two_step"], { password });
    await w.ask("max", ["POST", "/users/me/two_step/confirm"], { code: codeOf(String(begun.secret)) });
    await w.write("max", ["olive", "mel"], "my phone is at the bottom of the harbour");
    olive = await w.sit("olive");
    const menuOf = async (seat: Seat, others: string[]) => {
      await seat.go(`#narrow/dm/${others.map((name) => w.people[name]?.id).join()}-x`);
      await seat.click(`article [data-person="${w.people.max?.id}"]`);
      await seat.tab.waitForSelector('[role=dialog][aria-label="Person"] dl');
      await seat.tab.waitForNetworkIdle({ concurrency: 1, idleTime: 100 });
      await seat.tab.focus('[role=dialog][aria-label="Person"] [aria-label="More"]');
      await seat.press("Enter");
      await seat.tab.waitForSelector("[role=menu]");
    };
    await menuOf(mel, ["olive", "max"]);
    expect(await mel.tab.$('aria/Turn off two-step sign-in …[role="menuitem"]')).toBeNull();
    await menuOf(olive, ["mel", "max"]);
    await olive.page.find('aria/Turn off two-step sign-in …[role="menuitem"]');
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.press("ArrowUp", "Enter");
    await sees(olive.page, "Turn off two-step sign-in for Max?");
    await keep(olive.page, "reset");
    expect(await faultsOf(olive.page)).toEqual([]);
    await press(olive.page, "Turn it off");
    await sees(olive.page, "Max signs in without a code now.");
    expect((await w.ask("max", ["GET", "/users/me/two_step"])).is_on).toBe(false);
    await entered(await atSignIn("max"));
  }, 240_000);
});

describe("an organization that demands it", () => {
  test("is set to do so by its owner, and administrators see that", async () => {
    // What was said last would cover the switch.
    await olive.until("!document.body.innerText.includes('Max signs in without a code now.')");
    await olive.go("#organization/signing-in");
    await sees(olive.page, "3 people have not set it up");
    await keep(olive.page, "organization");
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.click('aria/Everybody who signs in by password or link needs a second step[role="switch"]');
    while (!(await w.ask("olive", ["GET", "/realm/two_step"])).required) await Bun.sleep(20);
  }, 240_000);

  test("makes people set it up at their next sign-in, before anything else", async () => {
    const page = await atSignIn("max");
    await sees(page, "Set up two-step sign-in");
    await keep(page, "sign-in-set-up");
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.tab.cookies()).toEqual([]);
    await type(page, "Code", codeOf(await secretOn(page)));
    await press(page, "Sign in");
    await sees(page, "Keep your recovery codes");
    await keep(page, "sign-in-recovery-codes");
    expect(await codesOn(page)).toHaveLength(10);
    expect(await faultsOf(page)).toEqual([]);
    await press(page, "I have kept them");
    await entered(page);
    await page.tab.goto(`${w.server.url}/#settings/account`);
    await sees(page, "This organization demands two-step sign-in.");
    expect(await page.tab.$('aria/Turn off …[role="button"]')).toBeNull();
  }, 240_000);
});
