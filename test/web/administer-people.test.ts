// People in the browser's administration: the table of everybody, a person's page, many at once; by an owner, an administrator and a
// moderator, on a desk and on a phone. Each change is checked through the API, at a second browser and in the audit log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
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
let crew: number;
/** Sees what the others change. */
let witness: Seat;

const phone = { width: 360, height: 740 };
const people = "#organization/people";
const idOf = (name: string) => w.people[name]?.id ?? 0;
const pageOf = (name: string) => `${people}/${idOf(name)}`;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "moss", "mel", "max", "gus", "nora", "pia");
  await w.ask("olive", ["PATCH", `/users/${idOf("ada")}`], { role: 200 });
  await w.ask("olive", ["PATCH", `/users/${idOf("moss")}`], { role: 300 });
  await w.ask("olive", ["PATCH", `/users/${idOf("gus")}`], { role: 600 });
  harbour = await w.channel("harbour", ["olive", "moss"]);
  const group = { name: "crew", description: "", members: [idOf("olive")] };
  crew = Number((await w.ask("olive", ["POST", "/user_groups/create"], group)).group_id);
  await w.ask("mel", ["POST", "/bots"], { full_name: "Gull", short_name: "gull" });
  witness = await w.sit("olive", people);
}, 240_000);
afterAll(() => w.close());

const user = async (name: string) =>
  (await w.ask("olive", ["GET", `/users/${idOf(name)}`])).user as { role: number; [key: string]: unknown };

/** Events of the audit log about somebody, newest first, with who caused them. */
const audited = async (name: string) =>
  (
    (await w.ask("olive", ["GET", "/audit_log"], { about_user_id: String(idOf(name)) })).entries as {
      event: string;
      actor_id: number | null;
    }[]
  ).map(({ event, actor_id }) => [event, actor_id]);

/** What each row says, without the label of its checkbox. */
const rows = (seat: Seat) =>
  seat.tab.$$eval("tbody tr", (all) =>
    all.map((row) =>
      [...row.cells]
        .slice(1)
        .map((cell) => cell.innerText)
        .join("\n"),
    ),
  );
const rowCount = (count: number) => `document.querySelectorAll("tbody tr").length === ${count}`;

async function mark(seat: Seat, ...names: string[]): Promise<void> {
  for (const name of names) await seat.click(`aria/Mark ${name}[role="checkbox"]`);
}

describe("the table of people", () => {
  test("shows an owner who everybody is, and how they sign in", async () => {
    await witness.until(rowCount(8));
    await witness.until('/Password/.test(document.querySelector("tbody").innerText)');
    const shown = await rows(witness);
    expect(shown.map((row) => row.split("\n")[0])).toEqual([
      ...["Ada", "Gus", "Max", "Mel", "Moss", "Nora", "Olive", "Pia"],
    ]);
    expect(shown[0]).toMatch(/Administrator\s+ada@example.com\s+\S.*\d{4}\s+Off\s+Password/);
  });

  test("finds people by name and address, and shows a role, bots or deactivated ones", async () => {
    const seat = await w.visit("ada", people);
    await seat.until(rowCount(8));
    await seat.click('aria/Search this list[role="searchbox"]');
    await seat.tab.keyboard.type("max@");
    await seat.until(rowCount(1));
    await seat.tab.keyboard.type("nowhere");
    await seat.sees("Nothing found");
    await seat.press("Control+A", "Backspace");
    await seat.until(rowCount(8));
    await chooseOption(seat, "Role", "Guest");
    await seat.until(rowCount(1));
    await chooseOption(seat, "Role", "All roles");
    await chooseOption(seat, "Show", "Bots");
    await seat.sees("Gull");
    await chooseOption(seat, "Show", "Active people");
    await seat.click('aria/Role[role="button"]');
    await seat.until('document.querySelector("tbody a")?.innerText === "Olive"');
    await seat.click('aria/Role[role="button"]');
    await seat.until('document.querySelector("tbody a")?.innerText === "Gus"');
    // All were active today: those who are equal stay in the order of their names, also from last to first.
    await seat.click('aria/Last active[role="button"]');
    await seat.until('document.querySelector("[aria-sort=ascending]")?.innerText.includes("Last active")');
    await seat.click('aria/Last active[role="button"]');
    await seat.until('document.querySelector("[aria-sort=descending]")?.innerText.includes("Last active")');
    await seat.until('document.querySelector("tbody a")?.innerText === "Ada"');
  });

  test("is used by keyboard, and is as it was left when one comes back", async () => {
    const seat = await w.visit("ada", people);
    await seat.until(rowCount(8));
    await seat.tab.evaluate("document.querySelector('tbody tr').focus()");
    await seat.press("ArrowDown", "ArrowDown", "Space");
    await seat.sees("1 row marked");
    await seat.press("Shift+ArrowDown", "ArrowUp", "Space");
    await seat.press("Home", "ArrowDown");
    await seat.until("document.activeElement.querySelector('a')?.innerText === 'Gus'");
    await seat.press("Enter");
    await seat.until(`location.hash === ${JSON.stringify(pageOf("gus"))}`);
    await seat.tab.goBack();
    await seat.until(rowCount(8));
  });

  test("is for moderators without what only administrators know, and not for members", async () => {
    const moss = await w.visit("moss", people);
    await moss.until(rowCount(8));
    expect(await moss.tab.evaluate("document.querySelector('table').innerText")).not.toContain("Last active");
    expect(await faultsOf(moss.page)).toEqual([]);
    const mel = await w.visit("mel", people);
    await mel.sees("Only moderators, administrators and owners see this.");
    expect(await mel.tab.$("table")).toBeNull();
    expect(await mel.tab.$$eval("main nav a", (all) => all.map((one) => one.textContent))).not.toContain(
      "People",
    );
    expect(await faultsOf(mel.page)).toEqual([]);
  });
});

