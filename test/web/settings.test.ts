// The effect of each personal setting in the web client: set by the API, and followed by the open page.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { personalNames } from "@/foundation/user-settings/schema.ts";
import { gif } from "../support/pictures.ts";
import { root } from "../support/source-tree.ts";
import { until } from "../support/waiting.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
let harbour = 0;
let quay = 0;

beforeAll(async () => {
  w = await webOrganization("olive", "mel");
  const folder = await w.ask("olive", ["POST", "/channel_folders/create"], {
    name: "Outside",
    description: "",
  });
  harbour = await w.channel("harbour", ["olive", "mel"]);
  quay = await w.channel("quay", ["olive", "mel"], { folder_id: folder.channel_folder_id });
  await w.post("olive", "harbour", "boats", "the Gull is back :ship:");
  await w.post("olive", "harbour", "lunch", "fish at noon");
  await w.post("olive", "quay", "nets", "torn again");
  mel = await w.sit("mel");
}, 240_000);
afterAll(() => w.close());

const set = (changes: Record<string, unknown>) => w.ask("mel", ["PATCH", "/settings"], changes);
const topic = (name: string, channel = harbour) => `#narrow/channel/${channel}-x/topic/${name}`;
const rowOf = (name: string) =>
  `[...document.querySelectorAll('nav a')].find((a) => a.innerText.trim().startsWith('${name}'))`;
const sectionOf = (name: string) => `document.querySelector('nav section[aria-label="${name}"]')`;
const style = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;

/** Opens a view and waits until it shows this text. */
async function open(hash: string, seen: string): Promise<void> {
  await mel.go(hash);
  await mel.until(`document.querySelector('main').innerText.includes(${JSON.stringify(seen)})`);
}

describe("looks", () => {
  test.each([
    ["color_scheme", 2, 1, `${style("html", "colorScheme")} === 'dark'`],
    ["web_font_size_px", 20, 16, `${style("body", "fontSize")} === '18.75px'`],
    [
      "web_line_height_percent",
      200,
      140,
      `parseFloat(${style("body", "lineHeight")}) / parseFloat(${style("body", "fontSize")}) > 2`,
    ],
    ["high_contrast_mode", true, false, `${style("body", "color")} === 'rgb(0, 0, 0)'`],
    ["emojiset", "text", "google", "document.querySelector('article .emoji').textContent === ':ship:'"],
    [
      "twenty_four_hour_time",
      true,
      false,
      "/^\\d\\d:\\d\\d$/.test(document.querySelector('article time').textContent)",
    ],
  ])("%s", async (name, value, before, isSo) => {
    await open(topic("boats"), "the Gull is back");
    expect(await mel.tab.evaluate(isSo)).toBe(false);
    await set({ [name]: value });
    await mel.until(isSo);
    await set({ [name]: before });
    await mel.until(`!(${isSo})`);
  });

  test("fluid_layout_width", async () => {
    const before = mel.tab.viewport();
    await mel.tab.setViewport({ width: 1800, height: 860 });
    const isWide =
      "[...document.querySelector('article[data-message]').children].some((one) => one.clientWidth > 1000)";
    await open(topic("boats"), "the Gull is back");
    expect(await mel.tab.evaluate(isWide)).toBe(false);
    await set({ fluid_layout_width: true });
    await mel.until(isWide);
    await set({ fluid_layout_width: false });
    await mel.until(`!(${isWide})`);
    await mel.tab.setViewport(before);
  });

  test("web_animate_image_previews", async () => {
    const form = new FormData();
    form.set("file", new File([gif(3)], "wave.gif", { type: "image/gif" }));
    const { email = "", api_key = "" } = w.people.olive ?? {};
    const answer = await fetch(`${w.server.url}/api/v1/user_uploads`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
      body: form,
    });
    const { url } = (await answer.json()) as { url: string };
    await w.post("olive", "harbour", "pictures", `[wave](${url})`);
    const moves = "document.querySelector('article img[data-animated]').src.endsWith('-anim.webp')";
    await set({ web_animate_image_previews: "always" });
    await mel.go(topic("pictures"));
    await mel.tab.waitForSelector("article img[data-animated]");
    await mel.until(moves);
    await set({ web_animate_image_previews: "on_hover" });
    await mel.until(`!${moves}`);
    await mel.tab.hover("article a:has(img[data-animated])");
    await mel.until(moves);
    await mel.tab.hover("[data-view-title]");
    await mel.until(`!${moves}`);
    await set({ web_animate_image_previews: "never" });
    await mel.until("document.querySelector('article a:has(img[data-animated])').onpointerenter === null");
    await mel.tab.hover("article a:has(img[data-animated])");
    expect(await mel.tab.evaluate(moves)).toBe(false);
  });

  test("display_emoji_reaction_users", async () => {
    const id = await w.post("olive", "harbour", "boats", "who comes along?");
    await w.ask("olive", ["POST", `/messages/${id}/reactions`], { emoji_name: "ship" });
    await open(topic("boats"), "who comes along?");
    const named =
      "[...document.querySelectorAll('article ul button')].some((b) => /Olive/.test(b.innerText))";
    await mel.until(named);
    await set({ display_emoji_reaction_users: false });
    await mel.until(`!${named}`);
  });
});

