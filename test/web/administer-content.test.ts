// Linkifiers and code playgrounds in the organization's administration: two administrators, at desks and on a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import {
  fill,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let ada: Seat;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "mel");
  await w.channel("harbour", ["olive", "ada", "mel"]);
  await w.ask("olive", ["PATCH", `/users/${w.people.ada?.id}`], { role: 200 });
  [olive, ada] = await Promise.all([w.sit("olive"), w.sit("ada")]);
}, 240_000);
afterAll(() => w.close());

async function listed(): Promise<{ id: number; pattern: string; url_template: string }[]> {
  return (await w.ask("olive", ["GET", "/realm/linkifiers"])).linkifiers as never;
}

async function audited(): Promise<string[]> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"]);
  return (entries as { event: string }[]).map(({ event }) => event);
}

/** The middle of a row's handle. */
async function handleOf(seat: Seat, row: number): Promise<{ x: number; y: number }> {
  const handle = await seat.tab.waitForSelector(`ol li:nth-child(${row + 1}) [aria-hidden] svg`);
  const { x, y, width, height } = (await handle?.boundingBox()) ?? fail();
  return { x: x + width / 2, y: y + height / 2 };
}

const fail = (): never => {
  throw new Error("The row has no handle.");
};

/** Drags a row above the first one, and holds it there until the page shows that. */
async function lift(seat: Seat, row: number): Promise<void> {
  const { mouse } = seat.tab;
  const [from, to] = [await handleOf(seat, row), await handleOf(seat, 0)];
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move(to.x, to.y, { steps: 4 });
  await seat.until("document.querySelector('ol li').style.transform !== ''");
}

describe("linkifiers", () => {
  test("one is tried while it is written, and then is in the other's list", async () => {
    await Promise.all([olive.go("#organization/linkifiers"), ada.go("#organization/linkifiers")]);
    await ada.sees("No linkifiers yet");
    await pressButton(olive, "Add a linkifier");
    await olive.tab.waitForSelector("[role=dialog]");
    await fill(olive, "Pattern", "#(?P<id>[0-9]+");
    await fill(olive, "Address of the link", "https://example.com/issues/{id}");
    await fill(olive, "A text to try", "see #12, not a#3");
    await olive.sees("Bad regular expression");
    await fill(olive, "Pattern", "#(?P<id>[0-9]+)");
    await olive.sees("https://example.com/issues/12");
    expect(await olive.tab.$$("[role=status] li")).toHaveLength(1);
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.click("[role=dialog] button[type=submit]");
    await ada.sees("https://example.com/issues/{id}");
    expect(await audited()).toContain("linkifier_added");
    await olive.until(noDialog);
    await w.post("mel", "harbour", "bugs", "look at #12");
    await olive.go("#narrow/channel/1-harbour/topic/bugs");
    await olive.tab.waitForSelector('a[href="https://example.com/issues/12"]');
  });

  test("that the server refuses stays in the dialog, which says why", async () => {
    await ada.go("#organization/linkifiers");
    await pressButton(ada, "Add a linkifier");
    await ada.tab.waitForSelector("[role=dialog]");
    await fill(ada, "Pattern", "#(?P<id>[0-9]+)");
    await fill(ada, "Address of the link", "https://other.example.com/{id}");
    await ada.click("[role=dialog] button[type=submit]");
    await ada.sees("There is already a linkifier with this pattern.");
    await fill(ada, "Pattern", "#(?P<id>1[0-9]*)");
    await ada.click("[role=dialog] button[type=submit]");
    await until(async () => (await listed()).length === 2, "there are two");
    await ada.until(noDialog);
  });

  test("apply in their order, which is changed by the keyboard", async () => {
    await olive.go("#organization/linkifiers");
    await fill(olive, "A text to try", "see #12");
    await olive.sees("https://example.com/issues/12");
    const up = await olive.page.find('aria/Move #(?P<id>1[0-9]*) up[role="button"]');
    await up?.focus();
    await olive.press("Enter");
    await olive.sees("https://other.example.com/12");
    expect((await listed()).map(({ pattern }) => pattern)).toEqual(["#(?P<id>1[0-9]*)", "#(?P<id>[0-9]+)"]);
    await olive.sees("is number 1 of 2 now.");
    expect(await up?.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await audited()).toContain("linkifiers_reordered");
    await ada.until("document.querySelector('ol li code')?.textContent === '#(?P<id>1[0-9]*)'");
    expect(await faultsOf(olive.page)).toEqual([]);
  });

  test("are dragged to another place, and Escape leaves them where they were", async () => {
    await lift(olive, 1);
    await olive.press("Escape");
    await olive.tab.mouse.up();
    expect((await listed()).map(({ pattern }) => pattern)).toEqual(["#(?P<id>1[0-9]*)", "#(?P<id>[0-9]+)"]);
    await lift(olive, 1);
    await olive.tab.mouse.up();
    await ada.until("document.querySelector('ol li code')?.textContent === '#(?P<id>[0-9]+)'");
    expect((await listed()).map(({ pattern }) => pattern)).toEqual(["#(?P<id>[0-9]+)", "#(?P<id>1[0-9]*)"]);
  });

  test("one is changed, and deleted after a question", async () => {
    await pressButton(ada, "Edit #(?P<id>1[0-9]*)");
    await ada.tab.waitForSelector("[role=dialog]");
    await fill(ada, "Address of the link", "https://third.example.com/{id}");
    await ada.click("[role=dialog] button[type=submit]");
    await olive.sees("https://third.example.com/{id}");
    await ada.until(noDialog);
    await pressButton(ada, "Delete #(?P<id>1[0-9]*)");
    await ada.sees("Messages that were sent keep their links.");
    expect(await faultsOf(ada.page)).toEqual([]);
    await ada.tab.waitForSelector("[role=dialog]");
    await ada.click("[role=dialog] button[type=submit]");
    await olive.missed("https://third.example.com/{id}");
    expect(await listed()).toHaveLength(1);
    await ada.until(noDialog);
  });
});

