// Bots in the browser's administration: the table, making one, the address for a tool, trying it, calls, owner, deactivating; by an
// owner, a member and somebody who may not make any. Each change is checked through the API, at a second browser and in the audit log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { png } from "../support/pictures.ts";
import { until } from "../support/waiting.ts";
import {
  chooseOption,
  fill,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let harbour: number;
/** Sees what the others change. */
let witness: Seat;

const phone = { width: 360, height: 740 };
const bots = "#organization/bots";
const idOf = (name: string) => w.people[name]?.id ?? 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max", "gus");
  await w.ask("olive", ["PATCH", `/users/${idOf("gus")}`], { role: 600 });
  harbour = await w.channel("harbour", ["olive", "mel"]);
  witness = await w.sit("olive", bots);
}, 240_000);
afterAll(() => w.close());

/** Events of the audit log about a bot, newest first. */
const audited = async (bot: number) =>
  (
    (await w.ask("olive", ["GET", "/audit_log"])).entries as { event: string; about: { id: number | null } }[]
  ).flatMap(({ event, about }) => (about.id === bot ? [event] : []));

const idIn = async (seat: Seat) => Number(await seat.tab.evaluate("location.hash.split('/').at(-1)"));

/** Mel makes a bot of this type, which is chosen by its label; resolves on its page. */
async function make(seat: Seat, name: string, type: string, url?: string): Promise<number> {
  await seat.go(bots);
  await pressButton(seat, "New bot");
  await fill(seat, "Name", name);
  await seat.click(`aria/${type}[role="radio"]`);
  if (url !== undefined) await fill(seat, "Address that is called", url);
  await pressButton(seat, "Make the bot");
  await seat.until("/^#organization.bots.[0-9]+$/.test(location.hash)");
  await seat.sees("Your new key. It is not shown again.");
  return idIn(seat);
}

/** Writes over the name of the tool: a click selects all of a tool's name, three clicks select any text. */
async function writeTool(seat: Seat, text: string, count = 3): Promise<void> {
  await seat.click('aria/Tool[role="combobox"]', { count });
  await seat.tab.keyboard.type(text);
}

describe("an incoming webhook", () => {
  test("is made, gets an address with its key, and is tried; others see it at once", async () => {
    const mel = await w.visit("mel", bots);
    await mel.sees("No bots");
    const gull = await make(mel, "Gull", "Incoming webhook");
    await witness.sees("Gull");
    expect(await w.ask("olive", ["GET", `/users/${gull}`])).toMatchObject({
      user: { full_name: "Gull", email: "gull-bot@localhost", bot_owner_id: idOf("mel"), bot_type: 2 },
    });
    await mel.sees("Settings, Webhooks, Add webhook");
    await writeTool(mel, "no such tool");
    await mel.sees("No tool has this name.");
    await writeTool(mel, "nag");
    await mel.click('aria/Nagios, Icinga or Naemon[role="option"]');
    await mel.sees("define command");
    await mel.press("Tab");
    await writeTool(mel, "alertma", 1);
    await mel.tab.keyboard.press("Enter");
    await mel.sees("webhook_configs");
    await chooseOption(mel, "Channel", "#harbour");
    await fill(mel, "Topic", "alarms");
    const shown = "[...document.querySelectorAll('code')].map((one) => one.innerText)";
    const [key, address] = (await mel.tab.evaluate(shown)) as [string, string];
    expect(address).toBe(
      `${w.server.url}/api/v1/external/alertmanager?api_key=${key}&stream=${harbour}&topic=alarms`,
    );
    const alert = { status: "firing", alerts: [{ status: "firing", labels: { alertname: "Disk" } }] };
    expect((await fetch(address, { method: "POST", body: JSON.stringify(alert) })).status).toBe(200);

    await pressButton(mel, "Send a test event");
    await mel.sees("Sent. See the message");
    await mel.until("document.querySelectorAll('ul[aria-label=\"Last calls\"] li').length === 2");
    const calls = "document.querySelector('ul[aria-label=\"Last calls\"]').innerText";
    expect(await mel.tab.evaluate(calls)).toMatch(/Test\s*Sent[\s\S]*alertmanager: firing\s*Sent/);
    expect(await faultsOf(mel.page)).toEqual([]);
    const audit = await audited(gull);
    expect(audit).toContain("bot_test_event_sent");

    await mel.click('aria/See the message[role="link"]');
    await mel.sees("Test event");
    await mel.go(`${bots}/${gull}`);
    await mel.sees("In the place of KEY comes the bot’s API key.");
    expect(await mel.tab.evaluate("document.body.innerText")).not.toContain(key);
  });

  test("says why a tool was refused, and demands signatures on request", async () => {
    const made = await w.ask("mel", ["POST", "/bots"], { full_name: "Auk", short_name: "auk", bot_type: 2 });
    const path = `/api/v1/external/json?api_key=${made.api_key}&stream=nowhere`;
    await fetch(`${w.server.url}${path}`, { method: "POST", body: "{}" });
    const mel = await w.visit("mel", `${bots}/${made.user_id}`, phone);
    await mel.sees("Refused");
    await mel.sees("Channel 'nowhere' does not exist");
    expect(await mel.page.overflow()).toBe(0);
    expect(await faultsOf(mel.page)).toEqual([]);

    const secret = `/bots/${made.user_id}/webhook_secret`;
    await pressButton(mel, "Require signatures …");
    await mel.tab.waitForSelector("[role=dialog]");
    await fill(mel, "Secret", "short");
    await mel.click("[role=dialog] button[type=submit]");
    await mel.sees("A secret has at least 16 characters.");
    await fill(mel, "Secret", "as-the-tool-made-it");
    await mel.click("[role=dialog] button[type=submit]");
    await mel.sees("Enter this secret at the tool, too. It is not shown again.");
    expect((await w.ask("mel", ["GET", secret])).is_set).toBe(true);
    await mel.until(noDialog);
    expect(await faultsOf(mel.page)).toEqual([]);
    expect(await mel.page.overflow()).toBe(0);
    const unsigned = path.replace("json", "github");
    expect((await fetch(`${w.server.url}${unsigned}`, { method: "POST", body: "{}" })).status).toBe(403);
    // By itself.
    await mel.sees("The signature is wrong");
    await w.ask("olive", ["DELETE", secret]);
    await mel.sees("Tools need not sign their events");
    expect(await audited(made.user_id as number)).toContain("bot_webhook_secret_removed");
  });
});