describe("finding one's way", () => {
  test("web_home_view and web_escape_navigates_to_home_view", async () => {
    const title = (text: string) => `document.querySelector('[data-view-title]')?.textContent === '${text}'`;
    await mel.go("");
    await mel.until(title("Inbox"));
    await set({ web_home_view: "recent" });
    await mel.until(title("Recent conversations"));
    await set({ web_home_view: "all_messages" });
    await mel.until(title("Combined feed"));
    await mel.go("#drafts");
    await mel.until(title("Drafts"));
    await set({ web_home_view: "inbox", web_escape_navigates_to_home_view: false });
    await mel.tab.evaluate("document.activeElement?.blur()");
    await mel.press("Escape");
    await mel.press("t");
    await mel.until(title("Recent conversations"));
    await set({ web_escape_navigates_to_home_view: true });
    // The setting has arrived when an event that was sent after it has.
    await w.write("olive", ["mel"], "are you there?");
    await mel.sees("are you there?");
    await mel.press("Escape");
    await mel.until(title("Inbox"));
  });

  test("web_channel_default_view", async () => {
    await mel.go("#recent");
    await w.post("olive", "quay", "nets", "and mended");
    const leads = (part: string) => `${rowOf("quay")}.getAttribute('href').startsWith('${part}')`;
    await mel.until(leads("#topics/"));
    await set({ web_channel_default_view: 2 });
    await mel.until(`${rowOf("quay")}.getAttribute('href') === '#narrow/channel/${quay}-quay'`);
    await set({ web_channel_default_view: 4 });
    await mel.until(leads(`#narrow/channel/${quay}-quay/topic/nets`));
    await set({ web_channel_default_view: 3 });
    await mel.until(leads("#topics/"));
  });

  test("web_stream_unreads_count_display_policy", async () => {
    await mel.go("#recent");
    const counts = `/\\d/.test(${rowOf("quay")}.innerText)`;
    await mel.until(counts);
    await set({ web_stream_unreads_count_display_policy: 3 });
    await mel.until(`!${counts}`);
    await set({ web_stream_unreads_count_display_policy: 2 });
    await mel.until(counts);
  });

  test("web_left_sidebar_show_channel_folders, and web_left_sidebar_unreads_count_summary where one is folded", async () => {
    await mel.until(`${sectionOf("Outside")} !== null`);
    await mel.click('nav section[aria-label="Outside"] h2 button');
    await mel.until(`!${sectionOf("Outside")}.innerText.includes('quay')`);
    const sum = `/\\d/.test(${sectionOf("Outside")}.innerText)`;
    await mel.until(sum);
    await set({ web_left_sidebar_unreads_count_summary: false });
    await mel.until(`!${sum}`);
    await mel.click('nav section[aria-label="Outside"] h2 button');
    await mel.until(`${sectionOf("Outside")}.innerText.includes('quay')`);
    await set({ web_left_sidebar_show_channel_folders: false });
    await mel.until(
      `${sectionOf("Outside")} === null && ${sectionOf("Channels")}.innerText.includes('quay')`,
    );
    await set({ web_left_sidebar_show_channel_folders: true });
    await mel.until(`${sectionOf("Outside")} !== null`);
  });

  test("demote_inactive_streams", async () => {
    // No test can wait half a year until a channel is inactive, so this one tells the page that it is.
    const event = {
      type: "stream",
      op: "update",
      stream_id: harbour,
      name: "harbour",
      property: "is_recently_active",
      value: false,
    };
    const page = await w.browser.page({ width: 1280, height: 860, colours: "light", scripts: true });
    await page.tab.evaluateOnNewDocument(`{
      const ask = window.fetch;
      window.fetch = async (input, init) => {
        const answer = await ask(input, init);
        if (!String(input).includes('/events')) return answer;
        const body = await answer.json();
        const received = window.isPatched ? [] : [${JSON.stringify(event)}];
        window.isPatched = true;
        return Response.json({ ...body, events: [...(body.events ?? []), ...received] });
      };
    }`);
    await page.open(`${w.server.url}/login`);
    await page.fill("#username", "mel@example.com");
    await page.fill("#password", "correct horse battery");
    await page.tab.keyboard.press("Enter");
    await page.tab.waitForSelector("nav");
    const isListed = `${rowOf("harbour")} !== undefined`;
    await page.tab.waitForFunction(isListed);
    await set({ demote_inactive_streams: 2 });
    await page.tab.waitForFunction(
      `!(${isListed}) && document.querySelector('nav').innerText.includes('1 muted or inactive')`,
    );
    await set({ demote_inactive_streams: 3 });
    await page.tab.waitForFunction(isListed);
    await set({ demote_inactive_streams: 1 });
    await page.tab.close();
  });

  test("desktop_icon_count_display", async () => {
    await mel.go("#drafts");
    await mel.until("/^\\(\\d+\\)/.test(document.title)");
    await set({ desktop_icon_count_display: 4 });
    await mel.until("!/^\\(/.test(document.title)");
    await set({ desktop_icon_count_display: 1 });
    await mel.until("/^\\(\\d+\\)/.test(document.title)");
  });

  test("starred_message_counts", async () => {
    const id = await w.post("olive", "harbour", "stars", "a star");
    await w.ask("mel", ["POST", "/messages/flags"], { messages: [id], op: "add", flag: "starred" });
    await mel.go("#narrow/is/starred");
    const counts = `/1/.test(${rowOf("Starred")}.innerText)`;
    await mel.until(counts);
    await set({ starred_message_counts: false });
    await mel.until(`!${counts}`);
  });

  test("user_list_style and left_side_userlist", async () => {
    await w.ask("mel", ["POST", "/users/me/status"], { status_text: "mending nets" });
    const here = sectionOf("Here now");
    const isAtTheTop =
      "[...document.querySelectorAll('nav p')].some((one) => one.innerText === 'mending nets')";
    await mel.until(isAtTheTop);
    await mel.until(`${here}.innerText.includes('mending nets') && !${here}.querySelector('img')`);
    await set({ user_list_style: 1 });
    await mel.until(`!${here}.innerText.includes('mending nets')`);
    await set({ user_list_style: 3 });
    await mel.until(`${here}.innerText.includes('mending nets') && ${here}.querySelector('img') !== null`);
    await mel.tab.setViewport({ width: 900, height: 860 });
    await mel.until(`!${here}.checkVisibility()`);
    await set({ left_side_userlist: true });
    await mel.until(`${here}.checkVisibility()`);
    await mel.tab.setViewport({ width: 1280, height: 860 });
  });

  test("web_suggest_update_timezone", async () => {
    await set({ timezone: "Pacific/Auckland" });
    await mel.tab.emulateTimezone("Europe/Lisbon");
    const offer =
      "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Change the time zone')";
    await set({ web_suggest_update_timezone: false });
    await mel.tab.reload();
    await mel.until(`document.querySelector('nav') !== null`);
    expect(await mel.tab.evaluate(`${offer} === undefined`)).toBe(true);
    await set({ web_suggest_update_timezone: true });
    await mel.tab.reload();
    await mel.until(`${offer} !== undefined`);
    await mel.tab.evaluate(`${offer}.click()`);
    await mel.sees("Your time zone is changed.");
    const { timezone } = await w.ask("mel", ["GET", "/users/me"]);
    expect(timezone).toBe("Europe/Lisbon");
  });
});

