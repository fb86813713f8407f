// The client in other languages: chosen in the settings, read from right to left, with nothing cut off on a desk or a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import arabic from "@/text/language/ar.json";
import german from "@/text/language/de.json";
import japanese from "@/text/language/ja.json";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import { noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max", "yuki");
  harbour = await w.channel("harbour", ["olive", "mel", "max", "yuki"]);
  await w.post("olive", "harbour", "boats", "the Gull is back");
}, 240_000);
afterAll(() => w.close());

const boats = () => `#narrow/channel/${harbour}-harbour/topic/boats`;
const speak = (who: string, tag: string) => w.ask(who, ["PATCH", "/settings"], { default_language: tag });
/** How far the document is wider than the window. */
const overflow = (seat: Seat) => seat.page.overflow();

/** Writes to the open conversation, and waits until the message is there. */
async function say(seat: Seat, text: string): Promise<void> {
  await seat.tab.waitForSelector("[data-composer]");
  await seat.tab.type("[data-composer]", text);
  await seat.press("Control+Enter");
  await seat.until(
    `[...document.querySelectorAll('article')].some((one) => one.innerText.includes('${text}'))`,
  );
}

test("the language that a person chooses is spoken at once, and again the next time", async () => {
  const mel = await w.sit("mel", "#settings/appearance");
  await mel.tab.waitForSelector("select");
  const choice = `[...document.querySelectorAll('select')].find((one) => [...one.options].some(({ value }) => value === 'de'))`;
  await mel.until(`${choice} !== undefined`);
  expect(await mel.tab.evaluate(`[...${choice}.options].map(({ text }) => text).join()`)).toBe(
    "English,العربية,Deutsch,Español,Français,日本語",
  );
  await mel.tab.evaluate(`${choice}.id = 'language'`);
  await mel.tab.select("#language", "de");
  await mel.until("document.documentElement.lang === 'de' && document.querySelector('nav') !== null");
  await mel.sees(german.Appearance);
  await mel.go(boats());
  await mel.sees("the Gull is back");
  await mel.tab.reload();
  await mel.sees("the Gull is back");
  expect(await mel.tab.evaluate("document.documentElement.lang")).toBe("de");
  expect(mel.strangers).toEqual([]);
});

