// Every section of the organization's administration, for an owner, an administrator and a moderator, on a desk and on a phone, in
// English, Arabic and Japanese: who is offered it, and what the others read; that nothing is cut, missing or left in English.
import { afterAll, beforeAll, expect, test } from "bun:test";
import arabic from "@/text/language/ar.json";
import japanese from "@/text/language/ja.json";
import { faultsOf } from "../support/axe.ts";
import { holdRequests, isOf } from "../support/web-held.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

type Texts = Readonly<Record<string, string>>;
type Role = "owner" | "administrator" | "moderator";

const roles: readonly Role[] = ["owner", "administrator", "moderator"];
const administrators = "Only administrators and owners may use this.";

/** The sections by their addresses: the title, the lowest role that is offered it, what those below read, what it loads. */
const sections: readonly [id: string, title: string, from: Role, refusal?: string, loads?: string][] = [
  ["general", "General", "moderator"],
  ["permissions", "Permissions", "moderator"],
  ["messages", "Messages", "administrator", administrators],
  ["notices", "Announcements", "administrator", administrators],
  ["retention", "Keeping messages", "owner", "Only owners decide how long messages are kept.", "/retention"],
  ["people", "People", "moderator"],
  ["bots", "Bots", "moderator"],
  ["joining", "Joining", "administrator", administrators],
  ["signing-in", "Signing in", "administrator", administrators, "/realm/two_step"],
  ["names", "Names and guests", "administrator", administrators],
  ["profile-fields", "Profile fields", "administrator", administrators],
  ["start", "Settings of new people", "administrator", administrators],
  ["invitations", "Invitations", "moderator", undefined, "/invites"],
  ["folders", "Folders", "administrator", administrators],
  ["linkifiers", "Linkifiers", "administrator", administrators],
  ["playgrounds", "Code playgrounds", "administrator", administrators],
  ["emoji", "Emoji", "moderator"],
  ["reports", "Reports", "moderator", undefined, "/reports"],
  ["audit", "Audit log", "administrator", "Only administrators and owners see the audit log.", "/audit_log"],
  ["statistics", "Statistics", "administrator", administrators, "/statistics"],
  ["files", "Files", "owner", "Only owners see the files of others.", "/attachments/largest"],
  ["exports", "Exports", "administrator", administrators, "/export/realm"],
  ["server", "Server", "owner", "Only owners see the server.", "/metrics/server"],
];

let w: WebOrganization;

beforeAll(async () => {
  w = await webOrganization("olive", "ada", "moss", "gus");
  const role = (name: string, to: number) =>
    w.ask("olive", ["PATCH", `/users/${w.people[name]?.id}`], { role: to });
  await Promise.all([role("ada", 200), role("moss", 300), role("gus", 600)]);
  await w.channel("harbour", ["olive", "ada", "moss", "gus"]);
  const place = await w.channel("moderation", ["olive"], { invite_only: true });
  await w.ask("olive", ["PATCH", "/realm"], { moderation_request_channel_id: place });
  const long = "Unteilbar".repeat(6);
  for (const name of [long, "Quay", "Reef"])
    await w.ask("olive", ["POST", "/channel_folders/create"], { name, description: "" });
  await w.ask("olive", ["PATCH", "/channel_folders/3"], { is_archived: true });
  for (const pattern of ["#(?P<id>[0-9]+)", "!(?P<id>[0-9]+)"])
    await w.ask("olive", ["POST", "/realm/filters"], { pattern, url_template: "https://example.com/{id}" });
  const playground = {
    name: "Rust",
    pygments_language: "rust",
    url_template: "https://example.com/?c={code}",
  };
  await w.ask("olive", ["POST", "/realm/playgrounds"], playground);
  for (const name of ["Boat", "Team"])
    await w.ask("olive", ["POST", "/realm/profile_fields"], { field_type: 1, name });
  await w.ask("olive", ["POST", "/realm/domains"], { domain: "harbour.example", allow_subdomains: false });
  const crew = { group_name: "Crew", description: "", stream_names: ["harbour"] };
  await w.ask("olive", ["POST", "/default_stream_groups/create"], crew);
  await w.ask("olive", ["POST", "/bots"], { full_name: "Gull", short_name: "gull" });
  await w.ask("olive", ["POST", "/invites"], { invitee_emails: `${long}@example.com`, stream_ids: [] });
  const spam = await w.post("gus", "harbour", "boats", `Pills ${"-".repeat(80)}`);
  await w.ask("ada", ["POST", `/messages/${spam}/report`], { report_type: "spam" });
}, 240_000);
afterAll(() => w.close());

