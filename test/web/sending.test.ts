// What the web client does with messages that are still being sent: two people on the executable, the network held back.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { HTTPRequest } from "puppeteer-core";
import { type Hold, holdRequests, isOf } from "../support/web-held.ts";
import { type Seat, typeLines, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("mel", "harbour", "boats", "long ago");
  // So that a conversation in which somebody wrote opens only when the test does that.
  await w.ask("mel", ["PATCH", "/settings"], { web_navigate_to_sent_message: false });
  mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/boats`);
});
afterAll(() => w.close());

const composer = "textarea[data-composer]";
const editor = '[aria-label="Edit message"] textarea';
const typed = () => mel.tab.$eval(composer, (area) => (area as HTMLTextAreaElement).value);
const isEditing = async () => (await mel.tab.$('[aria-label="Edit message"]')) !== null;
/** Waits until the last message is this one, either stored or still being sent. */
const isLast = (text: string, selector: string) =>
  mel.until(
    `Array.from(document.querySelectorAll('[data-feed] article')).at(-1)?.matches(${JSON.stringify(selector)})
      && Array.from(document.querySelectorAll('[data-feed] article')).at(-1).innerText.includes(${JSON.stringify(text)})`,
  );
const isStored = (text: string) => isLast(text, "[data-message]");
const isBeingSent = (text: string) => isLast(text, ":not([data-message])");

beforeEach(async () => {
  await mel.tab.waitForSelector(composer);
  await mel.tab.focus(composer);
  await mel.press("Control+a", "Backspace");
});

/** Ends what a failed test still holds back. */
let letGo = async () => {};
afterEach(() => letGo());

async function send(text: string): Promise<void> {
  await mel.tab.focus(composer);
  await typeLines(mel, text);
  await mel.press("Control+Enter");
}

/** Holds back the requests of Mel's browser that this chooses. Calls `reach` to cause one. */
async function hold(
  which: (request: HTTPRequest) => boolean,
  reach = async () => {},
  awaited = false,
): Promise<Hold> {
  const held = await holdRequests(mel, which);
  letGo = held.release;
  await reach();
  if (awaited) await held.first;
  return held;
}

/** Holds back the polls for events. The one that is under way ends by a message elsewhere. */
const holdEvents = () =>
  hold(
    (request) => isOf(request, "GET", "/events"),
    async () => void (await w.post("max", "harbour", "clocks", "tick")),
    true,
  );
const holdSending = () => hold((request) => isOf(request, "POST", "/messages"));

/** Waits until the server has it. */
async function isKnown(text: string): Promise<void> {
  const newest = { anchor: "newest", num_before: 3, num_after: 0, apply_markdown: false };
  for (;;) {
    const { messages } = await w.ask("max", ["GET", "/messages"], newest);
    if ((messages as { content: string }[]).some(({ content }) => content === text)) return;
    await Bun.sleep(20);
  }
}

describe("the person's last message, edited by the up arrow while it is being sent", () => {
  test("opens as soon as its event arrives, and none before it", async () => {
    const { release } = await holdEvents();
    await send("quick words");
    await isKnown("quick words");
    await isBeingSent("quick words");
    await mel.press("ArrowUp");
    expect(await isEditing()).toBe(false);
    await release();
    await mel.tab.waitForSelector(editor);
    await mel.until("document.activeElement?.value === 'quick words'");
    await mel.tab.keyboard.type(", better");
    await mel.press("Control+Enter");
    await isStored("quick words, better");
    expect(await isEditing()).toBe(false);
  });

  test.each([
    ["types", async () => mel.tab.keyboard.type("and so"), "and so"],
    ["presses Escape", () => mel.press("Escape"), ""],
    ["points elsewhere", () => mel.click("[data-view-title]"), ""],
  ] as const)("stays closed if the person %s meanwhile", async (name, act, text) => {
    const { release } = await holdEvents();
    await send(`before one ${name}`);
    await isBeingSent(`before one ${name}`);
    await mel.press("ArrowUp");
    await act();
    await release();
    await isStored(`before one ${name}`);
    expect(await isEditing()).toBe(false);
    expect(await typed()).toBe(text);
  });

  test("stays closed if the person leaves the conversation", async () => {
    const { release } = await holdEvents();
    await send("before leaving");
    await isBeingSent("before leaving");
    await mel.press("ArrowUp");
    await mel.go("#inbox");
    await mel.go(`#narrow/channel/${harbour}-harbour/topic/boats`);
    await release();
    await isStored("before leaving");
    expect(await isEditing()).toBe(false);
  });

  test("stays closed if it cannot be sent; then the up arrow takes its text back", async () => {
    const { refuse } = await holdSending();
    await send("refused words");
    await isBeingSent("refused words");
    await mel.press("ArrowUp");
    await refuse();
    await mel.sees("Not today");
    expect(await isEditing()).toBe(false);
    expect(await typed()).toBe("");
    await mel.press("ArrowUp");
    await mel.missed("Not today");
    expect(await typed()).toBe("refused words");
    await mel.press("Control+Enter");
    await isStored("refused words");
  });

  test("comes back to the composer if it is held back", async () => {
    await mel.tab.evaluate(() => localStorage.setItem("hold seconds", "30"));
    await send("held words");
    await mel.sees("Sending in 30 seconds");
    await mel.press("ArrowUp");
    await mel.missed("Sending in 30 seconds");
    expect(await typed()).toBe("held words");
    expect(await isEditing()).toBe(false);
    await mel.tab.evaluate(() => localStorage.removeItem("hold seconds"));
    await mel.press("Control+Enter");
    await isStored("held words");
  });
});

