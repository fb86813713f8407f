// What a newcomer sees of the web client on a phone and on a desktop: nothing is cut off while there is room, or leads nowhere.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { holdRequests } from "../support/web-held.ts";
import { choose, noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let phone: Seat;
let channel = 0;
let firmware = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "maximilian", "bartholomea");
  channel = await w.channel("housing design", ["olive", "mel"]);
  firmware = await w.channel("firmware", ["olive"]);
  await w.post("olive", "housing design", "seals", "the harder rubber holds");
  await w.channel("boats", ["olive", "mel"]);
  await w.post("olive", "boats", "the mooring line of the northern buoy", "sixty metres");
  await w.post("olive", "firmware", "drift", "late by a second");
  [mel, phone] = await Promise.all([
    w.sit("mel"),
    w.sit("mel", "#recent", { width: 360, height: 740, colours: "light" }),
  ]);
});
afterAll(() => w.close());

interface Fit {
  channel: boolean;
  topic: boolean;
  arrow: boolean;
}

/** Whether the parts of a conversation's name in a list are shown in full. */
const fitOf = (seat: Seat, topic: string) =>
  seat.tab.evaluate((name) => {
    const row = [...document.querySelectorAll("[data-row]")].find((one) => one.textContent?.includes(name));
    const title = [...(row?.querySelectorAll("span") ?? [])].find(
      (one) =>
        one.children.length === 3 &&
        one.textContent?.includes("›") &&
        one.lastElementChild?.tagName === "BDI",
    );
    const isWhole = (part: Element | undefined) =>
      part !== undefined && part.scrollWidth <= part.clientWidth + 1;
    const [first, arrow, last] = title?.children ?? [];
    return {
      channel: isWhole(first),
      arrow: (arrow?.getBoundingClientRect().width ?? 0) > 2,
      topic: isWhole(last),
    };
  }, topic) as Promise<Fit>;

describe("the name of a conversation in a list on a phone", () => {
  test("is shown in full if it fits", async () => {
    await phone.sees("seals");
    expect(await fitOf(phone, "seals")).toEqual({ channel: true, arrow: true, topic: true });
  });

  test("is shortened at the longer part, and the arrow stays", async () => {
    const long = "the mooring line of the northern buoy";
    expect(await fitOf(phone, long)).toEqual({ channel: true, arrow: true, topic: false });
    expect(await phone.page.overflow()).toBe(0);
  });
});

test("the names of people and of topics begin in one column on a phone", async () => {
  await w.write("olive", ["mel"], "do you read me");
  await phone.go("#recent");
  await phone.sees("do you read me");
  const columns = await phone.tab.evaluate(() =>
    [...document.querySelectorAll("main [data-row] > :nth-child(2)")].map(
      (one) => one.getBoundingClientRect().left,
    ),
  );
  expect(columns.length).toBeGreaterThan(2);
  expect(new Set(columns).size).toBe(1);
});

test("each time to send a message later has a line on a phone", async () => {
  await phone.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
  await phone.tab.waitForSelector("[data-composer]");
  await phone.tab.type("[data-composer]", "later");
  await phone.click('aria/Send later[role="button"]');
  await phone.tab.waitForSelector("[role=menuitem]");
  const rows = (await phone.tab.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[role=menuitem]")].map((row) => row.innerText),
  )) as string[];
  expect(rows.at(-1)).toBe("At another time …");
  for (const row of rows.slice(0, -1)) expect(row).toMatch(/^[A-Za-z ]+, \d{1,2}:\d\d\s[AP]M$/);
  await phone.press("Escape");
  await phone.tab.focus("[data-composer]");
  await phone.press("Control+a", "Backspace");
});

test("what is written about a muted topic can be read", async () => {
  await w.ask("mel", ["POST", "/user_topics"], { stream_id: channel, topic: "seals", visibility_policy: 1 });
  for (const seat of [mel, phone]) {
    await seat.go(`#topics/channel/${channel}`);
    await seat.until("document.querySelector('main ul > li [data-row]')?.innerText.includes('Muted')");
    expect(await faultsOf(seat.page)).toEqual([]);
  }
  await w.ask("mel", ["POST", "/user_topics"], { stream_id: channel, topic: "seals", visibility_policy: 0 });
});

describe("a channel that the person has not joined", () => {
  test.each([
    ["its topics", (id: number) => `#topics/channel/${id}`],
    ["a topic", (id: number) => `#narrow/channel/${id}-firmware/topic/drift`],
    ["its messages", (id: number) => `#narrow/channel/${id}-firmware`],
  ])("can be joined where they read %s", async (_, hash) => {
    await phone.go(hash(firmware));
    await mel.go(hash(firmware));
    await phone.page.find('aria/Join firmware[role="button"]');
    expect(await phone.page.overflow()).toBe(0);
    expect(await faultsOf(phone.page)).toEqual([]);
    await mel.click('aria/Join firmware[role="button"]');
    await mel.sees("You have joined #firmware.");
    await mel.until("document.activeElement?.id === 'view'");
    for (const seat of [mel, phone])
      await seat.until("document.querySelector('[aria-label=\"Join firmware\"]') === null");
    await w.ask("mel", ["DELETE", "/users/me/subscriptions"], { subscriptions: ["firmware"] });
    await mel.page.find('aria/Join firmware[role="button"]');
  });

  test("is not offered in one's own channels", async () => {
    await mel.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
    await mel.sees("the harder rubber holds");
    expect(await mel.tab.$$("[aria-label^='Join ']")).toEqual([]);
  });
});