describe.each([
  ["at a desk", {}],
  ["on a phone", phone],
])("a person's page, %s", (where, look) => {
  const isPhone = where === "on a phone";

  test("changes a name and a role, and says what it saved; others see it", async () => {
    const ada = await w.visit("ada", pageOf("mel"), look);
    const name = isPhone ? "Melissa" : "Melanie";
    await fill(ada, "Name", name);
    await chooseOption(ada, "Role", isPhone ? "Member" : "Moderator");
    await pressButton(ada, "Save");
    await ada.sees("Saved: Name, Role.");
    expect(await user("mel")).toMatchObject({ full_name: name, role: isPhone ? 400 : 300 });
    await witness.go(people);
    await witness.sees(name);
    expect((await audited("mel")).slice(0, 2)).toEqual([
      ["user_role_changed", idOf("ada")],
      ["user_renamed", idOf("ada")],
    ]);
    expect(await faultsOf(ada.page)).toEqual([]);
    expect(await ada.page.overflow()).toBe(0);
  });

  test("shows what the server refuses at its field", async () => {
    const ada = await w.visit("ada", pageOf("max"), look);
    await fill(ada, "Name", "**");
    await pressButton(ada, "Save");
    await ada.until("document.querySelector('[role=alert]')?.innerText.length > 5");
    await ada.until(
      "document.querySelector('input[aria-invalid]')?.getAttribute('aria-describedby') === document.querySelector('[role=alert]').id",
    );
    expect((await user("max")).full_name).toBe("Max");
    await pressButton(ada, "Take back the changes");
    await ada.until("document.querySelector('[role=alert]') === null");
  });

  test("ends sessions and keys, after a question with their number", async () => {
    const max = await w.sit("max");
    const ada = await w.visit("ada", pageOf("max"), look);
    await pressButton(ada, "Sign them out everywhere …");
    await ada.sees("Sign Max out of 1 browser?");
    expect(await faultsOf(ada.page)).toEqual([]);
    await pressButton(ada, "End all");
    await ada.sees("They are not signed in anywhere.");
    await max.until("document.querySelector('#username') !== null");
    const { sessions } = await w.ask("olive", ["GET", `/users/${idOf("max")}/sessions`]);
    expect(sessions).toEqual([]);
    expect((await audited("max"))[0]).toEqual(["user_sessions_ended", idOf("ada")]);
    await max.tab.close();
  });

  test("deactivates somebody and brings them back", async () => {
    const ada = await w.visit("ada", pageOf("nora"), look);
    await pressButton(ada, "Deactivate …");
    await ada.sees("Deactivate Nora?");
    await ada.sees("Their messages stay.");
    await pressButton(ada, "Deactivate");
    await ada.sees("Nora is deactivated.");
    expect((await user("nora")).is_active).toBe(false);
    expect((await audited("nora"))[0]).toEqual(["user_deactivated", idOf("ada")]);
    await witness.go(people);
    await witness.until(rowCount(7));
    expect(await faultsOf(ada.page)).toEqual([]);
    // On a phone, the notice stands where the question has its buttons.
    await ada.missed("Nora is deactivated.");
    await pressButton(ada, "Bring back …");
    await pressButton(ada, "Bring back");
    await ada.sees("Nora is back.");
    expect((await user("nora")).is_active).toBe(true);
    expect((await audited("nora"))[0]).toEqual(["user_reactivated", idOf("ada")]);
    await witness.until(rowCount(8));
  });

  test("adds somebody to a group and a channel, and removes them", async () => {
    const olive = await w.visit("olive", pageOf("pia"), look);
    const isIn = async () =>
      ((await w.ask("olive", ["GET", `/user_groups/${crew}/members`])).members as number[]).includes(
        idOf("pia"),
      );
    await chooseOption(olive, "Add to a group", "crew");
    await olive.page.find('aria/Remove from crew[role="button"]');
    expect(await isIn()).toBe(true);
    const { entries } = await w.ask("olive", ["GET", "/audit_log"], { event: "group_members_changed" });
    expect((entries as { about: { id: number } }[])[0]?.about.id).toBe(crew);
    await pressButton(olive, "Remove from crew");
    await olive.sees("In no group.");
    expect(await isIn()).toBe(false);
    await chooseOption(olive, "Add to a channel", "#harbour");
    await olive.page.find('aria/Remove from #harbour[role="button"]');
    const isSubscribed = async () =>
      (await w.ask("olive", ["GET", `/users/${idOf("pia")}/subscriptions/${harbour}`])).is_subscribed;
    expect(await isSubscribed()).toBe(true);
    await pressButton(olive, "Remove from #harbour");
    await olive.sees("In no channel that you see.");
    expect(await isSubscribed()).toBe(false);
  });

  test("of an owner is for owners to change, and the only owner stays one", async () => {
    const ada = await w.visit("ada", pageOf("olive"), look);
    await ada.sees("Only owners change the accounts of owners.");
    expect(await ada.tab.$("main form")).toBeNull();
    const olive = await w.visit("olive", pageOf("olive"), look);
    await olive.sees("The organization needs an owner: make somebody else one first.");
    await olive.until("document.querySelector('main form select').disabled");
  });

  test("tells a moderator who changes accounts, and offers what they may do", async () => {
    const moss = await w.visit("moss", pageOf("max"), look);
    await moss.sees("Only administrators and owners change accounts.");
    await moss.page.find('aria/Add to a channel[role="combobox"]');
    expect(await moss.tab.$("main form")).toBeNull();
    expect(await moss.tab.evaluate("document.body.innerText")).not.toContain("Deactivate …");
    expect(await faultsOf(moss.page)).toEqual([]);
  });
});

