// The web client in real Chromium: how soon it can be used, and how long people wait for it.

import type { Page } from "puppeteer-core";
import { type Browser, startBrowser } from "../../support/browser.ts";
import { freePort } from "../../support/ports.ts";
import type { Bench, Part } from "../bench.ts";
import { median } from "../figures.ts";
import { newFolder, output, removeFolder, startServer } from "../processes.ts";
import { confabCommand, discard, prepare, type Server, startConfab } from "../servers.ts";
import { oneChannel } from "../worlds.ts";

const look = { width: 1280, height: 860, colours: "light", scripts: true } as const;
/** The page shows what a person needs to continue: where they are, and where they can go. */
const usable = "document.querySelector('[data-view-title]') && document.querySelectorAll('nav a').length > 5";

export const web: Part = {
  name: "web",
  async run(bench) {
    const browser = await startBrowser();
    try {
      await inSample(bench, browser);
      const large = await bench.openLarge();
      try {
        await inLarge(bench, browser, large);
      } finally {
        await discard(large);
      }
      await throughHistory(bench, browser);
    } finally {
      await browser.close();
    }
  },
};

async function inSample(bench: Bench, browser: Browser): Promise<void> {
  const [folder, port] = [newFolder("sample"), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const command = [...confabCommand, "serve", "--dev", "--data", folder, "--port", String(port)];
  const child = startServer(command, "sample");
  try {
    while (!(await fetch(`${url}/health`).catch(() => null))) await Bun.sleep(20);
    const tab = await signedIn(browser, async (page) => {
      await page.goto(`${url}/login`);
      await page.evaluate(
        "fetch('/login/dev', { method: 'POST', body: new URLSearchParams({ username: 'mei@example.com' }) })",
      );
    });
    await load(bench, tab, { url, what: "sample organization", most: 500 });
    await weigh(bench, tab);
    await converse(bench, tab, { url, as: "hugo@example.com" });
  } finally {
    await child.stop();
    removeFolder(folder);
  }
}

/** Scrolls from the newest message of a channel to the oldest, as fast as pages come. */
async function throughHistory(bench: Bench, browser: Browser): Promise<void> {
  const { pagedMessages } = bench.sizes;
  const server = await startConfab(await prepare(oneChannel(pagedMessages)));
  try {
    const tab = await signedInByLink(browser, server);
    const channel = server.channels.history ?? 0;
    await tab.evaluate(`location.hash = "#narrow/channel/${channel}-history"`);
    await tab.waitForSelector("article");
    await tab.tracing.start({ categories: ["toplevel"] });
    await tab.evaluate(`
      window.isAtOldest = false;
      const scroll = () => {
        const feed = document.querySelector("[data-feed]");
        if (feed) feed.scrollTop = Math.max(0, feed.scrollTop - 1500);
        const first = document.querySelector("article[data-message]")?.dataset.message;
        if (first === "${server.lastMessageId - pagedMessages + 1}") window.isAtOldest = true;
        else requestAnimationFrame(scroll);
      };
      requestAnimationFrame(scroll);
    `);
    const session = await tab.createCDPSession();
    await session.send("Performance.enable");
    const heap: number[] = [];
    while (!(await tab.evaluate("isAtOldest"))) {
      const { metrics } = await session.send("Performance.getMetrics");
      heap.push((metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1_048_576);
      const at = await tab.evaluate("document.querySelector('article[data-message]')?.dataset.message");
      bench.progress(`paging: at message ${at}, ${heap.at(-1)?.toFixed(0)} MB`);
      await Bun.sleep(2000);
    }
    const longest = longestTask((await tab.tracing.stop()) ?? new Uint8Array());
    const what = `web, paging through ${pagedMessages} messages`;
    const row = { base: null, unit: "ms CPU", limit: { most: 50 } };
    bench.add({ ...row, what: `${what}, longest task`, confab: longest });
    bench.add({ ...row, what: `${what}, heap`, unit: "MB", confab: Math.max(...heap), limit: { most: 150 } });
  } finally {
    await discard(server);
  }
}

interface Traced {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of the thread's CPU time; other programs do not count. */
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of any page's main thread, in milliseconds of CPU. */
function longestTask(trace: Uint8Array): number {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace)) as { traceEvents: Traced[] };
  const threads = traceEvents.filter(
    ({ ph, name, args }) => ph === "M" && name === "thread_name" && args?.name === "CrRendererMain",
  );
  const isMain = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith("RunTask") && isMain.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error("The browser recorded no tasks");
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000;
}

async function inLarge(bench: Bench, browser: Browser, server: Server): Promise<void> {
  const tab = await signedInByLink(browser, server);
  const { users, channels } = bench.sizes;
  const what = `${users} people, ${channels} channels`;
  await load(bench, tab, { url: new URL(tab.url()).origin, what, most: 1500 });
}

/** A browser of the last account. */
export async function signedInByLink(browser: Browser, { folder, accounts }: Server): Promise<Page> {
  const email = accounts.at(-1)?.email ?? "";
  const made = await output([...confabCommand, "user", "login-link", email, "--data", folder, "--json"]);
  return signedIn(browser, async (page) => {
    await page.goto(JSON.parse(made).url);
    await Promise.all([page.waitForNavigation(), page.click("button")]);
  });
}

async function signedIn(browser: Browser, signIn: (tab: Page) => Promise<void>): Promise<Page> {
  const { tab } = await browser.page(look);
  await signIn(tab);
  await tab.evaluateOnNewDocument(`
    const watch = () => { if (${usable}) window.usableAt = performance.now(); else requestAnimationFrame(watch); };
    requestAnimationFrame(watch);
  `);
  return tab;
}

interface Loading {
  url: string;
  what: string;
  most: number;
}

async function load({ sizes, add, progress }: Bench, tab: Page, { url, what, most }: Loading): Promise<void> {
  const taken: number[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    await tab.goto("about:blank");
    await tab.goto(`${url}/`);
    await tab.waitForFunction("window.usableAt", { timeout: 30_000 });
    taken.push(Number(await tab.evaluate("usableAt")));
  }
  progress(`${what}: usable after ${median(taken).toFixed(0)} ms`);
  add({ what: `web, ${what}, usable`, unit: "ms", base: null, confab: median(taken), limit: { most } });
}

/** Script and style that arrive before the first paint, without a cache. */
async function weigh({ add }: Bench, tab: Page): Promise<void> {
  await tab.setCacheEnabled(false);
  await tab.reload();
  await tab.waitForFunction("window.usableAt");
  const bytes = Number(
    await tab.evaluate(`(() => {
      const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now();
      return performance.getEntriesByType("resource")
        .filter((one) => /\\.(js|css)$/.test(one.name) && one.startTime <= painted)
        .reduce((sum, one) => sum + one.encodedBodySize, 0);
    })()`),
  );
  await tab.setCacheEnabled(true);
  const limit = { most: 180 };
  add({
    what: "web, script and style before the first paint",
    unit: "KB",
    base: null,
    confab: bytes / 1024,
    limit,
  });
}

/** Runs `act` in the page; resolves with the milliseconds until `seen` is true and has been painted. */
async function painted(tab: Page, act: string, seen: string): Promise<number> {
  return Number(
    await tab.evaluate(`new Promise((resolve) => {
      const start = performance.now();
      ${act};
      const look = () => {
        if (!(${seen})) return requestAnimationFrame(look);
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - start);
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    })`),
  );
}

async function converse(
  { sizes, add, progress }: Bench,
  tab: Page,
  { url, as }: { url: string; as: string },
): Promise<void> {
  const asked = await fetch(`${url}/api/v1/dev_fetch_api_key?username=${as}`, { method: "POST" });
  const { api_key } = (await asked.json()) as { api_key: string };
  const authorization = `Basic ${btoa(`${as}:${api_key}`)}`;
  const send = async (topic: string, content: string) => {
    const body = new URLSearchParams({ type: "channel", to: "harbor", topic, content });
    await fetch(`${url}/api/v1/messages`, { method: "POST", headers: { authorization }, body });
  };
  const streams = await fetch(`${url}/api/v1/get_stream_id?stream=harbor`, { headers: { authorization } });
  const { stream_id } = (await streams.json()) as { stream_id: number };
  const topics = Array.from({ length: sizes.rounds + 1 }, (_, n) => `bench${n}`);
  for (const topic of topics) await send(topic, `the words of ${topic}`);
  const open = (topic: string) =>
    painted(
      tab,
      `location.hash = "#narrow/channel/${stream_id}-harbor/topic/${topic}"`,
      `[...document.querySelectorAll("article")].some((one) => one.textContent.includes("the words of ${topic}"))`,
    );
  await open(topics.at(-1) ?? "");
  const [fetched, known]: [number[], number[]] = [[], []];
  for (const topic of topics.slice(0, -1)) fetched.push(await open(topic));
  for (const topic of topics.slice(0, -1)) known.push(await open(topic));
  const row = (what: string, each: number[], most: number) =>
    add({ what: `web, ${what}`, unit: "ms", base: null, confab: median(each), limit: { most } });
  row("switching to a fetched conversation, painted", fetched, 150);
  row("switching to a known conversation, painted", known, 50);

  const received: number[] = [];
  const topic = topics.at(-2) ?? "";
  await open(topic);
  for (let n = 0; n < sizes.rounds; n++) {
    const text = `message ${n} of the bench`;
    const arrival = painted(tab, "", `document.body.innerText.includes("${text}")`).then(() =>
      performance.now(),
    );
    await send(topic, text);
    const acknowledged = performance.now();
    received.push(Math.max(0, (await arrival) - acknowledged));
  }
  row("another's message, from its acknowledgement to the paint", received, 100);
  progress(`messages of others after ${median(received).toFixed(0)} ms`);
  row("the composer's work for a key", await typing(tab), 16);
}

/** The longest time that one of a hundred keys kept the page busy. */
async function typing(tab: Page): Promise<number[]> {
  await tab.click("[data-composer]");
  await tab.evaluate(`
    window.keys = [];
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) keys.push(one.processingEnd - one.startTime);
    }).observe({ type: "event", durationThreshold: 16 });
  `);
  await tab.keyboard.type("the quick brown fox jumps over the lazy dog ".repeat(2), { delay: 10 });
  const longest = Number(await tab.evaluate("Math.max(0, ...keys)"));
  return [longest];
}