describe("the person's last message, edited by the up arrow", () => {
  const openTopic = async (name: string) => {
    await mel.go(`#narrow/channel/${harbour}-harbour/topic/${name}`);
    await mel.until(`document.querySelector('[data-view-title]')?.textContent === '${name}'`);
    await mel.tab.waitForSelector(composer);
  };
  const isInView = `(() => {
    const { top, bottom } = document.querySelector('${editor}').getBoundingClientRect();
    return top >= 0 && bottom <= document.querySelector('[data-feed]').getBoundingClientRect().bottom;
  })()`;

  const isEditingInView = async (text: string) => {
    await mel.until(`document.activeElement?.value === '${text}'`);
    await mel.until(isInView);
    await mel.press("Escape");
  };

  test("is the last one that may be edited: not a poll", async () => {
    await openTopic("boats");
    await send("before the poll");
    await isStored("before the poll");
    await send("/poll Soup?\nYes");
    await mel.tab.waitForSelector('section[aria-label="Poll: Soup?"]');
    await isLast("Soup?", "[data-message]");
    await mel.press("ArrowUp");
    await mel.until("document.activeElement?.value === 'before the poll'");
    await mel.press("Escape");
  });

  test("scrolls to it", async () => {
    await w.post("mel", "harbour", "log", "the oldest entry");
    for (let i = 1; i <= 40; i++) await w.post("max", "harbour", "log", `entry ${i}\n\nof the log`);
    await w.ask("mel", ["POST", "/mark_all_as_read"]);
    // The events of all this may still be on their way to the page: with unread messages, it would open at the first of these.
    await mel.tab.reload();
    await openTopic("log");
    await isStored("entry 40");
    await mel.tab.focus(composer);
    await mel.press("ArrowUp");
    await mel.until("document.activeElement?.value === 'the oldest entry'");
    await mel.until(isInView);
    await mel.tab.evaluate("document.querySelector('[data-feed]').scrollTop = 1e6");
    await mel.until(`!document.querySelector('${editor}')`);
    await mel.tab.focus(composer);
    await mel.press("ArrowUp");
    await isEditingInView("the oldest entry");
  });

  test("opens its conversation, if the view lacks it", async () => {
    await w.post("max", "harbour", "log", "a rare albatross");
    await mel.go("#narrow/search/albatross");
    await mel.until("document.querySelector('[data-feed]')?.innerText.includes('a rare albatross')");
    // Selects the message, and replies to it.
    await mel.press("r");
    await mel.until("document.activeElement?.matches('[data-message]')");
    await mel.press("r");
    await mel.until(`document.activeElement?.matches('${composer}')`);
    await mel.press("ArrowUp");
    await isEditingInView("the oldest entry");
    expect(await mel.tab.evaluate("location.hash")).toContain("/topic/log/near/");
  });

  test("is the newest on the server, if the conversation is open further up", async () => {
    const first = await w.post("mel", "harbour", "notes", "the first note");
    const long = "a line\n\n".repeat(20);
    for (let i = 1; i <= 60; i++) await w.post("max", "harbour", "notes", `note ${i}\n\n${long}`);
    await w.post("mel", "harbour", "notes", "the last note");
    for (let i = 61; i <= 64; i++) await w.post("max", "harbour", "notes", `note ${i}\n\n${long}`);
    await w.ask("mel", ["POST", "/mark_all_as_read"]);
    await mel.tab.reload();
    await mel.go(`#narrow/channel/${harbour}-harbour/topic/notes/near/${first}`);
    await mel.sees("the first note");
    await mel.tab.focus(composer);
    await mel.press("ArrowUp");
    await isEditingInView("the last note");
  });

  test("is refused with the reason", async () => {
    const change = (settings: Record<string, unknown>) => w.ask("olive", ["PATCH", "/realm"], settings);
    await openTopic("boats");
    await change({ message_content_edit_limit_seconds: 1 });
    await Bun.sleep(2100);
    await mel.tab.focus(composer);
    await mel.press("ArrowUp");
    await mel.sees("Your last message cannot be edited. Messages can be edited for 1 second.");
    expect(await isEditing()).toBe(false);
    await change({ allow_message_editing: false });
    const isOff = "document.body.innerText.includes('Your organization has turned off message editing.')";
    while (!(await mel.tab.evaluate(isOff))) await mel.press("ArrowUp");
    expect(await isEditing()).toBe(false);
    await change({ message_content_edit_limit_seconds: 600, allow_message_editing: true });
  });
});