test("an owner changes a person's address, after showing that it is them", async () => {
  const olive = await w.visit("olive", pageOf("pia"));
  await fill(olive, "Email address", "pia.new@example.com");
  await pressButton(olive, "Save");
  await olive.sees("Saved: Email address.");
  expect((await user("pia")).delivery_email).toBe("pia.new@example.com");
  expect((await audited("pia"))[0]).toEqual(["user_address_changed", idOf("olive")]);
  const ada = await w.visit("ada", pageOf("pia"));
  await ada.sees("Only owners change the addresses of others.");
  await ada.until("document.querySelector('main form input[type=email]').readOnly");
});

test("an address of nobody says so", async () => {
  const ada = await w.visit("ada", `${people}/999999`);
  await ada.sees("This person cannot be shown");
  expect(await faultsOf(ada.page)).toEqual([]);
});

describe.each([
  ["at a desk", {}],
  ["on a phone", phone],
])("many people at once, %s", (where, look) => {
  const isPhone = where === "on a phone";

  async function act(seat: Seat, name: string): Promise<void> {
    if (!isPhone) return pressButton(seat, name);
    await pressButton(seat, "Actions");
    await seat.click(`aria/${name}[role="menuitem"]`);
  }

  test("get a role, after a question with their number and names", async () => {
    const ada = await w.visit("ada", people, look);
    await mark(ada, "Gus", "Max");
    await ada.sees("2 rows marked");
    await act(ada, "Role …");
    await ada.sees("Change the role of 2 people?");
    await chooseOption(ada, "Role", isPhone ? "Guest" : "Moderator");
    expect(await faultsOf(ada.page)).toEqual([]);
    await pressButton(ada, "Change the role");
    await ada.until(noDialog);
    const role = isPhone ? 600 : 300;
    expect([(await user("gus")).role, (await user("max")).role]).toEqual([role, role]);
    expect((await audited("gus"))[0]).toEqual(["user_role_changed", idOf("ada")]);
  });

  test("are listed with the reason where it failed; the others are done", async () => {
    const ada = await w.visit("ada", people, look);
    await mark(ada, "Olive", "Nora");
    await act(ada, "Deactivate …");
    await ada.sees("Deactivate 2 people?");
    await pressButton(ada, "Deactivate");
    await ada.sees("1 of 2 done");
    await ada.sees(/Olive\s+Must be an organization owner/);
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.press("Escape");
    await ada.until(noDialog);
    expect([(await user("olive")).is_active, (await user("nora")).is_active]).toEqual([true, false]);
    await chooseOption(ada, "Show", "Deactivated");
    // Who was marked still is.
    await ada.sees("1 row marked");
    await act(ada, "Bring back …");
    await pressButton(ada, "Bring back");
    await until(async () => (await user("nora")).is_active, "Nora is active");
    // The table would show them to the next test, too.
    await chooseOption(ada, "Show", "Active people");
  });

  test("are deactivated without the person's own account", async () => {
    const ada = await w.visit("ada", people, look);
    await mark(ada, "Ada", "Nora");
    await act(ada, "Deactivate …");
    await ada.sees("Deactivate 1 person?");
  });

  test("are left as they were when it is stopped while the server wants a pause", async () => {
    const ada = await w.sit("ada", people, look);
    await ada.tab.setRequestInterception(true);
    const refusal = { result: "error", msg: "Too many", code: "RATE_LIMIT_HIT", "retry-after": 600 };
    ada.tab.on("request", (request) => {
      if (request.method() !== "DELETE") return void request.continue();
      void request.respond({
        status: 429,
        contentType: "application/json",
        body: JSON.stringify(refusal),
      });
    });
    await mark(ada, "Max", "Nora");
    await act(ada, "Deactivate …");
    const refused = ada.tab.waitForResponse((response) => response.status() === 429);
    await pressButton(ada, "Deactivate");
    await refused;
    await pressButton(ada, "Stop");
    await ada.sees("0 of 2 done 2 are left as they were.");
    await ada.tab.close();
  });

  test("are added to a group and a channel", async () => {
    const olive = await w.visit("olive", people, look);
    await mark(olive, "Gus", "Nora");
    await act(olive, "Add to a group …");
    await chooseOption(olive, "Group", "crew");
    await pressButton(olive, "Add");
    await olive.until(noDialog);
    const { members } = await w.ask("olive", ["GET", `/user_groups/${crew}/members`]);
    expect(members).toEqual(expect.arrayContaining([idOf("gus"), idOf("nora")]));
    await act(olive, "Add to a channel …");
    await chooseOption(olive, "Channel", "#harbour");
    await pressButton(olive, "Add");
    await olive.until(noDialog);
    const { subscribers } = await w.ask("olive", ["GET", `/streams/${harbour}/members`]);
    expect(subscribers).toEqual(expect.arrayContaining([idOf("gus"), idOf("nora")]));
  });
});

