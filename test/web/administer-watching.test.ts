// What administrators see in the browser of what was done, and the exports that they make, at a desk and on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import {
  chooseOption,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let ada: Seat;
let olive: Seat;
let harbour: number;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "mel");
  harbour = await w.channel("harbour", ["olive", "ada", "mel"]);
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  await w.ask("ada", ["PATCH", "/realm"], { description: "Boats and gulls" });
  [ada, olive] = await Promise.all([
    w.sit("ada", "#organization/audit"),
    w.sit("olive", "#organization/exports", { width: 360, height: 740, colours: "dark" }),
  ]);
}, 240_000);
afterAll(() => w.close());

const rows = "[...document.querySelectorAll('tr[data-row]')]";

describe("the audit log", () => {
  test("says who did what, with links to whom and what", async () => {
    await ada.sees("Organization changed");
    await ada.until(
      `${rows}.some((row) => /Role changed/.test(row.innerText) && row.innerText.includes("Olive") &&
        row.querySelector('a[href="#user/${w.people.ada?.id}"]') !== null)`,
    );
    await ada.until(`document.querySelector('tr[data-row] a[href^="#channels/${harbour}/"]') !== null`);
    expect(await faultsOf(ada.page)).toEqual([]);
  });

  test("is filtered by kind, person and day", async () => {
    await chooseOption(ada, "What it is about", "Channel");
    await ada.missed("Organization changed");
    await ada.sees("Channel created");
    await chooseOption(ada, "What it is about", "Everything");
    await ada.page.fill('aria/Person[role="textbox"]', "ada");
    await ada.press("Enter");
    await ada.missed("Channel created");
    await ada.sees("Organization changed");
    await chooseOption(ada, "Ada", "What was done to them or theirs");
    await ada.missed("Organization changed");
    await ada.sees("Role changed");
    await ada.click('aria/All people[role="button"]');
    await ada.sees("Channel created");
    await ada.tab.$eval('input[type="date"]', (field) => {
      const input = field as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "2999-01-01");
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await ada.sees("Nothing found");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click('aria/Show everything[role="button"]');
    await ada.sees("Channel created");
  });

  test("opens an entry, whose link leads there again, and back", async () => {
    await ada.tab.evaluate(
      `${rows}.find((row) => row.innerText.includes("Organization changed")).querySelector("a").click()`,
    );
    await ada.sees("Boats and gulls");
    await ada.until("/^#organization\\/audit\\/\\d+$/.test(location.hash)");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.tab.goBack();
    await ada.sees("Channel created");
    await ada.go("#organization/audit/999999");
    await ada.sees("There is no such entry");
  });

  test("shows older entries when asked", async () => {
    for (let i = 0; i < 110; i++) await w.ask("olive", ["PATCH", "/realm"], { description: `Boats ${i}` });
    await ada.go("#organization/general");
    await ada.go("#organization/audit");
    await ada.until("document.querySelector('table[aria-rowcount=\"101\"]') !== null");
    await ada.click('aria/Show older entries[role="button"]');
    const { entries } = await w.ask("ada", ["GET", "/audit_log"], { limit: 1000 });
    await ada.until(
      `document.querySelector('table[aria-rowcount="${(entries as unknown[]).length + 1}"]') !== null`,
    );
    await ada.missed("Show older entries");
  });

  test("leads to the section of what an entry is about, and to a report itself", async () => {
    await w.ask("ada", ["POST", "/realm/filters"], {
      pattern: "#(?P<id>[0-9]+)",
      url_template: "https://example.com/{id}",
    });
    await w.ask("ada", ["POST", "/realm/playgrounds"], {
      name: "Rust",
      pygments_language: "rust",
      url_template: "https://example.com/?code={code}",
    });
    await w.ask("ada", ["POST", "/realm/profile_fields"], { field_type: 1, name: "Boat" });
    await w.ask("ada", ["POST", "/default_stream_groups/create"], {
      group_name: "Crew",
      description: "",
      stream_names: ["harbour"],
    });
    const place = await w.channel("moderation", ["olive"], { invite_only: true });
    await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: place });
    const spam = await w.post("ada", "harbour", "boats", "Buy pills");
    await w.ask("mel", ["POST", `/messages/${spam}/report`], { report_type: "spam" });
    const { reports } = await w.ask("olive", ["GET", "/reports"]);
    const [report] = reports as { id: number }[];
    await w.ask("olive", ["PATCH", `/reports/${report?.id}`], { is_handled: true });
    await ada.go("#organization/general");
    await ada.go("#organization/audit");
    for (const to of ["linkifiers", "playgrounds", "profile-fields", "joining", `reports/${report?.id}`])
      await ada.until(`document.querySelector('tr[data-row] a[href="#organization/${to}"]') !== null`);
  });
});

describe("exports", () => {
  test("are started, downloaded and deleted by an administrator", async () => {
    await ada.go("#organization/exports");
    await ada.sees("No exports yet");
    await ada.click('aria/Start an export[role="button"]');
    await ada.sees("0 of 3 people have agreed to it in their settings.");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click('[role="dialog"] button[type="submit"]');
    await ada.until("document.querySelector('main a[download]') !== null");
    await ada.sees("ready");
    const text = await ada.tab.evaluate(
      "fetch(document.querySelector('main a[download]').href).then((answer) => answer.text())",
    );
    expect(String(text)).toContain("Boats");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.click('main button[aria-label^="Delete the export of"]');
    await ada.sees("Delete this export?");
    await ada.click('[role="dialog"] button[type="submit"]');
    await ada.until("document.querySelector('main a[download]') === null");
    const { exports } = await w.ask("olive", ["GET", "/export/realm"]);
    expect(exports).toMatchObject([
      { export_type: "public", acting_user_id: w.people.ada?.id, deleted_timestamp: expect.any(Number) },
    ]);
  });

  test("with consent are started on a phone, and an administrator hears that one is ready", async () => {
    await olive.go("#organization/exports");
    const agreed = 'aria/Public and agreed private data[role="radio"]';
    await pressButton(olive, "Start an export");
    await olive.click(agreed);
    await olive.click('[role="dialog"] button[type="submit"]');
    await olive.sees("At least one organization owner must allow their private data to be exported.");
    await olive.press("Escape");
    await w.ask("olive", ["PATCH", "/settings"], { allow_private_data_export: true });
    await pressButton(olive, "Start an export");
    await olive.sees("1 of 3 people have agreed to it in their settings.");
    await olive.click(agreed);
    await olive.click('[role="dialog"] button[type="submit"]');
    await ada.sees("Public and agreed private data");
    for (const seat of [ada, olive]) await seat.until("document.querySelector('main a[download]') !== null");
    expect(await olive.page.overflow()).toBe(0);
    const { exports } = await w.ask("olive", ["GET", "/export/realm"]);
    expect((exports as { export_type: string }[]).map((one) => one.export_type)).toContain(
      "full_with_consent",
    );
    const { entries } = await w.ask("olive", ["GET", "/audit_log"], { event: "export_started", limit: 1 });
    expect(entries).toMatchObject([{ actor_id: w.people.olive?.id }]);
  });
});
