// The web client's components, each alone, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { markColor } from "../../src/web/state/mark-color.ts";
import { faultsInBothThemes } from "../support/axe.ts";
import { type Browser, type Page, startBrowser } from "../support/browser.ts";
import { root } from "../support/source-tree.ts";
import { serveStories } from "../support/web-stories.ts";

let browser: Browser;
let server: Awaited<ReturnType<typeof serveStories>>;
const pages = new Map<number, Promise<Page>>();

beforeAll(async () => {
  [server, browser] = await Promise.all([serveStories(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** A page of the stories, opened once for each size. */
function stories(width = 900): Promise<Page> {
  const page = pages.get(width) ?? open(width);
  pages.set(width, page);
  return page;
}

async function open(width: number): Promise<Page> {
  const page = await browser.page({ width, height: 800, colours: "light", scripts: true });
  await page.open(`http://127.0.0.1:${server.port}/`);
  await page.tab.waitForSelector(".message-content .katex");
  return page;
}

const focused = (page: Page) => page.tab.evaluate(() => document.activeElement?.textContent ?? "");
const roleOfFocused = (page: Page) =>
  page.tab.evaluate(() => document.activeElement?.getAttribute("role") ?? "");

async function pressButton(page: Page, name: string): Promise<void> {
  await page.click(`aria/${name}[role="button"]`);
}

describe("looks", () => {
  test("axe finds nothing in both themes", async () => {
    expect(await faultsInBothThemes(await stories())).toEqual([]);
  }, 240_000);

  test.each([900, 320])("nothing is wider than a window of %d pixels", async (width) => {
    expect(await (await stories(width)).overflow()).toBe(0);
  });

  test("every pair of colours has the contrast that tokens.css promises", async () => {
    const css = await Bun.file(join(root, "src/web/ui/tokens.css")).text();
    const pairs = new Map(
      [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
        ([, name = "", light, dark]) => [name, { light: light ?? "", dark: dark ?? "" }],
      ),
    );
    const surfaces = ["sunken", "ground", "raised", "hover", "selected", "unread-ground", "code-ground"];
    const least: Record<string, number> = {
      text: 7,
      secondary: 4.5,
      accent: 4.5,
      danger: 4.5,
      good: 4.5,
      warn: 4.5,
    };
    for (const mark of ["mark", "edge", "presence-active", "presence-idle"]) least[mark] = 3;
    const missed = Object.entries(least).flatMap(([name, needed]) =>
      surfaces.flatMap((surface) =>
        (["light", "dark"] as const)
          .map((theme) => ({ theme, is: contrast(pairs.get(name)?.[theme], pairs.get(surface)?.[theme]) }))
          .filter(({ is }) => !(is >= needed))
          .map(({ theme, is }) => `${name} on ${surface}, ${theme}: ${is.toFixed(2)} of ${needed}`),
      ),
    );
    expect(missed).toEqual([]);
    for (const [text, ground] of [
      ["on-accent", "accent"],
      ["on-danger", "danger"],
      ["mention", "mention-ground"],
      ["accent", "accent-ground"],
    ] as const) {
      for (const theme of ["light", "dark"] as const) {
        expect(contrast(pairs.get(text)?.[theme], pairs.get(ground)?.[theme])).toBeGreaterThan(4.5);
      }
    }
  });
});

describe("the mark of a channel", () => {
  test("has enough contrast in both themes for any chosen colour, and keeps a colour that has it", async () => {
    const css = await Bun.file(join(root, "src/web/ui/tokens.css")).text();
    const surfaces = ["sunken", "ground", "raised", "hover", "selected"].map(
      (name) => new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? [],
    );
    for (const chosen of [
      "#ffffff",
      "#000000",
      "#fae589",
      "#a6c7e5",
      "#c2c2c2",
      "#0000ff",
      "#94c849",
      "#4f8de4",
    ]) {
      const [, light, dark] = /^light-dark\((#\w{6}), (#\w{6})\)$/.exec(markColor(chosen)) ?? [];
      for (const [, lightGround, darkGround] of surfaces) {
        expect(contrast(light, lightGround)).toBeGreaterThan(3);
        expect(contrast(dark, darkGround)).toBeGreaterThan(3);
      }
    }
    expect(markColor("#6b6bd6")).toBe("light-dark(#6b6bd6, #7171d8)");
    expect([markColor(undefined), markColor("red")]).toEqual([undefined, "red"]);
  });
});

describe("keyboard", () => {
  test("a menu opens on its first row, moves by arrows, chooses, and returns the focus", async () => {
    const page = await stories();
    await page.tab.evaluate(() =>
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Menu")?.focus(),
    );
    await page.tab.keyboard.press("Enter");
    await page.tab.waitForSelector("[role=menu]");
    await page.tab.waitForFunction(() =>
      document.activeElement?.getAttribute("role")?.startsWith("menuitem"),
    );
    expect(await focused(page)).toContain("Edit");
    await page.tab.keyboard.press("End");
    expect(await focused(page)).toBe("Delete");
    await page.tab.keyboard.press("ArrowUp");
    expect(await roleOfFocused(page)).toBe("menuitemcheckbox");
    await page.tab.keyboard.press("Home");
    await page.tab.keyboard.press("Enter");
    await page.tab.waitForFunction(() => document.activeElement?.textContent === "Menu");
    await page.tab.waitForSelector("::-p-text(Edited)");
    expect(await page.tab.$("[role=menu]")).toBeNull();
  });

  test("a dialog keeps the focus inside, shows errors, and returns the focus", async () => {
    const page = await stories();
    await pressButton(page, "Delete …");
    await page.tab.waitForSelector("[role=dialog] :focus");
    for (let tab = 0; tab < 5; tab++) {
      await page.tab.keyboard.press("Tab");
      // In the next frame, the end of the dialog passes the focus to its beginning.
      await page.tab.waitForSelector("[role=dialog] :focus");
    }
    await pressButton(page, "Delete");
    await page.tab.waitForSelector("::-p-text(Only moderators may delete it.)");
    await page.tab.keyboard.press("Escape");
    await page.tab.waitForFunction(() => document.querySelector("[role=dialog]") === null);
    expect(await focused(page)).toBe("Delete …");
  });

  test("arrows move between tabs", async () => {
    const page = await stories();
    await page.tab.focus("[role=tab]");
    await page.tab.keyboard.press("ArrowRight");
    expect(await focused(page)).toBe("People");
    await page.tab.keyboard.press("End");
    expect(await focused(page)).toBe("Permissions");
    expect(await page.tab.$eval("[role=tab][aria-selected=true]", (tab) => tab.textContent)).toBe(
      "Permissions",
    );
  });
});

describe("content", () => {
  test("emoji become characters, large ones if alone, and keep their names", async () => {
    const page = await stories();
    const emoji = await page.tab.$eval(".emoji-1f44b", (span) => [
      span.textContent,
      span.getAttribute("aria-label"),
    ]);
    expect(emoji).toEqual(["👋", "wave"]);
    const large = await page.tab.$$eval(".only-emoji", (all) => all.map((one) => one.textContent?.trim()));
    // Of one paragraph, however many there are: feature level 436.
    expect(large).toEqual(["🎉 🚀", "🎉 ".repeat(8).trim()]);
  });

  test("mentions of the reader are highlighted; silent mentions are not", async () => {
    const page = await stories();
    const mentions = await page.tab.$$eval(".user-mention, .user-group-mention", (spans) =>
      spans.map((span) => [span.textContent, span.classList.contains("is-me")]),
    );
    expect(mentions).toEqual([
      ["@Mei Lin", true],
      ["@boat-crew", true],
      ["Hugo", false],
      ["@Hugo", false],
    ]);
    expect(await page.tab.$$eval(".alert-word", (words) => words.map((word) => word.textContent))).toEqual([
      "tide",
    ]);
  });

  test("spoilers open by mouse and close by keyboard", async () => {
    const page = await stories();
    const isHidden = () =>
      page.tab.$eval(".spoiler-content", (content) => content.checkVisibility() === false);
    expect(await isHidden()).toBe(true);
    await page.click(".spoiler-header");
    expect(await isHidden()).toBe(false);
    await page.tab.focus(".spoiler-header");
    await page.tab.keyboard.press("Enter");
    expect(await isHidden()).toBe(true);
  });

  test("a mention shows its person, by mouse and by keyboard", async () => {
    const page = await stories();
    await page.click('[data-user-id="1"]');
    await page.tab.waitForSelector("::-p-text(Person 1)");
    await page.tab.focus('.user-mention[data-user-id="2"]:not(.silent)');
    await page.tab.keyboard.press("Enter");
    await page.tab.waitForSelector("::-p-text(Person 2)");
  });

  test("code keeps its spaces", async () => {
    const page = await stories();
    const shown = await page.tab.$eval(".message-content p", (text) => {
      const code = document.createElement("code");
      code.textContent = "  x   y ";
      text.append(code);
      return code.innerText;
    });
    expect(shown).toBe("  x   y ");
    const lines = await page.tab.$$eval(".codehilite pre", (blocks) =>
      blocks.map((block) =>
        [block, block.querySelector("code")].map((one) => one && getComputedStyle(one).whiteSpace),
      ),
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const styles of lines) expect(styles).toEqual(["pre", "pre"]);
  });

  test("code is copied without line numbers and buttons", async () => {
    const page = await stories();
    await page.tab.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          write: async ([item]: ClipboardItem[]) => {
            const text = await item?.getType("text/plain").then((blob) => blob.text());
            document.body.setAttribute("data-copied", text ?? "");
          },
        },
      });
    });
    await page.click('.codehilite:last-of-type [data-action="copy-code"]');
    await page.tab.waitForSelector("body[data-copied]");
    expect(await page.tab.$eval("body", (body) => body.dataset.copied)).toBe(
      "SELECT name FROM users WHERE id = 1;\n",
    );
  });

  test("a right click opens a menu at the pointer, and Escape closes it", async () => {
    const page = await stories();
    await page.click(".message-content time", { button: "right" });
    await page.tab.waitForSelector("[role=menu]");
    await page.tab.keyboard.press("Escape");
    await page.tab.waitForFunction(() => document.querySelector("[role=menu]") === null);
  });

  test("pictures have their size before they load", async () => {
    const page = await stories();
    const size = await page.tab.$eval(".message_inline_image img", (img) => [img.width, img.height]);
    expect(size).toEqual([360, 240]);
  });

  test("a formula loads its styles and fonts", async () => {
    const page = await stories();
    await page.tab.waitForFunction(() => document.adoptedStyleSheets.length > 0);
    await page.tab.waitForFunction(() =>
      [...document.fonts].some(({ family, status }) => family === "KaTeX_Math" && status === "loaded"),
    );
    const mathMl = await page.tab.$eval(".katex-mathml", (node) => node.getBoundingClientRect().width);
    expect(mathMl).toBeLessThan(2);
  });
});

function contrast(one = "#000000", other = "#000000"): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