test("on a phone the list of sections comes first, and the arrow leads back to it", async () => {
  const ada = await w.visit("ada", "#organization", phone);
  await ada.until("document.querySelector('[data-view-title]')?.textContent === 'Organization'");
  expect(await faultsOf(ada.page)).toEqual([]);
  await ada.click('main nav a[href="#organization/people"]');
  await ada.until("document.querySelector('[data-view-title]')?.textContent === 'People'");
  await ada.until(rowCount(8));
  await ada.click("tbody tr a");
  await ada.until(`location.hash === ${JSON.stringify(pageOf("ada"))}`);
  await pressButton(ada, "Back to the list");
  await ada.until(`location.hash === ${JSON.stringify(people)}`);
  await pressButton(ada, "Back to the list");
  await ada.until("location.hash === '#organization' && document.querySelector('main nav') !== null");
  await ada.tab.goBack();
  await ada.until(rowCount(8));
  expect(await ada.page.overflow()).toBe(0);
});

test("invitations show by whom, and are revoked together", async () => {
  const terms = { invitee_emails: "nils@example.com, nele@example.com", stream_ids: [] };
  await w.ask("ada", ["POST", "/invites"], terms);
  await w.ask("olive", ["POST", "/invites/multiuse"], { invite_as: 600 });
  const olive = await w.visit("olive", "#organization/invitations");
  await olive.until(rowCount(3));
  expect((await rows(olive)).find((row) => row.includes("nils"))).toMatch(/Members\s+Ada/);
  expect(await faultsOf(olive.page)).toEqual([]);
  await mark(olive, "nils@example.com", "nele@example.com");
  await pressButton(olive, "Revoke …");
  await olive.sees("Revoke 2 invitations?");
  await pressButton(olive, "Revoke");
  await olive.until(rowCount(1));
  const { invites } = await w.ask("olive", ["GET", "/invites"]);
  expect(invites).toHaveLength(1);
});