describe("a template", () => {
  test("is tried on what was posted, saved, and removed", async () => {
    const made = await w.ask("mel", ["POST", "/bots"], { full_name: "Own", short_name: "own", bot_type: 2 });
    const mel = await w.sit("mel", `${bots}/${made.user_id}`, phone);
    await mel.sees("Nothing was posted to it in the last 24 hours.");
    const path = `/api/v1/external/json?api_key=${made.api_key}&stream=harbour`;
    const built = { build: { name: "engine", url: "https://ci.example.com/builds/7" }, state: "failed" };
    const post = () => fetch(`${w.server.url}${path}`, { method: "POST", body: JSON.stringify(built) });
    await post();
    // By itself.
    await mel.sees("What was posted");
    await fill(
      mel,
      "Template of the message",
      "**{{build.name}}** is {{state}}, says {{by.name | nobody}}: [log]({{build.url}})",
    );
    await pressButton(mel, "Try the template");
    await mel.sees("engine is failed, says nobody: log");
    await mel.sees("Absent there: by.name.");
    await mel.click("summary");
    await mel.sees('"state": "failed"');
    expect(await faultsOf(mel.page)).toEqual([]);
    expect(await mel.page.overflow()).toBe(0);
    await fill(mel, "Template of the topic", "{{build.name");
    await pressButton(mel, "Save the template");
    await mel.sees("In the template, a pair of braces is not closed.");
    await fill(mel, "Template of the topic", "{{build.name}}");
    await pressButton(mel, "Save the template");
    await mel.sees("Remove the template …");
    expect(await w.ask("mel", ["GET", `/bots/${made.user_id}/webhook_template`])).toMatchObject({
      template: { topic: "{{build.name}}" },
    });
    await pressButton(mel, "Remove the template …");
    await mel.tab.waitForSelector("[role=dialog]");
    await mel.click("[role=dialog] button[type=submit]");
    await mel.until(noDialog);
    expect((await w.ask("mel", ["GET", `/bots/${made.user_id}/webhook_template`])).template).toBeNull();
    await mel.tab.close();
    const olive = await w.sit("olive", `${bots}/${made.user_id}`);
    await olive.sees("Only the owner sees what was posted");
    await olive.tab.close();
  });
});

