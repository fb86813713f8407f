// The client in the window of the desktop application, which offers `window.electron_bridge`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { askOf, lastTold, openInDesktopApp } from "../support/desktop-app.ts";
import { until } from "../support/waiting.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  mel = await w.sit("mel", "#inbox");
  await openInDesktopApp(mel);
}, 240_000);
afterAll(() => w.close());

const title = (name: string) => `document.querySelector('[data-view-title]')?.textContent === '${name}'`;
const ask = (name: string, ...values: readonly unknown[]) => askOf(mel, name, ...values);

async function newest(narrow: object[]): Promise<string> {
  const page = { anchor: "newest", num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await w.ask("max", ["GET", "/messages"], page);
  return (messages as { content: string }[]).at(-1)?.content ?? "";
}

test("its badge counts as the title does", async () => {
  await w.post("max", "harbour", "boats", "the *Gull* is back, @**Mel**");
  await mel.until(`${lastTold("total_unread_count")} === 1`);
  await w.write("max", ["mel"], "are you there?");
  await mel.until(`${lastTold("total_unread_count")} === 2`);
  await mel.until("document.title.startsWith('(2) ')");
});

describe("its notifications", () => {
  test("are the application's own, named by the message; a click shows the conversation, which is read", async () => {
    await mel.until("window.notices.length === 2");
    expect(await mel.tab.evaluate("window.notices.map(({ title, body }) => [title, body])")).toEqual([
      ["Max in #harbour › boats", "the Gull is back, @Mel"],
      ["Max", "are you there?"],
    ]);
    expect(await mel.tab.evaluate("window.notices.every(({ tag }) => /^\\d+$/.test(tag))")).toBe(true);
    await mel.tab.evaluate("window.notices[1].dispatch('click')");
    await mel.until(title("Max"));
    expect(await mel.tab.evaluate("window.notices.map(({ isOpen }) => isOpen)")).toEqual([true, false]);
    await mel.until(`${lastTold("total_unread_count")} === 1`);
  });

  test("take an answer, which the conversation shows", async () => {
    expect(await mel.tab.evaluate("window.takesReplies")).toBe(true);
    const tag = await mel.tab.evaluate("window.notices[0].tag");
    await ask("send_notification_reply_message", tag, "with fish?");
    await mel.until(title("boats"));
    await mel.sees("with fish?");
    const boats = [
      { operator: "channel", operand: harbour },
      { operator: "topic", operand: "boats" },
    ];
    await until(async () => (await newest(boats)) === "with fish?", "it is sent");
    await mel.until(`${lastTold("total_unread_count")} === 0`);
    expect(await mel.tab.evaluate(lastTold("send_notification_reply_message_failed"))).toBeUndefined();
  });

  test("say that an answer failed: of a message that is gone, and where one may no longer write; that stays to be sent again", async () => {
    const failure = lastTold("send_notification_reply_message_failed");
    await ask("send_notification_reply_message", 999_999, "to nobody");
    await mel.until(`${failure}?.message_id === 999999`);
    await mel.sees("This message was deleted, or you may no longer see it.");
    const quay = await w.channel("quay", ["olive", "mel", "max"]);
    const id = await w.post("max", "quay", "nets", "who mends them, @**Mel**?");
    await mel.until("window.notices.length === 3");
    const writers = { new: { direct_members: [w.people.olive?.id], direct_subgroups: [] } };
    await w.ask("olive", ["PATCH", `/streams/${quay}`], { can_send_message_group: writers });
    await ask("send_notification_reply_message", id, "I do");
    await mel.until(`${failure}?.message_id === ${id}`);
    await mel.until(title("nets"));
    await mel.sees("Try again");
    await mel.click("aria/Discard[role='button']");
  });

  test("open the conversation of a message from before", async () => {
    await ask("narrow-by-topic", await mel.tab.evaluate("window.notices[0].tag"));
    await mel.until(title("boats"));
  });
});

describe("its menus", () => {
  test("show the keys, and the settings of notifications", async () => {
    await ask("show-keyboard-shortcuts");
    await mel.until("document.querySelector('[role=dialog] h2')?.textContent === 'Keyboard shortcuts'");
    await mel.press("Escape");
    await ask("show-notification-settings");
    await mel.until("location.hash === '#settings/notifications'");
    await mel.sees("Notify me in the browser");
  });

  test("say what was downloaded, and where it is", async () => {
    await ask("show-download-success", "Download complete", "nets.pdf", "d-1");
    await mel.sees("Download complete: nets.pdf");
    await mel.click("aria/Show in folder[role='button']");
    await mel.until(`${lastTold("show-downloaded-file-in-folder")} === 'd-1'`);
  });
});

test("it says who is at the computer, and not at the page", async () => {
  const report = async (isIdle: boolean) => {
    const sent = mel.tab.waitForRequest((one) => one.url().endsWith("/json/users/me/presence"));
    await mel.tab.evaluate(
      `window.later += 600_000; window.isIdle = ${isIdle}; window.eachMinute.forEach((run) => run())`,
    );
    return new URLSearchParams((await sent).postData()).get("status");
  };
  expect(await report(false)).toBe("active");
  expect(await report(true)).toBe("idle");
});

test("its list of organizations has the name and the icon of now", async () => {
  await w.ask("olive", ["PATCH", "/realm"], { name: "North Harbour" });
  await mel.until(`${lastTold("realm_name")} === 'North Harbour'`);
});

test("signing out there signs out here, once the server has what was just read", async () => {
  const id = await w.write("max", ["mel"], "until tomorrow");
  await mel.until("window.notices.at(-1).body === 'until tomorrow'");
  // The pause after which it is sent by itself does not end.
  await mel.tab.evaluate(
    "{ const later = setTimeout; window.setTimeout = (run, pause, ...more) => later(run, pause === 120 ? 600_000 : pause, ...more); }",
  );
  const leave = "window.notices.at(-1).dispatch('click'); window.listeners.logout()";
  await Promise.all([mel.tab.waitForNavigation(), mel.tab.evaluate(leave)]);
  await mel.tab.waitForSelector("#username");
  const { message } = await w.ask("mel", ["GET", `/messages/${id}`]);
  expect((message as { flags: string[] }).flags).toContain("read");
});

test("a browser, and an element with that name, are nobody to serve", async () => {
  const max = await w.sit("max", "#inbox");
  const loaded = () =>
    max.tab.evaluate(
      "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /desktop|serving/.test(name))",
    );
  expect(await loaded()).toEqual([]);
  await max.tab.evaluateOnNewDocument(`
    const observer = new MutationObserver(() => {
      if (!document.body) return;
      observer.disconnect();
      document.body.append(Object.assign(document.createElement("form"), { id: "electron_bridge" }));
    });
    observer.observe(document, { childList: true, subtree: true });
  `);
  await max.tab.reload();
  await max.until(title("Inbox"));
  expect(await max.tab.evaluate("window.electron_bridge instanceof HTMLFormElement")).toBe(true);
  await max.tab.close();
});
