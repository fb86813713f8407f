// Changing one's own address in Chromium, on the executable: with a mail server by the link in a mail, without one by the password.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { cleanUp, confab, newFolder, type Server, serve } from "../support/executable.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";
import { signIn } from "../support/web-people.ts";

const password = "correct horse battery";
let browser: Browser;
let mailServer: MailServer;
let mailing: Server;
let silent: Server;

async function organization(): Promise<string> {
  const data = newFolder();
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  await confab(["init", "--data", data, "--org", "Harbour", ...owner]);
  const person = ["--email", "mel@example.com", "--name", "Mel", "--password-stdin"];
  await confab(["user", "create", "--data", data, ...person], { input: `${password}\n` });
  return data;
}

beforeAll(async () => {
  mailServer = await startMailServer();
  const [one, other] = [await organization(), await organization()];
  mailing = await serve(one, ["--smtp-url", mailServer.url]);
  silent = await serve(other);
  browser = await startBrowser();
}, 240_000);
afterAll(async () => {
  await browser.close();
  mailServer.close();
  await cleanUp();
});

const field = 'input[autocomplete="email"]';

async function inSettings(server: Server): Promise<Page> {
  const page = await browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
  await page.open(`${server.url}/login`);
  await signIn(page, "mel@example.com");
  await page.tab.waitForSelector("[data-view-title]");
  await page.open(`${server.url}/#settings/account`);
  await page.tab.waitForSelector(field);
  return page;
}

const sees = (page: Page, text: string) =>
  page.tab.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
const press = async (page: Page, name: string) => page.click(`aria/${name}[role="button"]`);

describe("one's own address", () => {
  test("waits in the settings until the link in the mail is followed, and can be kept", async () => {
    const page = await inSettings(mailing);
    await page.fill(field, "melanie@example.com");
    await page.tab.keyboard.press("Enter");
    await sees(page, "Your new address melanie@example.com waits");
    expect(await faultsOf(page)).toEqual([]);
    await press(page, "Keep the old address");
    await page.tab.waitForFunction(`!document.body.innerText.includes("waits")`);

    await page.fill(field, "melody@example.com");
    await page.tab.keyboard.press("Enter");
    await sees(page, "Your new address melody@example.com waits");
    const { mail } = await until(
      () => mailServer.taken.find(({ to }) => to === "melody@example.com"),
      "the mail with the link was sent",
    );
    const text = mail.text ?? "";
    const link = await browser.page({ width: 400, height: 800, colours: "dark", scripts: true });
    await link.open(/http\S+\/address\/confirm\/\w{32}/.exec(text)?.[0] ?? "");
    expect(await faultsOf(link)).toEqual([]);
    await link.follow("button");
    expect(await link.html()).toContain("Your address is changed");
    await page.tab.waitForFunction(`document.querySelector('${field}').value === "melody@example.com"`);
    await page.tab.waitForFunction(`!document.body.innerText.includes("waits")`);
  }, 240_000);

  test("changes by the password on a server without mail", async () => {
    const page = await inSettings(silent);
    const [label, forPassword] = [
      "Password, to change the address",
      'form:has(input[type="email"]) input[type="password"]',
    ];
    await page.tab.waitForFunction(`!document.body.innerText.includes("${label}")`);
    await page.fill(field, "melanie@example.com");
    await sees(page, label);
    await page.fill(forPassword, "not it");
    await page.tab.keyboard.press("Enter");
    await sees(page, "Wrong password!");
    expect(await faultsOf(page)).toEqual([]);
    await page.fill(forPassword, password);
    await page.tab.keyboard.press("Enter");
    await sees(page, "Your address is changed.");
    const who = await page.tab.evaluate("fetch('/json/users/me').then((answer) => answer.json())");
    expect(who).toMatchObject({ delivery_email: "melanie@example.com" });
  }, 240_000);
});
