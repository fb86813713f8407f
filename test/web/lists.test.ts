// Lists of conversations, on a desk and on a phone: the inbox, recent conversations and the sidebar.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { holdRequests, isOf } from "../support/web-held.ts";
import { noDialog, type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let desk: Seat;
let phone: Seat;
const title = (name: string) => `document.querySelector('[data-view-title]')?.textContent === '${name}'`;
const focusedField = "document.activeElement?.matches('[role=dialog] input')";

const crew = ["ana", "bea", "cem", "dov", "eli", "fay"];
/** Forty groups of them, in each of which Olive writes to Max. */
const groups = Array.from({ length: 40 }, (_, i) => crew.filter((_, at) => ((i + 1) >> at) & 1));

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max", ...crew);
  await w.channel("harbour", ["olive", "mel", "max"]);
  await w.channel("notices", ["olive", "mel", "max"], {
    can_send_message_group: { direct_members: [w.people.olive?.id], direct_subgroups: [] },
  });
  await w.channel("cellar", ["olive", "mel"], { invite_only: true });
  const { channel_folder_id } = await w.ask("olive", ["POST", "/channel_folders/create"], {
    name: "Ships",
    description: "",
  });
  const fleet = await w.channel("fleet", ["olive", "mel"]);
  await w.ask("olive", ["PATCH", `/streams/${fleet}`], { folder_id: channel_folder_id });
  // The notice of that: channels in folders would stand first in the inbox.
  await w.ask("mel", ["POST", "/mark_stream_as_read"], { stream_id: fleet });
  await w.post("max", "harbour", "tides", "high at six");
  for (let i = 1; i <= 25; i++) await w.post("max", "harbour", `berth ${i}`, "free again");
  [desk, phone] = await Promise.all([
    w.sit("mel", "#inbox", { width: 1440, height: 900 }),
    w.sit("mel", "#inbox", { width: 390, height: 844 }),
  ]);
});
afterAll(() => w.close());

describe("a new message", () => {
  const options = "[...document.querySelectorAll('[role=option]')].map((one) => one.textContent)";

  test("begins by a button of the inbox: the channel is found by a part of its name, the topic is completed", async () => {
    await desk.click('aria/New message[role="button"]');
    await desk.until(focusedField);
    await desk.tab.keyboard.type("cel");
    await desk.until(`${options}.length === 1 && ${options}[0].includes('cellar')`);
    expect(await desk.tab.evaluate(`${options}[0]`)).toContain("Private channel");
    await desk.page.fill("[role=dialog] input", "fle");
    await desk.until(`${options}.length === 1 && ${options}[0] === 'fleetShips'`);
    expect(await faultsOf(desk.page)).toEqual([]);
    await desk.page.fill("[role=dialog] input", "harb");
    await desk.until(`${options}.length === 1`);
    await desk.press("Enter");
    await desk.until(`${focusedField} && document.activeElement.value === ''`);
    await desk.tab.keyboard.type("tid");
    await desk.until(`${options}[0] === 'tides'`);
    await desk.press("ArrowDown", "Enter", "Enter");
    await desk.until(title("tides"));
    await desk.until("document.activeElement?.matches('[data-composer]')");
  });

  test("offers no channel in which one may not write; Escape closes the list, then the dialog", async () => {
    await desk.go("#recent");
    await desk.until(title("Recent conversations"));
    await desk.click('aria/New message[role="button"]');
    await desk.until(focusedField);
    await desk.tab.keyboard.type("not");
    await desk.sees("There is no channel of this name in which you may write.");
    await desk.page.fill("[role=dialog] input", "h");
    await desk.until(`${options}.length > 0`);
    await desk.press("Escape");
    await desk.until(`${options}.length === 0`);
    expect(await desk.tab.evaluate("document.querySelector('[role=dialog]') !== null")).toBe(true);
    await desk.press("Escape");
    await desk.until(noDialog);
  });

  test.each(["inbox", "recent"])(
    "is at the thumb on a phone, and covers no row at the end: %s",
    async (view) => {
      await phone.go(`#${view}`);
      await phone.sees("berth 25");
      const round = '#view [aria-label="New message"]';
      await phone.tab.waitForSelector(round);
      const isClear = `(() => {
      const rows = [...document.querySelectorAll('#view [data-row]')];
      let pane = rows[0].parentElement;
      while (pane.scrollHeight <= pane.clientHeight + 1 || getComputedStyle(pane).overflowY !== 'auto') pane = pane.parentElement;
      pane.scrollTop = pane.scrollHeight;
      const button = document.querySelector('${round}').getBoundingClientRect();
      return pane.scrollTop > 0 && rows.at(-1).getBoundingClientRect().bottom <= button.top;
    })()`;
      await phone.until(isClear);
      const { width, height } = (await phone.tab.evaluate(
        `document.querySelector('${round}').getBoundingClientRect().toJSON()`,
      )) as DOMRect;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
      expect(await faultsOf(phone.page)).toEqual([]);
      await phone.click(round);
      await phone.until(focusedField);
      await phone.tab.keyboard.type("harb");
      await phone.click("[role=option]");
      await phone.until(`${focusedField} && document.activeElement.value === ''`);
      await phone.tab.keyboard.type("by phone");
      await phone.press("Enter");
      await phone.until(title("by phone"));
    },
  );
});

