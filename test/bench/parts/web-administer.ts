// The administration in the browser, in a large organization: how soon each of its pages can be used, and how long others wait meanwhile.
import type { Page } from "puppeteer-core";
import { startBrowser } from "../../support/browser.ts";
import { turnsOfServer } from "../../support/stalls/turns.ts";
import type { Part } from "../bench.ts";
import { median } from "../figures.ts";
import { output } from "../processes.ts";
import type { Account } from "../requests.ts";
import { confabCommand, discard, prepare, type Server, startConfab } from "../servers.ts";
import { large } from "../worlds.ts";
import { signedInByLink } from "./web.ts";

export const webAdminister: Part = {
  name: "web-administer",
  async run(bench) {
    const { sizes, add, progress } = bench;
    const prepared = await prepare(large(sizes.hugeUsers, sizes.hugeChannels));
    const { email = "" } = prepared.filled.accounts.at(-1) ?? {};
    await output([...confabCommand, "user", "role", email, "owner", "--data", prepared.folder]);
    const { env, open } = turnsOfServer();
    const server = await startConfab(prepared, env);
    const browser = await startBrowser();
    try {
      const turns = await open();
      const tab = await signedInByLink(browser, server);
      let [slowestFirst, slowest, longest] = [0, 0, 0];
      for (const page of [...(await pagesOf(tab)), ...(await makePages(server))]) {
        const taken: number[] = [];
        const stalls: number[] = [];
        for (let round = 0; round < sizes.rounds; round++) {
          taken.push(await openPage(tab, page));
          await leave(tab);
          // Measuring keeps the server's event loop busy, so that the page has to be timed without it.
          await turns.begin();
          await openPage(tab, page);
          stalls.push(await turns.end());
          await leave(tab);
        }
        // The first time, its script is fetched, too.
        const [first, ms, stall] = [taken[0] ?? 0, median(taken), Math.min(...stalls)];
        progress(
          `${page}: ${first.toFixed(0)}, then ${ms.toFixed(0)} ms, longest stall ${stall.toFixed(0)} ms`,
        );
        slowestFirst = Math.max(slowestFirst, first);
        slowest = Math.max(slowest, ms);
        longest = Math.max(longest, stall);
      }
      turns.close();
      const row = (what: string, confab: number, most: number) =>
        add({ what: `web, administration, ${what}`, unit: "ms", base: null, confab, limit: { most } });
      row("slowest page, the first time", slowestFirst, 1000);
      row("slowest page", slowest, 1000);
      row("longest stall of another request", longest, 50);
    } finally {
      await browser.close();
      await discard(server);
    }
  },
};

const onPage = "document.querySelector('#view [aria-busy=true], main [aria-busy=true]') === null";

/** The addresses of all sections, and of a person's page. */
async function pagesOf(tab: Page): Promise<string[]> {
  await tab.evaluate("location.hash = '#organization'");
  await tab.waitForSelector('a[href^="#organization/"]');
  const found = await tab.evaluate(
    `[...new Set([...document.querySelectorAll('a[href^="#organization/"]')].map((one) => one.getAttribute("href")))]`,
  );
  return [...(found as string[]), "#organization/people/9"];
}

/** The addresses of the permissions of everybody's channel, a group, a bot and a report, which are made for that. */
async function makePages(server: Server): Promise<string[]> {
  const [reporter, owner] = [server.accounts[0], server.accounts.at(-1)] as [Account, Account];
  const ask = async (who: Account, [method, path]: readonly [string, string], params = {}) => {
    const body = new URLSearchParams(
      Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ),
    );
    const headers = { authorization: `Basic ${btoa(`${who.email}:${who.apiKey}`)}` };
    const url = `http://127.0.0.1:${server.port}/api/v1${path}`;
    const answer = await fetch(url, { method, headers, ...(method === "GET" ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const self = Number((await ask(reporter, ["GET", "/users/me"])).user_id);
  const create = async (name: string, more: object) =>
    Number((await ask(owner, ["POST", "/channels/create"], { name, ...more })).id);
  const channel = await create("reported", { subscribers: [self] });
  const moderation = await create("moderation", { subscribers: [], invite_only: true });
  await ask(owner, ["PATCH", "/realm"], { moderation_request_channel_id: moderation });
  const message = { type: "channel", to: channel, topic: "boats", content: "Pills" };
  const { id } = await ask(owner, ["POST", "/messages"], message);
  await ask(reporter, ["POST", `/messages/${id}/report`], { report_type: "spam" });
  const { reports } = await ask(owner, ["GET", "/reports"]);
  const members = Array.from({ length: Math.min(1000, server.accounts.length - 1) }, (_, i) => self + i);
  const group = { name: "crew", description: "", members };
  const { group_id } = await ask(owner, ["POST", "/user_groups/create"], group);
  const { user_id } = await ask(owner, ["POST", "/bots"], { full_name: "Gull", short_name: "gull" });
  return [
    `#channels/${server.channels.everyone}/permissions`,
    `#groups/${group_id}`,
    `#organization/bots/${user_id}`,
    `#organization/reports/${(reports as { id: number }[])[0]?.id}`,
  ];
}

/** Milliseconds from following a link to the page without anything that is still loading. */
async function openPage(tab: Page, page: string): Promise<number> {
  const taken = await tab.evaluate(`new Promise((resolve, reject) => {
    const begin = performance.now();
    location.hash = ${JSON.stringify(page)};
    const look = () => {
      const main = document.querySelector("main");
      const isThere = location.hash.startsWith(${JSON.stringify(page)}) && main && main.innerText.length > 20;
      if (isThere && ${onPage}) resolve(performance.now() - begin);
      else if (performance.now() - begin > 30000) reject(new Error("Not usable after 30 s: " + main?.innerText.slice(0, 200)));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(() => requestAnimationFrame(look));
  })`);
  return Number(taken);
}

async function leave(tab: Page): Promise<void> {
  await tab.evaluate("location.hash = '#inbox'");
  await tab.waitForFunction(
    `document.querySelector('a[href^="#organization/people/"]') === null && ${onPage}`,
  );
}
