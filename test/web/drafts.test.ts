// The life of a draft in the web client: requests that are slow, refused or lost, two tabs, a page that is loaded again.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { patience } from "../support/waiting.ts";
import { type Hold, holdRequests, isOf } from "../support/web-held.ts";
import { type Seat, signIn, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
/** The same person on another device. */
let phone: Seat;
let harbour = 0;

const topics = ["boats", "lunch"] as const;
const composer = "textarea[data-composer]";
const route = (name: string) => `#narrow/channel/${harbour}-harbour/topic/${name}`;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  for (const name of topics) await w.post("max", "harbour", name, `about ${name}`);
  [mel, phone] = await Promise.all([w.sit("mel"), w.sit("mel")]);
});
afterAll(() => w.close());

/** Ends what a failed test still holds back. */
let letGo = async () => {};
afterEach(() => letGo());

async function hold(...[which]: [Parameters<typeof holdRequests>[1]]): Promise<Hold> {
  const held = await holdRequests(mel, which);
  letGo = held.release;
  return held;
}

const holdCreation = () => hold((request) => isOf(request, "POST", "/drafts"));
const holdChange = () => hold((request) => isOf(request, "PATCH", /\/drafts\/\d+$/));
const holdEvents = async () => {
  const held = await hold((request) => isOf(request, "GET", "/events"));
  // Ends the poll that is under way.
  await w.post("max", "harbour", "clocks", "tick");
  await held.first;
  return held;
};

async function open(seat: Seat, name: string): Promise<void> {
  await seat.go(route(name));
  await seat.until(`document.querySelector('[data-view-title]')?.textContent === '${name}'`);
  await seat.tab.waitForSelector(composer);
}

async function write(seat: Seat, text: string): Promise<void> {
  await seat.tab.focus(composer);
  await seat.press("Control+a", "Backspace");
  await seat.tab.keyboard.type(text);
}

const typed = (seat: Seat) => seat.tab.$eval(composer, (area) => (area as HTMLTextAreaElement).value);
const shows = (seat: Seat, text: string) =>
  seat.until(`document.querySelector('${composer}')?.value === ${JSON.stringify(text)}`);

async function drafts(): Promise<string[]> {
  const answer = await w.ask("mel", ["GET", "/drafts"]);
  return (answer.drafts as { content: string }[]).map(({ content }) => content).sort();
}

/** Waits until the server has these drafts, and no others. */
async function stored(...texts: string[]): Promise<void> {
  const deadline = Date.now() + patience;
  while (String(await drafts()) !== String(texts.toSorted())) {
    if (Date.now() > deadline) expect(await drafts()).toEqual(texts.toSorted());
    await Bun.sleep(20);
  }
}

async function send(seat: Seat, text: string): Promise<void> {
  await seat.tab.focus(composer);
  await seat.press("Control+Enter");
  await seat.until(
    `[...document.querySelectorAll('[data-feed] article[data-message]')].at(-1)?.innerText.includes(${JSON.stringify(text)})`,
  );
}

beforeEach(async () => {
  const answer = await w.ask("mel", ["GET", "/drafts"]);
  for (const { id } of answer.drafts as { id: number }[]) await w.ask("mel", ["DELETE", `/drafts/${id}`]);
  for (const name of topics) {
    await open(mel, name);
    await write(mel, "");
  }
  await phone.go("#inbox");
  await mel.go("#inbox");
  await stored();
});

describe("a conversation that is opened again", () => {
  test("before its draft is created has the text, and sending it leaves no draft", async () => {
    await open(mel, "boats");
    const { first, release } = await holdCreation();
    await write(mel, "still on its way");
    await open(mel, "lunch");
    await first;
    await open(mel, "boats");
    await shows(mel, "still on its way");
    await mel.tab.focus(composer);
    await mel.press("Control+Enter");
    const deletion = mel.tab.waitForResponse((answer) => isOf(answer.request(), "DELETE", /\/drafts\/\d+$/));
    await release();
    await mel.sees("still on its way");
    await deletion;
    await stored();
    await open(mel, "lunch");
    await open(mel, "boats");
    expect(await typed(mel)).toBe("");
    expect(await drafts()).toEqual([]);
  });

  test("before the event of its draft has the text, and sending it leaves no draft", async () => {
    await open(mel, "boats");
    const { release } = await holdEvents();
    await write(mel, "saved, not heard of");
    await open(mel, "lunch");
    await stored("saved, not heard of");
    await open(mel, "boats");
    await shows(mel, "saved, not heard of");
    await mel.tab.focus(composer);
    await mel.press("Control+Enter");
    await stored();
    await release();
    await mel.sees("saved, not heard of");
    await open(mel, "lunch");
    await open(mel, "boats");
    expect(await typed(mel)).toBe("");
  });

  test("while a change is under way has the newest text, and saves it once", async () => {
    await open(mel, "boats");
    await write(mel, "one");
    await open(mel, "lunch");
    await stored("one");
    await open(mel, "boats");
    await shows(mel, "one");
    const { first, release } = await holdChange();
    await mel.tab.focus(composer);
    await mel.press("End");
    await mel.tab.keyboard.type(" two");
    await open(mel, "lunch");
    await first;
    await open(mel, "boats");
    await shows(mel, "one two");
    await mel.tab.focus(composer);
    await mel.press("End");
    await mel.tab.keyboard.type(" three");
    await release();
    await stored("one two three");
    expect(await typed(mel)).toBe("one two three");
  });
});