test("three people who reacted are named in full where there is room", async () => {
  const id = await w.post("olive", "housing design", "seals", "done");
  for (const who of ["olive", "maximilian", "bartholomea"]) {
    await w.ask("olive", ["POST", "/users/me/subscriptions"], {
      subscriptions: [{ name: "housing design" }],
      principals: [w.people[who]?.id],
    });
    await w.ask(who, ["PATCH", "/settings"], { full_name: `${who} of the northern harbour` });
    await w.ask(who, ["POST", `/messages/${id}/reactions`], { emoji_name: "tada" });
  }
  await mel.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
  const names = `document.querySelector('[data-message="${id}"] [aria-label=Reactions] button > span:last-child')`;
  await mel.until(`${names}?.textContent.includes(' and ')`);
  expect(await mel.tab.evaluate(`${names}.scrollWidth <= ${names}.clientWidth + 1`)).toBe(true);
  await phone.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
  await phone.until(`${names}?.textContent.includes(' and ')`);
  expect(await phone.page.overflow()).toBe(0);
});

test("the name of a channel has room above its topics on a phone", async () => {
  await phone.go(`#topics/channel/${channel}`);
  await phone.tab.waitForSelector("main [data-row]");
  const title = "document.querySelector('[data-view-title]')";
  expect(await phone.tab.evaluate(`${title}.scrollWidth <= ${title}.clientWidth + 1`)).toBe(true);
  await phone.click('aria/More about this channel[role="button"]');
  await phone.click('aria/All messages of this channel[role="menuitem"]');
  await phone.until(`location.hash.endsWith('/channel/${channel}-housing-design')`);
});

describe("on a touch screen", () => {
  /** The controls that a finger of 44 px in their middle would miss. */
  const missed = (within: string) =>
    phone.tab.evaluate((scope) => {
      const controls = document.querySelectorAll(`${scope} :is(a, button)`);
      return [...controls].flatMap((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        if (!control.checkVisibility() || y < 22 || y > innerHeight - 22) return [];
        // Neighbours may share the last pixel.
        const isHit = [-21, 21].every((by) => control.contains(document.elementFromPoint(x, y + by)));
        return isHit ? [] : [control.ariaLabel ?? control.textContent];
      });
    }, within) as Promise<string[]>;

  test.each(["normal", "compact"])("controls are large enough for a finger: %s", async (density) => {
    await phone.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
    await phone.tab.evaluate((chosen) => {
      document.documentElement.dataset.density = chosen;
    }, density);
    expect(await missed("[aria-label=Reactions]")).toEqual([]);
    expect(await missed("main > header")).toEqual([]);
    await phone.click('aria/Back to the list[role="button"]');
    await phone.until("document.querySelector('nav a[aria-current]')?.checkVisibility()");
    expect(await missed("nav")).toEqual([]);
    await phone.tab.evaluate(() => {
      document.documentElement.dataset.density = "normal";
    });
    await phone.go("#recent");
  });

  test("the list leads back to the conversation that was open", async () => {
    await phone.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
    await phone.click('aria/Back to the list[role="button"]');
    await phone.click("nav a[aria-current]");
    await phone.until("document.querySelector('main').checkVisibility()");
    expect(await phone.tab.evaluate("location.hash")).toContain("seals");
  });
});

describe("going back closes what lies over the view", () => {
  const button = async (name: string) => mel.click(`aria/${name}[role="button"]`);
  const row = async (name: string) => mel.click(`aria/${name}[role="menuitem"]`);
  test.each([
    ["the palette", () => mel.press("Control+k")],
    ["the dialog of a new message", () => mel.press("x")],
    ["a menu of the sidebar", () => button("Mel, you are connected")],
    [
      "the dialog for one's status",
      async () => {
        await button("Mel, you are connected");
        await row("Set a status");
      },
    ],
    ["a dialog about a message", () => choose(mel, "the harder rubber holds", "What was typed")],
    ["a card", async () => void (await mel.click("article [data-person]"))],
    ["the list of shortcuts", () => mel.go("#shortcuts")],
  ])("%s", async (_, open) => {
    await mel.go("#inbox");
    await mel.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
    await mel.sees("the harder rubber holds");
    await open();
    await mel.tab.waitForSelector("[role=dialog], [role=menu]");
    await mel.tab.evaluate("history.back()");
    await mel.until("document.querySelector('[role=dialog], [role=menu]') === null");
    if (!(await mel.tab.evaluate("location.hash === '#inbox'"))) await mel.tab.evaluate("history.back()");
    await mel.until("location.hash === '#inbox'");
  });
});

