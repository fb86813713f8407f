// What owners see of the server in the browser, and who is refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { openDatabaseOf } from "../support/database.ts";
import { chooseOption, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "ada");
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  olive = await w.sit("olive", "#organization/server");
}, 240_000);
afterAll(() => w.close());

describe("the server", () => {
  test("says what it is doing, and checks itself", async () => {
    await olive.sees("Free disk space");
    await olive.sees("None was made on this machine");
    await olive.sees("This server sends no mail");
    await olive.sees("Data folder");
    await olive.sees(/Confab \d+\.\d+\.\d+, schema \d+/);
    await olive.click('aria/Look again[role="button"]');
    await olive.until("document.querySelector('main [aria-busy=true]') === null");
    await olive.sees("Data folder");
    expect(await faultsOf(olive.page)).toEqual([]);
  });

  test("shows its log, as far back and as much as is asked for", async () => {
    await chooseOption(olive, "What it shows", "Everything");
    await olive.sees("operation=");
    await chooseOption(olive, "What it shows", "Errors");
    await olive.sees("Nothing of this kind has happened since the server was started.");
  });

  test("says that scheduled backups fail, and why, also on a phone", async () => {
    const database = openDatabaseOf(w.data);
    const reason = "There is no folder /mnt/backups/confab-store-of-the-second-disk; create it";
    const failed = JSON.stringify({ count: 3, at: 1_764_331_200, reason });
    database.run("INSERT INTO settings (scope, owner_id, name, value) VALUES ('backups', 0, 'failed', ?)", [
      failed,
    ]);
    database.close();
    for (const look of [{}, { width: 360, height: 740, colours: "dark" as const }]) {
      const seat = await w.sit("olive", "#organization/server", look);
      await seat.sees("Scheduled backups");
      await seat.sees(`The last 3 failed: ${reason}`);
      expect(await seat.page.overflow()).toBe(0);
    }
  });

  test("is the owners' alone, whose link another one follows", async () => {
    const ada = await w.sit("ada", "#organization/server", { width: 360, height: 740 });
    await ada.sees("Only owners see the server.");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.go("#organization");
    await ada.sees("Permissions");
    expect(await ada.tab.evaluate("document.querySelector('main').innerText")).not.toContain("Server");
  });

  test("fits a phone", async () => {
    const phone = await w.sit("olive", "#organization/server", { width: 360, height: 740, colours: "dark" });
    await phone.sees("Data folder");
    expect(await phone.page.overflow()).toBe(0);
    expect(await faultsOf(phone.page)).toEqual([]);
  });
});
