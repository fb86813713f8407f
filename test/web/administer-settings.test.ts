// The organization's settings in the browser: an owner, an administrator and a member, each with what they may do.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import german from "@/text/language/de.json";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import { chooseOption, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let ada: Seat;
let phone: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "mel", "max");
  await w.channel("harbour", ["olive", "ada", "mel", "max"]);
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  [olive, ada, phone] = await Promise.all([
    w.sit("olive"),
    w.sit("ada"),
    w.sit("mel", "", { width: 360, height: 740 }),
  ]);
}, 240_000);
afterAll(() => w.close());

const combobox = (seat: Seat, label: string) => seat.page.find(`aria/${label}[role="combobox"]`);

const isDisabled = async (seat: Seat, label: string) =>
  (await combobox(seat, label))?.evaluate((select) => (select as HTMLSelectElement).disabled);

/** A part of what a client starts with, as the organization's owner gets it. */
async function started(name: string): Promise<unknown> {
  const state = await w.ask("olive", ["POST", "/register"], {
    fetch_event_types: ["realm", "realm_user_settings_defaults"],
  });
  return state[name];
}

async function audited(event: string): Promise<unknown> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"]);
  return (entries as { event: string }[]).find((one) => one.event === event);
}

describe("a setting of the organization", () => {
  test("is changed by an administrator, and takes effect in another browser", async () => {
    await w.post("mel", "harbour", "lunch", "fish at noon");
    await ada.go("#organization/messages");
    await chooseOption(ada, "How long a message may be edited", "1 minute");
    await ada.sees("Saved: How long a message may be edited.");
    expect(await started("realm_message_content_edit_limit_seconds")).toBe(60);
    expect(await audited("realm_changed")).toBeDefined();
    await olive.go("#organization/messages");
    const shown = await combobox(olive, "How long a message may be edited");
    await until(
      () =>
        shown?.evaluate(
          (select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent === "1 minute",
        ),
      "the owner's page shows it",
    );
    await chooseOption(olive, "How long a message may be edited", "No limit");
    await until(
      async () => (await started("realm_message_content_edit_limit_seconds")) === null,
      "the server has no limit",
    );
    expect(await faultsOf(ada.page)).toEqual([]);
  });

  test("that is a text is saved by its button, and says what the server refuses", async () => {
    await ada.go("#organization/messages");
    const address = 'aria/Address of the Jitsi server[role="textbox"]';
    await ada.click(address, { count: 3 });
    await ada.tab.keyboard.type("meet");
    await ada.click('aria/Save[role="button"]');
    await ada.sees("must begin with https:// or http://");
    expect(await started("realm_jitsi_server_url")).toBeNull();
    await ada.click(address, { count: 3 });
    await ada.tab.keyboard.type("https://meet.example.com");
    await ada.click('aria/Save[role="button"]');
    await until(
      async () => (await started("realm_jitsi_server_url")) === "https://meet.example.com",
      "the server has the address",
    );
    await ada.click(address, { count: 3 });
    await ada.press("Backspace");
    await ada.click('aria/Save[role="button"]');
    await until(async () => (await started("realm_jitsi_server_url")) === null, "the address is gone");
  });

  test("that one administrator writes stays there when another one saves it", async () => {
    await ada.go("#organization/messages");
    const address = 'aria/Address of the Jitsi server[role="textbox"]';
    await ada.click(address, { count: 3 });
    await ada.tab.keyboard.type("https://half");
    // Events come in order: with the second one, the first has come.
    await w.ask("olive", ["PATCH", "/realm"], { jitsi_server_url: "https://other.example.com" });
    await w.ask("olive", ["PATCH", "/realm"], { name: "Upper Harbour" });
    await ada.sees("Upper Harbour");
    await ada.tab.keyboard.type(".example.com");
    await ada.click('aria/Save[role="button"]');
    await until(
      async () => (await started("realm_jitsi_server_url")) === "https://half.example.com",
      "the server has what was written",
    );
    await w.ask("olive", ["PATCH", "/realm"], { name: "Harbour" });
  });

  test("that is the owners' is shown to an administrator, and says so", async () => {
    await ada.go("#organization/joining");
    await ada.sees("Only owners can change this.");
    const invited = 'aria/Only people who are invited may join[role="switch"]';
    expect(await ada.tab.$eval(invited, (one) => (one as HTMLInputElement).disabled)).toBe(true);
    await olive.go("#organization/joining");
    await olive.click(invited);
    await until(async () => (await started("realm_invite_required")) === false, "everybody may join");
    await ada.until(
      "[...document.querySelectorAll('[role=switch]')].some((one) => one.disabled && !one.checked)",
    );
    expect(await faultsOf(olive.page)).toEqual([]);
  });

  test("names a channel", async () => {
    await olive.go("#organization/notices");
    await chooseOption(olive, "Channel that announces new people", "harbour");
    await until(
      async () => Number(await started("realm_signup_announcements_stream_id")) > 0,
      "the server knows the channel",
    );
  });

  test("is no section of a member, and a link to it says who may", async () => {
    await phone.go("#organization");
    await phone.sees("Permissions");
    expect(await phone.tab.evaluate("document.querySelector('main').innerText")).not.toContain("Joining");
    await phone.go("#organization/messages");
    await phone.sees("Only administrators and owners may use this.");
    expect(await faultsOf(phone.page)).toEqual([]);
  });
});

describe("a permission", () => {
  test("shows whom it covers, who gains and who loses it, before it is saved", async () => {
    await ada.go("#organization/permissions");
    await chooseOption(ada, "Create public channels", "Administrators and owners");
    await ada.sees("2 people will have it.");
    await ada.sees(/Loses it: Max.*Mel/);
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click('aria/Take back the changes[role="button"]');
    await ada.missed("2 people will have it.");
    await chooseOption(ada, "Create public channels", "Administrators and owners");
    await ada.click('aria/Save[role="button"]');
    await ada.sees("Saved: Create public channels.");
    await phone.go("#organization/permissions");
    await phone.sees("Only administrators can change this.");
    const field = await combobox(phone, "Create public channels");
    await until(
      () =>
        field?.evaluate(
          (select) =>
            (select as HTMLSelectElement).selectedOptions[0]?.textContent === "Administrators and owners",
        ),
      "the member's page shows it",
    );
    expect(await isDisabled(phone, "Create public channels")).toBe(true);
    expect(await phone.page.overflow()).toBe(0);
    await expect(
      w.ask("mel", ["POST", "/channels/create"], { name: "quay", subscribers: [] }),
    ).rejects.toThrow();
  });

  test("is given to several people and groups by name", async () => {
    await ada.go("#organization/permissions");
    await chooseOption(ada, "Create private channels", "Several people and groups …");
    await ada.tab.waitForSelector("[role=dialog]");
    await ada.click('aria/Remove Members, not guests[role="button"]');
    await chooseOption(ada, "Add a group", "Administrators and owners");
    await ada.click('aria/Add people[role="textbox"]');
    await ada.tab.keyboard.type("mel");
    await ada.press("Enter");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click('aria/Choose[role="button"]');
    await ada.sees("3 people will have it.");
    await ada.sees("Loses it: Max");
    await ada.click('aria/Save[role="button"]');
    await ada.sees("Saved: Create private channels.");
    const value = (await started("realm_can_create_private_channel_group")) as { direct_members: number[] };
    expect(value.direct_members).toEqual([w.people.mel?.id ?? 0]);
    await w.ask("mel", ["POST", "/channels/create"], { name: "cove", subscribers: [], invite_only: true });
    await expect(
      w.ask("max", ["POST", "/channels/create"], { name: "reef", subscribers: [], invite_only: true }),
    ).rejects.toThrow();
  });

  test("that is the owners' cannot be given by an administrator", async () => {
    await ada.go("#organization/permissions");
    expect(await isDisabled(ada, "Create groups")).toBe(true);
    await olive.go("#organization/permissions");
    expect(await isDisabled(olive, "Create groups")).toBe(false);
  });
});

describe("what new people start with", () => {
  test("is chosen by an administrator, and changes nobody who is here", async () => {
    await ada.go("#organization/start");
    await chooseOption(ada, "Theme", "Dark");
    await ada.sees("Saved: Theme.");
    const defaults = (await started("realm_user_settings_defaults")) as { color_scheme: number };
    expect(defaults.color_scheme).toBe(2);
    expect(await ada.tab.evaluate("document.documentElement.dataset.theme")).not.toBe("dark");
    expect(await faultsOf(ada.page)).toEqual([]);
    expect(await ada.tab.$('aria/Language[role="combobox"]')).toBeNull();
  });
});

test("settings and permissions are in the reader's language", async () => {
  await w.ask("ada", ["PATCH", "/settings"], { default_language: "de" });
  await ada.tab.reload();
  await ada.go("#organization/messages");
  await ada.sees(german["How long a message may be edited"]);
  await ada.sees(german["All|versions"]);
  await ada.go("#organization/permissions");
  await ada.sees(german["Create public channels"]);
  await ada.go("#settings/appearance");
  await ada.sees(german["Space between lines"]);
});
