// What owners see of the server and of all files in the browser, and administrators of its statistics, on a desk and on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HTTPRequest } from "puppeteer-core";
import { clusterState, type KnownNode, type NodeState } from "@/operations/nodes/schema.ts";
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

describe("the nodes", () => {
  const now = Math.floor(Date.now() / 1000);
  const node = (name: string, how: Partial<KnownNode & NodeState> = {}) => {
    const { lag = 0, state, ...more } = how;
    const report = { node: name, url: "", version: "1", leads: false, is_draining: false, position: 9 };
    return {
      ...{ node: name, url: "", last_seen: now - 7_200, position: 9, lag },
      state: state === null ? null : { ...report, clock_ms: now * 1000, free_bytes: 1, ...more },
    };
  };
  const answer = clusterState.parse({
    ...{ cluster: "crew", leader: "anchor", asked: "anchor", newest: 9 },
    nodes: [
      node("anchor", { leads: true }),
      node("buoy"),
      node("cable", { lag: 12 }),
      node("dock", { lag: null }),
      node("eddy", { state: null, lag: null }),
      node("ferry", { is_draining: true }),
      node("gull", { is_waiting: true }),
      node("hull", { is_joining: true }),
    ],
  });

  test.each([
    ["at a desk", {}],
    ["on a phone", phone],
  ])("are listed with what each does, and one that is silent stands out, %s", async (_, look) => {
    const seat = await w.visit("olive", server, look);
    await seat.sees("Free disk space");
    expect(await seat.tab.evaluate("document.querySelector('main').innerText")).not.toContain("Nodes");
    await seat.tab.setRequestInterception(true);
    const respond = (request: HTTPRequest) =>
      void (new URL(request.url()).pathname === "/metrics/nodes"
        ? request.respond({
            contentType: "application/json",
            body: JSON.stringify({ result: "success", msg: "", ...answer }),
          })
        : request.continue());
    seat.tab.on("request", respond);
    await seat.go("#organization/general");
    await seat.go(server);
    for (const [name, does] of [
      ["anchor", "leads"],
      ["buoy", "up to date"],
      ["cable", "12 changes behind"],
      ["dock", "it is not known how far behind"],
      ["eddy", "not seen for 2 hours"],
      ["ferry", "hands its work to the others"],
      ["gull", "waits for the others to be updated"],
      ["hull", "gets a copy of the data"],
    ] as const)
      await seat.sees(new RegExp(`${name}\\s+${does}`));
    expect(await faultsOf(seat.page)).toEqual([]);
    expect(await seat.page.overflow()).toBe(0);
    seat.tab.off("request", respond);
    await seat.tab.setRequestInterception(false);
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

/** 60 files of Olive and one of Ada, which is the largest; all old enough to be deleted. */
function addFiles(): void {
  const database = openDatabaseOf(w.data);
  const add = database.query(
    "INSERT INTO attachments (owner_id, file, path_id, name, size, content_type, uploaded_at) " +
      "VALUES (?, ?, ?, ?, ?, 'text/plain', unixepoch() - 8640000)",
  );
  const insert = (owner: string, name: string, size: number) => {
    const tag = crypto.randomUUID().replaceAll("-", "");
    add.run(w.people[owner]?.id ?? 0, tag, tag, name, size);
  };
  for (let i = 1; i <= 60; i++) insert("olive", `notes-${i}.txt`, i * 1000);
  insert("ada", "film.mp4", 90_000_000);
  database.run("UPDATE upload_space SET used = (SELECT SUM(size) FROM attachments)");
  database.close();
}

const rows = "[...document.querySelectorAll('main tr')].map(({ innerText }) => innerText)";

test.each([
  ["at a desk", {}],
  ["on a phone", phone],
])(
  "the files: the largest, whose they are, and those that nobody links to, which an owner deletes, %s",
  async (_, look) => {
    addFiles();
    const owner = await w.visit("olive", "#organization/files", look);
    await owner.sees("All files together: 91.8 MB.");
    await owner.until(`${rows}.some((text) => /film\\.mp4[^]*In no message[^]*90 MB[^]*Ada/.test(text))`);
    expect(await faultsOf(owner.page)).toEqual([]);
    expect(await owner.page.overflow()).toBe(0);
    await pressButton(owner, "Show more files");
    await owner.until(
      "![...document.querySelectorAll('main button')].some((one) => one.innerText === 'Show more files')",
    );

    await chooseOption(owner, "Show", "Whose files they are");
    await owner.until(`${rows}.some((text) => /Olive[^]*60[^]*1\\.8 MB/.test(text))`);
    await owner.click('aria/Ada[role="link"]');
    await owner.until("location.hash.startsWith('#organization/files/')");
    await owner.until(`${rows}.filter((text) => /\\.(txt|mp4)/.test(text)).length === 1`);
    await owner.click('main p a[href="#organization/files"]');

    await chooseOption(owner, "Show", "Files that nobody links to");
    await owner.sees("61 files, 91.8 MB: no message links to them");
    await pressButton(owner, "Delete all of them …");
    await owner.sees("Delete 61 files for good?");
    expect(await faultsOf(owner.page)).toEqual([]);
    expect(await owner.page.overflow()).toBe(0);
    await pressButton(owner, "Delete");
    await owner.sees("61 files deleted, 91.8 MB.");
    await owner.sees("No files here");
    await owner.sees("All files together: 0 byte");
  },
);
