// A real browser, controlled by mouse and keyboard. It comes from npm; CONFAB_TEST_BROWSER overrides it.
import puppeteer, { type Browser as Chromium, type ElementHandle, type Page as Tab } from "puppeteer-core";
import { unpackedChromium } from "../../.ci/chromium.mjs";
import { patience, until } from "./waiting.ts";

/** In milliseconds: how often a page is looked at while a test waits. */
const lookMs = 40;

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // Chromium's sandbox does not work as root or in most containers; it only opens our own pages here.
  "--no-sandbox",
  // All pages are our own: no process for each site.
  "--disable-site-isolation-trials",
];

export interface Look {
  width: number;
  height: number;
  colours: "light" | "dark";
  scripts: boolean;
}

export interface Page {
  open(url: string): Promise<void>;
  /** Clicks what the selector finds, once it is there, in the window, enabled, and stands still. */
  click(selector: string, options?: ClickOptions): Promise<void>;
  /** Waits for what the selector finds. */
  find(selector: string): Promise<ElementHandle>;
  /** Types into a field, replacing its value. */
  fill(selector: string, text: string): Promise<void>;
  /** Clicks a link or button and waits until the next page has loaded. */
  follow(selector: string): Promise<void>;
  html(): Promise<string>;
  address(): string;
  /** What assistive technology reads: roles and names, in order. */
  spoken(): Promise<string[]>;
  /** How many pixels the page is wider than the window. */
  overflow(): Promise<number>;
  screenshot(): Promise<Uint8Array>;
  /** Puppeteer's own page. */
  readonly tab: Tab;
  /** Warnings and errors that the browser logged. */
  readonly complaints: string[];
}

export interface ClickOptions {
  /** 3 selects a field's text. */
  count?: number;
  /** With a finger. */
  isTouch?: boolean;
  button?: "left" | "right";
}

export interface Browser {
  page(look: Look): Promise<Page>;
  close(): Promise<void>;
}

/** The npm package contains Chromium only for Linux on x64; elsewhere, CONFAB_TEST_BROWSER must name an installed one. */
export async function startBrowser(): Promise<Browser> {
  let browser = await launch();
  return {
    page: async (look) => {
      // It has crashed: the tests that follow get another one.
      if (!browser.connected) browser = await launch();
      return openPage(browser, look);
    },
    close: () => browser.close(),
  };
}

async function launch(): Promise<Chromium> {
  return puppeteer.launch({
    executablePath: process.env.CONFAB_TEST_BROWSER ?? (await unpackedChromium()),
    args: flags,
    headless: "shell",
    timeout: patience,
    protocolTimeout: 2 * patience,
  });
}

async function openPage(browser: Chromium, look: Look): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.setDefaultNavigationTimeout(patience);
  const session = await page.createCDPSession();
  const complaints: string[] = [];
  session.on("Log.entryAdded", ({ entry }) => complaints.push(entry.text));
  await session.send("Log.enable");
  // Several pages are open at once; each must behave as if it were in front.
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: true });
  const { width, height, colours, scripts } = look;
  await page.setViewport({
    width,
    height,
    // Four times the pixels take a seventh more of the processor.
    deviceScaleFactor: process.env.CONFAB_TEST_PICTURES ? 2 : 1,
    isMobile: width < 600,
    hasTouch: width < 600,
  });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: colours },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await page.setJavaScriptEnabled(scripts);

  // While another page is loaded, there is nothing.
  const query = (selector: string) => page.$(selector).catch(() => null);
  const find = (selector: string) => until(() => query(selector), `there is ${selector}`, lookMs);
  // What waits for a place that stands still needs scripts; without them, nothing moves.
  const click = async (selector: string, { isTouch = false, ...options }: ClickOptions = {}) => {
    if (!scripts) return page.click(selector, options);
    let last = "";
    // Puppeteer's own way at times waits for ever on a busy machine.
    const stands = async () => {
      const now = (await (await query(selector))?.evaluate(placeOf).catch(() => null)) ?? null;
      const former = last;
      last = JSON.stringify(now);
      return last === former ? now : null;
    };
    const { x, y } = await until(stands, `${selector} can be clicked`, lookMs).catch(async (error) => {
      throw new Error(`${error}: ${await stateOf(page, selector)}`);
    });
    if (isTouch) await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y, options);
  };
  return {
    tab: page,
    complaints,
    click,
    find,
    open: async (url) => void (await page.goto(url, { waitUntil: "load" })),
    follow: async (selector) => {
      await Promise.all([page.waitForNavigation({ waitUntil: "load" }), click(selector)]);
    },
    fill: async (selector, text) => {
      await click(selector, { count: 3 });
      await page.keyboard.press("Backspace");
      await page.keyboard.type(text);
    },
    html: () => page.content(),
    address: () => page.url(),
    spoken: async () =>
      (await session.send("Accessibility.getFullAXTree")).nodes
        .filter((node) => !node.ignored && node.name?.value)
        .map((node) => `${node.role?.value} ${node.name?.value}`),
    overflow: async () => {
      // A phone zooms out where a page is too wide, so the viewport's own width cannot be compared.
      const { cssContentSize } = await session.send("Page.getLayoutMetrics");
      return Math.max(0, cssContentSize.width - width);
    },
    screenshot: () => page.screenshot({ captureBeyondViewport: true, fullPage: true }),
  };
}

/** What `placeOf` uses of an element: tests are checked without the types of browsers. */
interface Shown {
  matches(selector: string): boolean;
  scrollIntoViewIfNeeded(): void;
  getBoundingClientRect(): { left: number; right: number; top: number; bottom: number };
  ownerDocument: { defaultView: { innerWidth: number; innerHeight: number } };
}

/** Runs in the page: brings an enabled element into the window; returns the middle of what one sees of it, or null if there is nothing to click. */
function placeOf(element: unknown): { x: number; y: number } | null {
  const one = element as Shown;
  if (one.matches(":disabled")) return null;
  one.scrollIntoViewIfNeeded();
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const { innerWidth, innerHeight } = one.ownerDocument.defaultView;
  if (left >= right || top >= bottom) return null;
  const middle = (from: number, to: number, end: number) => (Math.max(from, 0) + Math.min(to, end)) / 2;
  return { x: middle(left, right, innerWidth), y: middle(top, bottom, innerHeight) };
}

/** Why something cannot be clicked: where it is, what lies over it, and whether the page still draws. */
async function stateOf(page: Tab, selector: string): Promise<string> {
  const drawing = page.evaluate(
    "new Promise((done) => { requestAnimationFrame(() => done(true)); setTimeout(() => done(false), 2000); })",
  );
  const one = await page.$(selector).catch(() => null);
  const where = await one?.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const over = element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2);
    return { x, y, width, height, over: over?.outerHTML.slice(0, 100), isItself: over === element };
  });
  return JSON.stringify({ at: page.url(), where: where ?? "not there", draws: await drawing });
}

/** Returns what tells the CPU that the page's main thread has used so far, in milliseconds. */
export async function watchCpu(tab: Tab): Promise<() => Promise<number>> {
  const session = await tab.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
  };
}
