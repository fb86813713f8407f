// For how long messages are kept, as an owner changes it in the browser, on a desk and on a phone. Each change is checked through the
// API, at a second browser and in the audit log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  chooseOption,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let harbour: number;
/** Sees what the other changes. */
let witness: Seat;

const phone = { width: 360, height: 740, colours: "dark" } as const;
const section = "#organization/retention";

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "otto");
  for (const [name, role] of [
    ["ada", 200],
    ["otto", 100],
  ] as const)
    await w.ask("olive", ["PATCH", `/users/${w.people[name]?.id}`], { role });
  harbour = await w.channel("harbour", ["olive", "ada", "otto"]);
  await w.channel("kitchen", ["olive"]);
  for (const text of ["one", "two", "three"]) await w.post("ada", "harbour", "boats", text);
  await w.post("olive", "kitchen", "soup", "old soup");
  const database = openDatabaseOf(w.data);
  database.run("UPDATE messages SET sent_at = sent_at - 100 * 86400");
  database.close();
  await w.post("ada", "harbour", "boats", "four");
  witness = await w.sit("otto", section);
}, 240_000);
afterAll(() => w.close());

async function change(seat: Seat, channel: string): Promise<void> {
  await seat.click(`aria/More about ${channel}[role="button"]`);
  await seat.click('aria/Change …[role="menuitem"]');
  await seat.sees(`How long messages in #${channel} are kept`);
}

const kept = async () =>
  ((await w.ask("olive", ["GET", `/streams/${harbour}`])).stream as { message_retention_days: number | null })
    .message_retention_days;

const newestEntry = async () =>
  ((await w.ask("olive", ["GET", "/audit_log"], { limit: 1 })).entries as { event: string }[])[0];

describe.each([
  ["at a desk", {}],
  ["on a phone", phone],
])("an owner, %s", (_, look) => {
  test("gives a channel a shorter time, after a count of what goes, and takes it back", async () => {
    const olive = await w.visit("olive", section, look);
    await change(olive, "harbour");
    await olive.sees("This deletes nothing now.");
    await chooseOption(olive, "Kept", "90 days");
    await olive.sees("3 messages are older than 90 days, and are deleted for everyone. The oldest is from");
    expect(await faultsOf(olive.page)).toEqual([]);
    expect(await olive.page.overflow()).toBe(0);
    await pressButton(olive, "Save, and delete");
    await olive.until(noDialog);
    expect(await kept()).toBe(90);
    await olive.sees(/#harbour: kept until .* as before: For ever\./);
    await witness.sees(/#harbour: kept until .* as before: For ever\./);
    await witness.sees("90 days");
    expect(await newestEntry()).toMatchObject({
      event: "channel_retention_changed",
      actor_id: w.people.olive?.id,
    });
    // On a phone, the notice stands where the question has its buttons.
    await olive.missed("Saved: #harbour");
    await change(olive, "harbour");
    await chooseOption(olive, "Kept", "As the organization (For ever)");
    await pressButton(olive, "Save");
    await olive.missed("kept until");
    await witness.missed("kept until");
    expect(await kept()).toBeNull();
  });

  test("writes a number of days, and sees why one is refused", async () => {
    const olive = await w.visit("olive", section, look);
    await pressButton(olive, "Change …");
    await chooseOption(olive, "Kept", "Another number of days");
    await olive.click('aria/Days[role="textbox"]');
    await olive.tab.keyboard.type("0");
    await pressButton(olive, "Save");
    await olive.sees("Write a number of days, from 1 to 36,500.");
    await olive.click('aria/Days[role="textbox"]', { count: 3 });
    await olive.tab.keyboard.type("400");
    await olive.sees("No message is older than 400 days.");
    await pressButton(olive, "Save");
    await olive.until(noDialog);
    await witness.sees("400 days");
    const { realm_message_retention_days: days } = await w.ask("olive", ["POST", "/register"], {
      fetch_event_types: ["realm"],
    });
    expect(days).toBe(400);
    await w.ask("olive", ["PATCH", "/realm"], { message_retention_days: "unlimited" });
    await olive.missed("400 days");
  });
});

test("an owner does not wait, after one more question", async () => {
  await w.ask("olive", ["PATCH", `/streams/${harbour}`], { message_retention_days: 50 });
  const olive = await w.visit("olive", section);
  await pressButton(olive, "Delete now: #harbour");
  await olive.sees("cannot be brought back");
  expect(await faultsOf(olive.page)).toEqual([]);
  await pressButton(olive, "Delete now");
  await olive.until(noDialog);
  await olive.missed("kept until");
  expect(await newestEntry()).toMatchObject({ event: "retention_released" });
});
