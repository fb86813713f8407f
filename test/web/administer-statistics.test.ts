// The statistics of the organization in the browser: for administrators, on a desk and on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { openDatabaseOf } from "../support/database.ts";
import { until } from "../support/waiting.ts";
import { chooseOption, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
const section = "#organization/statistics";
const phone = { width: 360, height: 740, colours: "dark" } as const;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "moss");
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  await w.ask("olive", ["PATCH", `/users/${w.people.moss?.id}`], { role: 300 });
  await until(
    async () => (await w.ask("olive", ["GET", "/statistics"])).counted_at !== null,
    "the server has counted",
  );
  const today = Math.floor(Date.now() / 86_400_000);
  const database = openDatabaseOf(w.data);
  for (let i = 1; i < 60; i++)
    database.run("INSERT INTO daily_messages VALUES (?, ?, ?, ?, ?)", [today - i, 1000 + i, i, 7, 3]);
  database.close();
}, 240_000);
afterAll(() => w.close());

const captions = "[...document.querySelectorAll('figure')].map(({ innerText }) => innerText)";

describe.each([
  ["at a desk", {}],
  ["on a phone", phone],
])("the statistics, %s", (_, look) => {
  test("show messages, people, channels and storage, of as many days as one chooses", async () => {
    const ada = await w.sit("ada", section, look);
    await ada.sees("Counted every hour, last");
    await ada.until(`${captions}.some((text) => /^Messages a day.*At most 1,059$/s.test(text))`);
    await ada.until(`${captions}.some((text) => /^Members and guests\\s+3\\s/.test(text))`);
    await ada.until("document.querySelectorAll('main figure svg polyline').length >= 7");
    await ada.sees("Database");
    expect(await faultsOf(ada.page)).toEqual([]);
    expect(await ada.page.overflow()).toBe(0);
    await chooseOption(ada, "Of the last", "30 days");
    await ada.until(`${captions}.some((text) => /^Messages a day.*At most 1,029$/s.test(text))`);
    await ada.tab.close();
  });
});

test("say when they could not be loaded, and try again", async () => {
  const ada = await w.sit("ada", "#organization/general");
  await ada.tab.setRequestInterception(true);
  let refusals = 1;
  ada.tab.on("request", (request) => {
    if (!request.url().includes("/json/statistics") || refusals-- < 1) return void request.continue();
    const refusal = { result: "error", msg: "The disk is full.", code: "SERVER_NOT_READY" };
    void request.respond({ status: 503, contentType: "application/json", body: JSON.stringify(refusal) });
  });
  await ada.go(section);
  await ada.sees("The disk is full.");
  expect(await faultsOf(ada.page)).toEqual([]);
  await ada.click('aria/Try again[role="button"]');
  await ada.sees("Messages a day");
  await ada.tab.close();
});

test("are not a moderator's", async () => {
  const moss = await w.sit("moss", section);
  await moss.sees("Only administrators and owners may use this.");
  await moss.tab.close();
});