describe("a request that fails", () => {
  test("is made again, if the server was not reached", async () => {
    await open(mel, "boats");
    const { first, cutOff } = await holdCreation();
    await write(mel, "without a connection");
    await open(mel, "lunch");
    await first;
    await cutOff();
    expect(await drafts()).toEqual([]);
    await stored("without a connection");
  }, 240_000);

  test("to delete the draft of a message that was sent is made again", async () => {
    await open(mel, "boats");
    await write(mel, "sent all the same");
    await stored("sent all the same");
    const { first, cutOff } = await hold((request) => isOf(request, "DELETE", /\/drafts\/\d+$/));
    await mel.press("Control+Enter");
    await first;
    await cutOff();
    expect(await drafts()).toEqual(["sent all the same"]);
    await open(mel, "lunch");
    await open(mel, "boats");
    expect(await typed(mel)).toBe("");
    await stored();
  }, 240_000);

  test("to change the draft does not make a second one", async () => {
    await open(mel, "boats");
    await write(mel, "first");
    await stored("first");
    const { first, cutOff } = await holdChange();
    await mel.tab.keyboard.type(" and second");
    await first;
    await cutOff();
    await stored("first and second");
  }, 240_000);
});

describe("two devices", () => {
  test("show the same draft, and nothing once it is sent", async () => {
    await Promise.all([open(mel, "boats"), open(phone, "boats")]);
    await write(mel, "begun here");
    await shows(phone, "begun here");
    await phone.tab.focus(composer);
    await phone.press("End");
    await phone.tab.keyboard.type(", ended there");
    await shows(mel, "begun here, ended there");
    await send(phone, "begun here, ended there");
    await shows(mel, "");
    await stored();
  });

  test("keep two texts that are written at the same time", async () => {
    await Promise.all([open(mel, "boats"), open(phone, "boats")]);
    await Promise.all([write(mel, "the one"), write(phone, "another")]);
    await stored("another", "the one");
    expect([await typed(mel), await typed(phone)]).toEqual(["the one", "another"]);
    await send(phone, "another");
    await stored("the one");
    expect(await typed(mel)).toBe("the one");
    await send(mel, "the one");
    await stored();
  });
});

describe("a page that is closed", () => {
  test("and loaded again has the text, and sending it leaves no draft", async () => {
    await open(mel, "boats");
    await write(mel, "before the reload");
    await mel.tab.reload();
    await mel.tab.waitForSelector(composer);
    await shows(mel, "before the reload");
    await stored("before the reload");
    await send(mel, "before the reload");
    await stored();
  });

  test("saves what was just written", async () => {
    const other = await w.sit("mel", route("lunch"));
    await other.tab.waitForSelector(composer);
    await write(other, "just before closing");
    await other.tab.goto("about:blank");
    await stored("just before closing");
  });

  test("and loaded again elsewhere saves the text, next to one from another device", async () => {
    await w.ask("mel", ["POST", "/drafts"], {
      drafts: [{ type: "stream", to: [harbour], topic: "boats", content: "from elsewhere", timestamp: 1 }],
    });
    await stored("from elsewhere");
    // What the page leaves behind if its last request is lost.
    const kept = { place: { stream_id: harbour, topic: "Boats" }, text: "not opened again", id: null };
    await mel.tab.evaluate(
      (name, value) => sessionStorage.setItem(name, value),
      `draft ${w.people.mel?.id} c:${harbour}:boats`,
      JSON.stringify(kept),
    );
    await mel.go("#inbox");
    await mel.tab.reload();
    await stored("from elsewhere", "not opened again");
    await mel.until("Object.keys(sessionStorage).every((key) => !key.startsWith('draft '))");
    await mel.go("#drafts");
    await mel.sees("not opened again");
    await mel.sees("from elsewhere");
  });

  test("sends messages that could not be sent", async () => {
    await open(mel, "boats");
    await write(mel, "refused once");
    const { first, cutOff } = await hold((request) => isOf(request, "POST", "/messages"));
    await mel.press("Control+Enter");
    await first;
    await cutOff();
    await mel.tab.reload();
    await mel.until(
      "[...document.querySelectorAll('[data-feed] article[data-message]')].at(-1)?.innerText.includes('refused once')",
    );
    await mel.tab.reload();
    await mel.sees("refused once");
    await mel.missed("Waiting to be sent");
  });
});

