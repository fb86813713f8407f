// Reports of messages in the browsers of an owner at a desk and of a moderator with a phone, who decide about them at once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import {
  chooseOption,
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let mel: Seat;
let max: Seat;
let spam = 0;

const hasRow = (text: string) =>
  `[...document.querySelectorAll('[data-row]')].some((row) => row.innerText.includes(${JSON.stringify(text)}))`;
async function check(seat: Seat, label: string): Promise<void> {
  await seat.click(`aria/${label}[role="checkbox"]`);
}

const report = (who: string, id: number, more: Record<string, unknown> = {}) =>
  w.ask(who, ["POST", `/messages/${id}/report`], { report_type: "spam", ...more });

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max", "gus");
  await w.channel("harbour", ["olive", "mel", "max", "gus"]);
  const place = await w.channel("moderation", ["olive"], { invite_only: true });
  await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: place });
  await w.ask("olive", ["PATCH", `/users/${w.people.mel?.id}`], { role: 300 });
  await w.post("gus", "harbour", "boats", "Who sails on Sunday?");
  spam = await w.post("max", "harbour", "boats", "Buy **pills** now");
  await w.post("gus", "harbour", "boats", "What is that?");
  await report("gus", spam, { description: "He writes that everywhere." });
  [olive, mel, max] = await Promise.all([
    w.sit("olive", "#inbox", { width: 1440, height: 900 }),
    w.sit("mel", "#organization/reports", { width: 360, height: 740, colours: "dark" }),
    w.sit("max", "#organization/reports"),
  ]);
}, 240_000);
afterAll(() => w.close());

