// Lists of conversations, on a desk and on a phone: the inbox, recent conversations and the sidebar.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let desk: Seat;
let phone: Seat;
const title = (name: string) => `document.querySelector('[data-view-title]')?.textContent === '${name}'`;
const focusedField = "document.activeElement?.matches('[role=dialog] input')";

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
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
    await desk.until("document.querySelector('[role=dialog]') === null");
  });

  test.each(["inbox", "recent"])(
    "is at the thumb on a phone, and covers no row at the end: %s",
    async (view) => {
      await phone.go(`#${view}`);
      await phone.sees("berth 25");
      const round = '#view [aria-label="New message"]';
      await phone.tab.waitForSelector(round);
      const isClear = `(() => {
      const pane = document.querySelector('#view [data-row]').closest('div[class*=page]');
      pane.scrollTop = pane.scrollHeight;
      const rows = [...document.querySelectorAll('#view [data-row]')];
      const button = document.querySelector('${round}').getBoundingClientRect();
      return /berth 1\\D|tides/.test(rows.at(-1).textContent) && rows.at(-1).getBoundingClientRect().bottom <= button.top;
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
