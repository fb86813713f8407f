// What is only saved and heard, in every section of the administration: done by an owner or a moderator, mostly on a phone; each is
// checked through the API, in a second browser, and in the audit log.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementHandle } from "puppeteer-core";
import { ageProofs } from "../support/database.ts";
import { png } from "../support/pictures.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";
import {
  chooseOption,
  fill,
  noDialog,
  organizationWithMail,
  pressButton,
  type Seat,
  type WebOrganization,
} from "../support/web-people.ts";

let w: WebOrganization;
let mails: MailServer;
let harbour: number;
let cove: number;
let crew: number;
let picture = "";
/** An administrator who sees at a desk what the others change. */
let witness: Seat;

const phone = { width: 360, height: 740, colours: "dark" } as const;
const password = "correct horse battery";
const idOf = (name: string) => w.people[name]?.id ?? 0;
const personPage = (name: string) => `people/${idOf(name)}`;

beforeAll(async () => {
  mails = await startMailServer();
  w = await organizationWithMail(mails.url, "olive", "ada", "moss", "mel");
  await w.ask("olive", ["PATCH", `/users/${idOf("ada")}`], { role: 200 });
  await w.ask("olive", ["PATCH", `/users/${idOf("moss")}`], { role: 300 });
  harbour = await w.channel("harbour", ["olive", "ada", "moss"]);
  cove = await w.channel("cove", ["olive", "ada"]);
  const group = { name: "crew", description: "", members: [idOf("olive"), idOf("mel")] };
  crew = Number((await w.ask("olive", ["POST", "/user_groups/create"], group)).group_id);
  picture = join(mkdtempSync(join(tmpdir(), "confab-picture-")), "harbour.png");
  writeFileSync(picture, png(64, 64));
  const emoji = new FormData();
  emoji.append("file", new Blob([png(32, 32)]), "gull.png");
  const { email, api_key } = w.people.olive as { email: string; api_key: string };
  await fetch(`${w.server.url}/api/v1/realm/emoji/gull`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    body: emoji,
  });
  await w.ask("olive", ["POST", "/realm/domains"], { domain: "quay.example", allow_subdomains: false });
  const anglers = { group_name: "Anglers", description: "", stream_names: [] };
  await w.ask("olive", ["POST", "/default_stream_groups/create"], anglers);
  witness = await w.sit("ada", "#organization");
}, 240_000);
afterAll(async () => {
  await w.close();
  mails.close();
});

async function realm(name: string): Promise<unknown> {
  return (await w.ask("olive", ["POST", "/register"], { fetch_event_types: ["realm", "realm_playgrounds"] }))[
    name
  ];
}

async function folders(): Promise<unknown> {
  const { channel_folders } = await w.ask("olive", ["GET", "/channel_folders"], { include_archived: true });
  return (channel_folders as { name: string; is_archived: boolean }[]).map((one) => [
    one.name,
    one.is_archived,
  ]);
}

interface ChannelGroup {
  id: number;
  name: string;
  streams: number[];
}

async function channelGroups(): Promise<ChannelGroup[]> {
  const part = { fetch_event_types: ["default_stream_groups"] };
  const { realm_default_stream_groups } = await w.ask("olive", ["POST", "/register"], part);
  return realm_default_stream_groups as ChannelGroup[];
}

/** Those with channels, which is all but the one that is there from the start. */
async function filledGroups(): Promise<unknown> {
  const groups = (await channelGroups()).filter(({ streams }) => streams.length > 0);
  return groups.map(({ name, streams }) => [name, streams.toSorted((a, b) => a - b)]);
}

async function domains(): Promise<unknown> {
  const all = (await listOf("/realm/domains", "domains")) as { domain: string; allow_subdomains: boolean }[];
  return all.map(({ domain, allow_subdomains }) => [domain, allow_subdomains]);
}

async function isDefault(channel: number): Promise<boolean> {
  const state = await w.ask("olive", ["POST", "/register"], { fetch_event_types: ["default_streams"] });
  return (state.realm_default_streams as number[]).includes(channel);
}

const listOf = async (path: string, name: string) => (await w.ask("olive", ["GET", path]))[name];

const keysOf = async (name: string) => {
  const { keys } = await w.ask("olive", ["GET", `/users/${idOf(name)}/keys`]);
  return (keys as unknown[]).length;
};