test("a time in a message is written as the language does, like the time of the message", async () => {
  await w.post("olive", "harbour", "tide", "low water is at <time:2026-03-04T17:30:00Z>");
  await speak("mel", "de");
  const mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/tide`);
  await mel.until("/[0-9]:30/.test(document.querySelector('article .message-content time')?.innerText)");
  const times = "[...document.querySelectorAll('article')].map(({ innerText }) => innerText).join()";
  expect(await mel.tab.evaluate(times)).not.toMatch(/[AP]M\b/);
  await mel.tab.close();
});

/** Reacts to the message by the first emoji that the picker finds; returns what the picker calls that. */
async function reactBy(seat: Seat, react: string, search: string, words: string): Promise<string> {
  await (await seat.tab.waitForSelector("article[data-message]"))?.hover();
  await seat.click(`article[data-message]:hover [aria-label="${react}"]`);
  await (await seat.tab.waitForSelector(`[role=dialog] input[aria-label="${search}"]`))?.type(words);
  const found = "[role=dialog] [role=option][aria-selected=true]";
  await seat.tab.waitForSelector(found);
  const name = await seat.tab.$eval(found, (one) => one.ariaLabel ?? "");
  await seat.press("Enter");
  await seat.until(noDialog);
  return name;
}

describe("emoji", () => {
  test.each([
    ["German", "de", german, "Rakete", "Rakete"],
    ["Arabic", "ar", arabic, "صاروخ", "صاروخ"],
    ["German by its English word", "de", german, "rocket", "Rakete"],
  ])("are found and named in %s, and written as everywhere", async (what, tag, texts, word, name) => {
    const id = await w.post("olive", "harbour", what, "it starts :tada:");
    await speak("mel", tag);
    const mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/${encodeURIComponent(what)}`);
    await mel.sees("it starts");
    await mel.tab.type("[data-composer]", `:${word.slice(0, 4)}`);
    await mel.until(
      `[...document.querySelectorAll('[role=option]')].some(({ innerText }) => innerText.includes('${name}'))`,
    );
    await mel.tab.keyboard.type(word.slice(4));
    await mel.until("document.querySelector('[role=option]')?.innerText.includes(':rocket:')");
    await mel.press("Enter");
    expect(await mel.tab.$eval("[data-composer]", (field) => (field as HTMLTextAreaElement).value)).toBe(
      ":rocket: ",
    );
    await mel.press("Control+a", "Backspace");
    expect(await reactBy(mel, texts.React, texts["Search emoji"], word)).toBe(name);
    await mel.until(
      `document.querySelector('article [aria-pressed=true]')?.ariaLabel.startsWith('${name} ')`,
    );
    // Mel's page shows the reaction before the server has it.
    const reactions = await until(async () => {
      const { message } = await w.ask("mel", ["GET", `/messages/${id}`]);
      const found = (message as { reactions: object[] }).reactions;
      return found.length > 0 && found;
    }, "the server has the reaction");
    expect(reactions).toMatchObject([{ emoji_name: "rocket" }]);
    await mel.until(
      "!['tada', ''].includes(document.querySelector('article .message-content .emoji').ariaLabel ?? '')",
    );
    await mel.tab.close();
  });

  test("need nothing of another language in English", async () => {
    await speak("mel", "en");
    const mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/German`);
    await mel.until("document.querySelector('article [aria-label^=\":rocket: \"]') !== null");
    const loaded =
      "performance.getEntriesByType('resource').filter(({ name }) => /names\\.json/.test(name)).length";
    expect(await mel.tab.evaluate(loaded)).toBe(0);
    await mel.tab.close();
  });
});

describe("in Arabic", () => {
  test("a person finds their way from right to left, writes, and finds no fault", async () => {
    await speak("max", "ar");
    const max = await w.sit("max");
    await max.until("document.documentElement.lang === 'ar' && document.documentElement.dir === 'rtl'");
    await max.go(boats());
    await max.sees("the Gull is back");
    const [sidebar, message] = (await max.tab.evaluate(
      "[document.querySelector('nav'), document.querySelector('article')].map((one) => one.getBoundingClientRect().left)",
    )) as [number, number];
    expect(sidebar).toBeGreaterThan(message);
    await say(max, "عاد النورس");
    // A paragraph in another direction than the page runs in its own: its full stop stands at its end.
    const direction = await max.tab.evaluate(
      "getComputedStyle(document.querySelector('article .message-content p')).unicodeBidi",
    );
    expect(direction).toBe("plaintext");
    await max.press("Escape");
    await max.go("#inbox");
    await max.sees(arabic.Inbox);
    expect(await overflow(max)).toBe(0);
    expect(await faultsOf(max.page)).toEqual([]);
  });

  test("the topic without a name has one, in lists and in links to it", async () => {
    await w.post("olive", "harbour", "", "see #**harbour>**");
    await speak("max", "ar");
    const max = await w.sit("max", `#topics/channel/${harbour}`);
    const name = arabic["general chat"];
    await max.until(`document.querySelector('main').innerText.includes('${name}')`);
    await max.go(`#narrow/channel/${harbour}-harbour/topic/`);
    await max.until(`document.querySelector('article a.stream-topic')?.innerText.includes('${name}')`);
    await max.tab.close();
  });

  test.each(["#inbox", "#recent", "#settings", "#search", "boats"])("%s fits a phone", async (view) => {
    await speak("max", "ar");
    const max = await w.sit("max", view === "boats" ? boats() : view, { width: 360, height: 740 });
    await max.until("document.querySelector('main')?.innerText.length > 0");
    expect(await overflow(max)).toBe(0);
    await max.tab.close();
  });
});

describe("in Japanese", () => {
  test("a person signs in, reads, writes and searches, on a desk and on a phone", async () => {
    await speak("yuki", "ja");
    for (const look of [{}, { width: 360, height: 740 }]) {
      const yuki = await w.sit("yuki", boats(), look);
      await yuki.until("document.documentElement.lang === 'ja'");
      await yuki.sees("the Gull is back");
      await say(yuki, `カモメが戻りました ${yuki.tab.viewport()?.width}`);
      await yuki.go("#inbox");
      await yuki.sees(japanese.Inbox);
      expect(await overflow(yuki)).toBe(0);
      await yuki.tab.close();
    }
  });
});
