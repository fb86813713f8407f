// The fields of people's profiles in the organization's administration: two administrators, and members who fill them in.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import { holdRequests, isOf } from "../support/web-held.ts";
import {
  chooseOption,
  fill,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let ada: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "mel", "max");
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  [olive, ada] = await Promise.all([w.sit("olive"), w.sit("ada")]);
}, 240_000);
afterAll(() => w.close());

interface Field {
  id: number;
  type: number;
  name: string;
  hint: string;
  field_data: string;
  required: boolean;
}

async function fields(): Promise<Field[]> {
  return (await w.ask("olive", ["GET", "/realm/profile_fields"])).custom_fields as Field[];
}

const named = async (name: string) => (await fields()).find((one) => one.name === name);

async function say(who: string, field: string, value: string): Promise<void> {
  const id = (await named(field))?.id;
  await w.ask(who, ["PATCH", "/users/me/profile_data"], { data: [{ id, value }] });
}

async function saidBy(who: string, field: string): Promise<unknown> {
  const { user } = await w.ask("olive", ["GET", `/users/${w.people[who]?.id}`], {
    include_custom_profile_fields: true,
  });
  const { profile_data } = user as { profile_data: Record<number, { value: string }> };
  return profile_data[(await named(field))?.id ?? 0]?.value;
}

async function audited(): Promise<string[]> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"]);
  return (entries as { event: string }[]).map(({ event }) => event);
}

const submit = (seat: Seat) => seat.click("main form button[type=submit]");
const confirm = async (seat: Seat) => {
  await seat.tab.waitForSelector("[role=dialog]");
  await seat.click("[role=dialog] button[type=submit]");
};

