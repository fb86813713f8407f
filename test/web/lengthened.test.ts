// The views, and what opens over them, with texts 40 % longer than in English, on a desk and on a phone: nothing is cut, sticks
// out or lies on something else.
// CONFAB_TEST_PICTURES names a folder for pictures of them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { english } from "@/text/language/languages.ts";
import { createTranslator } from "@/text/language/translator.ts";
import { lengthenedScript, lengthenedTexts } from "../support/lengthened.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";
import { layer, layersOf, openLayer } from "./layers.ts";

const pictures = process.env.CONFAB_TEST_PICTURES;
const { t, parts } = createTranslator(english, lengthenedTexts());

let w: WebOrganization;
let harbour = 0;
let bell: number;
let horn: number;
let crew = 0;
let unread: number[] = [];

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  harbour = await w.channel("harbour", ["olive", "mel", "max"], { description: "All about the *quay*" });
  await w.channel("a-channel-with-a-rather-long-name", ["olive", "mel"]);
  const gull = await w.post("max", "harbour", "boats", "the Gull is back, @**Olive**");
  const fish = await w.post(
    "max",
    "harbour",
    "lunch",
    `fish at noon\n\`\`\`ts\n${"const fish = 1; ".repeat(12)}\n\`\`\``,
  );
  await w.post("mel", "a-channel-with-a-rather-long-name", "a topic with a rather long name, too", "so");
  unread = [gull, await w.write("mel", ["olive", "max"], "to both of you")];
  await w.ask("max", ["POST", `/messages/${gull}/reactions`], { emoji_name: "tada" });
  await w.ask("max", ["PATCH", `/messages/${gull}`], { content: "the Gull is back, @**Olive**: at four" });
  await w.ask("olive", ["POST", "/messages/flags"], { messages: [fish], op: "add", flag: "starred" });
  const makeBot = async (full_name: string, more: Record<string, unknown>) =>
    Number((await w.ask("olive", ["POST", "/bots"], { full_name, short_name: full_name, ...more })).user_id);
  bell = await makeBot("bell", { bot_type: 2 });
  horn = await makeBot("horn", { bot_type: 3, payload_url: "https://horn.example.com/hook" });
  const draft = { type: "stream", to: [harbour], topic: "boats", content: "soon", timestamp: 1_700_000_000 };
  await w.ask("olive", ["POST", "/drafts"], { drafts: [draft] });
  const later = { type: "channel", to: harbour, topic: "boats", content: "later" };
  await w.ask("olive", ["POST", "/scheduled_messages"], {
    ...later,
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
  });
  await w.ask("olive", ["POST", "/user_groups/create"], {
    name: "crew",
    description: "who sails",
    members: [w.people.olive?.id, w.people.mel?.id],
  });
  const moderation = await w.channel("moderation", ["mel"], { invite_only: true });
  await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: moderation });
  for (const id of [fish, gull])
    await w.ask("mel", ["POST", `/messages/${id}/report`], { report_type: "other", description: "odd" });
  const done = { is_handled: true, warning: "Please stop", note: "Again" };
  await w.ask("olive", ["PATCH", "/reports/2"], done);
  const { user_groups } = await w.ask("olive", ["GET", "/user_groups"]);
  crew = (user_groups as { id: number; name: string }[]).find(({ name }) => name === "crew")?.id ?? 0;
}, 240_000);
afterAll(() => w.close());

