// Whole ways that a person goes while reading and writing, by keyboard and by thumb.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HTTPRequest } from "puppeteer-core";
import { faultsOf } from "../support/axe.ts";
import { until } from "../support/waiting.ts";
import { holdRequests, isOf } from "../support/web-held.ts";
import { choose, noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

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

/** Pastes into the empty composer, as a browser with a window does at these keys. */
async function paste(seat: Seat): Promise<void> {
  await seat.tab.focus(composer);
  await seat.press("Control+a", "Backspace");
  await seat.tab.keyboard.down("Control");
  await seat.tab.keyboard.press("v", { commands: ["paste"] });
  await seat.tab.keyboard.up("Control");
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

describe("the keyboard after writing", () => {
  const selected = "document.activeElement?.closest('[data-message]')?.innerText ?? ''";
  const isAt = (words: string) => mel.until(`${selected}.includes(${JSON.stringify(words)})`);
  const fromEnd =
    "(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - clientHeight - scrollTop)(document.querySelector('[data-feed]'))";
  const inComposer = "document.activeElement?.matches('[data-composer]') === true";

  beforeAll(async () => {
    await w.channel("log", ["olive", "mel", "max"]);
    for (let i = 1; i <= 260; i++) await w.post("max", "log", "tides", `entry ${i} of the log`);
    await w.ask("mel", ["POST", "/messages/flags/narrow"], {
      ...{ anchor: "oldest", num_before: 0, num_after: 1000, op: "add", flag: "read" },
      narrow: [{ operator: "channel", operand: "log" }],
    });
  });

  test("acts on the conversation as soon as Escape has left the composer", async () => {
    await open(mel, "lunch");
    await write(mel, "thank you");
    await mel.press("Control+Enter");
    await mel.until(`${inComposer} && document.activeElement.value === ''`);
    await mel.tab.keyboard.type("and");
    await mel.press("Escape");
    await isAt("thank you");
    await mel.press("k");
    await isAt("fish at noon");
    await mel.press("ArrowDown");
    await isAt("thank you");
    await mel.press("/");
    await mel.until("document.activeElement?.getAttribute('aria-label') === 'Search messages'");
    await open(mel, "lunch");
    expect(await typed(mel)).toBe("and");
    await write(mel, "");
  });

  test("reaches both ends of all messages that there are, not only of those that are loaded", async () => {
    await mel.go("#narrow/channel/log/topic/tides");
    await mel.sees("entry 260 of the log");
    await mel.press("Home");
    await isAt("entry 1 of the log");
    await mel.until("document.querySelector('[data-feed]').scrollTop < 40");
    await mel.press("j");
    await isAt("entry 2 of the log");
    await mel.tab.focus(composer);
    await mel.press("Escape", "Shift+g");
    await isAt("entry 260 of the log");
    await mel.until(`${fromEnd} < 4`);
  });

  test("turns pages wherever the focus is, and goes on from the page in sight", async () => {
    await mel.tab.focus(composer);
    await mel.press("Escape");
    await mel.tab.evaluate("document.activeElement.blur()");
    for (const [back, on] of [
      ["PageUp", "PageDown"],
      ["Shift+Space", "Space"],
    ] as const) {
      await mel.press(back);
      await mel.until(`${fromEnd} > 200`);
      await mel.press(on);
      await mel.until(`${fromEnd} < 4`);
    }
    await mel.press("PageUp", "PageUp");
    await mel.until("!document.body.innerText.includes('entry 260 of the log')");
    const rowInSight = `(() => {
      const feed = document.querySelector('[data-feed]').getBoundingClientRect();
      const row = document.activeElement?.closest('[data-message]')?.getBoundingClientRect();
      return row !== undefined && row.bottom > feed.top && row.top < feed.bottom;
    })()`;
    await mel.press("k");
    await mel.until(rowInSight);
    expect(await mel.tab.evaluate(selected)).not.toContain("entry 260");
  });

  test("goes through the lists", async () => {
    await w.post("max", "harbour", "nets", "torn");
    await w.write("max", ["mel"], "hello there");
    const row = "document.activeElement?.matches('#view [data-row]') ? document.activeElement.innerText : ''";
    for (const view of ["#inbox", "#recent", `#topics/channel/${harbour}-harbour`]) {
      await mel.go(view);
      await mel.until("document.querySelectorAll('#view [data-row]').length > 1");
      await mel.press("j");
      await mel.until(`${row} !== ''`);
      const first = await mel.tab.evaluate(row);
      await mel.press("j");
      await mel.until(`${row} !== ${JSON.stringify(first)}`);
      await mel.press("k");
      await mel.until(`${row} === ${JSON.stringify(first)}`);
    }
    await mel.go("#inbox");
    await mel.press("j", "Enter");
    await mel.until(titled("Max"));
    await mel.until("!/Max\\s*1\\s/.test(document.querySelector('nav').innerText)");
  });

  test("goes from conversation to conversation, and goes on writing there", async () => {
    await open(mel, "lunch");
    await mel.tab.focus(composer);
    await mel.press("Alt+ArrowDown");
    await mel.until(`${titled("boats")} && ${inComposer}`);
    await mel.press("Alt+ArrowUp");
    await mel.until(`${titled("lunch")} && ${inComposer}`);
    await mel.press("Alt+ArrowDown", "Alt+ArrowDown");
    await mel.until(titled("log"));
    await mel.press("Alt+ArrowDown");
    await mel.until(titled("tides"));
    await open(mel, "boats");
    await w.post("max", "harbour", "nets", "mended");
    await w.post("max", "log", "rope", "bought");
    await mel.until("/log\\s*1\\s/.test(document.querySelector('nav').innerText)");
    await mel.press("Alt+Shift+ArrowDown");
    await mel.until(`${titled("nets")} || ${titled("rope")}`);
    await open(mel, "boats");
    await w.post("max", "harbour", "nets", "mended");
    await w.post("max", "log", "rope", "bought");
    await mel.press("Alt+Shift+ArrowUp");
    await mel.until(`${titled("nets")} || ${titled("rope")}`);
  });

  test("shows every key in the list of keys", async () => {
    await mel.tab.evaluate("document.activeElement?.blur()");
    await mel.press("Shift+?");
    for (const words of ["Leave the field", "Alt ↓", "Alt Shift ↑", "Page Down", "Home", "A page further"])
      await mel.sees(words);
    await mel.press("Escape");
  });
});

describe("a thumb", () => {
  let phone: Seat;
  beforeAll(async () => {
    await w.post("max", "harbour", "party", "the mast is up, come all at eight");
    phone = await w.sit("mel", topic("party"), { width: 390, height: 780 });
    await phone.tab.waitForSelector("article[data-message]");
  });
  afterAll(() => phone.tab.close());

  async function pressLong(): Promise<void> {
    const box = await (await phone.tab.waitForSelector("article .message-content"))?.boundingBox();
    await phone.tab.touchscreen.touchStart((box?.x ?? 0) + 10, (box?.y ?? 0) + 8);
    await phone.tab.waitForSelector("[role=menu]");
    await phone.tab.touchscreen.touchEnd();
  }
  const tap = (selector: string) => phone.click(selector, { isTouch: true });
  const reactions =
    "[...document.querySelectorAll('[aria-label=Reactions] button')].map((one) => one.ariaLabel)";

  test("reacts by a long press: with one of six, and takes it back", async () => {
    await pressLong();
    const first = await phone.tab.$$eval("[role=menu] button", (buttons) =>
      buttons.slice(0, 7).map((one) => [one.ariaLabel, one.getBoundingClientRect().height >= 44]),
    );
    expect(first.map(([label]) => label)).toEqual([
      ":+1:",
      ":heart:",
      ":joy:",
      ":tada:",
      ":eyes:",
      ":pray:",
      "Other reactions",
    ]);
    expect(first.every(([, isLarge]) => isLarge)).toBe(true);
    await tap("[role=menu] [aria-label=':tada:']");
    await phone.until(`${reactions}.join() === ':tada: You'`);
    await pressLong();
    expect(await phone.tab.$eval("[role=menu] button", (one) => one.ariaLabel)).toBe(":tada:");
    expect(await faultsOf(phone.page)).toEqual([]);
    await tap("[role=menu] [aria-label=':tada:'][aria-checked=true]");
    await phone.until(`${reactions}.length === 0`);
  });

  test("copies the text of a message", async () => {
    await pressLong();
    await tap("aria/Copy text[role='menuitem']");
    await phone.sees("Text copied.");
    await paste(phone);
    await phone.until(`document.querySelector('${composer}').value === "the mast is up, come all at eight"`);
    await phone.press("Control+a", "Backspace");
  });

  test("reacts with any other", async () => {
    await pressLong();
    await tap("[aria-label='Other reactions']");
    await phone.tab.waitForSelector("[role=dialog] input");
    await phone.tab.type("[role=dialog] input", "sailboat");
    await phone.until("!document.querySelector('[role=dialog]').innerText.includes('Often used')");
    await tap("[role=dialog] [role=option]");
    await phone.until(`/boat: You/.test(${reactions}.join())`);
    expect(await phone.page.overflow()).toBe(0);
  });

  test("goes from a conversation that is read to the next unread one", async () => {
    await w.post("max", "harbour", "rope", "bought anew");
    await w.write("max", ["mel"], "are you there?");
    await phone.until("/Max/.test(document.querySelector('[data-next-unread]')?.innerText)");
    const box = await (await phone.tab.waitForSelector("[data-next-unread]"))?.boundingBox();
    // At the thumb, and large enough for it.
    expect(box?.y).toBeGreaterThan(780 / 2);
    for (const by of [-27, 15])
      expect(
        await phone.tab.evaluate(
          `document.elementFromPoint(${box?.x} + 60, ${(box?.y ?? 0) + (box?.height ?? 0) / 2} + ${by})?.closest('[data-next-unread]') !== null`,
        ),
      ).toBe(true);
    await tap("[data-next-unread]");
    await phone.until(titled("Max"));
    await phone.sees("are you there?");
    await tap("[data-next-unread]");
    await phone.until(`!(${titled("Max")})`);
    expect(await phone.page.overflow()).toBe(0);
    await phone.go(topic("party"));
    await phone.until(titled("party"));
  });

  test("sets a reminder for tomorrow at nine", async () => {
    await pressLong();
    await tap("aria/Remind me of this …[role='menuitem']");
    await phone.sees("In an hour");
    expect(await faultsOf(phone.page)).toEqual([]);
    await phone.tab.evaluate(
      "[...document.querySelectorAll('[role=dialog] li button')].find((one) => /Tomorrow morning/.test(one.innerText)).click()",
    );
    await phone.sees("You are reminded");
    const { reminders } = await w.ask("mel", ["GET", "/reminders"]);
    const tomorrow = await phone.tab.evaluate(() => new Date().setHours(24 + 9, 0, 0, 0) / 1000);
    expect(reminders).toMatchObject([{ scheduled_delivery_timestamp: tomorrow }]);
  });

  test("selects and copies a part of a message", async () => {
    await pressLong();
    await tap("aria/Select text …[role='menuitem']");
    await phone.sees("Copy all");
    const selects = (selector: string) =>
      phone.tab.$eval(selector, (one) => getComputedStyle(one).userSelect);
    expect(await selects("article .message-content")).toBe("none");
    expect(await selects("[role=dialog] .message-content")).toBe("text");
    const box = await (await phone.tab.$("[role=dialog] .message-content p"))?.boundingBox();
    await phone.tab.mouse.click((box?.x ?? 0) + 45, (box?.y ?? 0) + 10, { count: 2 });
    await phone.until("getSelection().toString().trim() === 'mast'");
    await tap("[role=dialog] [aria-label=Close]");
    await phone.until(noDialog);
  });
});

describe("marking as read", () => {
  let olive: Seat;
  let many = 0;
  const unreadOf = async () => {
    const state = await w.ask("olive", ["POST", "/register"], {
      event_types: ["message", "update_message_flags"],
    });
    return (state.unread_msgs as { count: number }).count;
  };
  beforeAll(async () => {
    many = await w.channel("many", ["olive", "max"]);
    for (let i = 1; i <= 40; i++) await w.post("max", "many", `matter ${i}`, "look at this");
    olive = await w.sit("olive", "#inbox");
  });
  afterAll(() => olive.tab.close());

  test("asks with the count where it is more than one conversation, and can be undone", async () => {
    await olive.sees("matter 40");
    const before = await unreadOf();
    await olive.click("aria/Mark everything as read[role='button']");
    await olive.sees(/Mark \d+ conversations as read\?/);
    await olive.sees(`${before} messages are unread there.`);
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.click("aria/Cancel[role='button']");
    await olive.until(noDialog);
    expect(await unreadOf()).toBe(before);
    await olive.click("aria/Mark everything as read[role='button']");
    await olive.sees(/Mark \d+ conversations as read\?/);
    await w.post("max", "many", "matter 41", "while the question is open");
    await olive.sees("matter 41");
    await olive.click("[role=dialog] [type=submit]");
    await olive.missed("matter 40");
    await olive.sees("matter 41");
    await until(async () => (await unreadOf()) === 1, "only the newest is unread");
    await olive.sees(`Marked ${before} messages as read.`);
    await olive.click("aria/Undo[role='button']");
    await olive.sees("matter 40");
    await until(async () => (await unreadOf()) === before + 1, "all are unread again");
  });

  test("does not ask for one conversation, and can be undone there, too", async () => {
    const row =
      "[...document.querySelectorAll('main li')].find((one) => one.innerText.includes('matter 40'))";
    const held = await holdRequests(olive, (request) => isOf(request, "POST", "/messages/flags/narrow"));
    await olive.tab.evaluate(`${row}.querySelector('[aria-label="Mark as read"]').click()`);
    await held.first;
    // Only what is true is said, and the time for Undo begins then.
    expect(await olive.tab.evaluate("document.body.innerText")).not.toContain("Marked 1 message");
    await held.release();
    await olive.missed("matter 40");
    await olive.sees("Marked 1 message as read.");
    await olive.click("aria/Undo[role='button']");
    await olive.sees("matter 40");
  });

  test("leaves as they are the conversations of other channels", async () => {
    const before = await unreadOf();
    await olive.go(`#topics/channel/${many}-many`);
    await olive.click("aria/Mark all as read[role='button']");
    await olive.sees("Mark 41 conversations as read?");
    await olive.click("[role=dialog] [type=submit]");
    await until(async () => (await unreadOf()) === before - 41, "those of the channel are read");
    await olive.click("aria/Undo[role='button']");
    await until(async () => (await unreadOf()) === before, "all are unread again");
  });
});

describe("the key that sends", () => {
  const sent = (text: string) =>
    mel.until(
      `[...document.querySelectorAll('article[data-message]')].some((one) => one.innerText.includes(${JSON.stringify(text)}))`,
    );

  test("is Enter for new people, is seen next to the button, and changed there", async () => {
    await open(mel, "boats");
    await mel.sees(/(?<!Ctrl )Enter sends/);
    await write(mel, "at once");
    await mel.press("Enter");
    await sent("at once");
    await mel.click("aria/Enter sends[role='button']");
    await mel.click("[role=menuitemcheckbox][aria-checked=false]");
    await mel.sees("Ctrl Enter sends");
    await write(mel, "first");
    await mel.press("Enter");
    await mel.tab.keyboard.type("second");
    expect(await typed(mel)).toBe("first\nsecond");
    await mel.click("aria/Ctrl Enter sends[role='button']");
    await mel.tab.waitForSelector("[role=menu]");
    expect(await faultsOf(mel.page)).toEqual([]);
    await mel.click("[role=menuitemcheckbox][aria-checked=false]");
    await mel.sees(/(?<!Ctrl )Enter sends/);
    await mel.tab.focus(composer);
    await mel.press("Enter");
    await sent("second");
    await mel.tab.keyboard.type("third");
    await mel.press("Shift+Enter");
    await mel.tab.keyboard.type("fourth");
    expect(await typed(mel)).toBe("third\nfourth");
    await mel.press("Enter");
    await sent("fourth");
  });

  test("on phones is the button alone", async () => {
    const phone = await w.sit("mel", topic("boats"), { width: 390, height: 780 });
    await phone.tab.waitForSelector(composer);
    await write(phone, "one");
    await phone.press("Enter");
    await phone.tab.keyboard.type("two");
    expect(await typed(phone)).toBe("one\ntwo");
    expect(await phone.tab.evaluate("document.body.innerText.includes('Enter sends')")).toBe(false);
    await phone.click("form [aria-label=Send]", { isTouch: true });
    await phone.until("document.querySelector('[data-composer]').value === ''");
    await phone.tab.close();
  });
});

describe("copying from a message's menu", () => {
  test("takes its text as it was typed, and its link", async () => {
    await open(mel, "boats");
    await choose(mel, "is back with fish", "Copy text");
    await mel.sees("Text copied.");
    await paste(mel);
    await mel.until(`document.querySelector('${composer}').value === "the *Gull* is back with fish"`);
    await choose(mel, "is back with fish", "Copy link to message");
    await mel.sees("Link copied.");
    await paste(mel);
    await mel.until(`/^#\\*\\*harbour>boats@\\d+\\*\\*$/.test(document.querySelector('${composer}').value)`);
    await mel.press("Control+a", "Backspace");
  });

  test("says why, if the text cannot be read", async () => {
    const id = await w.post("max", "harbour", "boats", "soon gone");
    const gone = { result: "error", code: "BAD_REQUEST", msg: "There is no such message." };
    await mel.sees("soon gone");
    await mel.tab.setRequestInterception(true);
    const refuse = (request: HTTPRequest) =>
      void (request.url().includes(`/messages/${id}?`)
        ? request.respond({ status: 400, contentType: "application/json", body: JSON.stringify(gone) })
        : request.continue());
    mel.tab.on("request", refuse);
    await choose(mel, "soon gone", "Copy text");
    await mel.sees(gone.msg);
    mel.tab.off("request", refuse);
    await mel.tab.setRequestInterception(false);
  });
});

describe("a snippet", () => {
  const looks = [
    ["at a desk", { width: 1440, height: 860 }],
    ["on a phone", { width: 390, height: 780 }],
  ] as const;
  const listed =
    "[...document.querySelectorAll('[role=dialog] li')].map((one) => one.innerText.split('\\n')[0])";
  const button = (name: string) => `aria/${name}[role='button']`;
  /** Of the form; until it has the focus, keys go elsewhere. */
  const titleField = "[role=dialog]:has(textarea) input:focus";

  test.each(looks)(
    "%s is saved from what is written, found, inserted, changed and deleted",
    async (_, look) => {
      const seat = await w.sit("olive", topic("boats"), look);
      const openList = async () => {
        await seat.click(button("More formatting"));
        await seat.click("aria/Snippets …[role='menuitem']");
        await seat.tab.waitForSelector("[role=dialog] input:focus");
      };
      const press = (name: string) => seat.click(button(name));
      await seat.tab.waitForSelector(composer);
      await openList();
      await seat.sees("Texts that you write again and again");
      await seat.press("Escape");
      await seat.until("!document.querySelector('[role=dialog]')");

      await write(seat, "Thank you for the fish!");
      await openList();
      expect(await faultsOf(seat.page)).toEqual([]);
      await press("Save what is written");
      await seat.sees("Save a snippet");
      await seat.tab.waitForSelector(titleField);
      await seat.tab.keyboard.type("Thanks");
      await seat.press("Enter");
      await seat.sees("Snippet saved.");
      await w.ask("olive", ["POST", "/saved_snippets"], { title: "Away", content: "I am at sea." });

      await write(seat, "Dear all,  Olive");
      for (let n = 0; n < 6; n++) await seat.press("ArrowLeft");
      await openList();
      await seat.until(`${listed}.join() === "Away,Thanks"`);
      await seat.tab.keyboard.type("fish");
      await seat.until(`${listed}.join() === "Thanks"`);
      await seat.press("ArrowDown", "Enter");
      await seat.until(
        `document.querySelector('${composer}').value === "Dear all, Thank you for the fish! Olive"`,
      );
      await seat.until("document.activeElement.matches('[data-composer]')");
      await seat.press("Control+z");
      await seat.until(`document.querySelector('${composer}').value === "Dear all,  Olive"`);
      await seat.press("Control+a", "Backspace");

      await seat.go("#settings/writing");
      await seat.click(button("Add a snippet"));
      await seat.tab.waitForSelector(titleField);
      await seat.tab.keyboard.type("Greeting");
      await seat.press("Tab");
      await seat.tab.keyboard.type("Ahoy");
      await press("Save");
      await seat.until("!document.querySelector('[role=dialog]')");
      await seat.click(button("Change the snippet Greeting"));
      await seat.tab.waitForSelector(titleField);
      expect(await faultsOf(seat.page)).toEqual([]);
      await seat.press("Tab");
      await seat.press("Control+a");
      await seat.tab.keyboard.type("Ahoy all");
      await press("Save");
      await seat.sees("Ahoy all");
      for (const title of ["Greeting", "Thanks", "Away"]) {
        await seat.click(button(`Delete the snippet ${title}`));
        await seat.sees("Delete the snippet?");
        await seat.click("[role=dialog] [type=submit]");
        await seat.until(`!document.querySelector('[aria-label="Delete the snippet ${title}"]')`);
      }
      expect((await w.ask("olive", ["GET", "/saved_snippets"])).saved_snippets).toEqual([]);
      await seat.tab.close();
    },
  );
});

describe("notifications", () => {
  const offer = "Be notified of direct messages and mentions while you are elsewhere?";
  const looks = [
    ["at a desk", { width: 1440, height: 860 }],
    ["on a phone", { width: 390, height: 780 }],
  ] as const;

  /** A browser that has not been asked yet, and counts how often it is. */
  async function sit(look: { width: number; height: number }, permission = "default"): Promise<Seat> {
    const seat = await w.sit("max", topic("boats"), look);
    await seat.tab.evaluateOnNewDocument(`
      window.asked = 0;
      window.Notification = class { static permission = "${permission}"; static requestPermission = async () => { window.asked++; return (Notification.permission = "denied"); } };
    `);
    await seat.tab.reload();
    await seat.tab.waitForSelector(composer);
    return seat;
  }

  test.each(looks)(
    "%s are offered once, when one is mentioned, and asked for only if one wants them",
    async (_, look) => {
      const seat = await sit(look);
      await w.post("olive", "harbour", "boats", "nothing for anybody");
      await seat.sees("nothing for anybody");
      expect(await seat.tab.evaluate("document.body.innerText.includes('Be notified')")).toBe(false);
      await w.post("olive", "harbour", "boats", "look, @**Max**");
      await seat.sees(offer);
      expect(await faultsOf(seat.page)).toEqual([]);
      expect(await seat.page.overflow()).toBe(0);
      expect(await seat.tab.evaluate("window.asked")).toBe(0);
      await seat.click("aria/Turn on notifications[role='button']");
      await seat.missed(offer);
      await seat.until("window.asked === 1");
      await seat.tab.reload();
      await w.post("olive", "harbour", "boats", "and again, @**Max**");
      await seat.sees("and again");
      expect(await seat.tab.evaluate("document.body.innerText.includes('Be notified')")).toBe(false);
      await seat.tab.close();
    },
  );

  test("are offered after the first direct message, and can be declined", async () => {
    const seat = await sit({ width: 1280, height: 860 });
    await w.write("max", ["olive"], "hello Olive");
    await seat.sees(offer);
    await seat.click("aria/Not now[role='button']");
    await seat.missed(offer);
    expect(await seat.tab.evaluate("window.asked")).toBe(0);
    await seat.tab.close();
  });

  test("are not offered where the browser refuses them", async () => {
    const seat = await sit({ width: 1280, height: 860 }, "denied");
    await w.post("olive", "harbour", "boats", "refused, @**Max**");
    await seat.sees("refused, ");
    expect(await seat.tab.evaluate("document.body.innerText.includes('Be notified')")).toBe(false);
    await seat.tab.close();
  });
});
