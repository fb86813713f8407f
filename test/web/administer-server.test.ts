// What owners see of the server in the browser, and administrators of its statistics, on a desk and on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { openDatabaseOf } from "../support/database.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";
import {
  chooseOption,
  organizationWithMail,
  pressButton,
  type Seat,
  type WebOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let mails: MailServer;
let olive: Seat;

const phone = { width: 360, height: 740, colours: "dark" } as const;
const server = "#organization/server";

beforeAll(async () => {
  mails = await startMailServer();
  w = await organizationWithMail(mails.url, "olive", "ada");
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  await until(
    async () => (await w.ask("olive", ["GET", "/statistics"])).counted_at !== null,
    "the server has counted",
  );
  const today = Math.floor(Date.now() / 86_400_000);
  const database = openDatabaseOf(w.data);
  for (let i = 1; i < 60; i++)
    database.run("INSERT INTO daily_messages VALUES (?, ?, ?, ?, ?)", [today - i, 1000 + i, i, 7, 3]);
  database.close();
  olive = await w.visit("olive", server);
}, 240_000);
afterAll(async () => {
  mails.close();
  await w.close();
});

/** Writes what the schedule of backups would have written. */
function setBackups(name: "last" | "failed", value: object): void {
  const database = openDatabaseOf(w.data);
  database.run("INSERT INTO settings (scope, owner_id, name, value) VALUES ('backups', 0, ?, ?)", [
    name,
    JSON.stringify(value),
  ]);
  database.close();
}

describe("the server", () => {
  test("says what it is doing, and checks itself", async () => {
    await olive.sees("Free disk space");
    await olive.sees("None was made on this machine");
    await olive.sees("Data folder");
    await olive.sees(/Confab \d+\.\d+\.\d+, schema \d+/);
    await olive.click('aria/Look again[role="button"]');
    await olive.until("document.querySelector('main [aria-busy=true]') === null");
    await olive.sees("Data folder");
  });

  test("shows its log, as far back and as much as is asked for", async () => {
    await chooseOption(olive, "What it shows", "Everything");
    await olive.sees("operation=");
    await chooseOption(olive, "What it shows", "Errors");
    await olive.sees("Nothing of this kind has happened since the server was started.");
  });

  test.each([
    ["at a desk", {}],
    ["on a phone", phone],
  ])("sends a test mail, and says why the mail server refuses one, %s", async (_, look) => {
    const seat = await w.visit("olive", server, look);
    const before = mails.taken.length;
    await pressButton(seat, "Send me a test mail");
    await seat.sees("The mail server took a mail to olive@example.com.");
    expect(mails.taken.length).toBe(before + 1);
    mails.refusals.push("550 No such mailbox");
    await pressButton(seat, "Send me a test mail");
    await seat.sees(/The mail server .*550/);
    expect(mails.taken.length).toBe(before + 1);
    expect(await faultsOf(seat.page)).toEqual([]);
    expect(await seat.page.overflow()).toBe(0);
  });

  test("says how old the last backup is, and that scheduled ones fail, and why, also on a phone", async () => {
    const now = Math.floor(Date.now() / 1000);
    setBackups("last", {
      ...{
        backup: "20261125T120000Z",
        last_message_id: 1,
        files: 1,
        created_at: now - 3 * 86_400,
        bytes: 1,
        added_bytes: 1,
      },
      ...{ encrypted: false, place: "/srv/backups", seconds: 1, kept: 1, oldest_at: now - 9 * 86_400 },
    });
    const reason = "There is no folder /mnt/backups/confab-store-of-the-second-disk; create it";
    setBackups("failed", { count: 3, at: 1_764_331_200, reason });
    for (const look of [{}, phone]) {
      const seat = await w.visit("olive", server, look);
      await seat.sees(/Last backup\s+3 days ago/);
      await seat.sees("Scheduled backups");
      await seat.sees(`The last 3 failed: ${reason}`);
      expect(await seat.page.overflow()).toBe(0);
    }
  });
});

const captions = "[...document.querySelectorAll('figure')].map(({ innerText }) => innerText)";

test.each([
  ["at a desk", {}],
  ["on a phone", phone],
])(
  "the statistics show messages, people, channels and storage, of as many days as one chooses, %s",
  async (_, look) => {
    const ada = await w.visit("ada", "#organization/statistics", look);
    await ada.sees("Counted every hour, last");
    await ada.until(`${captions}.some((text) => /^Messages a day.*At most 1,059$/s.test(text))`);
    await ada.until(`${captions}.some((text) => /^Members and guests\\s+2\\s/.test(text))`);
    await ada.until("document.querySelectorAll('main figure svg polyline').length >= 7");
    await ada.sees("Database");
    expect(await faultsOf(ada.page)).toEqual([]);
    expect(await ada.page.overflow()).toBe(0);
    await chooseOption(ada, "Of the last", "30 days");
    await ada.until(`${captions}.some((text) => /^Messages a day.*At most 1,029$/s.test(text))`);
  },
);
