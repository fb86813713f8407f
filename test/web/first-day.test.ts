// The first day of an organization, in real Chromium: from the executable in an empty folder to two people who write to each
// other.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { executable } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";

const [file = ""] = executable;
const looks = [
  ["at a desk", { width: 1280, height: 860, colours: "light", scripts: true }],
  ["on a phone", { width: 390, height: 780, colours: "light", scripts: true }],
] as const;
let browser: Browser;
let folder = "";
let child: Bun.Subprocess<"ignore", "pipe", "ignore">;
let url = "";
let printed = "";

beforeAll(async () => {
  browser = await startBrowser();
}, 240_000);
afterAll(() => browser.close());

async function startServer(): Promise<void> {
  // Next to the executable, so that it can be linked instead of copied.
  folder = mkdtempSync(join(executable.length === 1 ? dirname(file) : tmpdir(), "first-day-"));
  printed = "";
  const command = executable.length === 1 ? [join(folder, "confab")] : executable;
  if (executable.length === 1) linkSync(file, join(folder, "confab"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = Bun.spawn([...command, "serve", "--port", String(port)], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    env: { PATH: process.env.PATH, HOME: folder },
  });
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.includes("Stop with Ctrl+C")) break;
  }
}

async function endServer(): Promise<void> {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true });
}

const until = (page: Page, expression: string) => page.tab.waitForFunction(expression);
const sees = (page: Page, text: string) =>
  until(page, `document.body.innerText.includes(${JSON.stringify(text)})`);

async function pressButton(page: Page, name: string): Promise<void> {
  await page.click(`aria/${name}[role="button"]`);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await (await page.find(`aria/${label}[role="textbox"]`))?.type(text);
}

/** Waits until a button is no longer there. */
const gone = (page: Page, label: string) =>
  until(page, `document.querySelector(${JSON.stringify(`[aria-label="${label}"]`)}) === null`);

/** The hints that the person has not seen yet, as the server has them. */
async function stepsOf(page: Page): Promise<string[]> {
  const ask = `fetch("/json/register", {
    method: "POST",
    headers: { "x-csrftoken": document.cookie.match(/csrftoken=([^;]+)/)[1] },
    body: new URLSearchParams({ fetch_event_types: '["onboarding_steps"]' }),
  }).then((answer) => answer.json())`;
  const answer = (await page.tab.evaluate(ask)) as { onboarding_steps: { name: string }[] };
  return answer.onboarding_steps.map(({ name }) => name);
}

