// Where things stand: one edge for titles, content and composer in every view, buttons that cover no text, and the beginning of
// a conversation at the top.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

const long =
  "a line that is as long as the text may be wide, and goes on to where the buttons could be, ".repeat(4);

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
let crew = 0;
let unread: number[] = [];

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"], { description: "All about the *quay*" });
  for (let i = 1; i <= 24; i++) {
    await w.post("max", "harbour", "log", `entry ${i}: ${long}`);
    await w.post(i % 4 === 0 ? "mel" : "max", "harbour", "log", `entry ${i}, the ${long.slice(0, 96)}`);
    await w.post("max", "harbour", "log", `the next of entry ${i}`);
  }
  // The log opens at its end.
  for (const who of ["mel", "max"]) await w.ask(who, ["POST", "/mark_all_as_read"]);
  const gull = await w.post("max", "harbour", "boats", "the Gull is back, @**Mel**");
  await w.post("olive", "harbour", "boats", "at last");
  unread = [
    await w.write("max", ["mel"], "do you read me"),
    await w.write("max", ["mel", "olive"], "to both of you"),
  ];
  await w.ask("mel", ["POST", "/messages/flags"], { messages: [gull], op: "add", flag: "starred" });
  const draft = { type: "stream", to: [harbour], topic: "boats", content: "soon", timestamp: 1_700_000_000 };
  await w.ask("mel", ["POST", "/drafts"], { drafts: [draft] });
  const at = Math.floor(Date.now() / 1000) + 86_400;
  await w.ask("mel", ["POST", "/scheduled_messages"], {
    ...{ type: "channel", to: harbour, topic: "boats", content: "later" },
    scheduled_delivery_timestamp: at,
  });
  await w.ask("mel", ["POST", "/reminders"], { message_id: gull, scheduled_delivery_timestamp: at });
  await w.ask("olive", ["POST", "/user_groups/create"], {
    ...{ name: "crew", description: "who sails", members: [w.people.olive?.id, w.people.mel?.id] },
  });
  const { user_groups } = await w.ask("olive", ["GET", "/user_groups"]);
  crew = (user_groups as { id: number; name: string }[]).find(({ name }) => name === "crew")?.id ?? 0;
  mel = await w.sit("mel");
}, 240_000);
afterAll(() => w.close());

