// Whole ways that a person goes while reading and writing, by keyboard and by thumb.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("max", "harbour", "boats", "the *Gull* is back with fish");
  await w.post("max", "harbour", "lunch", "fish at noon");
  mel = await w.sit("mel");
}, 240_000);
afterAll(() => w.close());

const composer = "textarea[data-composer]";
const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;
const typed = (seat: Seat) => seat.tab.$eval(composer, (area) => (area as HTMLTextAreaElement).value);
const titled = (name: string) =>
  `document.querySelector('[data-view-title]')?.textContent === ${JSON.stringify(name)}`;

async function open(seat: Seat, name: string): Promise<void> {
  await seat.go(topic(name));
  await seat.until(titled(name));
  await seat.tab.waitForSelector(composer);
}

async function write(seat: Seat, text: string): Promise<void> {
  await seat.tab.focus(composer);
  await seat.press("Control+a", "Backspace");
  await seat.tab.keyboard.type(text);
}

describe("a search", () => {
  test("ends with what it has found: the words are not marked elsewhere, nor those of another search", async () => {
    await mel.go("#narrow/search/fish");
    await mel.until("document.querySelectorAll('article .highlight').length === 2");
    await open(mel, "boats");
    await mel.sees("the Gull is back with fish");
    expect(await mel.tab.$("article .highlight")).toBeNull();
    await mel.go("#narrow/search/gull");
    await mel.until("document.querySelector('article .highlight')?.textContent === 'Gull'");
    await mel.go("#narrow/search/fish");
    await mel.until(
      "[...document.querySelectorAll('article .highlight')].map((one) => one.textContent).join() === 'fish,fish'",
    );
  });
});

describe("a link to a channel", () => {
  test("goes on to its topics", async () => {
    await open(mel, "boats");
    await write(mel, "see #har");
    await mel.tab.waitForSelector("[role=option]");
    await mel.press("Enter");
    expect(await typed(mel)).toBe("see #**harbour>");
    await mel.until("/lunch/.test(document.querySelector('[role=listbox]')?.textContent)");
    await mel.tab.keyboard.type("lun");
    await mel.until("document.querySelectorAll('[role=option]').length === 1");
    await mel.press("Enter");
    expect(await typed(mel)).toBe("see #**harbour>lunch** ");
  });

  test("stays one to the channel for those who choose that, type on, or turn away", async () => {
    const ways = [
      { act: () => mel.press("Enter"), text: "#**harbour** " },
      { act: () => mel.press("Escape"), text: "#**harbour** " },
      { act: () => mel.tab.keyboard.type(" is open"), text: "#**harbour** is open" },
      { act: () => mel.tab.evaluate("document.activeElement.blur()"), text: "#**harbour** " },
    ];
    for (const { act, text } of ways) {
      await write(mel, "#har");
      await mel.tab.waitForSelector("[role=option]");
      await mel.press("Enter");
      await mel.sees("The channel itself");
      await act();
      expect(await typed(mel)).toBe(text);
      await mel.until("document.querySelector('[role=option]') === null");
    }
  });
});