const submitDialog = (seat: Seat) => seat.click("[role=dialog] button[type=submit]");

const says = (text: string) => `document.querySelector("main").innerText.includes(${JSON.stringify(text)})`;
const saysNot = (text: string) => `!${says(text)}`;
/** One row of a list has all of these texts. */
const lists = (...texts: string[]) =>
  `[...document.querySelectorAll("main li")].some(({ innerText }) => ${JSON.stringify(texts)}.every((one) => innerText.includes(one)))`;
const isThere = (label: string) =>
  `document.querySelector(${JSON.stringify(`[aria-label="${label}"]`)}) !== null`;
const fieldIs = (value: string) =>
  `[...document.querySelectorAll("main input, main textarea, main select")].some((one) => one.value === ${JSON.stringify(value)})`;

async function choosePicture(seat: Seat): Promise<void> {
  const input = (await seat.tab.waitForSelector(
    "input[type=file]",
  )) as ElementHandle<HTMLInputElement> | null;
  await input?.uploadFile(picture);
}

interface Act {
  what: string;
  /** Of the organization, where the witness looks, too. */
  section: () => string;
  who?: string;
  run: (seat: Seat) => Promise<unknown>;
  /** What the witness sees then. */
  heard?: () => string;
  asked: () => Promise<unknown>;
  /** As a function if it names what is made at the start. */
  answer: unknown;
  audit: string;
}

