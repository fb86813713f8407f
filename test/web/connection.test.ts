// The connection in the web client: its loss and its return are seen, and messages wait for it. People reach the executable by a proxy
// that closes connections, holds everything back, or lets nothing come back. After how many seconds: reach.test.ts, stalls/connection.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Passage } from "../support/passage.ts";
import { until } from "../support/waiting.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let passage: Passage;
let mel: Seat;
let harbour = 0;

const composer = "textarea[data-composer]";
const lost = "No connection.";
const looks = [
  ["at a desk", { width: 1280, height: 860 }],
  ["on a phone", { width: 390, height: 780 }],
] as const;
const losses = [
  ["connections are closed", () => passage.refuse()],
  ["nothing arrives any more", () => passage.cut()],
] as const;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("max", "harbour", "boats", "all ashore");
  await w.post("max", "harbour", "tides", "low at noon");
  passage = await Passage.to(w.server.port);
});
afterAll(async () => {
  passage.close();
  await w.close();
});
afterEach(() => passage.mend(true));

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;

async function sit(look: (typeof looks)[number][1], name = "boats", said = "all ashore"): Promise<void> {
  await mel?.tab.close();
  mel = await w.sit("mel", topic(name), look, `http://127.0.0.1:${passage.port}`);
  await mel.tab.waitForSelector(composer);
  await mel.sees(said);
}

async function send(text: string): Promise<void> {
  await mel.tab.focus(composer);
  await mel.tab.keyboard.type(text);
  await mel.click('aria/Send[role="button"]');
}

/** What the channel's topic has of these texts, in order. */
async function arrived(words: RegExp): Promise<string[]> {
  const newest = { anchor: "newest", num_before: 50, num_after: 0, apply_markdown: false };
  const { messages } = await w.ask("max", ["GET", "/messages"], newest);
  return (messages as { content: string }[]).map(({ content }) => content).filter((text) => words.test(text));
}

const waiting = () =>
  mel.tab.$$eval(
    "[data-feed] article",
    (all) => all.filter((one) => (one as HTMLElement).innerText.includes("Waiting to be sent")).length,
  );