const topic = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${encodeURIComponent(name)}`;
const size = (width: number, height: number) => mel.tab.setViewport({ width, height });

describe("titles, content and composer begin at one edge", () => {
  const views = (): [hash: string, shown: string][] => [
    ["#inbox", "do you read me"],
    ["#recent", "to both of you"],
    ["#feed", "to both of you"],
    ["#narrow/is/mentioned", "the Gull is back"],
    ["#narrow/is/starred", "the Gull is back"],
    ["#drafts", "soon"],
    ["#scheduled", "later"],
    ["#reminders", "the Gull is back"],
    ["#search", "Search"],
    ["#narrow/search/gull", "Gull"],
    [topic("boats"), "at last"],
    [topic("log"), "the next of entry 24"],
    [topic("nothing"), "A new topic"],
    [`#narrow/channel/${harbour}-harbour`, "at last"],
    [`#narrow/dm/${w.people.max?.id}-max`, "do you read me"],
    [`#narrow/dm/${w.people.mel?.id}-mel`, "Notes to yourself"],
    [`#topics/channel/${harbour}`, "boats"],
    ["#channels", "harbour"],
    ...["about", "people", "permissions"].map((section): [string, string] => [
      `#channels/${harbour}/-/${section}`,
      "harbour",
    ]),
    ["#groups", "crew"],
    [`#groups/${crew}/-`, "crew"],
    [`#user/${w.people.max?.id}`, "max@example.com"],
    ["#settings/profile", "Picture"],
    ["#settings/notifications", "On this device"],
    ["#organization/general", "Organization"],
  ];

  /** Where the head and what is below it begin: the first text, picture, field or border. Runs in the page. */
  const edges = () => {
    const view = document.querySelector("#view") as HTMLElement;
    const isSeen = (one: Element) => {
      const { width, height } = one.getBoundingClientRect();
      const options = { opacityProperty: true, visibilityProperty: true };
      return width > 2 && height > 2 && width < view.clientWidth && one.checkVisibility(options);
    };
    const hasEdge = (one: Element) => {
      const style = getComputedStyle(one);
      return [style.borderInlineStartWidth, style.borderBlockEndWidth].some((width) => parseFloat(width) > 0);
    };
    const firstOf = (part: Element) => {
      const all = [...part.querySelectorAll("*")].filter(isSeen);
      const drawn = all.filter((one) => one.matches("svg, img, input, select") || hasEdge(one));
      const texts = all.flatMap((one) =>
        [...one.childNodes].flatMap((node) => {
          if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === "") return [];
          const range = document.createRange();
          range.selectNodeContents(node);
          return [...range.getClientRects()];
        }),
      );
      const rects = [...drawn.map((one) => one.getBoundingClientRect()), ...texts];
      return Math.min(...rects.map(({ left }) => Math.round(left)));
    };
    const title = document.querySelector("[data-view-title]")?.parentElement;
    const parts = [...view.children].filter(
      (one) => !one.matches("header") && one.getBoundingClientRect().height > 2,
    );
    return {
      head: Math.round(title?.getBoundingClientRect().left ?? 0),
      below: Math.min(...parts.map(firstOf)),
      composer: ((form) => (form ? firstOf(form) : null))(document.querySelector("#view > form")),
    };
  };

  test.each([1280, 1440, 1920])("in a window of %d pixels", async (width) => {
    await size(width, 860);
    await w.ask("mel", ["POST", "/messages/flags"], { messages: unread, op: "remove", flag: "read" });
    const found: Record<string, unknown> = {};
    let edge = 0;
    for (const [hash, shown] of views()) {
      await mel.go(hash);
      await mel.until(
        `document.querySelector('[aria-busy=true]') === null && document.querySelector('main').innerText.includes(${JSON.stringify(shown)})`,
      );
      const { head, below, composer } = await mel.tab.evaluate(edges);
      edge ||= head;
      const isOne = [head, below, composer ?? edge].every((at) => Math.abs(at - edge) <= 1);
      if (!isOne) found[hash] = { head, below, composer };
    }
    expect(found).toEqual({});
  });

  test("so do pictures and lines between days, and a panel beside them moves nothing", async () => {
    await size(1440, 860);
    await mel.go(topic("boats"));
    await mel.sees("at last");
    const lefts = () =>
      mel.tab.evaluate(() =>
        ["[data-feed] h2", "[data-feed] article img", "[data-feed] article [data-person] img"].map((one) =>
          Math.round(document.querySelector(one)?.getBoundingClientRect().left ?? 0),
        ),
      );
    const [edge = 0, ...others] = await lefts();
    expect(others).toEqual([edge, edge]);
    await mel.press("w");
    await mel.until("document.querySelector('#panel') !== null");
    expect(await lefts()).toEqual([edge, edge, edge]);
    await mel.press("w");
    await mel.until("document.querySelector('#panel') === null");
  });
});

interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Whether an element is in the feed's window, and what text it covers. Runs in the page. */
function coverage(selector: string): { isInside: boolean; covered: string[] } {
  const rectOf = (one: Element): Rect => one.getBoundingClientRect();
  const box = rectOf(document.querySelector(selector) as Element);
  const feed = rectOf(document.querySelector("[data-feed]") as Element);
  const covered = [...document.querySelectorAll("[data-feed] :is(.message-content, [data-person]) ")].flatMap(
    (part) => {
      const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const isCovered = [...range.getClientRects()].some(
          ({ left, right, top, bottom }) =>
            left < box.right && right > box.left && top < box.bottom - 1 && bottom > box.top + 1,
        );
        if (isCovered) found.push(node.textContent ?? "");
      }
      return found;
    },
  );
  const isInside =
    box.top >= feed.top && box.bottom <= feed.bottom && box.left >= feed.left && box.right <= feed.right;
  return { isInside, covered };
}

