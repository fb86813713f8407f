// The feed stays at the message that the person went to, while sizes become known and messages are added around it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { until } from "../support/waiting.ts";
import { holdRequests, isOf } from "../support/web-held.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

const count = 160;
const feed = "document.querySelector('[data-feed]')";
const rowOf = (id: number | undefined) => `document.querySelector('[data-message="${id}"]')`;

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
const log: number[] = [];

/** Lets a test hold back what the page does for the next frame, and what React renders later. */
const holdable = `{
  const draw = requestAnimationFrame;
  const post = MessagePort.prototype.postMessage;
  let frames = null;
  let tasks = null;
  globalThis.requestAnimationFrame = (step) => (frames ? frames.push(step) && -1 : draw(step));
  MessagePort.prototype.postMessage = function (...words) {
    if (tasks) tasks.push(() => post.apply(this, words));
    else post.apply(this, words);
  };
  globalThis.holding = {
    frames: () => { frames = []; },
    tasks: () => { tasks = []; },
    end: () => {
      const [drawing, posting] = [frames ?? [], tasks ?? []];
      frames = tasks = null;
      for (const step of drawing) draw(step);
      for (const step of posting) step();
    },
    drawn: (times) => new Promise((done) => {
      const next = (left) => (left === 0 ? done() : draw(() => next(left - 1)));
      next(times);
    }),
  };
}`;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  for (let i = 1; i <= count; i++) log.push(await w.post("max", "harbour", "log", `entry ${i}`));
  mel = await w.sit("mel");
  await mel.tab.evaluateOnNewDocument(holdable);
});
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;
const isInView = (id: number | undefined) => `(() => {
  const row = ${rowOf(id)}?.getBoundingClientRect();
  const { top, bottom } = ${feed}?.getBoundingClientRect() ?? {};
  return row !== undefined && row.top >= top && row.bottom <= bottom;
})()`;

/** As `mel.until`, which looks once per frame. */
const becomesTrue = (expression: string) => until(() => mel.tab.evaluate(expression), expression, 0);

/** A page without anything loaded. */
beforeEach(async () => {
  await mel.tab.goto(`${w.server.url}/#inbox`);
  await mel.tab.reload();
  await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Inbox'");
});

describe("a message that a link names", () => {
  const idOf = (entry: number) => log[entry - 1];
  const openAt = (entry: number) =>
    mel.tab.evaluate(`location.hash = ${JSON.stringify(`${topic("log")}/near/${idOf(entry)}`)}`);
  const grow = (entry: number) =>
    w.ask("max", ["PATCH", `/messages/${idOf(entry)}`], {
      content: `entry ${entry}, ${"longer\n\n".repeat(12)}`,
    });
  const hasGrown = (entry: number) => mel.until(`${rowOf(idOf(entry))}?.innerText.includes('longer')`);

  test("is shown although older ones arrive before the browser draws", async () => {
    await mel.tab.evaluate("holding.frames()");
    const held = await holdRequests(mel, (request) => {
      const { searchParams } = new URL(request.url());
      return isOf(request, "GET", "/messages") && searchParams.get("num_after") === "0";
    });
    await openAt(80);
    await held.first;
    await becomesTrue(`${feed}?.scrollTop > 0`);
    const before = await mel.tab.evaluate(`${feed}.scrollHeight`);
    await held.release();
    await becomesTrue(`${feed}.scrollHeight > ${before}`);
    await mel.tab.evaluate("holding.end()");
    await mel.tab.evaluate("holding.drawn(10)");
    await mel.until(isInView(idOf(80)));
  });

  test("stays in sight while messages above it become longer, until the person scrolls", async () => {
    await openAt(80);
    await mel.until(isInView(idOf(80)));
    for (const entry of [75, 76, 77]) await grow(entry);
    await hasGrown(77);
    await mel.until(isInView(idOf(80)));
    await mel.tab.evaluate(`${feed}.scrollTop -= 60`);
    await mel.tab.evaluate("holding.drawn(2)");
    await mel.tab.evaluate(`${feed}.scrollTop -= 1200`);
    await mel.until(`!(${isInView(idOf(80))})`);
    for (const entry of [78, 79]) await grow(entry);
    await w.post("max", "harbour", "elsewhere", "a later event");
    await mel.until(`document.querySelector('nav').innerText.includes('elsewhere')`);
    await mel.tab.evaluate("holding.drawn(3)");
    expect(await mel.tab.evaluate(isInView(idOf(80)))).toBe(false);
  });

  test("is marked as read with those around it, but none that was never shown", async () => {
    const ids: number[] = [];
    for (let i = 1; i <= 100; i++) ids.push(await w.post("max", "harbour", "news", `piece ${i}`));
    await mel.tab.evaluate(`location.hash = ${JSON.stringify(`${topic("news")}/near/${ids[60]}`)}`);
    await mel.until(isInView(ids[60]));
    const isRead = async (id: number | undefined) => {
      const { message } = await w.ask("mel", ["GET", `/messages/${id}`]);
      return (message as { flags: string[] }).flags.includes("read");
    };
    await until(() => isRead(ids[60]), "the message is read");
    const { messages } = await w.ask("mel", ["GET", "/messages"], {
      anchor: String(ids[0]),
      num_before: 0,
      num_after: 29,
      narrow: [{ operator: "topic", operand: "news" }],
    });
    const read = (messages as { id: number; flags: string[] }[]).filter(({ flags }) =>
      flags.includes("read"),
    );
    expect(read.map(({ id }) => ids.indexOf(id))).toEqual([]);
  });
});

/** Until the page knows that all is read, a conversation opens at the first unread message: so the page is loaded again. */
async function readAll(): Promise<void> {
  await w.ask("mel", ["POST", "/mark_all_as_read"]);
  await mel.tab.reload();
  await mel.until("document.querySelector('[data-view-title]')?.textContent === 'Inbox'");
}

describe("the newest message", () => {
  test("stays in sight while it and others become longer, and new ones follow", async () => {
    const ids: number[] = [];
    for (let i = 1; i <= 60; i++) ids.push(await w.post("max", "harbour", "tides", `tide ${i}`));
    await readAll();
    await mel.go(topic("tides"));
    await mel.until(isInView(ids.at(-1)));
    for (const id of ids.slice(-5))
      await w.ask("max", ["PATCH", `/messages/${id}`], {
        content: `longer\n\n${"and higher\n\n".repeat(4)}`,
      });
    await mel.until(`${rowOf(ids.at(-1))}?.innerText.includes('longer')`);
    await mel.until(isInView(ids.at(-1)));
    const next = await w.post("max", "harbour", "tides", "the next tide\n\n".repeat(10));
    await mel.until(isInView(next));
  });
});

describe("the first message, selected by a key", () => {
  test("gets the focus however late it is drawn", async () => {
    // Fewer than the first page has, for the key goes to the first one that is loaded; and so high that the first one is not drawn.
    for (let i = 1; i <= 30; i++) await w.post("max", "harbour", "ebb", `${"low\n\n".repeat(5)}ebb ${i}`);
    await readAll();
    await mel.go(topic("ebb"));
    await mel.sees("ebb 30");
    expect(await mel.tab.evaluate(`${feed}.innerText.split("\\n").includes("ebb 1")`)).toBe(false);
    await mel.press("k");
    await mel.until("document.activeElement?.matches('[data-message]')");
    await mel.tab.evaluate("holding.tasks()");
    await mel.press("Home");
    await mel.tab.evaluate("holding.drawn(12)");
    await mel.tab.evaluate("holding.end()");
    await mel.until("/ebb 1$/.test(document.activeElement?.innerText ?? '')");
  });
});