const settled = "document.querySelector('main [aria-busy=true]') === null";

/** What is wider than the place that it has: the page, or what scrolls up and down. */
const stickingOut = `[document.documentElement, ...document.querySelectorAll("main, main *")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 &&
    (one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowY)))
  .map((one) => one.outerHTML.slice(0, 200))`;

/** Texts of three words in a row that Latin letters write, without what people or programs wrote. */
const englishTexts = `(() => {
  const main = document.querySelector("main");
  const texts = [];
  const nodes = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode())
    if (!nodes.currentNode.parentElement.closest("code, pre, bdi, [dir=ltr], [lang]")) texts.push(nodes.currentNode.data);
  for (const one of main.querySelectorAll("[aria-label], [placeholder], [title]"))
    texts.push(...["aria-label", "placeholder", "title"].map((name) => one.getAttribute(name) ?? ""));
  return texts.filter((text) => /[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text));
})()`;

const english: Texts = {};
const desk = { width: 1280, height: 860 };
const phone = { width: 360, height: 740, colours: "dark" } as const;

test.each([
  // Each language is read on a desk and on a phone, and by an owner.
  ["an owner", "olive", "owner", "at a desk", desk, "ar", arabic],
  ["an owner", "olive", "owner", "on a phone", phone, "ja", japanese],
  ["an administrator", "ada", "administrator", "at a desk", desk, "ja", japanese],
  ["an administrator", "ada", "administrator", "on a phone", phone, "ar", arabic],
  ["a moderator", "moss", "moderator", "at a desk", desk, "en", english],
  ["a moderator", "moss", "moderator", "on a phone", phone, "en", english],
] as const)("%s (%s, %s) %s", async (_, who, role, __, look, language, texts: Texts) => {
  await w.ask(who, ["PATCH", "/settings"], { default_language: language });
  const seat = await w.sit(who, "#organization", look);
  const say = (text: string) => texts[text] ?? text;
  const isOffered = (from: Role) => roles.indexOf(role) <= roles.indexOf(from);
  await seat.until("document.querySelector('main nav a') !== null");
  const listed = await seat.tab.$$eval("main nav a", (all) => all.map((one) => one.getAttribute("href")));
  expect(listed).toEqual(
    sections.flatMap(([id, , from]) => (isOffered(from) ? [`#organization/${id}`] : [])),
  );
  const faults: unknown[] = [];
  const note = (id: string, what: string, found: unknown) => {
    if ((found as unknown[]).length > 0) faults.push([id, what, found]);
  };
  for (const [id, title, from, refusal] of sections) {
    await seat.go(`#organization/${id}`);
    await seat.until(
      `document.querySelector("main section[aria-label]")?.ariaLabel === ${JSON.stringify(say(title))} && ${settled}`,
    );
    if (!isOffered(from)) await seat.sees(say(refusal ?? ""));
    else
      expect(await seat.tab.evaluate("document.querySelector('main').innerText")).not.toContain(
        say("This is not open to you"),
      );
    note(id, "sticks out", await seat.tab.evaluate(stickingOut));
    if (language !== "en") note(id, "is English", await seat.tab.evaluate(englishTexts));
    if (role === "owner") note(id, "axe", await faultsOf(seat.page));
  }
  if (role === "owner") await failing(seat, say, note);
  await seat.tab.close();
  expect(faults).toEqual([]);
});

/** What loads something says when that fails, and loads it when it is asked again. */
async function failing(
  seat: Seat,
  say: (text: string) => string,
  note: (id: string, what: string, found: unknown) => void,
): Promise<void> {
  for (const [id, , , , loads] of sections) {
    if (loads === undefined) continue;
    const held = await holdRequests(seat, (request) => isOf(request, "GET", loads));
    await seat.go(`#organization/${id}`);
    await held.refuse();
    await seat.sees(say("Try again"));
    note(id, "failing, axe", await faultsOf(seat.page, ["color-contrast", "aria-valid-attr", "button-name"]));
    await seat.click(`aria/${say("Try again")}[role="button"]`);
    await seat.missed(say("Try again"));
  }
}