describe("code playgrounds", () => {
  test("one is added, in the other's list, and removed", async () => {
    await Promise.all([olive.go("#organization/playgrounds"), ada.go("#organization/playgrounds")]);
    await ada.sees("No playgrounds yet");
    await pressButton(olive, "Add a playground");
    await olive.tab.waitForSelector("[role=dialog]");
    await fill(olive, "Name", "Rust playground");
    await fill(olive, "Language of the code", "rust");
    await fill(olive, "Address of the site", "https://play.example.com/");
    await olive.click("[role=dialog] button[type=submit]");
    await olive.sees("must insert 'code', and nothing else");
    await fill(olive, "Address of the site", "https://play.example.com/?code={{code}");
    expect(await faultsOf(olive.page)).toEqual([]);
    await fill(olive, "Address of the site", "https://play.example.com/?code={code}");
    await olive.click("[role=dialog] button[type=submit]");
    await ada.sees("https://play.example.com/?code={code}");
    expect(await audited()).toContain("playground_added");
    await olive.until(noDialog);
    await pressButton(ada, "Remove Rust playground (rust)");
    await ada.sees("Blocks of code in rust no longer lead there.");
    await ada.tab.waitForSelector("[role=dialog]");
    await ada.click("[role=dialog] button[type=submit]");
    await olive.sees("No playgrounds yet");
    expect(await audited()).toContain("playground_removed");
  });
});

describe("at 360 pixels", () => {
  test("an administrator drags a linkifier by a finger, and writes one", async () => {
    const small = await w.sit("ada", "#organization/linkifiers", {
      width: 360,
      height: 740,
      colours: "dark",
    });
    await small.sees("https://example.com/issues/{id}");
    await w.ask("ada", ["POST", "/realm/filters"], {
      pattern: "second",
      url_template: "https://example.com/",
    });
    const [from, to] = [await handleOf(small, 1), await handleOf(small, 0)];
    await small.tab.touchscreen.touchStart(from.x, from.y);
    await small.tab.touchscreen.touchMove(from.x, (from.y + to.y) / 2);
    await small.tab.touchscreen.touchMove(to.x, to.y);
    await small.until("document.querySelector('ol li').style.transform !== ''");
    await small.tab.touchscreen.touchEnd();
    await small.sees("second is number 1 of 2 now.");
    expect((await listed()).map(({ pattern }) => pattern)).toEqual(["second", "#(?P<id>[0-9]+)"]);
    expect(await small.page.overflow()).toBe(0);
    expect(await faultsOf(small.page)).toEqual([]);
    await pressButton(small, "Add a linkifier");
    await small.tab.waitForSelector("[role=dialog]");
    expect(await small.page.overflow()).toBe(0);
    expect(await faultsOf(small.page)).toEqual([]);
  });
});
