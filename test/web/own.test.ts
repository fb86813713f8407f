// Personal changes in the web client: muting, pinning, collapsing, picture, API key and home view; and what an administrator can
// end. Two people on the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultsOf } from "../support/axe.ts";
import { call } from "../support/executable.ts";
import { png } from "../support/pictures.ts";
import {
  choose,
  pressButton,
  type Seat,
  type WebOrganization,
  webOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let olive: Seat;
let mel: Seat;
let harbour = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"]);
  await w.post("max", "harbour", "lunch", "fish at noon");
  await w.post("olive", "harbour", "lunch", "or soup");
  [olive, mel] = await Promise.all([w.sit("olive"), w.sit("mel")]);
}, 240_000);
afterAll(() => w.close());

const lunch = () => `#narrow/channel/${harbour}-harbour/topic/lunch`;

async function eventually(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await Bun.sleep(20);
}

describe("a person", () => {
  test("is muted on their card, which hides their messages until a click, and unmuted in the settings", async () => {
    await mel.go(lunch());
    await mel.sees("fish at noon");
    await mel.click(`article [data-person="${w.people.max?.id}"]`);
    await mel.tab.waitForSelector('[role=dialog][aria-label="Person"] dl');
    await mel.click('[role=dialog][aria-label="Person"] [aria-label="More"]');
    await mel.click('aria/Mute[role="menuitem"]');
    await mel.missed("fish at noon");
    await mel.sees("From somebody you muted");
    await mel.sees("or soup");
    await mel.press("Escape");
    expect(await faultsOf(mel.page)).toEqual([]);
    await pressButton(mel, "Show");
    await mel.sees("fish at noon");
    await mel.go("#settings/privacy");
    await pressButton(mel, "Unmute");
    await mel.sees("Mute somebody by the menu of their card.");
    expect(
      (await w.ask("mel", ["POST", "/register"], { fetch_event_types: ["muted_users"] })).muted_users,
    ).toEqual([]);
  });
});

describe("a channel", () => {
  const place = "nav section[aria-label='Pinned channels']";

  test("is pinned, and muted: it moves to another part of the list and is not counted", async () => {
    await mel.go(`#channels/${harbour}/harbour`);
    await mel.click('aria/Pin it to the top[role="switch"]');
    await mel.until(`document.querySelector(\`${place}\`)?.innerText.includes('harbour')`);
    await (await mel.page.find('aria/Mute it[role="switch"]'))?.focus();
    await mel.press("Space");
    await mel.until(`document.querySelector(\`${place}\`)?.innerText.includes('1 muted or inactive')`);
    await w.post("max", "harbour", "quiet", "nobody need hear");
    await w.write("max", ["mel"], "but this");
    await mel.go("#inbox");
    await mel.sees("but this");
    await mel.missed("nobody need hear");
    await mel.go(`#channels/${harbour}/harbour`);
    await mel.click('aria/Mute it[role="switch"]');
    await mel.go("#inbox");
    await mel.sees("nobody need hear");
  });

  test("is archived by its administrator, for everybody", async () => {
    const id = await w.channel("regatta", ["olive", "mel"]);
    await mel.until("document.querySelector('nav').innerText.includes('regatta')");
    await olive.go(`#channels/${id}/regatta`);
    await pressButton(olive, "Archive the channel …");
    await olive.tab.waitForSelector("[role=dialog], [role=alertdialog]");
    await pressButton(olive, "Archive");
    await mel.until("!document.querySelector('nav').innerText.includes('regatta')");
  });
});

describe("a message", () => {
  test("is collapsed and shown again", async () => {
    await mel.go(lunch());
    await mel.sees("or soup");
    await choose(mel, "or soup", "Collapse");
    await mel.missed("or soup");
    await pressButton(mel, "Collapsed message: show it");
    await mel.sees("or soup");
  });

  test("runs from right to left where its words do, and the others as before", async () => {
    const hebrew = await w.post("max", "harbour", "port", "שלום לכולם\n\n> ציטוט קצר\n\n* ראשון");
    const english = await w.post("max", "harbour", "port", "hello, all");
    await w.post("max", "harbour", "port", "so $$x^2$$ it is");
    await mel.go(`#narrow/channel/${harbour}-harbour/topic/port`);
    await mel.tab.waitForSelector(`[data-message="${hebrew}"] blockquote`);
    const directions = (id: number) =>
      mel.tab.$$eval(`[data-message="${id}"] :is(p, blockquote, ul)`, (blocks) =>
        blocks.map((one) => getComputedStyle(one).direction),
      );
    expect(await directions(hebrew)).toEqual(["rtl", "rtl", "rtl", "rtl"]);
    expect(await directions(english)).toEqual(["ltr"]);
    await mel.go("#recent");
    await mel.sees(/Max: so x\^2 it is/);
  });

  test("that is long shows its beginning, and the rest on request", async () => {
    await w.post("max", "harbour", "log", `${"a line of the log\n".repeat(80)}the end of the log`);
    await mel.go(`#narrow/channel/${harbour}-harbour/topic/log`);
    await mel.click('aria/Show all[role="button"]');
    await mel.page.find('aria/Show less[role="button"]');
    await w.post("max", "harbour", "log", "a short one");
    await mel.sees("a short one");
    expect(
      await mel.tab.$$eval("article button", (all) => all.filter((one) => one.innerText === "Show all")),
    ).toEqual([]);
  });
});