/** A view's hash, and a text that it shows when it is there. */
const views = (): [hash: string, shown: string][] => [
  ["#inbox", "to both of you"],
  ["#recent", "a topic with a rather long name"],
  ["#feed", "fish at noon"],
  ["#drafts", "soon"],
  ["#scheduled", "later"],
  ["#reminders", t("No reminders")],
  ["#search", t("Search")],
  ["#narrow/search/gull", "the Gull is back"],
  ["#narrow/search/zzzqqq", ""],
  [`#narrow/channel/${harbour}-harbour/topic/boats`, "the Gull is back"],
  [`#topics/channel/${harbour}`, "lunch"],
  ["#channels", "harbour"],
  ...["about", "people", "permissions"].map((section): [string, string] => [
    `#channels/${harbour}/-/${section}`,
    "harbour",
  ]),
  ["#groups", "crew"],
  [`#groups/${crew}/-`, "crew"],
  [`#user/${w.people.mel?.id}`, "mel@example.com"],
  ...(
    [
      ["profile", t("Profile")],
      ["account", t("Account")],
      ["appearance", t("Appearance")],
      ["notifications", t("Notifications")],
      ["writing", t("Writing")],
      ["bots", t("Your bots")],
      ["alert-words", t("Alert words")],
      ["privacy", t("Privacy")],
    ] as const
  ).map(([section, shown]): [string, string] => [`#settings/${section}`, shown]),
  ...(
    [
      ["general", t("General")],
      ["permissions", t("Permissions")],
      ["messages", t("Messages")],
      ["notices", t("Announcements")],
      ["retention", t("Change …")],
      ["bots", t("New bot")],
      ["joining", t("Joining")],
      ["signing-in", t("Signing in")],
      ["profile-fields", t("Profile fields")],
      ["profile-fields/new", t("New profile field")],
      ["names", t("Names and guests")],
      ["start", t("Settings of new people")],
      ["server", t("Server")],
      ["invitations", t("Invitations")],
      ["folders", t("Folders")],
      ["linkifiers", t("Linkifiers")],
      ["playgrounds", t("Code playgrounds")],
      ["emoji", t("Emoji")],
      ["reports", "fish at noon"],
      ["audit", t("Audit log")],
      ["statistics", t("Storage")],
      ["files", t("The largest files")],
      ["exports", t("Exports")],
    ] as const
  ).map(([section, shown]): [string, string] => [`#organization/${section}`, shown]),
  ["#organization", t("Organization")],
  ["#organization/reports/1", t("Dismiss …")],
  ["#organization/reports/2", t("Open again")],
  ["#organization/people", "Max"],
  [`#organization/people/${w.people.mel?.id}`, t("Where they are signed in")],
  [`#organization/bots/${bell}`, t("Events of a tool")],
  [`#organization/bots/${horn}`, t("Calls to a service")],
  ["#keyboard-shortcuts", t("Keyboard shortcuts")],
];

/** What a person would see as a fault, in words: in the whole page, or in what these selectors find. Runs in the page. */
function faults(within: string): string[] {
  const found: string[] = [];
  const named = (one: Element) =>
    `${one.tagName.toLowerCase()} "${(one instanceof HTMLElement ? one.innerText : "").slice(0, 60)}"`;
  const withAncestors = (one: Element) => {
    const all: Element[] = [];
    for (let up: Element | null = one; up && up !== document.body; up = up.parentElement) all.push(up);
    return all;
  };
  const isSeen = (one: Element) => {
    const { width, height, bottom } = one.getBoundingClientRect();
    const options = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
    return (
      width > 2 &&
      bottom > 0 &&
      height > 2 &&
      one.checkVisibility(options) &&
      !one.closest("[aria-hidden=true], [inert]")
    );
  };
  const all = [...document.querySelectorAll(within)]
    .flatMap((root) => [root, ...root.querySelectorAll("*")])
    .filter(isSeen);

  const isScroller = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowX);
  /** What shows by its end that there is more. */
  const endsInDots = (one: Element) => {
    const { textOverflow, webkitLineClamp } = getComputedStyle(one);
    return textOverflow === "ellipsis" || webkitLineClamp !== "none";
  };
  const scrollsOnPurpose = "pre, [role=tablist], nav, :has(> table)";
  for (const one of all) {
    if (isScroller(one) && one.scrollWidth > one.clientWidth + 1 && !one.matches(scrollsOnPurpose))
      found.push(`scrolls sideways: ${named(one)}`);
    const texts = [...one.childNodes].filter(
      ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
    );
    const ups = withAncestors(one);
    if (texts.length === 0 || one.matches("option, textarea") || ups.some(endsInDots)) continue;
    const box = ups.find((up) => getComputedStyle(up).display !== "inline");
    const scroller = ups.findIndex(isScroller);
    const cutting = ups
      .slice(0, scroller < 0 ? ups.length : scroller)
      .filter((up) => up === box || getComputedStyle(up).overflow !== "visible");
    for (const node of texts) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      for (const up of cutting) {
        const { left, right, top, bottom } = up.getBoundingClientRect();
        if (text.left < left - 1 || text.right > right + 1) found.push(`wider than its place: ${named(one)}`);
        // Letters may be higher than their line.
        else if (text.top < top - 5 || text.bottom > bottom + 5)
          found.push(`higher than its place: ${named(one)}`);
      }
      if (scroller < 0 && (text.left < -1 || text.right > innerWidth + 1))
        found.push(`outside the window: ${named(one)}`);
    }
  }

  const pen = document.createElement("canvas").getContext("2d");
  for (const one of all) {
    if (!(pen && one instanceof HTMLInputElement) || one.value !== "" || endsInDots(one)) continue;
    const style = getComputedStyle(one);
    pen.font = style.font;
    const room =
      one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    if (pen.measureText(one.placeholder).width > room + 1) found.push(`cut placeholder: ${one.placeholder}`);
  }

  /** What its ancestors let one see of it. */
  const seenPart = (one: Element) => {
    let { left, right, top, bottom } = one.getBoundingClientRect();
    for (const up of withAncestors(one).slice(1)) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const box = up.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };
  // What lies over the page on purpose (a bar that stays, a dialog) is compared with its own parts alone.
  const layerOf = (one: Element) =>
    withAncestors(one).find((up) => ["absolute", "fixed", "sticky"].includes(getComputedStyle(up).position));
  const presses = all
    .filter((one) => one.matches("button, [role=tab], select, input, a"))
    .map((one) => ({ one, box: seenPart(one), layer: layerOf(one) }));
  presses.forEach((a, i) => {
    for (const b of presses.slice(i + 1)) {
      if (a.layer !== b.layer || a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 2 && high > 2) found.push(`one on the other: ${named(a.one)}, ${named(b.one)}`);
    }
  });
  return [...new Set(found)];
}

