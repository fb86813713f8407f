// The first day of an organization, in real Chromium: from the executable in an empty folder to two people who write to each
// other.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { executable } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";

const [file = ""] = executable;
// Next to the executable, so that it can be linked instead of copied.
const folder = mkdtempSync(join(executable.length === 1 ? dirname(file) : tmpdir(), "first-day-"));
const look = { width: 1280, height: 860, colours: "light", scripts: true } as const;
let browser: Browser;
let child: Bun.Subprocess<"ignore", "pipe", "ignore">;
let url = "";
let printed = "";

beforeAll(async () => {
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
  browser = await startBrowser();
}, 240_000);

afterAll(async () => {
  await browser.close();
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true });
});

const until = (page: Page, expression: string) => page.tab.waitForFunction(expression);
const sees = (page: Page, text: string) =>
  until(page, `document.body.innerText.includes(${JSON.stringify(text)})`);

async function pressButton(page: Page, name: string): Promise<void> {
  await page.click(`aria/${name}[role="button"]`);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await (await page.tab.waitForSelector(`aria/${label}[role="textbox"]`))?.type(text);
}

test("the owner signs in by the printed link, chooses a password and invites somebody; they write to each other", async () => {
  const link = /http\S+\/login\/link\/\S+/.exec(printed)?.[0] ?? "";
  expect(link).toStartWith(`${url}/`);
  const owner = await browser.page(look);
  await owner.open(`${url}/`);
  await owner.tab.waitForSelector("#username");
  expect(await faultsOf(owner)).toEqual([]);

  await owner.open(link);
  expect(await faultsOf(owner)).toEqual([]);
  await owner.follow("button");
  await owner.tab.waitForSelector("[data-view-title]");
  await owner.tab.evaluate("location.hash = '#settings/account'");
  await type(owner, "New password", "correct horse battery");
  await pressButton(owner, "Change password");
  await sees(owner, "Your password is changed.");

  await owner.tab.evaluate("location.hash = '#organization/invitations'");
  await pressButton(owner, "Make a link");
  await pressButton(owner, "Make the link");
  await sees(owner, "A link for anyone");
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
  await guest.tab.waitForSelector("[data-view-title]");

  // The owner sees it without doing anything.
  const write = `fetch("/json/messages", {
    method: "POST",
    headers: { "x-csrftoken": document.cookie.match(/csrftoken=([^;]+)/)[1] },
    body: new URLSearchParams({ type: "channel", to: "general", topic: "hello", content: "here I am" }),
  }).then((answer) => answer.status)`;
  expect(await guest.tab.evaluate(write)).toBe(200);
  await owner.tab.evaluate("location.hash = '#inbox'");
  await sees(owner, "here I am");
  expect([...owner.complaints, ...guest.complaints]).toEqual([]);
}, 240_000);

test("the link works once; from then on, the password does", async () => {
  const page = await browser.page(look);
  await page.open(/http\S+\/login\/link\/\S+/.exec(printed)?.[0] ?? "");
  await sees(page, "does not sign anybody in");
  await page.open(`${url}/login`);
  await page.tab.waitForSelector("#username");
  await page.fill("#username", "owner@localhost");
  await page.fill("#password", "correct horse battery");
  await page.tab.keyboard.press("Enter");
  await page.tab.waitForSelector("[data-view-title]");
  expect(page.complaints.filter((text) => !/status of 4/.test(text))).toEqual([]);
});
