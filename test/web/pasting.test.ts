// What is dropped on a conversation, and pasted into its composer.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
let first = 0;

const composer = "textarea[data-composer]";
const value = `document.querySelector('${composer}').value`;
const looks = [
  ["at a desk", { width: 1440, height: 860 }],
  ["on a phone", { width: 390, height: 780 }],
] as const;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  first = await w.post("max", "harbour", "boats", "all ashore");
});
afterAll(() => w.close());

/** Dispatches an event with these texts and files at what the selector finds; returns whether the page has taken it. */
const give = (kind: "paste" | "dragover" | "drop", at: string, texts: Record<string, string>, file = "") =>
  mel.tab.evaluate(`(() => {
    const data = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(texts)})) data.setData(type, text);
    if (${JSON.stringify(file)}) data.items.add(new File(["of the log"], ${JSON.stringify(file)}, { type: "text/plain" }));
    const traits = { clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true };
    const event = new (${kind === "paste" ? "ClipboardEvent" : "DragEvent"})("${kind}", traits);
    return !document.querySelector(${JSON.stringify(at)}).dispatchEvent(event);
  })()`);
const paste = (text: string) => give("paste", composer, { "text/plain": text });

async function clear(): Promise<void> {
  await mel.tab.focus(composer);
  await mel.press("Control+a", "Backspace");
}

describe.each(looks)("%s", (_name, look) => {
  beforeAll(async () => {
    mel = await w.sit("mel", `#narrow/channel/${harbour}-harbour/topic/boats`, look);
    await mel.tab.waitForSelector(composer);
    await mel.sees("all ashore");
  });

  afterEach(clear);

  test("a file that is dropped on the messages goes into the composer, after the page has shown where", async () => {
    expect(await give("dragover", "[data-feed]", {}, "log.txt")).toBe(true);
    await mel.tab.waitForSelector("main [data-drop-target]");
    await mel.sees("Drop files to add them to your message");
    expect(await give("drop", "[data-feed]", {}, "log.txt")).toBe(true);
    await mel.tab.waitForSelector("main [data-drop-target]", { hidden: true });
    await mel.until(`/\\[log\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
  });

  test("a file that is dropped on the composer is added once", async () => {
    await give("drop", composer, {}, "once.txt");
    await mel.until(`/\\[once\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
    expect(await mel.tab.evaluate(`${value}.split("[once.txt]").length - 1`)).toBe(1);
  });

  test("text that is dragged is left to the browser", async () => {
    expect(await give("dragover", "[data-feed]", { "text/plain": "words" })).toBe(false);
    expect(await mel.tab.$("main [data-drop-target]")).toBeNull();
  });

  test("a text that is too long for a message is offered as a file, and not cut", async () => {
    await paste("wave ".repeat(4_000));
    await mel.sees("This is too long for a message.");
    expect(await mel.tab.evaluate(value)).toBe("");
    await mel.click("aria/Add it as a file");
    await mel.until(`/\\[pasted\\.txt\\]\\(\\/user_uploads\\/.+\\)/.test(${value})`);
  });

  test.each<[string, () => string, string]>([
    ["a topic", () => `#narrow/channel/${harbour}-harbour/topic/boats`, "#**harbour>boats**"],
    [
      "a message",
      () => `#narrow/channel/${harbour}-harbour/topic/boats/near/${first}`,
      "#**harbour>boats@ID**",
    ],
    ["a channel", () => `#narrow/channel/${harbour}-harbour`, "#**harbour**"],
  ])("the address of %s becomes its short form, and undo brings it back", async (_, hash, short) => {
    await mel.tab.focus(composer);
    const address = `${w.server.url}/${hash()}`;
    await paste(address);
    expect(await mel.tab.evaluate(value)).toBe(short.replace("ID", String(first)));
    await mel.press("Control+z");
    expect(await mel.tab.evaluate(value)).toBe(address);
  });

  test.each([
    ["another site", () => `https://example.com/#narrow/channel/${harbour}-harbour/topic/boats`],
    ["a view", () => `${w.server.url}/#inbox`],
    ["a search", () => `${w.server.url}/#narrow/search/boats`],
  ])("the address of %s is left as it is", async (_, address) => {
    await mel.tab.focus(composer);
    expect(await paste(address())).toBe(false);
  });

  test("the place to drop is as wide as the view", async () => {
    await give("dragover", "[data-feed]", {}, "log.txt");
    await mel.tab.waitForSelector("[data-drop-target]");
    expect(await mel.page.overflow()).toBe(0);
    await give("drop", "[data-feed]", {});
  });
});
