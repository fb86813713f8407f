// `npm run docs`: takes the pictures of the web client in docs/pictures, of a sample organization, in the packaged Chromium.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Look, type Page, startBrowser } from "../test/support/browser.ts";
import { makeSample, root } from "./sample.ts";

interface Picture {
  name: string;
  who: string;
  look: Pick<Look, "width" | "height" | "colours">;
  /** What is opened. Channels may be named. */
  at: string;
  /** The words of the message that is to be in the middle. */
  middle?: string;
  /** Keys pressed there. */
  keys?: readonly string[];
}

const desktop = { width: 1280, height: 820 } as const;
const phone = { width: 390, height: 780 } as const;
const drift = {
  at: "#narrow/channel/firmware/topic/.E2.9C.94.20clock.20drift",
  middle: "It is in review",
} as const;
const feed = { at: "#feed", middle: "I will eat anywhere" } as const;

const pictures: readonly Picture[] = [
  { name: "inbox-desktop-light", who: "ruth", look: { ...desktop, colours: "light" }, at: "#inbox" },
  { name: "inbox-desktop-dark", who: "ruth", look: { ...desktop, colours: "dark" }, at: "#inbox" },
  {
    name: "conversation-desktop-light",
    who: "mei",
    look: { ...desktop, colours: "light" },
    ...drift,
    keys: ["w"],
  },
  {
    name: "conversation-desktop-dark",
    who: "mei",
    look: { ...desktop, colours: "dark" },
    ...drift,
    keys: ["w"],
  },
  { name: "conversation-phone-light", who: "hugo", look: { ...phone, colours: "light" }, ...drift },
  { name: "feed-desktop-light", who: "omar", look: { ...desktop, colours: "light" }, ...feed },
  { name: "feed-desktop-dark", who: "omar", look: { ...desktop, colours: "dark" }, ...feed },
  { name: "feed-phone-dark", who: "hugo", look: { ...phone, colours: "dark" }, ...feed },
];

/** The client uses the system's own font, of which this Chromium has none that people have. */
const fonts = ["normal", "italic"].flatMap((style) =>
  ["latin", "latin-ext"].map((part) => {
    const name = `@fontsource-variable/inter/files/inter-${part}-wght-${style}.woff2`;
    return { style, bytes: readFileSync(Bun.resolveSync(name, import.meta.dir)).toString("base64") };
  }),
);

async function setFont({ tab }: Page): Promise<void> {
  await tab.evaluate(async (faces) => {
    for (const { style, bytes } of faces) {
      const data = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
      document.fonts.add(await new FontFace("Inter", data, { style, weight: "100 900" }).load());
    }
    const { style } = document.documentElement;
    style.setProperty(
      "--font",
      `Inter, ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`,
    );
  }, fonts);
}

/** The zone in which it is now late in the afternoon, so that the sample's day of work looks like one. */
function afternoon(): string {
  const hours = 17 - new Date().getUTCHours();
  // The signs of these names are the wrong way round.
  return hours === 0 ? "Etc/UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

async function take(): Promise<void> {
  const sample = await makeSample();
  await sample.serve();
  const browser = await startBrowser();
  try {
    // All are signed in before the first picture, so that each shows who else is here.
    const pages: Page[] = [];
    for (const { who, look } of pictures) {
      const page = await browser.page({ ...look, scripts: true });
      await page.tab.emulateTimezone(afternoon());
      await signIn(page, [...sample.run, "user", "login-link", `${who}@example.com`, "--data", sample.data]);
      pages.push(page);
    }
    for (const [i, picture] of pictures.entries()) {
      const page = pages[i] as Page;
      await page.tab.bringToFront();
      await setFont(page);
      await show(page, picture);
      writeFileSync(join(root, "docs/pictures", `${picture.name}.png`), await page.tab.screenshot());
    }
  } finally {
    await browser.close();
    await sample.close();
  }
}

async function signIn({ tab, open, follow }: Page, command: readonly string[]): Promise<void> {
  const made = JSON.parse(Bun.spawnSync([...command, "--json"]).stdout.toString()) as { url: string };
  await open(made.url);
  await follow("button");
  await tab.waitForSelector("[data-view-title], nav");
}

async function show({ tab }: Page, { at, middle, keys = [] }: Picture): Promise<void> {
  await tab.evaluate(`location.hash = ${JSON.stringify(at)}`);
  await tab.waitForSelector(middle === undefined ? "main li" : "[data-feed] article");
  for (const key of keys) await tab.keyboard.press(key as "w");
  await tab.waitForFunction("document.querySelector('[aria-busy=true]') === null");
  await tab.waitForNetworkIdle({ concurrency: 1, idleTime: 500 });
  await tab.evaluate("document.fonts.ready");
  if (middle === undefined) return;
  // Upwards from the end, because only what is in sight is drawn.
  const line = `[...document.querySelectorAll("article")].find((one) => one.innerText.includes(${JSON.stringify(middle)}))`;
  await tab.evaluate("document.querySelector('[data-feed]').scrollTop = 1e9");
  await tab.waitForFunction(
    `${line} ? true : void (document.querySelector("[data-feed]").scrollTop -= 300)`,
    {
      polling: 200,
    },
  );
  await tab.evaluate(`${line}.scrollIntoView({ block: "center" })`);
  await tab.waitForNetworkIdle({ concurrency: 1, idleTime: 500 });
}

// As in the tests: the package holds Chromium for Linux on x64 alone.
const isPackaged = process.platform === "linux" && process.arch === "x64";
if (isPackaged || process.env.CONFAB_TEST_BROWSER) await take();
else
  console.log(
    "The pictures of the web client stay as they are: name a Chromium in CONFAB_TEST_BROWSER to take them.",
  );