describe("the sidebar", () => {
  const section = (name: string) => `document.querySelector('nav section[aria-label="${name}"]')`;
  const names = (name: string) =>
    `[...${section(name)}.querySelectorAll('li a[data-row]')].map((one) => one.querySelector('bdi').textContent)`;
  let seat: Seat;

  beforeAll(async () => {
    for (const group of groups) await w.write("olive", ["max", ...group], "hello all");
    seat = await w.sit("max", "#recent", { width: 1280, height: 800 });
    await seat.until(title("Recent conversations"));
  });

  test("shows eight direct conversations, and the channels above the fold although 40 are unread", async () => {
    await seat.until(`${section("Direct messages")} !== null`);
    expect(await seat.tab.evaluate(names("Direct messages"))).toHaveLength(8);
    await seat.until(`/32 more.*32/s.test(${section("Direct messages")}.textContent)`);
    const firstChannel = `document.querySelector('nav [data-channel]').getBoundingClientRect().bottom`;
    expect(Number(await seat.tab.evaluate(firstChannel))).toBeLessThan(800);
    await seat.tab.evaluate(
      `[...${section("Direct messages")}.querySelectorAll('button')].find((one) => /more/.test(one.textContent)).click()`,
    );
    await seat.until(`${names("Direct messages")}.length === 40`);
    await seat.tab.evaluate(
      `[...${section("Direct messages")}.querySelectorAll('button')].find((one) => /Fewer/.test(one.textContent)).click()`,
    );
    await seat.until(`${names("Direct messages")}.length === 8`);
  });

  test("keeps its order while the pointer is in it", async () => {
    await seat.tab.evaluate("document.activeElement?.blur()");
    const before = (await seat.tab.evaluate(names("Direct messages"))) as string[];
    await seat.tab.hover('nav section[aria-label="Direct messages"] li:nth-child(3) a');
    await w.write("olive", ["max", "ana"], "and again");
    await seat.sees("and again");
    expect((await seat.tab.evaluate(names("Direct messages"))) as string[]).toEqual(before);
    await seat.tab.hover("#view h1");
    await seat.until(`${names("Direct messages")}[0] === 'Olive, Ana'`);
  });

  test.each(["Direct messages", "Here now"])("folds, and the device remembers it: %s", async (name) => {
    const button = `${section(name)}.querySelector('button[aria-expanded]')`;
    await seat.tab.evaluate(`${button}.click()`);
    await seat.until(`${section(name)}.querySelectorAll('li').length === 0`);
    await seat.tab.reload();
    await seat.until(`${section(name)}?.querySelectorAll('li').length === 0`);
    expect(await faultsOf(seat.page)).toEqual([]);
    await seat.tab.evaluate(`${button}.click()`);
    await seat.until(`${section(name)}.querySelectorAll('li').length > 0`);
  });
});

test("recent conversations say that more come, until the newest messages are there", async () => {
  const seat = await w.sit("max", "#inbox", { width: 360, height: 740 });
  const held = await holdRequests(seat, (request) => isOf(request, "GET", "/messages"));
  await seat.tab.reload();
  await held.first;
  const loading = `document.querySelector("#view")?.innerText.includes("Loading messages")`;
  await seat.go("#recent");
  await seat.until(`document.querySelectorAll("#view [data-row]").length > 0 && ${loading}`);
  await held.release();
  await seat.until(`!${loading}`);
  await seat.tab.close();
});