describe.each(looks)("%s", (_, look) => {
  beforeAll(() => sit(look));

  test.each(losses)("the banner comes when %s, and goes with the return", async (name, lose) => {
    await mel.tab.focus(composer);
    await mel.press("a", "Backspace");
    lose();
    await mel.sees(lost);
    passage.mend(true);
    await mel.missed(lost);
    await w.post("max", "harbour", "boats", `after ${look.width} ${name}`);
    await mel.sees(`after ${look.width} ${name}`);
  });

  test.each(losses)("what is written while %s waits, and is sent in order, once", async (name, lose) => {
    const words = [1, 2, 3].map((n) => `${look.width} ${name} ${n}`);
    lose();
    for (const text of words) await send(text);
    await until(async () => (await waiting()) === 3, "all three wait");
    expect(await arrived(new RegExp(`^${look.width} ${name}`))).toEqual([]);
    passage.mend(true);
    await until(
      async () => (await arrived(new RegExp(`^${look.width} ${name}`))).length === 3,
      "all are sent",
    );
    await mel.missed("Waiting to be sent");
    await mel.missed(lost);
    expect(await arrived(new RegExp(`^${look.width} ${name}`))).toEqual(words);
    for (const text of words)
      expect(
        await mel.tab.evaluate(
          `document.querySelector('[data-feed]').innerText.split(${JSON.stringify(text)}).length - 1`,
        ),
      ).toBe(1);
  });

  test("a conversation that could not be loaded is loaded once the connection is back", async () => {
    passage.refuse();
    await mel.go(topic(`tides ${look.width}`));
    await mel.sees("This could not be loaded");
    await w.post("max", "harbour", `tides ${look.width}`, `low at ${look.width}`);
    passage.mend(true);
    await mel.sees(`low at ${look.width}`);
    await mel.missed("This could not be loaded");
    await mel.go(topic("boats"));
    await mel.sees("all ashore");
  });

  test("a message that the server has, though its answer was lost, is sent once", async () => {
    const text = `once from ${look.width}`;
    passage.mute();
    await send(text);
    await until(async () => (await arrived(new RegExp(`^${text}$`))).length === 1, "the server has it");
    await mel.sees("Waiting to be sent");
    passage.mend(true);
    await mel.missed("Waiting to be sent");
    await mel.missed(lost);
    await send(`${text}, and another`);
    await mel.until(
      `[...document.querySelectorAll("[data-feed] article[data-message]")].at(-1)?.innerText.includes("and another")`,
    );
    expect(await arrived(new RegExp(`^${text}$`))).toEqual([text]);
    expect(
      await mel.tab.evaluate(
        `[...document.querySelectorAll("[data-feed] p")].filter((one) => one.innerText === ${JSON.stringify(text)}).length`,
      ),
    ).toBe(1);
  });

  test("messages that wait are sent after the page was loaded again, in another conversation", async () => {
    const words = [1, 2].map((n) => `kept ${look.width} ${n}`);
    passage.mute();
    for (const text of words) await send(text);
    await until(async () => (await waiting()) === 2, "both wait");
    passage.mend(true);
    await mel.tab.evaluate((hash) => {
      location.hash = hash;
      location.reload();
    }, topic("tides"));
    await mel.sees("low at noon");
    await until(async () => (await arrived(new RegExp(`^kept ${look.width}`))).length === 2, "both are sent");
    expect(await arrived(new RegExp(`^kept ${look.width}`))).toEqual(words);
    await mel.until("Object.keys(sessionStorage).every((key) => !key.startsWith('not sent '))");
    await mel.go(topic("boats"));
    await mel.sees(words[1] ?? "");
  });

  test("one that waits can be discarded", async () => {
    passage.refuse();
    await send(`never ${look.width}`);
    await mel.sees("Waiting to be sent");
    await mel.click("aria/Discard");
    await mel.missed("Waiting to be sent");
    passage.mend(true);
    await mel.missed(lost);
    await send(`instead ${look.width}`);
    await until(
      async () => (await arrived(new RegExp(`^instead ${look.width}$`))).length === 1,
      "the next one is sent",
    );
    expect(await arrived(/^never/)).toEqual([]);
  });
});

test("what a view could not load is loaded once the connection is back", async () => {
  const olive = await w.sit(
    "olive",
    "#organization/invitations",
    looks[0][1],
    `http://127.0.0.1:${passage.port}`,
  );
  await olive.sees("No open invitations");
  await olive.go(topic("tides"));
  await olive.sees("low at noon");
  passage.refuse();
  await olive.sees(lost);
  await olive.go("#organization/invitations");
  await olive.sees("The server cannot be reached.");
  passage.mend(true);
  await olive.sees("No open invitations");
  await olive.missed("The server cannot be reached.");
  await olive.tab.close();
});

test("a poll on a connection that is dead ends while other connections work", async () => {
  await sit(looks[0][1], "tides", "low at noon");
  await until(() => passage.waits("/json/events"), "the poll waits");
  passage.strand("/json/events");
  await w.post("max", "harbour", "tides", "by another way");
  // Somebody who moves the mouse sees it within seconds, and no banner.
  const seen = async () => {
    await mel.tab.mouse.move(Math.random() * 200, 300);
    const text = String(await mel.tab.evaluate("document.body.innerText"));
    expect(text).not.toContain(lost);
    return text.includes("by another way");
  };
  await until(seen, "the message comes", 250);
});

test("Try now tries now", async () => {
  // A page that is not in sight asks seldom: here it never would by itself.
  await mel.tab.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    const wait = window.setTimeout.bind(window);
    const held = (callback: () => void, delay: number) => (delay > 10_000 ? 0 : wait(callback, delay));
    Object.assign(window, { setTimeout: held });
  });
  passage.refuse();
  await mel.tab.evaluate("dispatchEvent(new Event('offline'))");
  await mel.sees(lost);
  passage.mend(true);
  await mel.click("aria/Try now");
  await mel.missed(lost);
});