describe("an account", () => {
  test("gets a picture, which others see", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "confab-picture-")), "mel.png");
    writeFileSync(file, png(64, 64));
    const before = (await w.ask("olive", ["GET", `/users/${w.people.mel?.id}`])).user as {
      avatar_url: string;
    };
    await mel.go("#settings/profile");
    const input = await mel.tab.waitForSelector("input[type=file]");
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file);
    const now = async () =>
      ((await w.ask("olive", ["GET", `/users/${w.people.mel?.id}`])).user as { avatar_url: string })
        .avatar_url;
    await eventually(async () => (await now()) !== before.avatar_url);
    await w.post("mel", "harbour", "lunch", "my new face");
    await olive.go(lunch());
    await olive.until(
      `[...document.querySelectorAll('article img')].some((one) => one.src.endsWith(${JSON.stringify(await now())}))`,
    );
  });

  // A button that moves while it is pressed is missed, or another is pressed.
  test.each(["address", "two_step", "sessions", "keys"])(
    "shows its buttons once all has loaded, and %s is late",
    async (late) => {
      await olive.go("#settings/profile");
      await olive.tab.setRequestInterception(true);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        olive.tab.on("request", (request) => {
          if (!request.url().endsWith(`/users/me/${late}`)) return void request.continue();
          release = () => void request.continue();
          resolve();
        });
      });
      await olive.go("#settings/account");
      await held;
      await olive.tab.waitForNetworkIdle({ concurrency: 2 });
      expect(await olive.tab.$$("[aria-label='Account'] button")).toEqual([]);
      release();
      await olive.page.find('aria/Make a new key[role="button"]');
      const buttons = `[...document.querySelectorAll("[aria-label='Account'] button")].map((one) => one.innerText)`;
      expect(await olive.tab.evaluate(buttons)).toContain("Set up …");
      olive.tab.removeAllListeners("request");
      await olive.tab.setRequestInterception(false);
    },
  );

  test("gets a new key, and the old one ends", async () => {
    const old = w.people.mel as NonNullable<(typeof w.people)[string]>;
    await mel.go("#settings/account");
    await pressButton(mel, "Make a new key");
    await mel.tab.waitForSelector("[role=dialog] button, [role=alertdialog] button");
    await mel.tab.evaluate(
      "[...document.querySelectorAll('[role=dialog] button, [role=alertdialog] button')].find((one) => one.innerText === 'Make a new key').click()",
    );
    await mel.until("/^[A-Za-z0-9]{32}$/.test(document.querySelector('code')?.innerText)");
    const key = String(await mel.tab.evaluate("document.querySelector('code').innerText"));
    expect((await call(w.server, old, ["GET", "/users/me"])).status).toBe(401);
    expect((await call(w.server, { ...old, api_key: key }, ["GET", "/users/me"])).status).toBe(200);
  });

  test("opens at the view that the person chose", async () => {
    await olive.go("#settings/appearance");
    const field = await olive.page.find('aria/Begin with[role="combobox"]');
    await (field as unknown as { select(value: string): Promise<string[]> }).select("recent");
    await eventually(
      async () =>
        (
          (await w.ask("olive", ["POST", "/register"], {
            fetch_event_types: ["user_settings"],
            client_capabilities: { notification_settings_null: true, user_settings_object: true },
          })) as { user_settings: { web_home_view: string } }
        ).user_settings.web_home_view === "recent",
    );
    await olive.tab.goto(`${w.server.url}/`);
    await olive.until("document.querySelector('[data-view-title]')?.textContent === 'Recent conversations'");
  });
});

test("no page logged an error, or requested anything from another site", () => {
  expect([...mel.strangers, ...olive.strangers]).toEqual([]);
  expect([...mel.page.complaints, ...olive.page.complaints]).toEqual([]);
});