test("a message that was selected while it was being sent keeps focus and selection", async () => {
  const { release } = await holdEvents();
  await send("selected words");
  await isBeingSent("selected words");
  await mel.tab.evaluate("document.activeElement.blur()");
  await mel.press("Shift+G");
  await mel.until(
    "document.activeElement?.matches('article') && document.activeElement.innerText.includes('selected words')",
  );
  await release();
  await mel.until("document.activeElement?.matches('[data-message]')");
  await mel.press("e");
  await mel.tab.waitForSelector(editor);
  await mel.until("document.activeElement?.value === 'selected words'");
  await mel.press("Escape");
});

test("a message that is fetched before its event arrives is shown once, and can be edited", async () => {
  await w.post("max", "harbour", "lunch", "fish at noon");
  await mel.go("#feed");
  await mel.sees("fish at noon");
  // Both keys before the browser draws again.
  await mel.tab.evaluate(`for (const traits of [{ key: "G", shiftKey: true }, { key: "r" }])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { ...traits, bubbles: true, cancelable: true }))`);
  await mel.until(`document.activeElement?.matches('${composer}')`);
  await mel.tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  expect(await mel.tab.$eval(composer, (area) => area === document.activeElement)).toBe(true);
  const { release } = await holdEvents();
  await mel.tab.keyboard.type("fetched words");
  await mel.press("Control+Enter");
  await mel.sees("Sent to");
  await isKnown("fetched words");
  await mel.go(`#narrow/channel/${harbour}-harbour/topic/lunch`);
  await isStored("fetched words");
  const count = () =>
    mel.tab.evaluate("document.querySelector('[data-feed]').innerText.split('fetched words').length - 1");
  expect(await count()).toBe(1);
  await mel.tab.focus(composer);
  await mel.press("ArrowUp");
  await mel.until("document.activeElement?.value === 'fetched words'");
  await mel.press("Escape");
  await release();
  await w.post("max", "harbour", "lunch", "and soup");
  await isStored("and soup");
  expect(await count()).toBe(1);
});
