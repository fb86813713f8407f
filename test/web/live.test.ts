// How the web client stays current: lost connections and queues, two tabs, long histories, requests that fail and are retried.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
const long = 260;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  for (let i = 1; i <= long; i++)
    await w.post("max", "harbour", "log", `entry ${i}\n\n${"wave ".repeat(i % 60)}`);
  await w.ask("mel", ["POST", "/mark_all_as_read"]);
  mel = await w.sit("mel", topic("log"));
}, 240_000);
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;

/** The topmost message that is completely visible, and its position after painting: rows are measured at the end of a frame. */
const topmost = (seat: Seat) =>
  seat.tab.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => {
    const edge = document.querySelector('[data-feed]').getBoundingClientRect().top;
    const row = [...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top >= edge + 40);
    resolve({ id: row.dataset.message, y: row.getBoundingClientRect().top });
  })))`) as Promise<{ id: string; y: number }>;
const placeOf = (seat: Seat, id: string) =>
  seat.tab.evaluate(
    `document.querySelector('[data-message="${id}"]')?.getBoundingClientRect().top`,
  ) as Promise<number>;
/** Waits until the visible rows stop moving, while rows may be added above; returns the topmost message. */
async function settled(): Promise<{ id: string; y: number }> {
  const frames = `new Promise((done) => {
    const next = (left) => requestAnimationFrame(() => (left === 0 ? done() : next(left - 1)));
    next(10);
  })`;
  for (;;) {
    const now = await topmost(mel);
    await mel.tab.evaluate(frames);
    // No number, if the row is no longer drawn.
    if (Math.abs((await placeOf(mel, now.id)) - now.y) < 3) return now;
  }
}
const queueOf = (seat: Seat) =>
  seat.tab.evaluate(
    "new URL(performance.getEntriesByType('resource').findLast((one) => one.name.includes('/json/events')).name).searchParams.get('queue_id')",
  ) as Promise<string>;

describe("a long history", () => {
  test("opens at its newest message if all are read", async () => {
    await mel.sees(`entry ${long}`);
  });

  test("is added above without moving the visible messages", async () => {
    const known = () =>
      mel.tab.evaluate("document.querySelector('[data-feed]').scrollHeight") as Promise<number>;
    const isAway = () => mel.tab.evaluate("document.querySelector('[data-jump]') !== null");
    const before = await known();
    await mel.tab.mouse.move(700, 400);
    let seen = await topmost(mel);
    // Older messages may be fetched before anybody scrolls.
    while ((await known()) <= before || !(await isAway())) {
      await mel.tab.mouse.wheel({ deltaY: -700 });
      await Bun.sleep(30);
      seen = await topmost(mel);
    }
    await mel.until(`document.querySelector('[data-feed]').scrollHeight > ${before}`);
    const now = await settled();
    expect(Number(now.id)).toBeLessThanOrEqual(Number(seen.id) + 3);
  });

  test("is scrolled to the newest message by one button", async () => {
    await mel.click("[data-jump]");
    await mel.sees(`entry ${long}`);
    await mel.until("document.querySelector('[data-jump]') === null");
  });

  test("opens at any message that a link names", async () => {
    const { messages } = (await w.ask("mel", ["GET", "/messages"], {
      anchor: "oldest",
      num_before: 0,
      num_after: 5,
      narrow: [{ operator: "topic", operand: "log" }],
    })) as { messages: { id: number }[] };
    await mel.go(`${topic("log")}/near/${messages[3]?.id}`);
    await mel.sees("entry 4");
    expect(await mel.tab.evaluate("document.body.innerText.includes('entry 260')")).toBe(false);
  });
});

describe("one's own message", () => {
  test("keeps its place at the end when the server has accepted it", async () => {
    await mel.go(topic("log"));
    await mel.sees(`entry ${long}`);
    await mel.click("[data-composer]");
    for (const text of ["first of mine", "second of mine"]) {
      await mel.tab.keyboard.type(text);
      await mel.press("Control+Enter");
      await mel.until(
        `[...document.querySelectorAll('article[data-message]')].some((one) => one.innerText.includes('${text}'))`,
      );
      const gap =
        "(() => { const f = document.querySelector('[data-feed]'); return f.scrollHeight - f.scrollTop - f.clientHeight; })()";
      expect(Number(await mel.tab.evaluate(gap))).toBeLessThan(20);
    }
  });
});

describe("a lost queue", () => {
  test("is replaced, and the messages on screen and the draft stay", async () => {
    await mel.go(topic("log"));
    await mel.sees(`entry ${long}`);
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("half a thou");
    const queue = await queueOf(mel);
    await w.ask("mel", ["DELETE", "/events"], { queue_id: queue });
    await w.post("max", "harbour", "log", "said in between");
    await mel.sees("said in between");
    expect(await mel.tab.evaluate("document.querySelector('[data-composer]').value")).toBe("half a thou");
    await w.post("max", "harbour", "log", "and after");
    await mel.sees("and after");
    expect(await queueOf(mel)).not.toBe(queue);
  });

  test("is replaced, and the scroll position in the middle of a long conversation stays", async () => {
    await mel.tab.mouse.move(700, 400);
    const isFarUp = "document.querySelector('[data-feed]').scrollTop < 4000";
    while (!(await mel.tab.evaluate(isFarUp))) await mel.tab.mouse.wheel({ deltaY: -600 });
    await settled();
    const before = await topmost(mel);
    await mel.tab.evaluate("document.querySelector('[data-feed]').setAttribute('data-same', '')");
    const queue = await queueOf(mel);
    // The messages on screen were fetched again.
    const fetched = mel.tab.waitForResponse((answer) => answer.url().includes("num_after=200"));
    await w.ask("mel", ["DELETE", "/events"], { queue_id: queue });
    await w.post("max", "harbour", "log", "far below");
    await fetched;
    while ((await queueOf(mel)) === queue) await Bun.sleep(20);
    await settled();
    expect(await mel.tab.$("[data-feed][data-same]")).not.toBeNull();
    expect(await topmost(mel)).toEqual({ id: before.id, y: expect.closeTo(before.y, -0.5) });
    await mel.click("[data-jump]");
    await mel.sees("far below");
  });
});

describe("a lost connection", () => {
  test("is shown in a banner; unsent messages wait, and are sent by themselves", async () => {
    await mel.tab.setOfflineMode(true);
    await mel.click("[data-composer]", { count: 3 });
    await mel.tab.keyboard.type("sent from the sea");
    await mel.press("Control+Enter");
    await mel.sees("Waiting to be sent");
    await mel.sees("No connection.");
    await mel.tab.setOfflineMode(false);
    await mel.missed("Waiting to be sent");
    await mel.missed("No connection.");
    await mel.until(
      "[...document.querySelectorAll('article[data-message]')].some((one) => one.innerText.includes('sent from the sea'))",
    );
    const { messages } = (await w.ask("max", ["GET", "/messages"], {
      anchor: "newest",
      num_before: 5,
      narrow: [{ operator: "search", operand: "sea" }],
    })) as { messages: object[] };
    expect(messages).toHaveLength(1);
  });
});

describe("two tabs", () => {
  test("agree on read, starred and sent messages", async () => {
    const other = await w.sit("mel", topic("log"));
    await mel.go("#inbox");
    await w.post("max", "harbour", "news", "first");
    await mel.sees("first");
    await other.go(topic("news"));
    await other.tab.waitForSelector("article");
    await mel.missed("first");
    await other.press("k", "s");
    await mel.until("[...document.querySelectorAll('nav a')].some((a) => /Starred\\s*1/.test(a.innerText))");
  });
});

describe("marking", () => {
  test("as unread from here counts them again, and reading does not undo it at once", async () => {
    await mel.go(topic("marks"));
    for (const text of ["one", "two", "three"]) await w.post("max", "harbour", "marks", `marked ${text}`);
    await mel.sees("marked three");
    const row = "[...document.querySelectorAll('nav a')].find((a) => a.href.includes('topic/marks'))";
    await mel.until(`${row} && !/unread/.test(${row}.textContent)`);
    await mel.press("k", "k");
    await mel.until("document.activeElement?.textContent.includes('marked two')");
    await mel.press("Shift+U");
    await mel.until(`/2\\s*unread/.test(${row}.textContent)`);
    await mel.go("#inbox");
    await mel.sees("marked three");
  });

  test("a topic as muted removes it from the inbox, until it is unmuted", async () => {
    await mel.go(topic("marks"));
    await mel.tab.waitForSelector("article");
    await mel.press("Shift+M");
    await mel.tab.waitForSelector("[aria-label='Topic: Muted']");
    await w.post("max", "harbour", "marks", "whispered");
    await mel.go("#inbox");
    await mel.missed("whispered");
    await mel.go(topic("marks"));
    await mel.tab.waitForSelector("[aria-label='Topic: Muted']");
    await mel.press("Shift+M");
    await mel.tab.waitForSelector("[aria-label='Topic: As the channel'], [aria-label='Topic: Following']");
  });
});

test("no page logged an error, or requested anything from another site", () => {
  expect(mel.strangers).toEqual([]);
  expect(mel.page.complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|BAD_EVENT|400/.test(text))).toEqual(
    [],
  );
});