describe("the inbox", () => {
  const head = (name: string) =>
    `[...document.querySelectorAll('#view fieldset')].find((one) => one.getAttribute('aria-label') === '${name}')`;
  const rows = "document.querySelectorAll('#view fieldset li').length";

  test("folds by channel, and the device remembers it; a folded group is a row for the keyboard", async () => {
    await desk.go("#inbox");
    await desk.until(`${head("#harbour")} !== undefined`);
    await desk.tab.evaluate(`${head("#harbour")}.querySelector('button').click()`);
    await desk.until(`${head("#harbour")}.querySelectorAll('li').length === 0`);
    await desk.until(`/2\\d/.test(${head("#harbour")}.textContent)`);
    await desk.tab.reload();
    await desk.until(`${head("#harbour")}?.querySelectorAll('li').length === 0`);
    await desk.press("j");
    await desk.until("document.activeElement?.matches('#view [data-row]')");
    await desk.press("Home");
    await desk.until("/#harbour/.test(document.activeElement?.textContent)");
    await desk.press("Enter");
    await desk.until(`${rows} > 3`);
    expect(await desk.tab.evaluate("document.activeElement?.getAttribute('aria-expanded')")).toBe("true");
  });

  test("keeps the head of the group in sight at the top, and the focus out from under it", async () => {
    const pane = "document.querySelector('#view [data-virtual]')";
    await desk.tab.evaluate(`${pane}.scrollTop = 700`);
    const top = `${head("#harbour")}.querySelector('h2').getBoundingClientRect().top - ${pane}.getBoundingClientRect().top`;
    await desk.until(`${pane}.scrollTop > 300 && Math.abs(${top}) < 2`);
    await desk.press("j", "k", "k", "k", "k", "k", "k", "k", "k");
    const row = "document.activeElement.getBoundingClientRect().top";
    const under = `${head("#harbour")}.querySelector('h2').getBoundingClientRect().bottom`;
    await desk.until(`document.activeElement?.matches('#view li [data-row]') && ${row} >= ${under} - 1`);
  });

  test("has a form of one line for each, which the device remembers", async () => {
    const height = "Math.round(document.querySelector('#view li').getBoundingClientRect().height)";
    await desk.until(`${height} > 50`);
    await desk.click('aria/One line for each conversation[role="button"]');
    await desk.until(`${height} < 42`);
    await desk.tab.reload();
    await desk.until(`document.querySelector('#view li') && ${height} < 42`);
    expect(await faultsOf(desk.page)).toEqual([]);
    await desk.go("#recent");
    await desk.until(`document.querySelector('#view li') && ${height} < 42`);
    await desk.click('aria/Two lines for each conversation[role="button"]');
    await desk.until(`${height} > 50`);
  });

  test("shows who takes part in a conversation, and says it", async () => {
    await w.post("olive", "harbour", "crane", "is it free?");
    await w.post("max", "harbour", "crane", "from two on, @**Mel**");
    await desk.go("#inbox");
    const row = "[...document.querySelectorAll('#view li')].find((one) => one.textContent.includes('crane'))";
    await desk.until(
      `${row}?.querySelectorAll('img').length === 2 && /Also: Olive/.test(${row}.textContent)`,
    );
    // The accent is for what is for the person: the mention, and not all that is unread.
    const ground = (words: string) =>
      desk.tab.evaluate(`getComputedStyle([...${row}.querySelectorAll('[dir=ltr]')]
        .find((one) => one.textContent.includes('${words}'))).backgroundColor`);
    const accent = await desk.tab.evaluate(`(() => {
      const one = document.body.appendChild(document.createElement("i"));
      one.style.color = "var(--accent)";
      const { color } = getComputedStyle(one);
      one.remove();
      return color;
    })()`);
    expect(await ground("mention")).toBe(accent as string);
    expect(await ground("unread")).not.toBe(accent as string);
    await desk.go("#recent");
    await desk.until(
      `${row}?.querySelectorAll('img').length === 2 && /Also: Olive/.test(${row}.textContent)`,
    );
  });
});

describe("a topic that is resolved", () => {
  test("has an icon that is read aloud instead of a sign, in every list", async () => {
    const id = await w.post("max", "harbour", "anchor chain", "it is mended");
    await w.ask("max", ["PATCH", `/messages/${id}`], {
      topic: "✔ anchor chain",
      propagate_mode: "change_all",
    });
    const isMarked = (where: string) =>
      `[...document.querySelectorAll('${where}')].some((one) => one.textContent.includes('anchor chain') && !one.textContent.includes('✔') && one.querySelector('svg[role=img][aria-label=resolved]'))`;
    for (const hash of ["#inbox", "#recent", "#feed"]) {
      await desk.go(hash);
      // The feed opens at the first unread message.
      if (hash === "#feed") await desk.tab.waitForSelector("[data-feed] article");
      if (hash === "#feed") await desk.press("End");
      await desk.until(isMarked("#view a"));
    }
    await desk.go("#narrow/channel/1-harbour/topic/.E2.9C.94.20anchor.20chain");
    await desk.until(isMarked("[data-view-title]"));
    await desk.until(isMarked("nav [data-topic]"));
    expect(await desk.page.spoken()).toContain("heading resolved anchor chain");
    await desk.press("Control+k");
    await desk.tab.waitForSelector('[role="combobox"]:focus');
    await desk.tab.keyboard.type("anchor");
    await desk.until(isMarked("[role=option]"));
    await desk.press("Escape");
    await desk.go("#narrow/search/chain");
    await desk.until("document.querySelector('search input') !== null");
    await desk.page.fill("search input", "topic:anch");
    await desk.until(isMarked("search [role=option]"));
  });
});