describe("reading and writing", () => {
  test("web_mark_read_on_scroll_policy", async () => {
    await set({ web_mark_read_on_scroll_policy: 3 });
    await w.post("olive", "harbour", "weather", "clear until noon");
    await open(topic("weather"), "clear until noon");
    const isUnread = `/1/.test([...document.querySelectorAll('nav a')].find((a) => a.href.includes('topic/weather')).innerText)`;
    await mel.until(isUnread);
    await set({ web_mark_read_on_scroll_policy: 1 });
    await mel.until(`!${isUnread}`);
  });

  test("enter_sends", async () => {
    await set({ enter_sends: true });
    await open(topic("weather"), "clear until noon");
    await mel.until("document.querySelector('form [aria-label=Send]').dataset.keys === 'Enter'");
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("good");
    await mel.press("Enter");
    await mel.until("[...document.querySelectorAll('article')].some((a) => /good/.test(a.innerText))");
    await set({ enter_sends: false });
    await mel.until("document.querySelector('form [aria-label=Send]').dataset.keys !== 'Enter'");
  });

  test("translate_emoticons", async () => {
    await set({ translate_emoticons: true });
    await w.post("mel", "harbour", "weather", "fine :)");
    await mel.until("document.querySelectorAll('article .emoji').length === 1");
  });

  test("enable_drafts_synchronization", async () => {
    await set({ enable_drafts_synchronization: false });
    await open(topic("weather"), "clear until noon");
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("kept here alone");
    await mel.go("#drafts");
    await open(topic("weather"), "clear until noon");
    await mel.until("document.querySelector('[data-composer]').value === 'kept here alone'");
    await set({ enable_drafts_synchronization: true });
    expect((await w.ask("mel", ["GET", "/drafts"])).count).toBe(0);
    await mel.click("[data-composer]");
    await mel.tab.keyboard.type("!");
    await mel.go("#drafts");
    await mel.sees("kept here alone!");
    // Mel's page lists the draft before the server has it.
    await until(async () => (await w.ask("mel", ["GET", "/drafts"])).count === 1, "the server has the draft");
  });

  test("receives_typing_notifications", async () => {
    const typing = (op: string) =>
      w.ask("olive", ["POST", "/typing"], { op, type: "stream", stream_id: harbour, topic: "weather" });
    await open(topic("weather"), "clear until noon");
    await typing("start");
    await mel.sees("Olive is writing");
    await typing("stop");
    await mel.missed("Olive is writing");
    await set({ receives_typing_notifications: false });
    await typing("start");
    await w.post("olive", "harbour", "weather", "rain later");
    await mel.sees("rain later");
    expect(await mel.tab.evaluate("document.body.innerText.includes('is writing')")).toBe(false);
  });

  test("web_navigate_to_sent_message", async () => {
    const answer = async (text: string) => {
      await mel.go("#narrow/is/starred");
      await mel.tab.waitForSelector("article");
      await mel.tab.evaluate("document.activeElement?.blur()");
      await mel.press("k");
      await mel.until("document.activeElement?.matches('article')");
      await mel.press("r");
      await mel.until("document.activeElement?.matches('[data-composer]')");
      await mel.tab.keyboard.type(text);
      await mel.press("Control+Enter");
    };
    await answer("it shines");
    await mel.until("location.hash.includes('topic/stars')");
    await mel.sees("it shines");
    await set({ web_navigate_to_sent_message: false });
    // Events come in order: when this one is seen, the setting has come, too.
    await w.ask("mel", ["POST", "/users/me/status"], { status_text: "staying here" });
    await mel.sees("staying here");
    await answer("still");
    await mel.sees("Sent to #harbour › stars.");
    expect(await mel.tab.evaluate("location.hash")).toBe("#narrow/is/starred");
  });
});