describe("profile fields", () => {
  test("a list of choices is made, and is in the other's list", async () => {
    await Promise.all([olive.go("#organization/profile-fields"), ada.go("#organization/profile-fields")]);
    await ada.sees("No profile fields yet");
    await pressButton(olive, "Add a profile field");
    await chooseOption(olive, "Type", "List of choices");
    await fill(olive, "Label", "Boat");
    await olive.click('aria/People are asked to fill it in[role="checkbox"]');
    await fill(olive, "Choice 1", "Gull");
    await olive.press("Enter");
    await olive.page.find('aria/Choice 2[role="textbox"]');
    await olive.tab.keyboard.type("Tern");
    await pressButton(olive, "Move Tern up");
    await olive.until("document.querySelector('ol input')?.value === 'Tern'");
    expect(await faultsOf(olive.page)).toEqual([]);
    await submit(olive);
    await ada.sees("Boat");
    await ada.sees("List of choices");
    const boat = await named("Boat");
    expect(boat?.required).toBe(true);
    expect(JSON.parse(boat?.field_data ?? "")).toEqual({
      1: { text: "Gull", order: "2" },
      2: { text: "Tern", order: "1" },
    });
    expect(await audited()).toContain("profile_field_added");
    expect(await faultsOf(ada.page)).toEqual([]);
  });

  test("whose label is taken is refused, and the form keeps what was written", async () => {
    await olive.go("#organization/profile-fields/new");
    await fill(olive, "Label", "boat");
    await submit(olive);
    await olive.sees("A field with that label already exists.");
    await fill(olive, "Label", "Team");
    await fill(olive, "Hint", "Where you work");
    await submit(olive);
    await until(async () => (await named("Team"))?.hint === "Where you work", "the field is made");
    await olive.until("location.hash === '#organization/profile-fields'");
  });

  test("an account elsewhere leads there from a card", async () => {
    await olive.go("#organization/profile-fields/new");
    await chooseOption(olive, "Type", "Account elsewhere");
    await chooseOption(olive, "Site", "Another site");
    await fill(olive, "Label", "Forge");
    await fill(olive, "Address of an account", "https://forge.example.com/%(username)s");
    await submit(olive);
    await until(async () => (await named("Forge")) !== undefined, "the field is made");
    await olive.until("location.hash === '#organization/profile-fields'");
    await say("max", "Forge", "max power");
    await olive.go(`#user/${w.people.max?.id}`);
    await olive.tab.waitForSelector('a[href="https://forge.example.com/max%20power"]');
    await olive.press("Escape");
  });

  test("stand in an order that the keyboard changes", async () => {
    await olive.go("#organization/profile-fields");
    await (await olive.page.find('aria/Move Forge up[role="button"]'))?.focus();
    await olive.press("Enter", "Enter");
    await olive.sees("Forge is number 1 of 3 now.");
    expect((await fields()).map(({ name }) => name)).toEqual(["Forge", "Boat", "Team"]);
    await ada.until("document.querySelector('main ol li a')?.textContent === 'Forge'");
  });

  test("a choice that people have made goes after a question that says how many", async () => {
    await say("mel", "Boat", "1");
    await say("max", "Boat", "1");
    await ada.go("#organization/profile-fields");
    await ada.click("main ol li:nth-child(2) a");
    await pressButton(ada, "Remove Gull");
    await pressButton(ada, "Add a choice");
    await ada.tab.keyboard.type("Skua");
    await submit(ada);
    await ada.sees("Remove 1 choice?");
    await ada.sees(/Gull\s+2 people/);
    expect(await faultsOf(ada.page)).toEqual([]);
    expect(await saidBy("mel", "Boat")).toBe("1");
    await confirm(ada);
    await until(async () => (await saidBy("mel", "Boat")) === undefined, "the answer is gone");
    expect(JSON.parse((await named("Boat"))?.field_data ?? "")).toEqual({
      2: { text: "Tern", order: "1" },
      3: { text: "Skua", order: "2" },
    });
    expect(await audited()).toContain("profile_field_changed");
  });

  test("one is deleted after a question that says what is lost", async () => {
    await ada.until("location.hash === '#organization/profile-fields'");
    await pressButton(ada, "Delete Forge");
    await ada.sees("1 person has filled it in: that is deleted for good.");
    expect(await faultsOf(ada.page)).toEqual([]);
    await confirm(ada);
    await until(async () => (await named("Forge")) === undefined, "the field is gone");
    await olive.until(
      "![...document.querySelectorAll('main ol li a')].some((one) => one.textContent === 'Forge')",
    );
    expect(await audited()).toContain("profile_field_removed");
  });

  test("a member is asked for what is missing", async () => {
    const max = await w.sit("max", "#settings/profile");
    await max.sees("Please fill this in.");
    await chooseOption(max, "Boat", "Skua");
    await max.missed("Please fill this in.");
  });

  test("an administrator edits one on a phone", async () => {
    const small = await w.sit("ada", "#organization/profile-fields", {
      width: 360,
      height: 740,
      colours: "dark",
    });
    await small.sees("Boat");
    await small.go(`#organization/profile-fields/${(await named("Boat"))?.id}`);
    await small.page.find('aria/Choice 1[role="textbox"]');
    expect(await small.page.overflow()).toBe(0);
    expect(await faultsOf(small.page)).toEqual([]);
    await small.go("#organization/profile-fields/999");
    await small.sees("There is no such profile field");
  });

  test.each([
    ["a section of its own", "#organization/profile-fields/new", "/realm/profile_fields", submit],
    ["a dialog", "#groups", "/user_groups/create", confirm],
  ] as const)(
    "a form in %s that is left while it is saved leads nowhere later",
    async (_, hash, path, send) => {
      await ada.go(hash);
      if (hash === "#groups") await pressButton(ada, "New group");
      await fill(ada, hash === "#groups" ? "Name" : "Label", "Left alone");
      const held = await holdRequests(ada, (request) => isOf(request, "POST", path));
      await send(ada);
      await held.first;
      await ada.go("#recent");
      await ada.until("document.querySelector('[data-view-title]')?.textContent === 'Recent conversations'");
      const answered = ada.tab.waitForResponse((answer) => isOf(answer.request(), "POST", path));
      await held.release();
      await (await answered).text();
      if (hash !== "#groups") await ada.sees("The profile field is saved.");
      // What follows the answer is done within a task.
      await ada.tab.evaluate("new Promise((done) => setTimeout(done))");
      expect(await ada.tab.evaluate("location.hash")).toBe("#recent");
    },
  );
});
