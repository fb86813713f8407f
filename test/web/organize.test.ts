// Settings, people and administration in the web client, with two people on the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import {
  fill,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let mel: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("max", "harbour", "lunch", "fish at noon");
  [olive, mel] = await Promise.all([w.sit("olive"), w.sit("mel")]);
});
afterAll(() => w.close());

/** Revokes an invitation by the menu of its row. */
async function revoke(seat: Seat, name: string): Promise<void> {
  await pressButton(seat, `More about ${name}`);
  await seat.click('aria/Revoke …[role="menuitem"]');
  await pressButton(seat, "Revoke");
}

const setting = async (who: string, name: string) =>
  (
    (
      await w.ask(who, ["POST", "/register"], {
        fetch_event_types: ["user_settings"],
        client_capabilities: { notification_settings_null: true, user_settings_object: true },
      })
    ).user_settings as Record<string, unknown>
  )[name];

/** Waits until the server's answer contains it. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await Bun.sleep(20);
}

describe("settings", () => {
  test("the theme changes at once, here and on the server", async () => {
    await mel.go("#settings/appearance");
    const field = await mel.page.find('aria/Theme[role="combobox"]');
    await (field as unknown as { select(value: string): Promise<string[]> }).select("2");
    await mel.until("document.documentElement.dataset.theme === 'dark'");
    await eventually(async () => (await setting("mel", "color_scheme")) === 2);
    expect(await faultsOf(mel.page)).toEqual([]);
    await (field as unknown as { select(value: string): Promise<string[]> }).select("3");
    await mel.until("document.documentElement.dataset.theme === 'light'");
    expect(await faultsOf(mel.page)).toEqual([]);
  });

  test("a switch works by keyboard", async () => {
    await mel.go("#settings/writing");
    await (await mel.page.find('aria/Enter sends[role="switch"]'))?.focus();
    await mel.press("Space");
    await eventually(async () => (await setting("mel", "enter_sends")) === false);
    await mel.press("Space");
    await eventually(async () => (await setting("mel", "enter_sends")) === true);
  });

  test.each(["profile", "account", "notifications", "alert-words", "privacy"])(
    "axe finds nothing in %s",
    async (page) => {
      await mel.go(`#settings/${page}`);
      await mel.tab.waitForSelector(`a[aria-current=page][href="#settings/${page}"]`);
      expect(await faultsOf(mel.page)).toEqual([]);
    },
  );

  test("a new name is seen by others", async () => {
    await mel.go("#settings/profile");
    await fill(mel, "Name", "Melanie");
    await mel.press("Enter");
    await mel.sees("Your name is changed.");
    await eventually(
      async () => (await w.ask("olive", ["GET", `/users/${w.people.mel?.id}`])).user !== undefined,
    );
    await olive.go(`#narrow/dm/${w.people.mel?.id}-x`);
    await olive.until("document.querySelector('[data-view-title]')?.textContent === 'Melanie'");
  });

  test("what a person says of themselves, and their local time, is on their card", async () => {
    await w.ask("olive", ["POST", "/realm/profile_fields"], { name: "Team", field_type: 1 });
    await fill(mel, "Team", "Harbour pilots");
    await mel.press("Tab");
    await w.ask("mel", ["PATCH", "/settings"], { timezone: "Asia/Kathmandu" });
    await olive.tab.emulateTimezone("Europe/Lisbon");
    await olive.go(`#user/${w.people.mel?.id}`);
    await olive.sees("Harbour pilots");
    await olive.sees(/\d:\d\d [AP]M there/);
    await olive.press("Escape");
  });

  test("another session is ended", async () => {
    const other = await w.sit("mel");
    await mel.go("#settings/account");
    await mel.sees("This browser");
    await mel.until(
      "[...document.querySelectorAll('button')].some((b) => b.ariaLabel?.startsWith('Sign out Chrome'))",
    );
    await mel.tab.evaluate(() =>
      document.querySelector<HTMLElement>('button[aria-label^="Sign out Chrome"]')?.click(),
    );
    const isEnded = async () => {
      const { sessions } = await w.ask("mel", ["GET", "/users/me/sessions"]);
      return (sessions as unknown[]).length === 1;
    };
    await eventually(isEnded);
    // It gets the change by an event.
    await other.until("document.querySelector('#username') !== null");
  });

  test("alert words are marked in others' messages", async () => {
    await mel.go("#settings/alert-words");
    await fill(mel, "Word", "gull");
    await mel.press("Enter");
    await mel.until("document.querySelector('[aria-label=\"Remove gull\"]') !== null");
    await w.post("max", "harbour", "boats", "the gull is back");
    await mel.go("#narrow/channel/1-harbour/topic/boats");
    await mel.until("document.querySelector('.alert-word')?.textContent === 'gull'");
  });
});

describe("people", () => {
  test("a card shows a person, by mouse and by keyboard", async () => {
    await mel.go("#narrow/channel/1-harbour/topic/lunch");
    await mel.click("article [data-person]");
    await mel.tab.waitForSelector('[role=dialog][aria-label="Person"] dl');
    await mel.sees("max@example.com");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.press("Escape");
    await mel.until(noDialog);
  });

  test("a status is seen on the card", async () => {
    await w.ask("max", ["POST", "/users/me/status"], {
      status_text: "At sea",
      emoji_name: "boat",
      emoji_code: "26f5",
      reaction_type: "unicode_emoji",
    });
    await mel.click("article [data-person]");
    await mel.sees("At sea");
    await mel.press("Escape");
  });

  test("the person's own status is set by a dialog", async () => {
    await mel.click("nav [aria-label$='you are connected']");
    await mel.click('aria/Set a status[role="menuitem"]');
    await fill(mel, "What are you up to?", "Mending nets");
    await mel.press("Enter");
    const status = async () =>
      (
        (await w.ask("olive", ["GET", `/users/${w.people.mel?.id}/status`])).status as {
          status_text?: string;
        }
      ).status_text;
    await eventually(async () => (await status()) === "Mending nets");
  });
});

describe("organizing", () => {
  test("a channel is created with people, and they find it", async () => {
    await olive.go("#channels");
    await pressButton(olive, "New channel");
    await fill(olive, "Name", "boatyard");
    await fill(olive, "Description", "Where boats are mended");
    await fill(olive, "Add people", "melanie");
    await olive.press("Enter");
    await olive.page.find('aria/Remove Melanie[role="button"]');
    expect(await faultsOf(olive.page)).toEqual([]);
    await pressButton(olive, "Create the channel");
    await olive.until("document.querySelector('[data-view-title]')?.textContent === 'boatyard'");
    await mel.until("document.querySelector('nav').innerText.includes('boatyard')");
  });

  test("a channel's page changes its description, its permissions and its people", async () => {
    const { stream_id } = await w.ask("olive", ["GET", "/get_stream_id"], { stream: "boatyard" });
    await olive.go(`#channels/${stream_id}/boatyard`);
    await fill(olive, "Description", "Where boats are built");
    await pressButton(olive, "Save");
    await olive.sees("Saved: Description.");
    await olive.go(`#channels/${stream_id}/boatyard/permissions`);
    const field = await olive.page.find('aria/May write[role="combobox"]');
    const words = await field?.evaluate(
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.textContent,
    );
    expect(words).toBe("Everyone, guests too");
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.go(`#channels/${stream_id}/boatyard/people`);
    await fill(olive, "Add people", "max");
    await olive.press("Enter");
    await olive.page.find('aria/Remove Max[role="button"]');
    await pressButton(olive, "Remove Max");
    await olive.until("document.querySelector('[aria-label=\"Remove Max\"]') === null");
  });

  test("a channel's page leads to the channel, and offers its settings to those alone who may change them", async () => {
    const { stream_id } = await w.ask("olive", ["GET", "/get_stream_id"], { stream: "boatyard" });
    const offers = (name: string) => mel.tab.$(`aria/${name}`);
    await mel.go(`#channels/${stream_id}/boatyard`);
    await mel.sees("Only those who administer the channel can change this.");
    await mel.sees("Where boats are built");
    await mel.sees("For you alone");
    expect([await offers("Save"), await offers("Archive the channel …")]).toEqual([null, null]);
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.go(`#channels/${stream_id}/boatyard/permissions`);
    const field = await mel.page.find('aria/May write[role="combobox"]');
    expect(await field?.evaluate((select) => (select as HTMLSelectElement).disabled)).toBe(true);
    await mel.go(`#channels/${stream_id}/boatyard/people`);
    await mel.page.find('aria/Add people[role="textbox"]');
    await mel.until("/\\d (people|person)/.test(document.querySelector('main').innerText)");
    expect(await offers("Remove Olive")).toBeNull();
    await pressButton(mel, "Open #boatyard");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'boatyard'");
  });

  test("a group is created, and mentions notify its people", async () => {
    await olive.go("#groups");
    await pressButton(olive, "New group");
    await fill(olive, "Name", "crew");
    await fill(olive, "Add people", "melanie");
    await olive.press("Enter");
    await pressButton(olive, "Create the group");
    await olive.until("document.querySelector('[data-view-title]')?.textContent === 'Group crew'");
    await olive.until(
      "[...document.querySelectorAll('option')].some((one) => one.textContent === 'Group crew')",
    );
    expect(await faultsOf(olive.page)).toEqual([]);
    await w.post("olive", "harbour", "lunch", "@*crew* all aboard");
    await mel.go("#narrow/channel/1-harbour/topic/lunch");
    await mel.until("document.querySelector('.user-group-mention.is-me')?.textContent === '@crew'");
  });

  test("a link invites, and is revoked", async () => {
    await olive.go("#organization/invitations");
    await pressButton(olive, "Make a link");
    await pressButton(olive, "Make the link");
    await olive.sees("A link for anyone");
    expect(await faultsOf(olive.page)).toEqual([]);
    await revoke(olive, "A link for anyone");
    await olive.sees("No open invitations");
  });

  test("people are invited by address, by keyboard, and wrong addresses are shown in the form", async () => {
    await mel.go("#organization/invitations");
    await (await mel.page.find('aria/Invite by address[role="button"]'))?.press("Enter");
    await mel.until("document.activeElement?.tagName === 'TEXTAREA'");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.tab.keyboard.type("nora at example.com");
    await pressButton(mel, "Invite");
    await mel.until("document.querySelector('[role=dialog] [role=alert]')?.innerText.length > 10");
    await fill(mel, "Addresses", "nora@example.com, nils@example.com");
    await mel.press("Tab", "Tab", "Tab", "Tab", "Enter");
    await mel.sees("Invited.");
    await mel.until(noDialog);
    await olive.go("#organization/invitations");
    for (const seat of [mel, olive]) {
      await seat.sees("nora@example.com");
      await seat.sees("nils@example.com");
    }
    await revoke(olive, "nora@example.com");
    await olive.missed("nora@example.com");
    const { invites } = await w.ask("olive", ["GET", "/invites"]);
    expect((invites as { email: string }[]).map(({ email }) => email)).toEqual(["nils@example.com"]);
  });

  test("folders are created, renamed, archived and brought back, and emoji are listed", async () => {
    await olive.go("#organization/folders");
    await fill(olive, "New folder", "Workshops");
    await olive.press("Enter");
    await olive.sees("Workshops");
    await pressButton(olive, "Rename Workshops");
    await fill(olive, "Name", "Courses");
    await olive.click("[role=dialog] button[type=submit]");
    await olive.until(noDialog);
    await pressButton(olive, "Archive Courses");
    await olive.sees("Archived folders");
    expect(await faultsOf(olive.page)).toEqual([]);
    const { channel_folders } = await w.ask("olive", ["GET", "/channel_folders"], { include_archived: true });
    expect(channel_folders).toMatchObject([{ name: "Courses", is_archived: true }]);
    await pressButton(olive, "Bring back Courses");
    await olive.missed("Archived folders");
    await olive.go("#organization/emoji");
    await olive.sees("Add the emoji");
    expect(await faultsOf(olive.page)).toEqual([]);
  });
});

describe("search", () => {
  test("completes operators by keyboard, and marks what it finds", async () => {
    await mel.go("#inbox");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Inbox'");
    await mel.press("/");
    await mel.until("document.activeElement?.getAttribute('aria-label') === 'Search messages'");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.tab.keyboard.type("from:ma");
    await mel.until("document.querySelector('[role=option]')?.innerText.includes('from:Max')");
    await mel.press("Tab");
    await mel.tab.keyboard.type("channel:har");
    await mel.until("document.querySelector('[role=option]')?.innerText.includes('channel:harbour')");
    await mel.press("ArrowDown", "Enter");
    await mel.tab.keyboard.type("fish");
    await mel.press("Enter");
    await mel.until("document.querySelector('article .highlight')?.textContent === 'fish'");
    expect(await mel.tab.evaluate(() => location.hash)).toContain("/search/fish");
    await mel.tab.waitForSelector("search input");
    expect(await mel.tab.$eval("search input", (field) => (field as HTMLInputElement).value)).toBe(
      "from:Max channel:harbour fish",
    );
  });

  test("marks nothing that it finds as read", async () => {
    await w.post("max", "harbour", "market", "swordfish at dawn");
    await mel.go("#narrow/search/swordfish");
    await mel.until("document.querySelector('article .highlight')?.textContent === 'swordfish'");
    expect(await mel.tab.$("[data-unread-line]")).toBeNull();
    await mel.go("#inbox");
    await mel.until("/swordfish at dawn/.test(document.querySelector('main').innerText)");
    await mel.go("#narrow/search/fish");
  });

  test("says nothing of a channel or of mentions that it leaves out", async () => {
    await mel.go("#narrow/-channel/1-harbour/search/fish");
    await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Search'");
    expect(await mel.tab.$("[aria-label='Topics of this channel']")).toBeNull();
    await mel.go("#narrow/-is/mentioned/search/nowhere-to-be-found");
    await mel.until("/Nothing found/.test(document.querySelector('main').innerText)");
    await mel.go("#narrow/search/fish");
  });

  test("shows results in which the keys work", async () => {
    await mel.go("#narrow/search/swordfish");
    await mel.sees("swordfish at dawn");
    await mel.press("Shift+G");
    await mel.until("document.activeElement?.matches('[data-message]')");
    await mel.press("i");
    await mel.until("location.hash === '#inbox'");
    await mel.go("#narrow/search/fish");
  });

  test("says that nothing was found", async () => {
    await mel.click("search input", { count: 3 });
    await mel.tab.keyboard.type("whale");
    await mel.press("Enter");
    await mel.sees("Nothing found");
    expect(await faultsOf(mel.page)).toEqual([]);
  });
});

test("nothing is requested from other sites", () => {
  expect([...olive.strangers, ...mel.strangers]).toEqual([]);
});
