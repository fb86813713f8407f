// Erasing a person in the browser, and deleting all that somebody sent: by an owner and an administrator, on a desk and on a phone.
// Each is checked through the API, at a second browser and in the audit log.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { openDatabaseOf } from "../support/database.ts";
import { until } from "../support/waiting.ts";
import {
  noDialog,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
/** Sees what the others change. */
let witness: Seat;

const phone = { width: 360, height: 740, colours: "dark" } as const;
const idOf = (name: string) => w.people[name]?.id ?? 0;
const pageOf = (name: string) => `#organization/people/${idOf(name)}`;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "moss", "mel", "max", "nora", "pia");
  await w.ask("olive", ["PATCH", `/users/${idOf("ada")}`], { role: 200 });
  await w.ask("olive", ["PATCH", `/users/${idOf("moss")}`], { role: 300 });
  await w.channel("harbour", ["olive", "mel", "max", "nora", "pia"]);
  for (const name of ["mel", "max", "nora", "pia"]) {
    await w.post(name, "harbour", "boats", `A boat of ${name}`);
    await w.write(name, ["olive"], `A word of ${name}`);
    await w.ask(name, ["POST", "/saved_snippets"], { title: "mine", content: "my own" });
  }
  witness = await w.sit("olive", "#narrow/channel/1-harbour/topic/boats");
}, 240_000);
afterAll(() => w.close());

async function confirm(seat: Seat, name: string, typed = name): Promise<void> {
  await seat.click(`aria/To confirm, type ${name}[role="textbox"]`, { count: 3 });
  await seat.tab.keyboard.type(typed);
}

/** Events of the audit log about somebody, newest first, with who caused them. */
const audited = async (name: string) =>
  (
    (await w.ask("olive", ["GET", "/audit_log"], { about_user_id: String(idOf(name)) })).entries as {
      event: string;
      actor_id: number | null;
    }[]
  ).map(({ event, actor_id }) => [event, actor_id]);

const contents = async () =>
  (
    (
      await w.ask("olive", ["GET", "/messages"], {
        anchor: "newest",
        num_before: 100,
        num_after: 0,
        apply_markdown: false,
      })
    ).messages as { content: string }[]
  ).map(({ content }) => content);

describe.each([
  ["at a desk", {}, "mel", "nora"],
  ["on a phone", phone, "max", "pia"],
] as const)("an owner, %s", (_, look, first, second) => {
  const shown = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

  test("erases a person after the name, and their messages stay", async () => {
    const olive = await w.visit("olive", pageOf(first), look);
    await pressButton(olive, "Erase …");
    await olive.sees(`Erase ${shown(first)} for ever?`);
    await olive.sees("Snippets: 1");
    await olive.sees("Messages in public channels: 1");
    await olive.sees("None is known here.");
    expect(await faultsOf(olive.page)).toEqual([]);
    expect(await olive.page.overflow()).toBe(0);
    await confirm(olive, shown(first), "Somebody");
    await pressButton(olive, "Erase for ever");
    await olive.sees("This is not the name.");
    expect(await faultsOf(olive.page)).toEqual([]);
    await confirm(olive, shown(first));
    await pressButton(olive, "Erase for ever");
    await olive.sees("The person is erased.");
    await olive.until(noDialog);
    await olive.sees("This person was erased. Nobody can change or reopen the account.");
    await olive.until("document.querySelector('main form') === null");
    expect(await faultsOf(olive.page)).toEqual([]);
    const { user } = await w.ask("olive", ["GET", `/users/${idOf(first)}`]);
    expect(user).toMatchObject({ full_name: "Deleted user", is_active: false });
    expect(await contents()).toContain(`A boat of ${first}`);
    expect(await audited(first)).toContainEqual(["user_erased", idOf("olive")]);
    await witness.sees("Deleted user");
  });

  test("erases a person with their messages", async () => {
    const olive = await w.visit("olive", pageOf(second), look);
    await pressButton(olive, "Erase …");
    await olive.click("aria/Are deleted for everyone, too[role='radio']");
    await confirm(olive, shown(second));
    await olive.press("Enter");
    await olive.sees("The person is erased.");
    expect((await contents()).filter((text) => text.includes(second))).toEqual([]);
    await witness.missed(`A boat of ${second}`);
  });
});

