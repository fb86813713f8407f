// The ways to sign in, in the administration: an owner on a phone and at a desk, and an administrator at a desk; the server has a
// provider.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { startBrowser } from "../support/browser.ts";
import { type Credentials, confab, json, newFolder, serve } from "../support/executable.ts";
import { client, startProvider, type TestProvider } from "../support/oidc.ts";
import {
  letSignIn,
  noDialog,
  organizationAt,
  type Seat,
  type WebOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let company: TestProvider;
let olive: Seat;
let ada: Seat;

beforeAll(async () => {
  company = await startProvider(null);
  const data = newFolder();
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  const made = await json<{ owner: Credentials }>(["init", "--data", data, "--org", "Harbour", ...owner]);
  const person = ["--email", "ada@example.com", "--name", "Ada", "--password-stdin", "--data", data];
  const { api_key } = await json<{ api_key: string }>(["user", "create", ...person], {
    input: "correct horse battery\n",
  });
  await letSignIn(data, "olive@example.com");
  await confab(["user", "address", "olive@example.com", "--proved", "--data", data]);
  writeFileSync(
    join(data, "confab.toml"),
    `[oidc.company]\nissuer = "${company.issuer}"\nclient_id = "${client.client_id}"\nclient_secret = "${client.client_secret}"\nbutton = "Company account"\n`,
  );
  const [server, browser] = await Promise.all([serve(data), startBrowser()]);
  company.serve(server.url);
  const people = { olive: made.owner, ada: { email: "ada@example.com", api_key } };
  w = await organizationAt({ data, server, browser, people });
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  [olive, ada] = await Promise.all([
    w.visit("olive", "#organization/signing-in", phone),
    w.sit("ada", "#organization/signing-in"),
  ]);
}, 240_000);
afterAll(async () => {
  company.close();
  await w.close();
});

const phone = { width: 360, height: 740, colours: "dark" } as const;
const passwords = 'aria/Address and password[role="switch"]';
const singleSignOn = 'aria/Single sign-on[role="switch"]';

const isDisabled = (seat: Seat, selector: string) =>
  seat.tab.$eval(selector, (one) => (one as HTMLInputElement).disabled);

async function methods(): Promise<Record<string, { enabled: boolean }>> {
  const state = await w.ask("olive", ["POST", "/register"], { fetch_event_types: ["realm"] });
  return state.realm_authentication_methods as Record<string, { enabled: boolean }>;
}

async function newestEntry(): Promise<unknown> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"], { limit: 1 });
  return (entries as unknown[])[0];
}

/** Signs in at the provider, in a browser of its own. */
async function signInAtProvider(email: string): Promise<void> {
  company.person = { sub: email, email, email_verified: true, name: "Olive" };
  const page = await w.browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
  await page.open(`${w.server.url}/login`);
  await page.tab.waitForSelector("#username");
  await page.click('aria/Company account[role="link"]');
  await page.tab.waitForSelector("[data-view-title]");
  await page.tab.close();
}

describe("the ways to sign in", () => {
  test("are shown to an administrator, who cannot change them", async () => {
    await ada.sees("Only owners can change this.");
    await ada.sees("At Company account, as the server’s configuration says.");
    expect(await isDisabled(ada, passwords)).toBe(true);
    expect(await isDisabled(ada, singleSignOn)).toBe(true);
  });

  test("no owner locks themselves out", async () => {
    await olive.tab.waitForSelector(passwords);
    await olive.click(passwords);
    await olive.sees("You have not signed in at a provider yet.");
    expect(await olive.tab.$("[role=dialog] button[type=submit]")).toBeNull();
    expect(await olive.page.overflow()).toBe(0);
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.press("Escape");
    expect((await methods()).Email?.enabled).toBe(true);
  });

  test("are not turned off by an administrator", async () => {
    const [before, newest] = [await methods(), await newestEntry()];
    const authentication_methods = { Email: true, "OpenID Connect": false };
    await expect(w.ask("ada", ["PATCH", "/realm"], { authentication_methods })).rejects.toThrow(
      "Must be an organization owner",
    );
    expect(await methods()).toEqual(before);
    expect(await newestEntry()).toEqual(newest);
  });

  describe("once the owner has signed in at the provider", () => {
    beforeAll(() => signInAtProvider("olive@example.com"), 240_000);

    const password = ["Email", "1 person has never signed in at a provider"] as const;
    const provider = ["OpenID Connect", "Everybody has signed in in another way, or can."] as const;

    test.each([
      ["Address and password", "on a phone", phone, ...password],
      ["Single sign-on", "on a phone", phone, ...provider],
      ["Address and password", "at a desk", {}, ...password],
      ["Single sign-on", "at a desk", {}, ...provider],
    ] as const)("%s is turned off after a question, and on again, %s", async (_, __, look, way, question) => {
      const [own, other, at] =
        way === "Email" ? [passwords, singleSignOn, 0] : ([singleSignOn, passwords, 1] as const);
      const owner = await w.visit("olive", "#organization/signing-in", look);
      const isChanged = async (to: boolean) => {
        await ada.until(`document.querySelectorAll("main [role=switch]")[${at}]?.checked === ${to}`);
        expect((await methods())[way]?.enabled).toBe(to);
        expect(await newestEntry()).toMatchObject({
          event: "realm_setting_changed",
          actor_id: w.people.olive?.id,
          data: { name: "authentication_methods", to: { [way]: { enabled: to } } },
        });
      };
      await owner.click(own);
      await owner.sees(question);
      expect(await faultsOf(owner.page)).toEqual([]);
      await owner.click("[role=dialog] button[type=submit]");
      await owner.sees("The last way stays on.");
      await owner.until(noDialog);
      await isChanged(false);
      expect(await isDisabled(owner, other)).toBe(true);
      await owner.click(own);
      await owner.missed("The last way stays on.");
      await isChanged(true);
      expect(await owner.page.overflow()).toBe(0);
    });
  });

  test("by password may demand a second step, which is said with how many lack it", async () => {
    const owner = await w.visit("olive", "#organization/signing-in");
    await owner.sees("2 people have not set it up");
    await owner.click('aria/Everybody who signs in by password or link needs a second step[role="switch"]');
    await owner.sees("Saved: Two-step sign-in.");
    await ada.until("[...document.querySelectorAll('main [role=switch]')].at(-1)?.checked === true");
    expect((await w.ask("ada", ["GET", "/realm/two_step"])).required).toBe(true);
    expect(await newestEntry()).toMatchObject({
      event: "realm_setting_changed",
      actor_id: w.people.olive?.id,
    });
  });
});