describe("the queue of reports", () => {
  test("is counted in the sidebar, and lists what is open", async () => {
    await olive.click('nav a[data-row][href="#organization/reports"]');
    await olive.until("location.hash === '#organization/reports'");
    for (const seat of [olive, mel]) {
      await seat.until(hasRow("Buy **pills** now"));
      expect(await faultsOf(seat.page)).toEqual([]);
    }
  });

  test("is closed to others", async () => {
    await max.sees("Only moderators, administrators and owners see this.");
    expect(await max.tab.evaluate(hasRow("Reports"))).toBe(false);
  });

  test("shows a message as it was, and as it is now among others", async () => {
    await w.ask("max", ["PATCH", `/messages/${spam}`], { content: "Buy nothing" });
    for (const seat of [olive, mel]) {
      await seat.go("#organization/reports/1");
      await seat.sees("He writes that everywhere.");
      await seat.sees("Buy pills now");
      await seat.sees("Buy nothing");
      await seat.sees("Who sails on Sunday?");
      await seat.sees("#harbour › boats");
      expect(await faultsOf(seat.page)).toEqual([]);
    }
  });

  test("of two moderators at once, the second hears what the first did", async () => {
    for (const seat of [olive, mel]) await pressButton(seat, "Handle …");
    await check(mel, "Warn Max");
    const field = await mel.page.find('aria/What the warning says[role="textbox"]');
    await field?.click({ count: 3 });
    await field?.type("No more pills.");
    await check(olive, "Delete the message for everyone");
    expect(await faultsOf(olive.page)).toEqual([]);
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(olive, "Mark as handled");
    await olive.sees("The report is handled.");
    await olive.until(noDialog);
    await olive.sees("The message is deleted.");
    await olive.sees("Message deleted");
    await pressButton(mel, "Mark as handled");
    await mel.sees("Olive has handled this report already, and deleted the message.");
    await pressButton(mel, "Cancel");
    await mel.sees("The message is deleted.");
  });

  test("follows what others report and decide", async () => {
    for (const seat of [olive, mel]) await seat.go("#organization/reports");
    await mel.sees("No open reports");
    const direct = await w.write("max", ["gus"], "psst, pills");
    await report("gus", direct, { report_type: "harassment" });
    for (const seat of [olive, mel]) await seat.until(hasRow("psst, pills"));
    await mel.go("#organization/reports/2");
    await mel.sees("You cannot read it where it is now: you see only what was reported.");
    await pressButton(mel, "Dismiss …");
    await pressButton(mel, "Dismiss");
    await mel.sees("Please say why the report is dismissed.");
    const why = await mel.page.find('aria/Why nothing is to be done[role="textbox"]');
    await why?.type("They joke.");
    await pressButton(mel, "Dismiss");
    await mel.sees("The report is dismissed.");
    await mel.sees("They joke.");
    await olive.sees("No open reports");
    await pressButton(mel, "Open again");
    await mel.sees("The report is open again.");
    await olive.until(hasRow("psst, pills"));
  });

  test("is filtered by state and person", async () => {
    await chooseOption(olive, "State", "Handled reports");
    await olive.until(`${hasRow("Buy **pills** now")} && !${hasRow("psst, pills")}`);
    await chooseOption(olive, "State", "All reports");
    await olive.until(hasRow("psst, pills"));
    await olive.page.fill('aria/Person[role="textbox"]', "gus");
    await olive.press("Enter");
    await olive.sees("Nothing found");
    await chooseOption(olive, "Gus", "Who reported them");
    await olive.until(hasRow("psst, pills"));
  });

  test("several are dismissed for one reason; what is handled already says so", async () => {
    for (const content of ["one joke", "another joke"])
      await report("gus", await w.post("max", "harbour", "fun", content));
    await olive.tab.reload();
    await olive.go("#organization/general");
    await olive.go("#organization/reports");
    await chooseOption(olive, "State", "Open reports");
    await olive.until(`${hasRow("one joke")} && ${hasRow("another joke")}`);
    await olive.tab.evaluate(
      `[...document.querySelectorAll("[data-row]")].filter((row) => row.innerText.includes("joke"))
        .forEach((row) => row.querySelector("input[type=checkbox]").click())`,
    );
    await pressButton(olive, "Dismiss …");
    await w.ask("mel", ["PATCH", "/reports/3"], { is_handled: true });
    const why = await olive.page.find('aria/Why nothing is to be done[role="textbox"]');
    await why?.type("Jokes.");
    await pressButton(olive, "Dismiss");
    await olive.sees("Mel has handled this report already.");
    expect(await faultsOf(olive.page)).toEqual([]);
    await olive.press("Escape");
    await olive.missed("another joke");
    const { report: last } = await w.ask("olive", ["GET", "/reports/4"]);
    expect(last).toMatchObject({ is_dismissed: true, handled_note: "Jokes." });
  });

  test("tells the sender and the reporter by direct messages", async () => {
    await olive.go("#organization/reports/2");
    await pressButton(olive, "Handle …");
    await check(olive, "Warn Max");
    await pressButton(olive, "Mark as handled");
    await olive.sees("Sender warned");
    await max.go("#narrow/is/dm");
    await max.sees("The moderators of Harbour write to you about a message of yours:");
    await max.sees("Please keep to the customs of our organization.");
  });

  test("deactivates the sender on a phone; the owner sees by whom, and the reporter hears of it", async () => {
    await report("gus", await w.post("max", "harbour", "boats", "The last pills"));
    const { reports } = await w.ask("olive", ["GET", "/reports"]);
    const newest = Math.max(...(reports as { id: number }[]).map(({ id }) => id));
    await w.ask("olive", ["PATCH", `/users/${w.people.mel?.id}`], { role: 200 });
    await Promise.all([olive, mel].map((seat) => seat.go(`#organization/reports/${newest}`)));
    await pressButton(mel, "Handle …");
    await check(mel, "Deactivate the account of Max");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Mark as handled");
    await olive.sees("Account deactivated");
    await max.until("document.querySelector('#username') !== null");
    const { user } = await w.ask("olive", ["GET", `/users/${w.people.max?.id}`]);
    expect(user).toMatchObject({ is_active: false });
    const { entries } = await w.ask("olive", ["GET", "/audit_log"], { limit: 2 });
    const events = (entries as { event: string; actor_id: number | undefined }[]).map((one) => [
      one.event,
      one.actor_id,
    ]);
    expect(events).toContainEqual(["user_deactivated", w.people.mel?.id]);
    expect(events).toContainEqual(["report_handled", w.people.mel?.id]);
    const { messages } = await w.ask("gus", ["GET", "/messages"], {
      ...{ anchor: "newest", num_before: 1, num_after: 0, narrow: [{ operator: "is", operand: "dm" }] },
    });
    expect((messages as { content: string }[])[0]?.content).toContain("have done something about it");
  });
});