describe("sounds", () => {
  test("enable_sounds and notification_sound", async () => {
    await mel.tab.evaluate(`(() => {
      window.notes = 0;
      document.hasFocus = () => false;
      const part = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
      window.AudioContext = class {
        currentTime = 0;
        createGain() { return { gain: part, connect() {} }; }
        createOscillator() { return { frequency: {}, connect: (to) => to, start() { window.notes++; }, stop() {} }; }
      };
    })()`);
    await mel.go("#recent");
    await w.write("olive", ["mel"], "one");
    await mel.until("window.notes === 2");
    await set({ notification_sound: "chime" });
    await w.write("olive", ["mel"], "two");
    await mel.until("window.notes === 5");
    await set({ enable_sounds: false });
    await w.write("olive", ["mel"], "three");
    await mel.sees("three");
    await set({ enable_sounds: true, notification_sound: "none" });
    await w.write("olive", ["mel"], "four");
    await mel.sees("four");
    expect(await mel.tab.evaluate("window.notes")).toBe(5);
  });
});

test("src/web/features/settings/README.md lists every setting, and where it has its effect", () => {
  const text = readFileSync(join(root, "src/web/features/settings/README.md"), "utf8");
  const rows = new Map(
    [...text.matchAll(/^\| ([\w, ]+) \| (.+) \|$/gm)].flatMap(([, names = "", where = ""]) =>
      names.split(", ").map((name) => [name, where] as const),
    ),
  );
  expect(personalNames.filter((name) => !rows.has(name))).toEqual([]);
  const files = [...rows.values()].flatMap((where) =>
    [...where.matchAll(/`([\w/.-]+\.\w+)`/g)].map(([, file = ""]) => file),
  );
  expect(files.filter((file) => !existsSync(join(root, "src", file)))).toEqual([]);
});
