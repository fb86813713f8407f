// In Chromium: the list of API keys, the choice that comes with a new password, and the question who uses the browser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { ageProofs } from "../support/database.ts";
import { call } from "../support/executable.ts";
import { type Person, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

const password = "correct horse battery";
let w: WebOrganization;
let mel: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  mel = await w.sit("mel", "#settings/account");
});
afterAll(() => w.close());

async function press(name: string): Promise<void> {
  await mel.click(`aria/${name}[role="button"]`);
}

async function type(label: string, text: string): Promise<void> {
  await mel.click(`aria/${label}`, { count: 3 });
  await mel.tab.keyboard.type(text);
}

const dialogs = () =>
  mel.tab.evaluate("document.querySelectorAll('[role=dialog]').length") as Promise<number>;
const until = (count: number) => mel.until(`document.querySelectorAll('[role=dialog]').length === ${count}`);

const person = () => w.people.mel as Person;
const statusBy = async (api_key: string) =>
  (await call(w.server, { ...person(), api_key }, ["GET", "/users/me"])).status;

async function newLogin(secret = password): Promise<string> {
  const given = { username: person().email, password: secret };
  const { body } = await call(w.server, person(), ["POST", "/fetch_api_key"], given);
  return String(body.api_key);
}

describe("the question who uses the browser", () => {
  test("comes before a new key is made, and its answer makes the key", async () => {
    ageProofs(w.data);
    await press("Make a new key");
    await mel.sees("Make a new API key?");
    await mel.click('[role=dialog] button[type="submit"]');
    await mel.sees("Is it you?");
    await mel.sees("Enter your password.");
    expect(await faultsOf(mel.page)).toEqual([]);
    await type("Your password", "wrong");
    await mel.tab.keyboard.press("Enter");
    await mel.sees("Wrong password!");
    await type("Your password", password);
    await mel.tab.keyboard.press("Enter");
    await mel.sees("Your new key. It is not shown again.");
    await until(0);
    const made = (await mel.tab.evaluate("document.querySelector('code').innerText")) as string;
    expect([await statusBy(made), await statusBy(person().api_key)]).toEqual([200, 401]);
    person().api_key = made;
  });

  test("is left by Escape alone: the dialog below stays, and says why nothing happened", async () => {
    ageProofs(w.data);
    await press("Make a new key");
    await mel.click('[role=dialog] button[type="submit"]');
    await mel.sees("Is it you?");
    expect(await dialogs()).toBe(2);
    await mel.page.find("aria/Your password");
    await mel.tab.keyboard.press("Escape");
    await mel.sees("Show first that it is you, and try again.");
    expect(await dialogs()).toBe(1);
    await mel.tab.keyboard.press("Escape");
    await until(0);
    expect(await statusBy(person().api_key)).toBe(200);
  });
});

describe("the list of API keys", () => {
  test("shows what each is for, and ends one", async () => {
    const phone = await newLogin();
    await mel.tab.reload();
    await mel.sees("Key for programs");
    await mel.until("document.querySelectorAll('[aria-label=\"API keys\"] li').length === 2");
    await mel.click('[aria-label="API keys"] li button');
    await mel.sees("End this key?");
    await press("End the key");
    await mel.until("document.querySelectorAll('[aria-label=\"API keys\"] li').length === 1");
    expect([await statusBy(phone), await statusBy(person().api_key)]).toEqual([401, 200]);
  });
});

describe("a new password", () => {
  test("signs other devices out, unless the person keeps them", async () => {
    const phone = await newLogin();
    const next = "staple of another kind";
    await type("Password now", password);
    await type("New password", next);
    await mel.click("aria/Sign out my other devices");
    await press("Change password");
    await mel.sees("Your other devices stay signed in.");
    expect(await statusBy(phone)).toBe(200);

    await type("Password now", next);
    await type("New password", password);
    await mel.click("aria/Sign out my other devices");
    await press("Change password");
    await mel.sees("Your other devices have to sign in again.");
    expect([await statusBy(phone), await statusBy(person().api_key)]).toEqual([401, 200]);
    await mel.tab.reload();
    await mel.sees("Where you are signed in");
  });
});