describe.each(looks)("%s", (_, look) => {
  beforeAll(startServer, 240_000);
  afterAll(endServer);

  const goTo = (page: Page, hash: string) => page.tab.evaluate(`location.hash = "${hash}"`);
  /** To where the first steps are. */
  const goHome = (page: Page) => goTo(page, look.width < 720 ? "" : "#inbox");
  async function say(page: Page, text: string): Promise<void> {
    await page.tab.waitForSelector("textarea[data-composer]");
    await page.tab.type("textarea[data-composer]", text);
    await page.click("form [aria-label=Send]");
    await until(
      page,
      `[...document.querySelectorAll("article[data-message]")].some((one) => one.innerText.includes("${text}"))`,
    );
  }

  test("the owner says who they are by the printed link, is led through the first steps and invites somebody; they write to each other", async () => {
    const link = /http\S+\/login\/link\/\S+/.exec(printed)?.[0] ?? "";
    expect(link).toStartWith(`${url}/`);
    const owner = await browser.page(look);
    await owner.open(`${url}/`);
    await owner.tab.waitForSelector("#username");
    expect(await faultsOf(owner)).toEqual([]);

    await owner.open(link);
    expect(await faultsOf(owner)).toEqual([]);
    expect(await owner.overflow()).toBe(0);
    await owner.fill("#realm_name", "Harbour");
    await owner.fill("#full_name", "Ada Byron");
    await owner.fill("#email", "ada@example.org");
    await owner.fill("#password", "password");
    await owner.follow("button");
    await owner.tab.waitForSelector("#password[aria-invalid]");
    await owner.fill("#password", "correct horse battery");
    await owner.follow("button");
    await sees(owner, "Set up Harbour");
    expect(await faultsOf(owner)).toEqual([]);
    expect(await owner.overflow()).toBe(0);
    // Another tab of the same person, as large as a small phone.
    const phone = await owner.tab.browserContext().newPage();
    await phone.setViewport({ width: 360, height: 740, isMobile: true, hasTouch: true });
    await phone.evaluateOnNewDocument(`
    globalThis.tops = new Set();
    const look = () => {
      const row = document.querySelector("nav a[href='#inbox']");
      if (row) tops.add(row.getBoundingClientRect().top);
      requestAnimationFrame(look);
    };
    look();
  `);
    await phone.goto(url);
    await phone.waitForFunction("document.body.innerText.includes('Set up Harbour')");
    // The list under the finger has not moved, though the steps came later.
    expect(await phone.evaluate("tops.size")).toBe(1);
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(360);
    // All steps and the button that ends them are in sight, above the list.
    const inSight = `[...document.querySelectorAll("section[aria-labelledby] button, section[aria-labelledby] li")].every((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const end = one.closest("li") ? one.closest("ol").getBoundingClientRect().bottom : document.querySelector("nav a[href='#inbox']").getBoundingClientRect().top;
      return top > 0 && bottom <= end + 1;
    })`;
    await phone.waitForFunction("document.body.innerText.includes('Skip the rest')");
    expect(await phone.evaluate(inSight)).toBe(true);

    // What was said at the first visit is done.
    for (const step of ["Choose a password", "Name and picture"]) await gone(owner, `Choose: ${step}`);

    await pressButton(owner, "Copy the link: Invite people");
    await gone(owner, "Copy the link: Invite people");
    const { invites } = (await owner.tab.evaluate(
      "fetch('/json/invites').then((answer) => answer.json())",
    )) as {
      invites: { link_url: string }[];
    };

    const guest = await browser.page(look);
    await guest.open(invites[0]?.link_url ?? "");
    await guest.fill("#full_name", "Ann Lovelace");
    await guest.fill("#email", "ann@example.org");
    await guest.fill("#password", "correct horse");
    await guest.follow("button");
    await sees(guest, "Welcome to Harbour");
    expect(await faultsOf(guest)).toEqual([]);
    expect(await guest.overflow()).toBe(0);
    await pressButton(guest, "Open: Say hello");
    await guest.click("main a[href*='topic/greetings']");
    await say(guest, "here I am");
    await goHome(guest);
    await pressButton(guest, "Got it");
    await until(guest, "!document.body.innerText.includes('Welcome to Harbour')");
    await guest.open(url);
    await sees(guest, "Inbox");
    expect(await stepsOf(guest)).not.toContain("intro_inbox_view_modal");

    // The owner sees it without doing anything, and answers.
    await goTo(owner, "#inbox");
    await owner.click("main a[href*='topic/greetings']");
    await sees(owner, "here I am");
    await say(owner, "good that you are here");
    await goTo(guest, "#inbox");
    await guest.click("main a[href*='topic/greetings']");
    await sees(guest, "good that you are here");
    await goHome(owner);

    // With the last step all of them go, in every tab.
    await pressButton(owner, "Start: Start a channel");
    await type(owner, "Name", "launch");
    await pressButton(owner, "Create the channel");
    await until(owner, "document.querySelector('[data-view-title]')?.textContent.includes('launch')");
    await goHome(owner);
    await until(owner, "!document.body.innerText.includes('Set up Harbour')");
    await phone.waitForFunction("!document.body.innerText.includes('Set up Harbour')");
    expect(await stepsOf(owner)).not.toContain("intro_inbox_view_modal");
    // The refused password is one of them.
    expect(owner.complaints.filter((text) => !/status of 400/.test(text))).toEqual([]);
    expect(guest.complaints).toEqual([]);
  }, 240_000);

  test("the link works once; from then on, the password does", async () => {
    const page = await browser.page(look);
    await page.open(/http\S+\/login\/link\/\S+/.exec(printed)?.[0] ?? "");
    await sees(page, "older than an hour");
    await page.open(`${url}/login`);
    await page.tab.waitForSelector("#username");
    await page.fill("#username", "ada@example.org");
    await page.fill("#password", "correct horse battery");
    await page.tab.keyboard.press("Enter");
    await sees(page, "Inbox");
    expect(page.complaints.filter((text) => !/status of 4/.test(text))).toEqual([]);
  });
});