describe("signing out", () => {
  const signOut = async () => {
    await mel.click("nav [aria-label$='you are connected']");
    await mel.click('aria/Sign out[role="menuitem"]');
    await mel.tab.waitForSelector("#username");
  };
  const left = () =>
    mel.tab.evaluate(() => Object.keys(sessionStorage).filter((key) => /^(draft|not sent) /.test(key)));
  const newest = async () => {
    const found = await w.ask("mel", ["GET", "/messages"], { anchor: "newest", num_before: 1, num_after: 0 });
    return (found.messages as { content: string }[])[0]?.content;
  };
  beforeEach(async () => {
    await mel.tab.evaluate(() => localStorage.removeItem("hold seconds"));
    await open(mel, "boats");
  });
  afterEach(async () => {
    await w.ask("mel", ["PATCH", "/settings"], { enable_drafts_synchronization: true });
    await signIn(mel.page, "mel@example.com");
    await mel.tab.waitForSelector("[data-view-title]");
  });

  test("saves the draft first, and leaves nothing of it in the browser", async () => {
    await write(mel, "half a sentence");
    await signOut();
    expect(await left()).toEqual([]);
    expect(await drafts()).toEqual(["half a sentence"]);
  });

  test("sends a message that is held back", async () => {
    await mel.tab.evaluate(() => localStorage.setItem("hold seconds", "30"));
    await write(mel, "on my way");
    await mel.press("Control+Enter");
    await mel.sees("Sending in 30 seconds");
    await signOut();
    expect(await newest()).toContain("on my way");
    expect([await left(), await drafts()]).toEqual([[], []]);
  });

  test("keeps a message that was refused as a draft", async () => {
    const { first, refuse } = await hold((request) => isOf(request, "POST", "/messages"));
    await write(mel, "not today");
    await mel.press("Control+Enter");
    await first;
    await refuse();
    await mel.sees("Not today");
    expect(await left()).toHaveLength(1);
    await signOut();
    expect(await left()).toEqual([]);
    expect(await drafts()).toEqual(["not today"]);
  });

  test("removes a draft that the person keeps in this browser alone", async () => {
    await w.ask("mel", ["PATCH", "/settings"], { enable_drafts_synchronization: false });
    await write(mel, "between us");
    expect(await left()).toHaveLength(1);
    await signOut();
    expect(await left()).toEqual([]);
  });
});

describe("what is written while a request is under way stays", () => {
  test("after the text before it was scheduled", async () => {
    await open(mel, "boats");
    await write(mel, "for tomorrow");
    const { first, release } = await hold((request) => isOf(request, "POST", "/scheduled_messages"));
    await mel.click('aria/Send later[role="button"]');
    await mel.click("[role=menuitem]");
    await first;
    await mel.tab.focus(composer);
    await mel.press("End");
    await mel.tab.keyboard.type(", and more");
    await release();
    await mel.sees("Scheduled for");
    expect(await typed(mel)).toBe("for tomorrow, and more");
  });

  test("and so does what was held back and undone in another conversation", async () => {
    await mel.tab.evaluate(() => localStorage.setItem("hold seconds", "30"));
    letGo = async () => {
      await mel.tab.evaluate(() => localStorage.removeItem("hold seconds"));
    };
    await open(mel, "boats");
    await write(mel, "too quick");
    await mel.press("Control+Enter");
    await mel.sees("Sending in 30 seconds");
    await open(mel, "lunch");
    await open(mel, "boats");
    await mel.click('aria/Undo[role="button"]');
    await shows(mel, "too quick");
  });

  const editor = '[aria-label="Edit message"] textarea';
  test("in the editor of a message, also if the person leaves the conversation", async () => {
    await open(mel, "lunch");
    await write(mel, "soup at noon");
    await send(mel, "soup at noon");
    await mel.press("ArrowUp");
    await mel.until("document.activeElement?.value === 'soup at noon'");
    await mel.tab.keyboard.type(", and bread");
    await open(mel, "boats");
    await open(mel, "lunch");
    await mel.until(`document.querySelector('${editor}')?.value === 'soup at noon, and bread'`);
    const { first, release } = await hold((request) => isOf(request, "PATCH", /\/messages\/\d+$/));
    await mel.tab.focus(editor);
    await mel.press("Control+Enter");
    await first;
    await mel.press("End");
    await mel.tab.keyboard.type(", and tea");
    await release();
    await mel.until("document.querySelector('[aria-label=\"Edit message\"] [aria-busy=true]') === null");
    expect(await mel.tab.$eval(editor, (area) => (area as HTMLTextAreaElement).value)).toBe(
      "soup at noon, and bread, and tea",
    );
    await mel.tab.focus(editor);
    await mel.press("Control+Enter");
    await mel.sees("and tea");
    await mel.until(`document.querySelector('${editor}') === null`);
  });
});
