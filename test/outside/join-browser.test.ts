// People join in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type Look, type Page, startBrowser } from "../support/browser.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  type Credentials,
  call,
  cleanUp,
  json,
  newFolder,
  type Server,
  serve,
} from "../support/executable.ts";

const phone = { width: 375, height: 720 };
const desktop = { width: 1280, height: 860 };
/** A folder for screenshots, if set. */
const pictures = process.env.CONFAB_TEST_PICTURES;

let browser: Browser;
let server: Server;
let owner: Credentials;
let data = "";

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, `${name}.png`), await page.screenshot());
}

async function newLink(): Promise<string> {
  const { body } = await call(server, owner, ["POST", "/invites/multiuse"], {});
  return String(body.invite_link);
}

describe("joining in a browser", () => {
  beforeAll(async () => {
    data = newFolder();
    const made = ["init", "--data", data, "--org", "Hopper & Crew", "--owner-email", "grace@example.com"];
    owner = (await json<{ owner: Credentials }>([...made, "--owner-name", "Grace Hopper"])).owner;
    [browser, server] = await Promise.all([startBrowser(), serve(data)]);
  });

  afterAll(async () => {
    await browser.close();
    await cleanUp();
  });

  test.each([
    ["on a phone", { ...phone, colours: "light", scripts: true }],
    ["on a phone without scripts, in the dark", { ...phone, colours: "dark", scripts: false }],
    ["on a desktop", { ...desktop, colours: "light", scripts: true }],
    ["on a desktop without scripts, in the dark", { ...desktop, colours: "dark", scripts: false }],
  ] as const satisfies [string, Look][])("works %s, and ends signed in", async (name, look) => {
    const email = `${Bun.hash(name).toString(36)}@example.org`;
    const page = await browser.page(look);
    await page.open(await newLink());
    expect(await page.overflow()).toBe(0);
    expect(await page.spoken()).toEqual(
      expect.arrayContaining([
        "heading Join Hopper & Crew",
        "textbox Your name",
        "textbox Email address",
        "textbox Password",
        "button Join",
      ]),
    );
    await picture(page, `${name} 1`);

    await page.fill("#full_name", "Ann*");
    await page.fill("#email", email);
    await page.fill("#password", "correct horse");
    await page.follow("button");
    expect(await page.spoken()).toContain("StaticText Invalid characters in name!");
    expect(await page.overflow()).toBe(0);
    await picture(page, `${name} 2`);

    await page.fill("#full_name", "Ann Lovelace");
    await page.fill("#password", "correct horse");
    await page.follow("button");
    // The page redirected to the client, which shows the person's name.
    expect(new URL(page.address()).pathname).toBe("/");
    expect(await page.html()).toContain('"signed_in":true');
    const asked = { username: email, password: "correct horse" };
    const url = `${server.url}/api/v1/fetch_api_key`;
    const given = await fetch(url, { method: "POST", body: new URLSearchParams(asked) });
    const { api_key } = (await given.json()) as { api_key: string };
    const { body } = await call(server, { email, api_key }, ["GET", "/users/me"]);
    expect([body.full_name, body.email]).toEqual(["Ann Lovelace", email]);
    expect(page.complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  test("stores their passwords hashed, at a cost that makes guessing slow", () => {
    const database = openDatabaseOf(data, { readonly: true });
    const rows = database
      .query<{ password_hash: string }, []>("SELECT password_hash FROM users WHERE password_hash IS NOT NULL")
      .all();
    database.close();
    expect(rows.length).toBeGreaterThan(3);
    for (const { password_hash } of rows)
      expect(password_hash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("keeps the invited address", async () => {
    const address = "bob@example.org";
    await call(server, owner, ["POST", "/invites"], { invitee_emails: address, stream_ids: "[]" });
    const { body } = await call(server, owner, ["GET", "/invites"]);
    const [{ link_url }] = body.invites as [{ link_url: string }];
    const page = await browser.page({ ...phone, colours: "light", scripts: false });
    await page.open(link_url);
    await page.fill("#full_name", "Bob");
    await page.fill("#password", "correct horse");
    await page.follow("button");
    expect(await page.html()).toContain('"signed_in":true');
    const { body: people } = await call(server, owner, ["GET", "/users"]);
    expect(JSON.stringify(people)).toContain(address);

    await page.open(link_url);
    expect(await page.spoken()).toContain("StaticText This invitation has already been used.");
    expect(await page.html()).not.toContain("Hopper");
    await picture(page, "used up");
  });
});