describe("the buttons of a message", () => {
  /** By message: what is wrong with its buttons, for every message in sight. */
  const faults = async () => {
    const seen = await mel.tab.evaluate(() => {
      const feed = document.querySelector("[data-feed]")?.getBoundingClientRect() as DOMRect;
      return [...document.querySelectorAll<HTMLElement>("article[data-message]")].flatMap((row) => {
        const { top, bottom, left } = row.getBoundingClientRect();
        const [from, to] = [Math.max(top, feed.top), Math.min(bottom, feed.bottom)];
        return to - from > 6 ? [{ id: row.dataset.message, x: left + 120, y: (from + to) / 2 }] : [];
      });
    });
    const found: Record<string, unknown> = {};
    for (const { id, x, y } of seen) {
      await mel.tab.mouse.move(x, y);
      const buttons = `[data-message="${id}"]:hover [data-actions]`;
      await mel.until(`document.querySelector('${buttons}') !== null`);
      const { isInside, covered } = await mel.tab.evaluate(coverage, buttons);
      if (!isInside || covered.length > 0) found[String(id)] = { isInside, covered };
    }
    expect(seen.length).toBeGreaterThan(2);
    return found;
  };

  /** Waits until the feed shows the same place for some frames. */
  const standsStill = () =>
    mel.tab.evaluate(async () => {
      const placeOf = () => document.querySelector("[data-feed] article")?.getBoundingClientRect().top;
      for (let same = 0, before = placeOf(); same < 4; ) {
        await new Promise(requestAnimationFrame);
        const now = placeOf();
        same = now === before ? same + 1 : 0;
        before = now;
      }
    });

  test.each([
    [1440, 900],
    [1280, 420],
    [1000, 500],
    [760, 500],
  ])("cover no text and are whole in a window of %d by %d pixels", async (width, height) => {
    await size(width, height);
    await mel.go("#inbox");
    await mel.go(topic("log"));
    await mel.sees("the next of entry 24");
    await standsStill();
    expect(await faults()).toEqual({});
    // Rows are cut by the edges of the feed, at any place.
    for (const by of [-37, -111, -203]) {
      await mel.tab.evaluate((pixels) => document.querySelector("[data-feed]")?.scrollBy(0, pixels), by);
      await standsStill();
      expect(await faults()).toEqual({});
    }
  });

  test("are whole at the first message of a conversation, and beside a panel", async () => {
    await size(1440, 900);
    await mel.go(topic("boats"));
    await mel.sees("at last");
    expect(await mel.tab.evaluate("document.querySelectorAll('article[data-message]').length")).toBe(2);
    await mel.press("w");
    await mel.until("document.querySelector('#panel') !== null");
    await mel.go(topic("log"));
    await mel.sees("the next of entry 24");
    await standsStill();
    expect(await faults()).toEqual({});
    await mel.press("w");
    await mel.until("document.querySelector('#panel') === null");
  });

  test("offer the three reactions that are used most, which a second press takes back", async () => {
    await size(1440, 900);
    const used = [{ emoji_name: "rocket", emoji_code: "1f680", reaction_type: "unicode_emoji", count: 5 }];
    await mel.tab.evaluate((kept) => localStorage.setItem("emoji used", kept), JSON.stringify(used));
    await mel.go("#inbox");
    await mel.go(topic("boats"));
    await mel.sees("at last");
    await (await mel.tab.$$("article[data-message]")).at(-1)?.hover();
    const row = "document.querySelector('article:hover')";
    await mel.until(`${row}?.querySelectorAll('[data-actions] button').length === 6`);
    const names = await mel.tab.evaluate(
      `[...${row}.querySelectorAll('[data-actions] button')].map((one) => one.ariaLabel)`,
    );
    expect(names).toEqual([":rocket:", ":+1:", ":heart:", "React", "Quote", "More"]);
    await mel.click("article:hover [data-actions] [aria-label=':rocket:']");
    await mel.until(`${row}.querySelector('[aria-label=Reactions]')?.innerText.includes('You')`);
    await mel.until(`${row}.querySelector('[data-actions] [aria-pressed=true]')?.ariaLabel === ':rocket:'`);
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.click("article:hover [data-actions] [aria-label=':rocket:']");
    await mel.until(`${row}.querySelector('[aria-label=Reactions]') === null`);
    await mel.click("article:hover .message-content", { button: "right" });
    await mel.until("document.querySelector('[role=menu] button')?.ariaLabel === ':rocket:'");
    await mel.press("Escape");
  });
});