/** What these selectors find that is not wholly in the window, in words. Runs in the page. */
function partsOutside(selectors: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(selectors)].flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const isInside = left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    return isInside ? [] : [`outside the window: ${one.role} "${one.innerText.slice(0, 60)}"`];
  });
}

async function sitLengthened(look: { width: number; height: number }): Promise<Seat> {
  const olive = await w.sit("olive", "", look);
  await olive.tab.evaluateOnNewDocument(lengthenedScript());
  await olive.tab.reload();
  await olive.until(`document.body.innerText.includes(${JSON.stringify(t("Inbox"))})`);
  return olive;
}

test("a text keeps its values, its forms and its marks, and is 40 % longer", () => {
  expect(t("Mark all as read")).toBe("[Máárkk álll áás rrééád]");
  expect(t("{count, plural, one {# person} other {# people}}", { count: 2 })).toBe("[2 ppéóópléé]");
  expect(parts("Or type this key, or <link>open an app on this device</link>.")).toMatchObject([
    expect.any(String),
    { mark: "link" },
    expect.any(String),
  ]);
  const said = t("The server cannot be reached.");
  expect(said.length / "The server cannot be reached.".length).toBeGreaterThan(1.35);
});

describe("nothing is cut", () => {
  const windows = [
    [1440, 900],
    [360, 740],
  ] as const;
  const takePicture = async ({ tab }: Seat, name: string) => {
    if (!pictures) return;
    const file = `${name.replaceAll(/\W+/g, "-").replace(/^-/, "")}-${tab.viewport()?.width}.png`;
    await Bun.write(join(pictures, file), await tab.screenshot());
  };

  test.each(windows)("in views, in a window of %d pixels", async (width, height) => {
    await w.ask("olive", ["POST", "/messages/flags"], { messages: unread, op: "remove", flag: "read" });
    const olive = await sitLengthened({ width, height });
    const found: Record<string, unknown> = {};
    for (const [hash, shown] of views()) {
      await olive.go(hash);
      await olive.until(
        `document.querySelector('[aria-busy=true]') === null && [...document.querySelectorAll('main, [role=dialog]')].some(({ innerText }) => innerText.includes(${JSON.stringify(shown)}))`,
      );
      const here = await olive.tab.evaluate(faults, "body");
      const wider = await olive.page.overflow();
      if (wider > 0) here.push(`${wider} pixels wider than the window`);
      if (here.length > 0) found[hash] = here;
      await takePicture(olive, hash);
    }
    await olive.tab.close();
    expect(found).toEqual({});
  });

  test.each(windows)("in dialogs and menus, in a window of %d pixels", async (width, height) => {
    const olive = await sitLengthened({ width, height });
    const found: Record<string, unknown> = {};
    const places = { channel: harbour, topic: "boats", group: crew };
    for (const one of layersOf(t, places, width < 720)) {
      await openLayer(olive, one);
      const here = await olive.tab.evaluate(faults, layer);
      const outside = await olive.tab.evaluate(partsOutside, layer);
      if (here.length + outside.length > 0) found[one.name] = [...here, ...outside];
      await takePicture(olive, one.name);
    }
    await olive.tab.close();
    expect(found).toEqual({});
  });
});
