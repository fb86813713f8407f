// The web client in real Chromium where much is unread and much arrives: typing meanwhile, a large inbox, a slow computer.
import type { CDPSession, Page } from "puppeteer-core";
import { startBrowser, watchCpu } from "../../support/browser.ts";
import type { Bench, Part } from "../bench.ts";
import { median } from "../figures.ts";
import { messageText } from "../requests.ts";
import { discard, prepare, type Server, startConfab } from "../servers.ts";
import { oneChannel } from "../worlds.ts";
import { signedInByLink } from "./web.ts";

const conversations = 700;
const messagesPerSecond = 100;
const keysPerSecond = 8;
const readMessages = 1000;

export const webBusy: Part = {
  name: "web-busy",
  async run(bench) {
    const server = await startConfab(await prepare(oneChannel(readMessages)));
    const browser = await startBrowser();
    try {
      const send = sender(server);
      const topics = Array.from({ length: conversations }, (_, n) => `unread ${n}`);
      while (topics.length > 0) await Promise.all(topics.splice(0, 20).map((topic, n) => send(topic, n)));
      const tab = await signedInByLink(browser, server);
      await openInbox(bench, tab);
      await startSlowly(bench, tab);
      await typeWhileBusy(bench, tab, { server, send });
    } finally {
      await browser.close();
      await discard(server);
    }
  },
};

type Send = (topic: string, n: number) => Promise<void>;

function sender({ port, accounts, channels }: Server): Send {
  return async (topic, n) => {
    const { email, apiKey } = accounts[n % 20] ?? { email: "", apiKey: "" };
    const to = String(channels.history);
    const { ok, status } = await fetch(`http://127.0.0.1:${port}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` },
      body: new URLSearchParams({ type: "channel", to, topic, content: messageText(n) }),
    });
    if (!ok) throw new Error(`A message was refused with status ${status}`);
  };
}

async function openInbox({ add }: Bench, tab: Page): Promise<void> {
  await tab.evaluate("location.hash = '#inbox'");
  await tab.waitForSelector("main [data-row]");
  // Whatever is drawn piece by piece is there after a second without a change.
  await tab.evaluate(`new Promise((resolve) => {
    let timer = setTimeout(resolve, 1000);
    new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(resolve, 1000); })
      .observe(document.body, { childList: true, subtree: true });
  })`);
  const confab = Number(await tab.evaluate("document.querySelectorAll('*').length"));
  const what = `web, inbox of ${conversations} conversations, elements`;
  add({ what, unit: "elements", base: null, confab, limit: { most: 3000 } });
}

/** As on a computer that is four times as slow, with nothing cached. */
async function startSlowly({ sizes, add, progress }: Bench, tab: Page): Promise<void> {
  await tab.evaluateOnNewDocument(`
    const watchRows = () => {
      if (document.querySelectorAll("nav a").length > 5) window.namesAt ??= performance.now();
      if (document.querySelector("main [data-row]")) window.rowsAt ??= performance.now();
      if (!window.namesAt || !window.rowsAt) requestAnimationFrame(watchRows);
    };
    requestAnimationFrame(watchRows);
  `);
  const found: { first: number; names: number; rows: number }[] = [];
  await tab.setCacheEnabled(false);
  await tab.emulateCPUThrottling(4);
  for (let round = 0; round < sizes.rounds; round++) {
    await tab.reload();
    await tab.waitForFunction("window.namesAt && window.rowsAt", { timeout: 60_000 });
    found.push(
      (await tab.evaluate(
        "({ first: performance.getEntriesByName('first-contentful-paint')[0].startTime, names: namesAt, rows: rowsAt })",
      )) as (typeof found)[number],
    );
  }
  await tab.emulateCPUThrottling(null);
  await tab.setCacheEnabled(true);
  const row = (what: string, each: number[], most: number) => {
    progress(`${what} after ${median(each).toFixed(0)} ms`);
    add({
      what: `web, on a CPU 4 x slower, ${what}`,
      unit: "ms",
      base: null,
      confab: median(each),
      limit: { most },
    });
  };
  row(
    "first of use painted",
    found.map(({ first }) => first),
    1000,
  );
  row(
    "names of the sidebar painted",
    found.map(({ names }) => names),
    1500,
  );
  row(
    `inbox of ${conversations} painted`,
    found.map(({ rows }) => rows),
    3000,
  );
}

interface Busy {
  server: Server;
  send: Send;
}

async function typeWhileBusy(
  { sizes, add, progress }: Bench,
  tab: Page,
  { server, send }: Busy,
): Promise<void> {
  await tab.evaluate(`location.hash = "#narrow/channel/${server.channels.history}-history/topic/bench"`);
  await tab.waitForSelector("article");
  await tab.evaluate("document.querySelector('[data-feed]').scrollTop = 1e9");
  await tab.click("[data-composer]");
  await tab.evaluate(`
    window.keyTimes = [];
    addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
      const painted = new MessageChannel();
      painted.port1.onmessage = () => keyTimes.push(performance.now() - timeStamp);
      painted.port2.postMessage(null);
    }), true);
  `);
  const session = await tab.createCDPSession();
  const usedMs = await watchCpu(tab);
  const quiet = await typed(tab, session, sizes.typingMs);
  let sent = 0;
  const sends: Promise<void>[] = [];
  const timer = setInterval(() => sends.push(send("bench", sent++)), 1000 / messagesPerSecond);
  await Bun.sleep(1000);
  const [sentBefore, cpuBefore] = [sent, await usedMs()];
  const busy = await typed(tab, session, sizes.typingMs);
  const [messages, cpu] = [sent - sentBefore, (await usedMs()) - cpuBefore];
  clearInterval(timer);
  await Promise.all(sends);
  await tab.waitForFunction(`document.querySelector("[data-feed]").innerText.includes("n${sent - 1} ")`);
  progress(
    `${((messages * 1000) / sizes.typingMs).toFixed(0)} messages a second, typing ${median(busy).toFixed(0)} ms`,
  );
  const what = `web, typing while ${messagesPerSecond} messages a second arrive`;
  const row = { unit: "ms", base: median(quiet), confab: median(busy), limit: { most: 50 } };
  add({ ...row, what: `${what}, p50` });
  add({
    ...row,
    what: `${what}, worst`,
    base: Math.max(...quiet),
    confab: Math.max(...busy),
    limit: { most: 200 },
  });
  add({ what: `${what}, page`, unit: "ms CPU / message", base: null, confab: cpu / messages, limit: null });
}

/** The milliseconds from each key to the paint that shows it. Keys come at their time, whether the page keeps up or not. */
async function typed(tab: Page, session: CDPSession, milliseconds: number): Promise<number[]> {
  await tab.evaluate("keyTimes.length = 0");
  const keys = Math.round((milliseconds * keysPerSecond) / 1000);
  const pressed: Promise<unknown>[] = [];
  for (let n = 0; n < keys; n++) {
    const text = n % 6 === 5 ? " " : "a";
    pressed.push(session.send("Input.dispatchKeyEvent", { type: "keyDown", text, key: text }));
    pressed.push(session.send("Input.dispatchKeyEvent", { type: "keyUp", key: text }));
    await Bun.sleep(1000 / keysPerSecond);
  }
  await Promise.all(pressed);
  await tab.waitForFunction(`keyTimes.length === ${keys}`);
  return (await tab.evaluate("keyTimes")) as number[];
}