test("an administrator deletes everything that somebody sent, and does not erase", async () => {
  await w
    .post("moss", "harbour", "boats", "Buy cheap boats")
    .catch(() => w.write("moss", ["olive"], "Buy cheap boats"));
  const ada = await w.visit("ada", pageOf("moss"));
  await ada.sees("Only owners can erase people.");
  expect(await ada.tab.evaluate("document.body.innerText")).not.toContain("Erase …");
  await pressButton(ada, "Delete everything they sent …");
  await ada.sees("Delete everything that Moss sent?");
  await confirm(ada, "Moss");
  expect(await faultsOf(ada.page)).toEqual([]);
  await pressButton(ada, "Delete everything");
  await ada.sees("Everything that Moss sent is deleted.");
  expect(await contents()).not.toContain("Buy cheap boats");
  expect((await audited("moss"))[0]).toEqual(["messages_of_user_deleted", idOf("ada")]);
});

/** What a page saves as a file next. */
async function catchFile(seat: Seat): Promise<() => Promise<{ user: object[] }>> {
  await seat.tab.evaluate(`{
    const make = URL.createObjectURL.bind(URL);
    window.saved = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = make;
        resolve(blob.text());
        return make(blob);
      };
    });
  }
  // Not the promise, which the tab would wait for.
  null`);
  return async () => JSON.parse(String(await seat.tab.evaluate("window.saved")));
}

test("an owner downloads on a phone the data of somebody once they agree, and administrators do not", async () => {
  const olive = await w.sit("olive", pageOf("moss"), phone);
  await olive.sees("Their data");
  await olive.sees("confab export user moss@example.com person.json");
  await olive.sees("They can agree in their settings, under privacy, at “My private messages");
  expect(await faultsOf(olive.page)).toEqual([]);
  expect(await olive.page.overflow()).toBe(0);
  await w.ask("moss", ["PATCH", "/settings"], { allow_private_data_export: true });
  await olive.sees("They have agreed to the export of their private data.");
  await olive.tab.setRequestInterception(true);
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let goOn = () => {};
  olive.tab.on("request", (request) => {
    if (!request.url().endsWith(`/users/${idOf("moss")}/export`)) return void request.continue();
    goOn = () => void request.continue();
    arrive();
  });
  const file = await catchFile(olive);
  await pressButton(olive, "Download their data");
  await arrived;
  await olive.sees("The server writes the file …");
  expect(await faultsOf(olive.page)).toEqual([]);
  expect(await olive.page.overflow()).toBe(0);
  goOn();
  await olive.sees("Their data is downloaded. The audit log says so.");
  expect((await file()).user).toMatchObject([{ email: "moss@example.com" }]);
  expect((await audited("moss"))[0]).toEqual(["export_written", idOf("olive")]);
  await olive.tab.close();
  const ada = await w.visit("ada", pageOf("moss"));
  await ada.sees("Only owners can export a person’s data.");
  expect(await ada.tab.evaluate("document.body.innerText")).not.toContain("Download their data");
  await w.ask("moss", ["PATCH", "/settings"], { allow_private_data_export: false });
});

test("an owner downloads first the data of somebody who has agreed to that", async () => {
  const olive = await w.visit("olive", pageOf("moss"));
  await pressButton(olive, "Erase …");
  const asks = (text: string) =>
    olive.until(
      `document.querySelector("[role=dialog]")?.innerText.includes(${JSON.stringify(text)}) === true`,
    );
  await asks("confab export user moss@example.com person.json");
  await olive.press("Escape");
  await olive.until(noDialog);
  await w.ask("moss", ["PATCH", "/settings"], { allow_private_data_export: true });
  await pressButton(olive, "Erase …");
  await asks("They have agreed to the export of their private data.");
  expect(await faultsOf(olive.page)).toEqual([]);
  const file = await catchFile(olive);
  await olive.click('[role="dialog"] button:has(.lucide-download)');
  expect((await file()).user).toMatchObject([{ email: "moss@example.com" }]);
  expect((await audited("moss"))[0]).toEqual(["export_written", idOf("olive")]);
});

test("tells the dates of the backups that hold the person", async () => {
  const at = (day: string) => Date.parse(day) / 1000;
  const last = {
    ...{
      backup: "20261120T120000Z",
      last_message_id: 1,
      files: 1,
      created_at: at("2026-11-20T12:00Z"),
      bytes: 1,
      added_bytes: 1,
    },
    ...{ encrypted: false, place: "/srv/backups", seconds: 1, kept: 2, oldest_at: at("2026-11-03T12:00Z") },
  };
  const database = openDatabaseOf(w.data);
  database.run("INSERT INTO settings (scope, owner_id, name, value) VALUES ('backups', 0, 'last', ?)", [
    JSON.stringify(last),
  ]);
  database.close();
  const olive = await w.visit("olive", pageOf("moss"), phone);
  await pressButton(olive, "Erase …");
  await olive.sees("Known ones are from Nov 3, 2026 to Nov 20, 2026.");
  expect(await olive.page.overflow()).toBe(0);
});