describe("the button to the newest message", () => {
  test("says how many are new, covers no text, and goes near the end", async () => {
    await size(1280, 700);
    await mel.go("#inbox");
    await mel.go(topic("log"));
    await mel.sees("the next of entry 24");
    expect(await mel.tab.$("[data-jump]")).toBeNull();
    await mel.tab.mouse.move(700, 400);
    await mel.tab.mouse.wheel({ deltaY: -900 });
    await mel.until("document.querySelector('[data-jump]') !== null");
    for (const text of ["one more", "two more"]) await w.post("max", "harbour", "log", text);
    await mel.until("document.querySelector('[data-jump]')?.ariaLabel === 'Jump to newest: 2 new messages'");
    const { isInside, covered } = await mel.tab.evaluate(coverage, "[data-jump]");
    expect({ isInside, covered }).toEqual({ isInside: true, covered: [] });
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.click("[data-jump]");
    await mel.sees("two more");
    await mel.until("document.querySelector('[data-jump]') === null");
  });

  test("is below the pictures on a phone, and covers no text", async () => {
    const phone = await w.sit("max", topic("log"), { width: 390, height: 780 });
    await phone.sees("the next of entry 24");
    await phone.until("document.querySelector('[data-feed]').scrollTop > 600");
    await phone.tab.evaluate("document.querySelector('[data-feed]').scrollTop -= 600");
    await phone.until("document.querySelector('[data-jump]') !== null");
    const box = await (await phone.tab.$("[data-jump]"))?.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(44);
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.y).toBeGreaterThan(450);
    // Wherever one stops.
    for (let steps = 0; steps < 8; steps++) {
      await phone.tab.evaluate("document.querySelector('[data-feed]').scrollTop -= 35");
      const { isInside, covered } = await phone.tab.evaluate(coverage, "[data-jump]");
      expect({ isInside, covered }).toEqual({ isInside: true, covered: [] });
    }
    await phone.tab.close();
  });
});

describe("a notice on a phone", () => {
  /** The names of buttons and fields that it covers. */
  const coveredNow = `(() => {
    const notice = document.querySelector("[aria-label=Notices] > div").getBoundingClientRect();
    return [...document.querySelectorAll("button, textarea, input, select, [role^=menuitem]")]
      .filter((one) => !one.closest("[aria-label=Notices], [inert]"))
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return right > left && left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top;
      })
      .map((one) => one.ariaLabel || one.innerText || one.name || one.outerHTML);
  })()`;

  test("covers no button of the conversation, of its menus and of its dialogs", async () => {
    const phone = await w.sit("max", topic("log"), { width: 390, height: 780 });
    await phone.sees("the next of entry 24");
    // It stays until the test is over.
    await phone.tab.evaluate(
      "{ const later = setTimeout; window.setTimeout = (run, pause, ...more) => pause === 4000 ? 0 : later(run, pause, ...more); }",
    );
    await phone.click('[aria-label="More about this topic"]');
    await phone.click('aria/Copy link[role="menuitem"]');
    await phone.tab.waitForSelector("[aria-label=Notices] > div");
    await phone.until("document.querySelector('[role=menu]') === null");
    expect(await phone.tab.evaluate(coveredNow)).toEqual([]);
    await phone.click('[aria-label="More about this topic"]');
    await phone.tab.waitForSelector("[role=menu]");
    expect(await phone.tab.evaluate(coveredNow)).toEqual([]);
    await phone.click('aria/Rename or move …[role="menuitem"]');
    await phone.tab.waitForSelector("[role=dialog] [type=submit]");
    expect(await phone.tab.evaluate(coveredNow)).toEqual([]);
    await phone.tab.close();
  });
});