test("on a phone, the panel takes the view that it covers out of the keyboard's reach, and gives it back", async () => {
  const focus = "document.activeElement?.closest('main, #panel')?.id";
  await phone.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
  for (const close of ["Escape", "w"]) {
    await phone.click('aria/People and details[role="button"]');
    await phone.until(`${focus} === 'panel'`);
    for (let presses = 0; presses < 12; presses++) {
      await phone.press("Tab");
      expect(await phone.tab.evaluate(focus)).not.toBe("view");
    }
    await phone.tab.evaluate("document.querySelector('#panel').focus()");
    await phone.press(close);
    await phone.until("document.activeElement?.matches('[data-panel-button]')");
  }
});

test("colours forced by the system leave visible what is chosen and what has the focus", async () => {
  const session = await mel.tab.createCDPSession();
  const force = (value: "active" | "none") =>
    session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value }] });
  const isFramed = (selector: string) =>
    mel.until(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).outlineStyle === "solid"`,
    );
  await force("active");
  await mel.go("#inbox");
  await isFramed("nav a[aria-current]");
  await mel.press("Control+k");
  await mel.tab.waitForSelector("[role=option][aria-selected=true]");
  await isFramed("[role=option][aria-selected=true]");
  await mel.press("Escape");
  await mel.go(`#narrow/channel/${channel}-housing-design/topic/seals`);
  await mel.sees("the harder rubber holds");
  await mel.press("c");
  await mel.until("document.activeElement?.matches('[data-composer]')");
  await mel.until(`[...document.querySelectorAll("main :focus, main :focus-within")].some(
    (one) => getComputedStyle(one).outlineStyle === "solid")`);
  await force("none");
});

describe("where there is nothing", () => {
  const channels = ["housing design", "boats"];

  test("the first channel can be started", async () => {
    await w.ask("mel", ["DELETE", "/users/me/subscriptions"], { subscriptions: channels });
    await mel.go("#inbox");
    await w.ask("mel", ["POST", "/mark_all_as_read"]);
    await mel.click('aria/Find or start a channel[role="button"]');
    await mel.until("location.hash === '#channels'");
    await mel.click('aria/Joined[role="button"]');
    await mel.until("document.querySelector('main h2')?.innerText === 'You are in no channel yet'");
    await w.ask("mel", ["POST", "/users/me/subscriptions"], {
      subscriptions: channels.map((name) => ({ name })),
    });
    await mel.until("document.querySelector('main [aria-label=\"Leave boats\"]') !== null");
  });

  test("somebody who may write in no channel learns where channels are", async () => {
    const setRole = (role: number) => w.ask("olive", ["PATCH", `/users/${w.people.mel?.id}`], { role });
    await mel.go("#inbox");
    await setRole(600);
    await w.ask("mel", ["DELETE", "/users/me/subscriptions"], { subscriptions: channels });
    await mel.press("c");
    await mel.sees("There is no channel that you can write in");
    await mel.click('aria/Find or start a channel[role="button"]');
    await mel.until(`location.hash === '#channels' && ${noDialog}`);
    await setRole(400);
    await w.ask("mel", ["POST", "/users/me/subscriptions"], {
      subscriptions: channels.map((name) => ({ name })),
    });
  });

  test("nothing moves when the field for searching has been loaded", async () => {
    await mel.go("#inbox");
    await mel.tab.reload();
    const field = await holdRequests(mel, (request) => /search-field-\w+\.js/.test(request.url()));
    await mel.go("#narrow/search/late");
    await field.first;
    await mel.sees("Nothing found");
    const topOf = "document.querySelector('main h2')?.getBoundingClientRect().top";
    const before = await mel.tab.evaluate(topOf);
    expect(before).toBeGreaterThan(0);
    await field.release();
    await mel.tab.waitForSelector("main [aria-label='Search messages']");
    expect(await mel.tab.evaluate(topOf)).toBe(before);
  });

  test("a search can go on in channels that the person has not joined", async () => {
    await mel.go("#narrow/search/late");
    await mel.sees("Nothing found");
    await mel.click('aria/Search all public channels[role="button"]');
    await mel.until("document.querySelector('[data-message]')?.innerText.includes('late by a second')");
    await mel.go("#narrow/channels/public/search/zebra");
    await mel.sees("Nothing found");
    expect(await mel.tab.evaluate("document.body.innerText")).not.toContain("Search all public channels");
  });

  test("nobody is asked to select a message", async () => {
    await mel.go("#narrow/search/zebra");
    await mel.sees("Nothing found");
    expect(await mel.tab.evaluate("document.body.innerText")).not.toContain("Select a message");
    await mel.go("#feed");
    await mel.sees("sixty metres");
    await mel.sees("Select a message to reply to it.");
  });

  test("the panel of a channel that does not exist shows the people", async () => {
    await mel.go("#narrow/channel/999-lost/topic/keys");
    await mel.sees("There is nothing here");
    await mel.press("w");
    await mel.until("document.querySelector('#panel')?.innerText.includes('Everyone')");
    await mel.press("w");
  });
});