describe("an outgoing webhook", () => {
  test("is made on a phone, is called, and says why that failed", async () => {
    const mel = await w.visit("mel", bots, phone);
    const tern = await make(mel, "Tern", "Outgoing webhook", "http://127.0.0.1:9/hook");
    await pressButton(mel, "Try a call");
    await mel.sees("127.0.0.1 is in the server's own network, which its operator has not opened");
    await mel.until("/Test\\s*Failed/.test(document.body.innerText)");
    expect(await audited(tern)).toContain("bot_test_call_made");
    await fill(mel, "Address that is called", "ftp://127.0.0.1/");
    await mel.click("form:has(input[type=url]) button[type=submit]");
    await mel.sees("must begin with http:// or https://");
    await fill(mel, "Address that is called", "http://127.0.0.1:9/other");
    await mel.click("form:has(input[type=url]) button[type=submit]");
    await mel.sees("Saved: Address that is called.");
    expect(await mel.page.overflow()).toBe(0);
    expect(await faultsOf(mel.page)).toEqual([]);
    await witness.go(`${bots}/${tern}`);
    await witness.until("document.querySelector('input[type=url]')?.value === 'http://127.0.0.1:9/other'");
  });
});

describe("a bot", () => {
  test("is renamed, gets a new key and an owner, is deactivated and brought back", async () => {
    const made = await w.ask("mel", ["POST", "/bots"], { full_name: "Puffin", short_name: "puffin" });
    const puffin = Number(made.user_id);
    const olive = await w.visit("olive", `${bots}/${puffin}`);
    const mel = await w.visit("mel", `${bots}/${puffin}`);
    await fill(olive, "Name", "Puffin Two");
    await pressButton(olive, "Save");
    await olive.sees("Saved: Name.");
    await mel.sees("Puffin Two");
    const address = async () =>
      ((await w.ask("olive", ["GET", `/users/${puffin}`])).user as { avatar_url: string }).avatar_url;
    const before = await address();
    const file = join(mkdtempSync(join(tmpdir(), "confab-picture-")), "puffin.png");
    writeFileSync(file, png(64, 64));
    const input = await olive.tab.waitForSelector("input[type=file]");
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file);
    const shows = (now: string) =>
      `document.querySelector("main header img")?.src.endsWith(${JSON.stringify(now)})`;
    await until(async () => (await address()) !== before, "the bot gets the picture");
    await mel.until(shows(await address()));
    await pressButton(olive, "Make a new key");
    await olive.sees("Make a new key for Puffin Two?");
    await olive.click('[role=dialog] button[type="submit"]');
    await olive.sees("Your new key. It is not shown again.");
    await pressButton(olive, "Change the owner …");
    await fill(olive, "New owner", "max");
    await olive.click('ul[aria-label="People found"] button');
    await pressButton(olive, "Change the owner");
    await olive.sees("Puffin Two belongs to Max now.");
    await mel.sees("This bot cannot be shown");
    await pressButton(olive, "Deactivate …");
    await olive.click('[role=dialog] button[type="submit"]');
    await olive.sees("Puffin Two is deactivated.");
    await olive.until(noDialog);
    await pressButton(olive, "Bring back …");
    await olive.click('[role=dialog] button[type="submit"]');
    await olive.sees("Puffin Two is back.");
    expect((await audited(puffin)).slice(0, 6)).toEqual([
      "bot_reactivated",
      "bot_deactivated",
      "bot_owner_changed",
      "bot_key_replaced",
      "bot_avatar_changed",
      "bot_renamed",
    ]);
  });

  test("is among one's own in the settings, and leads to its page", async () => {
    await w.ask("max", ["POST", "/bots"], { full_name: "Kestrel", short_name: "kestrel" });
    const max = await w.visit("max", "#settings/bots");
    await max.sees("Kestrel");
    await max.missed("Gull");
    expect(await faultsOf(max.page)).toEqual([]);
    await max.click('ul[aria-label="Your bots"] a');
    await max.sees("All bots");
  });

  test("of somebody else is shown to administrators alone, and guests make none", async () => {
    const { members } = await w.ask("olive", ["GET", "/users"]);
    const [other] = (members as { user_id: number; bot_owner_id: number | null }[]).filter(
      ({ bot_owner_id }) => bot_owner_id === idOf("mel"),
    );
    const max = await w.visit("max", `${bots}/${other?.user_id}`);
    await max.sees("This bot cannot be shown");
    const gus = await w.visit("gus", bots);
    await gus.sees("You have no bots, and may not make any.");
    expect(await gus.tab.$("table")).toBeNull();
  });
});