describe("the beginning of a conversation", () => {
  const beginning = "document.querySelector('[data-beginning]')";

  test("says who started a topic, where, and how many have written; the messages follow from the top", async () => {
    await size(1280, 860);
    await mel.go(topic("boats"));
    await mel.until(`${beginning}?.innerText.includes('Started by Max in #harbour')`);
    await mel.until(`${beginning}.innerText.includes('2 people have written')`);
    await mel.until(`/\\d{4}, \\d/.test(${beginning}.innerText)`);
    const top = "document.querySelector('article[data-message]').getBoundingClientRect().top";
    expect(await mel.tab.evaluate(top)).toBeLessThan(330);
    expect(await faultsOf(mel.page)).toEqual([]);
    await w.post("mel", "harbour", "boats", "and me");
    await mel.until(`${beginning}.innerText.includes('3 people have written')`);
  });

  test("is above a new topic, and stays above its first message", async () => {
    await mel.go(topic("moorings"));
    await mel.until(`${beginning}?.innerText.includes('A new topic in #harbour')`);
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("sixty metres");
    await mel.press("Control+Enter");
    await mel.until(`${beginning}?.innerText.includes('Started by Mel in #harbour')`);
    await mel.until("document.querySelector('article[data-message]')?.innerText.includes('sixty metres')");
  });

  test("says with whom a direct conversation is, and what time it is there", async () => {
    await w.ask("max", ["PATCH", "/settings"], { timezone: "Asia/Kathmandu" });
    await mel.go(`#narrow/dm/${w.people.max?.id}-max`);
    await mel.until(`/Only you and Max read[^]*\\d:\\d\\d.* there/.test(${beginning}?.innerText)`);
    await mel.go(`#narrow/dm/${w.people.mel?.id}-mel`);
    await mel.until(`${beginning}?.innerText.includes('Notes to yourself')`);
    expect(await faultsOf(mel.page)).toEqual([]);
  });

  test("is not shown while older messages are to come", async () => {
    await size(1280, 500);
    await mel.go("#inbox");
    await mel.go(topic("log"));
    await mel.until("document.querySelectorAll('article[data-message]').length > 3");
    expect(await mel.tab.$("[data-beginning]")).toBeNull();
  });
});

test("the composer names the conversation above the field only where the view has several", async () => {
  await mel.go(topic("boats"));
  await mel.until("document.querySelector('[data-composer]')?.placeholder === 'Message to #harbour › boats'");
  expect(await mel.tab.evaluate("document.querySelector('#view > form').innerText")).not.toContain(
    "to #harbour",
  );
  await mel.go("#feed");
  await mel.until("document.querySelector('[data-view-title]').textContent === 'Combined feed'");
  await mel.until("document.querySelector('[data-feed] article[data-message]') !== null");
  await mel.click("article .message-content");
  await mel.press("r");
  await mel.until("document.querySelector('#view > form')?.innerText.includes('to #harbour')");
});

test("headings differ, and long code and wide tables scroll inside the message", async () => {
  const cells = Array.from({ length: 14 }, (_, i) => `the depth of buoy number ${i}`);
  const table = `| ${cells.join(" | ")} |\n|${"---|".repeat(cells.length)}\n| ${cells.join(" | ")} |`;
  await w.post(
    "max",
    "harbour",
    "kinds",
    `# one\n## two\n### three\n\n\`\`\`\n${"x = 1; ".repeat(60)}\n\`\`\`\n\n${table}`,
  );
  await w.post("max", "harbour", "kinds", ":tada: :rocket:");
  for (const [width, height] of [
    [1280, 860],
    [360, 740],
  ] as const) {
    await size(width, height);
    await mel.go(topic("kinds"));
    await mel.tab.waitForSelector(".message-content.only-emoji .emoji");
    const found = await mel.tab.evaluate(() => {
      const sizeOf = (one: string) =>
        Number.parseFloat(
          getComputedStyle(document.querySelector(`.message-content ${one}`) as Element).fontSize,
        );
      const feed = document.querySelector("[data-feed]") as HTMLElement;
      const inner = (one: Element | null | undefined) =>
        one !== null &&
        one !== undefined &&
        one.scrollWidth > one.clientWidth &&
        /auto|scroll/.test(getComputedStyle(one).overflowX);
      return {
        headings: ["h1", "h2", "h3"].map(sizeOf),
        isFeedWider: feed.scrollWidth > feed.clientWidth,
        code: inner(document.querySelector(".message-content pre")),
        table:
          inner(document.querySelector(".message-content table")) ||
          inner(document.querySelector(".message-content table")?.parentElement),
        emoji: document.querySelector(".only-emoji .emoji")?.getBoundingClientRect().height ?? 0,
        text: Number.parseFloat(getComputedStyle(document.body).fontSize),
      };
    });
    const [one = 0, two = 0, three = 0] = found.headings;
    expect(one).toBeGreaterThan(two);
    expect(two).toBeGreaterThan(three);
    expect(found).toMatchObject({ isFeedWider: false, code: true, table: true });
    expect(found.emoji).toBeGreaterThan(1.8 * found.text);
    expect(await mel.page.overflow()).toBe(0);
  }
});
