// Who may join, where new people start, and how people sign in: an owner and an administrator in the browser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import {
  chooseOption,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let ada: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "mel");
  await w.channel("harbour", ["olive", "ada", "mel"]);
  await w.channel("cove", ["olive"], { invite_only: true });
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  [olive, ada] = await Promise.all([w.sit("olive"), w.sit("ada")]);
}, 240_000);
afterAll(() => w.close());

async function type(seat: Seat, label: string, text: string): Promise<void> {
  await seat.click(`aria/${label}[role="textbox"]`);
  await seat.tab.keyboard.type(text);
}

async function domains(): Promise<unknown> {
  return (await w.ask("olive", ["GET", "/realm/domains"])).domains;
}

async function started(name: string): Promise<unknown> {
  return (await w.ask("olive", ["POST", "/register"], { fetch_event_types: ["default_streams"] }))[name];
}

async function audited(event: string): Promise<boolean> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"]);
  return (entries as { event: string }[]).some((one) => one.event === event);
}

describe("the domains of those who join", () => {
  test("are named by an owner, and an administrator sees it at once", async () => {
    await Promise.all([olive.go("#organization/joining"), ada.go("#organization/joining")]);
    await ada.sees("No domain is named.");
    await olive.page.find('aria/Domain[role="textbox"]');
    await type(olive, "Domain", "no domain");
    await olive.press("Enter");
    await olive.sees("Enter a domain, such as example.com.");
    await olive.click('aria/Domain[role="textbox"]', { count: 3 });
    await olive.tab.keyboard.type("Harbour.example");
    await olive.press("Enter");
    await ada.sees("harbour.example");
    expect(await domains()).toEqual([{ domain: "harbour.example", allow_subdomains: false }]);
    expect(await audited("domain_added")).toBe(true);
    await olive.click('aria/Subdomains of harbour.example, too[role="switch"]');
    await ada.until("document.querySelector('li [role=switch]')?.checked");
    expect(await domains()).toEqual([{ domain: "harbour.example", allow_subdomains: true }]);
    expect(await audited("domain_changed")).toBe(true);
    expect(await ada.tab.$('aria/Domain[role="textbox"]')).toBeNull();
    expect(await ada.tab.$eval("li [role=switch]", (one) => (one as HTMLInputElement).disabled)).toBe(true);
    expect(await faultsOf(olive.page)).toEqual([]);
  });

  test("say what goes with the last one before it is removed", async () => {
    await olive.click('aria/Only addresses of the listed domains may join[role="switch"]');
    await olive.sees("Only people with addresses of these domains may join.");
    await pressButton(olive, "Remove harbour.example");
    await olive.sees("It is the last one: without it, addresses of all domains may join.");
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.tab.waitForSelector("[role=dialog]");
    await olive.click("[role=dialog] button[type=submit]");
    await ada.missed("harbour.example");
    expect(await domains()).toEqual([]);
    expect(await audited("domain_removed")).toBe(true);
    await olive.sees("Addresses of all domains may join.");
  });
});

describe("the channels of new people", () => {
  test("are chosen by an administrator, of those that everybody may read", async () => {
    await ada.go("#organization/joining");
    await chooseOption(ada, "Channel", "harbour");
    expect(
      await ada.tab.$eval('aria/Channel[role="combobox"]', (one) => (one as HTMLElement).innerText),
    ).not.toContain("cove");
    await ada.click("form:has(select) button[type=submit]");
    await olive.page.find('aria/Remove harbour[role="button"]');
    expect(await audited("channel_made_default")).toBe(true);
    const chosen = (await started("realm_default_streams")) as number[];
    await pressButton(olive, "Remove harbour");
    await ada.until("document.querySelector('[aria-label=\"Remove harbour\"]') === null");
    expect((await started("realm_default_streams")) as number[]).toHaveLength(chosen.length - 1);
    expect(await audited("channel_made_not_default")).toBe(true);
    expect(await faultsOf(ada.page)).toEqual([]);
  });
});

describe("groups of channels for new people", () => {
  test("are made, changed and deleted, and the other administrator sees it", async () => {
    await olive.go("#organization/joining");
    await pressButton(ada, "Add a group of channels");
    await ada.tab.waitForSelector("[role=dialog]");
    await type(ada, "Name", "Crew");
    await type(ada, "Description", "Who sails");
    await chooseOption(ada, "Add a channel", "harbour");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click("[role=dialog] button[type=submit]");
    await olive.page.find('aria/Edit Crew[role="button"]');
    const groups = async () =>
      (await w.ask("olive", ["POST", "/register"], { fetch_event_types: ["default_stream_groups"] }))
        .realm_default_stream_groups as { name: string; description: string; streams: number[] }[];
    expect(await groups()).toMatchObject([{ name: "Crew", description: "Who sails" }]);
    expect((await groups())[0]?.streams).toHaveLength(1);
    expect(await audited("default_channel_group_created")).toBe(true);
    await pressButton(olive, "Edit Crew");
    await olive.tab.waitForSelector("[role=dialog]");
    await olive.click('aria/Name[role="textbox"]', { count: 3 });
    await olive.tab.keyboard.type("Sailors");
    await olive.click('[role=dialog] [aria-label="Remove harbour"]');
    await olive.click("[role=dialog] button[type=submit]");
    await ada.page.find('aria/Delete Sailors[role="button"]');
    await until(async () => (await groups())[0]?.streams.length === 0, "the channel is out");
    expect(await audited("default_channel_group_changed")).toBe(true);
    expect(await audited("default_channel_group_channels_removed")).toBe(true);
    await pressButton(ada, "Delete Sailors");
    await ada.sees("The channels stay");
    await ada.click("[role=dialog] button[type=submit]");
    await until(async () => (await groups()).length === 0, "the group is gone");
    expect(await audited("default_channel_group_deleted")).toBe(true);
  });
});