test("shows why it failed, and goes on when it is asked again", async () => {
  const ada = await w.sit("ada", pageOf("moss"));
  await pressButton(ada, "Delete everything they sent …");
  await ada.sees("They have sent nothing.");
  await confirm(ada, "Moss");
  await ada.tab.setRequestInterception(true);
  let refusals = 1;
  ada.tab.on("request", (request) => {
    if (request.method() !== "POST" || refusals-- < 1) return void request.continue();
    const refusal = { result: "error", msg: "The disk is full.", code: "SERVER_NOT_READY" };
    void request.respond({ status: 503, contentType: "application/json", body: JSON.stringify(refusal) });
  });
  await pressButton(ada, "Delete everything");
  await ada.sees("The disk is full.");
  await pressButton(ada, "Delete everything");
  await ada.sees("Everything that Moss sent is deleted.");
  await ada.tab.close();
});

test("shows how far the server is, and on the page after one has closed the question", async () => {
  const ada = await w.sit("ada", pageOf("moss"));
  await ada.tab.setRequestInterception(true);
  let isStuck = false;
  const work = { user_id: idOf("moss"), stage: "messages", messages: 1_200, reactions: 0, files: 0 };
  ada.tab.on("request", (request) => {
    // The server is still at it.
    if (request.url().endsWith("/delete_messages")) return;
    if (!request.url().endsWith("/deletion")) return void request.continue();
    const answer = {
      ...{ result: "success", msg: "", is_erased: false },
      under_way: [{ ...work, is_stuck: isStuck }],
    };
    void request.respond({ contentType: "application/json", body: JSON.stringify(answer) });
  });
  await pressButton(ada, "Delete everything they sent …");
  await confirm(ada, "Moss");
  await pressButton(ada, "Delete everything");
  await ada.sees("Deleting messages … Messages deleted: 1,200");
  await ada.sees("You may close this: the server goes on by itself.");
  expect(await faultsOf(ada.page)).toEqual([]);
  await ada.click("aria/Close[role='button']");
  await ada.until(noDialog);
  await ada.go("#organization/people");
  isStuck = true;
  await ada.go(pageOf("moss"));
  await ada.sees("Under way");
  await ada.sees("It does not go on now.");
  expect(await faultsOf(ada.page)).toEqual([]);
  await ada.tab.close();
});

test("says that a person is erased, if their name is gone long before the rest", async () => {
  const olive = await w.sit("olive", pageOf("moss"));
  await pressButton(olive, "Erase …");
  await confirm(olive, "Moss");
  await olive.tab.setRequestInterception(true);
  const answers: (() => void)[] = [];
  let isErased = false;
  olive.tab.on("request", (request) => {
    const respond = (answer: object) =>
      void request.respond({
        contentType: "application/json",
        body: JSON.stringify({ result: "success", msg: "", ...answer }),
      });
    if (request.url().endsWith("/erase")) {
      const complete = isErased;
      if (complete) return void answers.push(() => respond({ complete }));
      isErased = true;
      return respond({ complete });
    }
    if (!request.url().endsWith("/deletion")) return void request.continue();
    respond({ is_erased: isErased, under_way: [] });
  });
  await pressButton(olive, "Erase for ever");
  await until(() => answers.length === 1, "the page asks the server to go on");
  await w.ask("moss", ["PATCH", "/settings"], { full_name: "Moss Green" });
  await olive.sees("This person was erased.");
  answers[0]?.();
  await olive.sees("The person is erased.");
  await olive.until(noDialog);
  await olive.tab.close();
});

test("nobody erases themselves, and moderators are not offered it", async () => {
  const olive = await w.visit("olive", pageOf("olive"));
  await olive.sees("You cannot erase yourself. Another owner of the organization can.");
  const moss = await w.visit("moss", pageOf("ada"));
  await moss.sees("Only administrators and owners change accounts.");
  expect(await moss.tab.evaluate("document.body.innerText")).not.toContain("Erasing");
});