const acts: readonly Act[] = [
  {
    what: "the organization's name and description",
    section: () => "general",
    run: async (seat) => {
      await fill(seat, "Name of the organization", "North Harbour");
      await fill(seat, "Description", "Boats");
      await pressButton(seat, "Save");
      await seat.sees("Saved: Name of the organization, Description.");
    },
    heard: () => fieldIs("North Harbour"),
    asked: async () => [await realm("realm_name"), await realm("realm_description")],
    answer: ["North Harbour", "Boats"],
    audit: "realm_changed",
  },
  {
    what: "the organization's picture",
    section: () => "general",
    run: choosePicture,
    heard: () => "/user_avatars.*webp/.test(document.querySelector('main img')?.src)",
    asked: () => realm("realm_icon_source"),
    answer: "U",
    audit: "realm_icon_changed",
  },
  {
    what: "the language of new people",
    section: () => "general",
    run: (seat) => chooseOption(seat, "Language of new people, invitations and notices", "Deutsch"),
    heard: () => fieldIs("de"),
    asked: () => realm("realm_default_language"),
    answer: "de",
    audit: "realm_changed",
  },
  {
    what: "the welcome message",
    section: () => "joining",
    run: async (seat) => {
      await fill(seat, "Welcome message to new people", "Ahoy");
      await pressButton(seat, "Save");
      await seat.sees("Saved: Welcome message to new people.");
    },
    heard: () => fieldIs("Ahoy"),
    asked: () => realm("realm_welcome_message_custom_text"),
    answer: "Ahoy",
    audit: "realm_changed",
  },
  {
    what: "names that are unique",
    section: () => "names",
    run: (seat) => seat.click('aria/Two people may not have the same name[role="switch"]'),
    heard: () => "document.querySelector('main [role=switch]').checked",
    asked: () => realm("realm_require_unique_names"),
    answer: true,
    audit: "realm_changed",
  },
  {
    what: "a permission of the organization",
    section: () => "permissions",
    run: async (seat) => {
      await chooseOption(seat, "Create public channels", "Moderators, administrators and owners");
      await seat.sees("Loses it: Mel");
      await pressButton(seat, "Save");
      await seat.sees("Saved: Create public channels.");
    },
    heard: () =>
      "[...document.querySelectorAll('main select')].some((one) => one.selectedOptions[0].text.startsWith('Moderators, '))",
    asked: async () => typeof (await realm("realm_can_create_public_channel_group")),
    answer: "number",
    audit: "realm_changed",
  },
  {
    what: "a domain",
    section: () => "joining",
    run: async (seat) => {
      await fill(seat, "Domain", "quay.example");
      await seat.press("Enter");
      await seat.sees("The domain quay.example is already a part of this organization.");
      await fill(seat, "Domain", "harbour.example");
      await seat.press("Enter");
    },
    heard: () => says("harbour.example"),
    asked: domains,
    answer: [
      ["quay.example", false],
      ["harbour.example", false],
    ],
    audit: "domain_added",
  },
  {
    what: "the subdomains of a domain",
    section: () => "joining",
    run: (seat) => seat.click('aria/Subdomains of quay.example, too[role="switch"]'),
    heard: () =>
      "[...document.querySelectorAll('main li')].some((one) => one.innerText.includes('quay.example') && one.querySelector('[role=switch]').checked)",
    asked: domains,
    answer: [
      ["quay.example", true],
      ["harbour.example", false],
    ],
    audit: "domain_changed",
  },
  {
    what: "that only addresses of the domains may join",
    section: () => "joining",
    run: (seat) => seat.click('aria/Only addresses of the listed domains may join[role="switch"]'),
    heard: () => says("Only people with addresses of these domains may join."),
    asked: () => realm("realm_emails_restricted_to_domains"),
    answer: true,
    audit: "realm_changed",
  },
  {
    what: "a domain, which is removed after a question",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Remove quay.example");
      await seat.sees("People with its addresses who are here stay");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => saysNot("quay.example"),
    asked: domains,
    answer: [["harbour.example", false]],
    audit: "domain_removed",
  },
  {
    what: "a channel of new people",
    section: () => "joining",
    run: async (seat) => {
      await chooseOption(seat, "Channel", "harbour");
      await seat.click("form:has(select) button[type=submit]");
    },
    heard: () => isThere("Remove harbour"),
    asked: () => isDefault(harbour),
    answer: true,
    audit: "channel_made_default",
  },
  {
    what: "a channel of new people, which is removed",
    section: () => "joining",
    run: (seat) => pressButton(seat, "Remove harbour"),
    heard: () => `!(${isThere("Remove harbour")})`,
    asked: () => isDefault(harbour),
    answer: false,
    audit: "channel_made_not_default",
  },
  {
    what: "a group of channels for new people",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Add a group of channels");
      await fill(seat, "Name", "Anglers");
      await chooseOption(seat, "Add a channel", "harbour");
      await submitDialog(seat);
      await seat.sees("Default channel group 'Anglers' already exists.");
      await fill(seat, "Name", "Crew");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => lists("Crew", "harbour"),
    asked: filledGroups,
    answer: () => [["Crew", [harbour]]],
    audit: "default_channel_group_created",
  },
  {
    what: "another name of a group of channels",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Edit Crew");
      await fill(seat, "Name", "Anglers");
      await submitDialog(seat);
      await seat.sees("Default channel group 'Anglers' already exists.");
      await fill(seat, "Name", "Sailors");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => lists("Sailors", "harbour"),
    asked: filledGroups,
    answer: () => [["Sailors", [harbour]]],
    audit: "default_channel_group_changed",
  },
  {
    what: "one more channel of a group",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Edit Sailors");
      await chooseOption(seat, "Add a channel", "cove");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => lists("Sailors", "harbour", "cove"),
    asked: filledGroups,
    answer: () => [["Sailors", [harbour, cove]]],
    audit: "default_channel_group_channels_added",
  },
  {
    what: "one channel less of a group",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Edit Sailors");
      await seat.click('[role=dialog] [aria-label="Remove harbour"]');
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => `${lists("Sailors", "cove")} && !${lists("Sailors", "harbour")}`,
    asked: filledGroups,
    answer: () => [["Sailors", [cove]]],
    audit: "default_channel_group_channels_removed",
  },
  {
    what: "a group of channels, which is deleted",
    section: () => "joining",
    run: async (seat) => {
      await pressButton(seat, "Delete Sailors");
      await seat.sees("The channels stay, and so do those who are in them.");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => saysNot("Sailors"),
    asked: async () => (await channelGroups()).map(({ name }) => name),
    answer: ["Anglers"],
    audit: "default_channel_group_deleted",
  },
  {
    what: "what new people start with",
    section: () => "start",
    run: (seat) => chooseOption(seat, "Theme", "Dark"),
    heard: () =>
      "[...document.querySelectorAll('main select')].some((one) => one.selectedOptions[0]?.text === 'Dark')",
    asked: async () => {
      const part = { fetch_event_types: ["realm_user_settings_defaults"] };
      const { realm_user_settings_defaults } = await w.ask("olive", ["POST", "/register"], part);
      return (realm_user_settings_defaults as { color_scheme: number }).color_scheme;
    },
    answer: 2,
    audit: "user_setting_default_changed",
  },
  {
    what: "a linkifier",
    section: () => "linkifiers",
    run: async (seat) => {
      await pressButton(seat, "Add a linkifier");
      await fill(seat, "Pattern", "#(?P<id>[0-9]+)");
      await fill(seat, "Address of the link", "https://example.com/{id}");
      await submitDialog(seat);
    },
    heard: () => says("https://example.com/{id}"),
    asked: async () => ((await listOf("/realm/linkifiers", "linkifiers")) as unknown[]).length,
    answer: 1,
    audit: "linkifier_added",
  },
  {
    what: "a playground",
    section: () => "playgrounds",
    run: async (seat) => {
      await pressButton(seat, "Add a playground");
      await fill(seat, "Name", "Rust");
      await fill(seat, "Language of the code", "rust");
      await fill(seat, "Address of the site", "https://example.com/?c={code}");
      await submitDialog(seat);
    },
    heard: () => says("https://example.com/?c={code}"),
    asked: async () => ((await realm("realm_playgrounds")) as unknown[]).length,
    answer: 1,
    audit: "playground_added",
  },
  {
    what: "a profile field",
    section: () => "profile-fields",
    run: async (seat) => {
      await pressButton(seat, "Add a profile field");
      await fill(seat, "Label", "Boat");
      await seat.click("main form button[type=submit]");
      await seat.sees("The profile field is saved.");
    },
    heard: () => says("Boat"),
    asked: async () => ((await listOf("/realm/profile_fields", "custom_fields")) as unknown[]).length,
    answer: 1,
    audit: "profile_field_added",
  },
  ...(["Quay", "Reef"] as const).map(
    (name, at): Act => ({
      what: `the folder ${name}`,
      section: () => "folders",
      run: async (seat) => {
        await fill(seat, "New folder", name);
        await pressButton(seat, "Add");
      },
      heard: () => says(name),
      asked: folders,
      answer: [["Quay", false] as unknown, ["Reef", false]].slice(0, at + 1),
      audit: "folder_created",
    }),
  ),
  {
    what: "the order of folders",
    section: () => "folders",
    run: (seat) => pressButton(seat, "Move Reef up"),
    heard: () => "document.querySelector('main ol li')?.innerText.includes('Reef')",
    asked: folders,
    answer: [
      ["Reef", false],
      ["Quay", false],
    ],
    audit: "folders_reordered",
  },
  {
    what: "another name of a folder",
    section: () => "folders",
    run: async (seat) => {
      await pressButton(seat, "Rename Reef");
      await fill(seat, "Name", "quay");
      await submitDialog(seat);
      await seat.sees("Channel folder name already in use");
      await fill(seat, "Name", "Cove");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => says("Cove"),
    asked: folders,
    answer: [
      ["Cove", false],
      ["Quay", false],
    ],
    audit: "folder_renamed",
  },
  {
    what: "a folder, which goes to the archive",
    section: () => "folders",
    run: (seat) => pressButton(seat, "Archive Cove"),
    heard: () => says("Archived folders"),
    asked: folders,
    answer: [
      ["Cove", true],
      ["Quay", false],
    ],
    audit: "folder_archived",
  },
  {
    what: "a folder, which comes back",
    section: () => "folders",
    run: (seat) => pressButton(seat, "Bring back Cove"),
    heard: () => saysNot("Archived folders"),
    asked: folders,
    answer: [
      ["Cove", false],
      ["Quay", false],
    ],
    audit: "folder_unarchived",
  },
  {
    what: "an emoji, which is removed",
    section: () => "emoji",
    run: (seat) => pressButton(seat, "Remove gull"),
    heard: () => saysNot(":gull:"),
    asked: async () =>
      Object.values((await listOf("/realm/emoji", "emoji")) as Record<string, { deactivated: boolean }>).map(
        ({ deactivated }) => deactivated,
      ),
    answer: [true],
    audit: "emoji_deactivated",
  },
  {
    what: "an invitation",
    section: () => "invitations",
    run: async (seat) => {
      await pressButton(seat, "Invite by address");
      await fill(seat, "Addresses", "nils@harbour.example");
      await submitDialog(seat);
      await seat.until(noDialog);
    },
    heard: () => says("nils@harbour.example"),
    asked: async () => ((await listOf("/invites", "invites")) as unknown[]).length,
    answer: 1,
    audit: "invitation_created",
  },
  {
    what: "an invitation, which is sent again",
    section: () => "invitations",
    run: async (seat) => {
      await seat.click('aria/More about nils@harbour.example[role="button"]');
      await seat.click('aria/Send it again[role="menuitem"]');
      await seat.sees("Sent again.");
    },
    asked: async () => ((await listOf("/invites", "invites")) as unknown[]).length,
    answer: 1,
    audit: "invitation_resent",
  },
  {
    what: "a key, which is ended",
    section: () => personPage("mel"),
    run: async (seat) => {
      const { email } = w.people.mel as { email: string };
      await w.ask("mel", ["POST", "/fetch_api_key"], { username: email, password });
      await seat.click('ul[aria-label="API keys"] button');
      await seat.sees("Ended.");
    },
    asked: () => keysOf("mel"),
    answer: 1,
    audit: "user_keys_ended",
  },
  {
    what: "all keys, which are ended",
    section: () => personPage("mel"),
    run: async (seat) => {
      await pressButton(seat, "End all keys …");
      await seat.sees("End 1 key of Mel?");
      await submitDialog(seat);
      await seat.sees("They have no keys.");
    },
    asked: () => keysOf("mel"),
    answer: 0,
    audit: "user_keys_ended",
  },
  {
    what: "a channel, to which a moderator adds somebody",
    section: () => personPage("mel"),
    who: "moss",
    run: async (seat) => {
      await chooseOption(seat, "Add to a channel", "#harbour");
      await seat.sees("#harbour");
    },
    asked: async () => listOf(`/users/${idOf("mel")}/subscriptions/${harbour}`, "is_subscribed"),
    answer: true,
    audit: "channel_subscribers_added",
  },
  {
    what: "an address, after a proof",
    section: () => personPage("mel"),
    run: async (seat) => {
      ageProofs(w.data);
      await fill(seat, "Email address", "mel@harbour.example");
      await pressButton(seat, "Save");
      await seat.sees("Is it you?");
      await seat.page.fill("aria/Your password", password);
      await seat.press("Enter");
      await seat.sees("Saved: Email address.");
    },
    heard: () => fieldIs("mel@harbour.example"),
    asked: async () =>
      ((await listOf(`/users/${idOf("mel")}`, "user")) as { delivery_email: string }).delivery_email,
    answer: "mel@harbour.example",
    audit: "user_address_changed",
  },
  {
    what: "the demand for a second step",
    section: () => "signing-in",
    run: async (seat) => {
      await seat.click('aria/Everybody who signs in by password or link needs a second step[role="switch"]');
      await seat.sees("Saved: Two-step sign-in.");
    },
    heard: () => "[...document.querySelectorAll('main [role=switch]')].at(-1)?.checked === true",
    asked: async () => (await w.ask("olive", ["GET", "/realm/two_step"])).required,
    answer: true,
    audit: "realm_setting_changed",
  },
  {
    what: "the end of that demand",
    section: () => "signing-in",
    run: async (seat) => {
      await seat.click('aria/Everybody who signs in by password or link needs a second step[role="switch"]');
      await seat.sees("Saved: Two-step sign-in.");
    },
    heard: () => "[...document.querySelectorAll('main [role=switch]')].at(-1)?.checked === false",
    asked: async () => (await w.ask("olive", ["GET", "/realm/two_step"])).required,
    answer: false,
    audit: "realm_setting_changed",
  },
];

async function newestAudited(): Promise<unknown> {
  const { entries } = await w.ask("olive", ["GET", "/audit_log"], { limit: 1 });
  const [entry] = entries as { event: string; actor_id: number | null }[];
  return [entry?.event, entry?.actor_id];
}

/** Permissions of a channel and of a group: who gets one and who loses it is seen before it is saved; who may not is told. */
test.each([
  ["a channel, at a desk", () => `#channels/${harbour}/harbour/permissions`, {}, "May write"],
  ["a channel, on a phone", () => `#channels/${harbour}/harbour/permissions`, phone, "May begin topics"],
  ["a group, at a desk", () => `#groups/${crew}`, {}, "May mention it"],
  ["a group, on a phone", () => `#groups/${crew}`, phone, "May leave it"],
] as const)("changes a permission of %s, and others hear it", async (_, page, look, label) => {
  const [seat, mel] = await Promise.all([
    w.visit("olive", page(), look),
    w.visit("mel", page()),
    witness.go(page()),
  ]);
  const choose = async (words: string, difference: RegExp) => {
    await chooseOption(seat, label, words);
    await seat.sees(difference);
    // The group's name has such a button, too.
    await seat.tab.evaluate(`[...document.querySelectorAll("main button")]
      .find(({ innerText }) => innerText === "Take back the changes").previousElementSibling.click()`);
    await seat.sees(`Saved: ${label}.`);
    await witness.until(
      `[...document.querySelectorAll('main select')].some((one) => one.labels[0]?.innerText === ${JSON.stringify(label)} && one.selectedOptions[0]?.text === ${JSON.stringify(words)})`,
    );
    expect(await newestAudited()).toEqual([
      page().startsWith("#groups") ? "group_changed" : "channel_permission_changed",
      idOf("olive"),
    ]);
  };
  await choose("Nobody", /Loses it: Ada/);
  await choose("Administrators and owners", /Gets it: Ada/);
  expect(await seat.page.overflow()).toBe(0);
  const fixed = await mel.page.find(`aria/${label}[role="combobox"]`);
  expect(await fixed?.evaluate((one) => (one as HTMLSelectElement).disabled)).toBe(true);
});

test.each(acts.map((act) => [act.what, act] as const))(
  "saves %s, and others hear it",
  async (_, { section, who = "olive", run, heard, asked, answer, audit }) => {
    const address = `#organization/${section()}`;
    const [seat] = await Promise.all([w.visit(who, address, phone), ...(heard ? [witness.go(address)] : [])]);
    await run(seat);
    if (heard) await witness.until(heard());
    const wanted = typeof answer === "function" ? answer() : answer;
    await until(async () => Bun.deepEquals(await asked(), wanted), "the API has it");
    expect(await newestAudited()).toEqual([audit, idOf(who)]);
    expect(await seat.page.overflow()).toBe(0);
  },
);

test("leaves domains and signing in to owners, and groups of channels to administrators", async () => {
  const group = (await channelGroups())[0]?.id;
  const newest = async () => (await w.ask("olive", ["GET", "/audit_log"], { limit: 1 })).entries;
  const state = async () => [await domains(), await channelGroups(), await newest()];
  const before = await state();
  const refusals = [
    [
      "moss",
      "POST",
      "/default_stream_groups/create",
      { group_name: "Hands", description: "", stream_names: [] },
    ],
    ["moss", "PATCH", `/default_stream_groups/${group}`, { new_group_name: "Hands" }],
    ["moss", "PATCH", `/default_stream_groups/${group}/streams`, { op: "add", stream_names: ["cove"] }],
    ["moss", "DELETE", `/default_stream_groups/${group}`, {}],
    ["ada", "POST", "/realm/domains", { domain: "reef.example", allow_subdomains: false }],
    ["ada", "PATCH", "/realm/domains/harbour.example", { allow_subdomains: true }],
    ["ada", "DELETE", "/realm/domains/harbour.example", {}],
    ["ada", "PATCH", "/realm/two_step", { required: true }],
  ] as const;
  for (const [who, method, path, params] of refusals)
    await expect(w.ask(who, [method, path], params)).rejects.toThrow(
      `Must be an organization ${who === "moss" ? "administrator" : "owner"}`,
    );
  expect(await state()).toEqual(before);
  const administrator = await w.visit("ada", "#organization/joining", phone);
  await administrator.sees("Only owners can change this.");
  expect(await administrator.tab.$('[aria-label="Remove harbour.example"]')).toBeNull();
  expect(await administrator.tab.$eval("li [role=switch]", (one) => (one as HTMLInputElement).disabled)).toBe(
    true,
  );
  expect(await administrator.page.overflow()).toBe(0);
});
