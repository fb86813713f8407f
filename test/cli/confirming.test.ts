// The rule of confirmation: a command that deletes or ends something says first how much, and does nothing before the yes.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { updateUser } from "@/foundation/accounts/actions.ts";
import { addEmoji } from "@/foundation/emoji/actions.ts";
import { createGroup } from "@/foundation/groups/actions.ts";
import { addLinkifier } from "@/foundation/linkifiers/actions.ts";
import { addPlayground } from "@/foundation/playgrounds/actions.ts";
import { createField } from "@/foundation/profile-fields/actions.ts";
import { addDomain } from "@/foundation/realm-administration/actions-domains.ts";
import { setRealmPicture } from "@/foundation/realm-administration/actions-pictures.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { makeToken } from "@/operations/metrics/actions.ts";
import { renewSecret, setTemplate } from "@/outside/incoming-webhooks/actions.ts";
import { createLink } from "@/outside/invitations/actions.ts";
import { createFolder } from "@/places/folders/actions.ts";
import { runForRemotePerson } from "../../cli/commands/remote-runner.ts";
import { allCommands } from "../../cli/loaders.ts";
import { cleanUp, confab, inTerminal, newFolder, newOrganization, serve } from "../support/executable.ts";
import { png } from "../support/pictures.ts";
import { root, textOf } from "../support/source-tree.ts";
import { type World, world } from "../support/world.ts";

afterAll(() => cleanUp());

type Given = Record<string, string | string[] | true>;

interface Case {
  prepare?: (w: World, owner: Ctx) => Promise<unknown>;
  given: (w: World, prepared: never) => Given;
  asks: string;
}

const one = <T>(
  prepare: (w: World, owner: Ctx) => Promise<T>,
  given: (w: World, prepared: T) => Given,
  asks: string,
): Case => ({ prepare, given: given as Case["given"], asks });
const plain = (given: (w: World) => Given, asks: string): Case => ({ given, asks });

/** A channel with three subscribers and three messages in a topic; returns the IDs of the messages. */
async function party(w: World): Promise<number[]> {
  const subscribers = (["mel", "max", "olive"] as const).map((name) => w.user(name).id);
  await w.as("olive").post("/channels/create", { name: "party", subscribers });
  const ids: number[] = [];
  for (const who of ["mel", "max", "mel"] as const) {
    const message = { type: "channel", to: "party", topic: "cake", content: "a" };
    ids.push((await w.as(who).post("/messages", message)).body.id);
  }
  return ids;
}

function picture(): { path: string; name: string; size: number } {
  const path = join(newFolder(), "picture.png");
  writeFileSync(path, png(32, 32));
  return { path, name: "picture.png", size: 100 };
}

const invitation = {
  invite_as: 400,
  invite_expires_in_minutes: null,
  stream_ids: [],
  group_ids: [],
  include_realm_default_subscriptions: true,
  welcome_message_custom_text: null,
} as const;

/** A command line that destroys something, and what it asks, for each command that asks. */
const cases: Record<string, Case> = {
  "user deactivate": plain(
    (w) => ({ email: w.user("mel").email }),
    "This deactivates 1 person with 1 bot: Mel (mel@example.com). Their sessions, keys and queues end at once; their messages stay. Go on?",
  ),
  "user reactivate": one(
    async (w) => {
      for (const name of ["mel", "max"] as const) await w.as("olive").delete(`/users/${w.user(name).id}`);
    },
    (w) => ({ email: [w.user("mel").email, w.user("max").email] }),
    "This reactivates 2 people: Mel (mel@example.com) and Max (max@example.com). Go on?",
  ),
  "user role": plain(
    (w) => ({ words: [w.user("mel").email, w.user("max").email, "guest"] }),
    "This gives the role guest to 2 people: Mel (mel@example.com) and Max (max@example.com). Go on?",
  ),
  "user delete": plain(
    (w) => ({ email: w.user("ada").email }),
    "This closes the account of 1 person, among them 1 administrator: Ada (ada@example.com). Their sessions, keys and queues end at once; their messages stay. Go on?",
  ),
  "user erase": one(
    async (w) => {
      await party(w);
      await w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content: "b" });
    },
    (w) => ({ email: w.user("mel").email, messages: "delete" }),
    "This erases Mel (mel@example.com) for ever: name, address, settings, presence, 1 key and 1 subscription go. " +
      "Their 2 messages (2 in public channels) are deleted for everyone. 1 bot is deactivated: Bolt. " +
      "Direct messages that others sent them stay with those. Older backups hold them until they are deleted (none is known here). " +
      "The audit log keeps their ID without a name. 'confab export user mel@example.com FILE' writes their data to a file before. Go on?",
  ),
  "user delete-messages": one(
    party,
    (w) => ({ email: w.user("mel").email }),
    "This deletes 2 messages (2 in public channels) of Mel and their bots for everyone. Go on?",
  ),
  "user api-key": plain(
    (w) => ({ email: w.user("mel").email, rotate: true }),
    "This ends 1 key of Mel. A new one is made; what uses an old one stops working at once. Go on?",
  ),
  "user keys": plain(
    (w) => ({ email: w.user("mel").email, end_all: true }),
    "This ends 1 key of Mel. What uses it has to sign in again, or needs another. Go on?",
  ),
  "bot api-key": plain(
    (w) => ({ bot: w.user("bolt").email, rotate: true }),
    "This ends 1 key of Bolt. A new one is made; what uses an old one stops working at once. Go on?",
  ),
  "bot deactivate": plain(
    (w) => ({ bot: w.user("bolt").email }),
    "This deactivates 1 bot: Bolt (bolt-bot@chat.example.com). Their sessions, keys and queues end at once; their messages stay. Go on?",
  ),
  "group deactivate": one(
    (w, owner) =>
      createGroup(owner, { name: "team", description: "", members: [w.user("mel").id, w.user("max").id] }),
    () => ({ group: "team" }),
    "This deactivates 1 group with 2 members: team. Go on?",
  ),
  "invite revoke": one(
    (_, owner) => createLink(owner, { ...invitation, stream_ids: [], group_ids: [] }),
    (_, link) => ({ invitation: [link] }),
    "This revokes 1 invitation: a link. They cannot be used any more. Go on?",
  ),
  "channel archive": one(
    party,
    () => ({ channel: "party" }),
    "This archives 1 channel with 3 subscribers: party. Nobody can post there afterwards; the messages stay readable. Go on?",
  ),
  "channel update": one(
    async (w) => {
      await party(w);
      w.clock.advance(40 * 86_400);
    },
    () => ({ channel: "party", retention: "30" }),
    "3 messages in party are older than 30 days. They are deleted in a day; until then, a longer time keeps them. Go on?",
  ),
  "channel delete-topic": one(
    party,
    () => ({ channel: "party", topic: "Cake" }),
    "This deletes 3 messages of #party > Cake for everyone. Go on?",
  ),
  "message delete": one(
    party,
    (_, [id]) => ({ id: String(id) }),
    "This deletes 1 message of mel@example.com for everyone: ID. Go on?",
  ),
  "report handle": one(
    async (w) => {
      const [id] = await party(w);
      const { body } = await w.as("olive").post("/channels/create", {
        ...{ name: "mods", invite_only: true, subscribers: [w.user("olive").id] },
      });
      await w.as("olive").patch("/realm", { moderation_request_channel_id: body.id });
      await w.as("max").post(`/messages/${id}/report`, { report_type: "spam" });
    },
    () => ({ report_id: "1", delete_message: true, deactivate_sender: true }),
    "This deletes message 1 of Mel for everyone, and deactivates Mel: their access ends at once, and their messages stay. Go on?",
  ),
  "message move": one(
    party,
    (_, [, id]) => ({ id: String(id), topic: "pie", which: "later" }),
    "This moves 2 messages of #party > cake. Go on?",
  ),
  "folder archive": one(
    (_, owner) => createFolder(owner, { name: "Projects", description: "" }),
    () => ({ folder: "projects" }),
    "This archives 1 folder: Projects. Go on?",
  ),
  "profile-field delete": one(
    async (w, owner) => {
      const id = await createField(owner, { field_type: 1, name: "Town" });
      for (const name of ["mel", "max"] as const)
        await updateUser(owner, { user_id: w.user(name).id, profile_data: [{ id, value: "Ghent" }] });
    },
    () => ({ field: "town" }),
    "This deletes 1 profile field with 2 values: Town. Go on?",
  ),
  "profile-field update": one(
    async (w, owner) => {
      const field_data = { "0": { text: "Design", order: "1" }, "1": { text: "Support", order: "2" } };
      const id = await createField(owner, { field_type: 3, name: "Team", field_data });
      await updateUser(owner, { user_id: w.user("mel").id, profile_data: [{ id, value: "1" }] });
    },
    () => ({ field: "Team", option: ["Design", "Sales"] }),
    "This removes 1 option with 1 value: Support. Who had chosen it has chosen nothing afterwards. Go on?",
  ),
  "emoji deactivate": one(
    (_, owner) => addEmoji(owner, { name: "crew", received: picture() }),
    () => ({ name: "crew" }),
    "This deactivates 1 emoji: :crew:. Messages and reactions that have it keep it. Go on?",
  ),
  "linkifier remove": one(
    (_, owner) => addLinkifier(owner, { pattern: "GH-1", url_template: "https://bugs.example.com/" }),
    (_, { id }) => ({ id: String(id) }),
    "This removes 1 linkifier: GH-1. Go on?",
  ),
  "playground remove": one(
    (_, owner) =>
      addPlayground(owner, {
        name: "Play",
        pygments_language: "Python",
        url_template: "https://p.example/{code}",
      }),
    (_, { id }) => ({ id: String(id) }),
    "This removes 1 playground: Play. Go on?",
  ),
  "webhook template": one(
    (w, owner) => setTemplate(owner, { bot_id: w.user("bolt").id, topic: "", content: "{{a}}" }),
    (w) => ({ email: w.user("bolt").email, remove: true }),
    "This removes 1 template of bolt-bot@chat.example.com. What is posted becomes a block of code then. Go on?",
  ),
  "webhook secret": one(
    (w, owner) => renewSecret(owner, { bot_id: w.user("bolt").id }),
    (w) => ({ email: w.user("bolt").email, remove: true }),
    "This removes 1 secret of bolt-bot@chat.example.com. Anybody who knows its address can post as it then. Go on?",
  ),
  "metrics revoke-token": one(
    (_, owner) => makeToken(owner, "prometheus"),
    () => ({ name: "prometheus" }),
    "This revokes 1 token: prometheus. The program that has it reads no metrics afterwards. Go on?",
  ),
  "realm disallow-domain": one(
    (_, owner) => addDomain(owner, { domain: "crew.example", allow_subdomains: false }),
    () => ({ domain: "crew.example" }),
    "This removes 1 domain: crew.example. Who has an account keeps it. Go on?",
  ),
  "realm remove-picture": one(
    (_, owner) => setRealmPicture(owner, { which: "icon", received: picture() }),
    () => ({ which: "icon" }),
    "This deletes 1 picture of the organization: icon. Go on?",
  ),
  "realm set": one(
    async (w) => {
      const message = { type: "direct", to: [w.user("max").id], content: "a" };
      await w.as("mel").post("/messages", message);
      w.clock.advance(40 * 86_400);
    },
    () => ({ name: "message_retention_days", value: "30" }),
    "1 message in the organization is older than 30 days. They are deleted in a day; until then, a longer time keeps them. Go on?",
  ),
  "realm deactivate": plain(
    () => ({}),
    "This deactivates the organization for 6 people. Nobody can sign in afterwards; nothing is deleted. Go on?",
  ),
};

/** Tried on their own, below or in another file. */
const elsewhere = [
  "backup",
  "cluster join",
  "cluster leave",
  "cluster recover",
  "cluster remove",
  "export organization",
  "export user",
  "profile remove",
  "setup",
  "user sessions",
  "user two-step",
];

/** What sounds like destroying, and is not. */
const harmless: Record<string, string> = {
  "channel unsubscribe": "its users can be subscribed again",
  "channel unarchive": "gives back",
  "cluster replace": "prints a command; nothing changes until another machine runs it",
  "default remove-channel": "the channel stays",
  "default remove-from-group": "the channel stays",
  "files move": "copies and compares each file before its original goes, and can be moved back",
  "folder unarchive": "gives back",
  "group remove": "its users can be added again",
  "node undrain": "ends what 'node drain' began, and loses nothing",
  "node drain": "gives the node's work to others, and loses nothing",
  restore: "writes only into an empty folder",
  "user reset-link": "makes a link; the password stays until it is used",
};

/** The commands that a test of their noun runs with `asksFirst`. */
async function askedElsewhere(): Promise<Set<string>> {
  const texts = [...new Glob("test/**/*.test.ts").scanSync(root)].map((path) => textOf(path));
  const calls = (await Promise.all(texts)).flatMap((text) => [
    ...text.matchAll(/\basksFirst\(\s*\[\s*"([\w-]+)",\s*"([\w-]+)"/g),
  ]);
  return new Set(calls.map(([, noun, verb]) => `${noun} ${verb}`));
}

describe("the rule of confirmation", () => {
  test("holds for every command that sounds like destroying something", async () => {
    const commands = await allCommands();
    const asked = await askedElsewhere();
    const asking = commands.filter(({ args }) => "yes" in args).map(({ name }) => name);
    const inTestsOfNouns = asking.filter((name) => asked.has(name));
    expect(asking.sort(), "say in a test what they ask: asksFirst of test/support/command-line.ts").toEqual(
      [...Object.keys(cases), ...elsewhere, ...inTestsOfNouns].sort(),
    );
    const words =
      /delete|remove|deactivate|archive|revoke|leave|discard|replace|overwrite|forget|reset|rotate|disallow|drain|restore|recover|purge|unsubscribe|\bend\b|\bmove\b/i;
    const sounds = commands.filter(({ name, args }) => words.test([name, ...Object.keys(args)].join(" ")));
    const silent = sounds.map(({ name }) => name).filter((name) => !asking.includes(name));
    expect(silent.sort()).toEqual(Object.keys(harmless).sort());
    for (const { name, args } of commands)
      if ("yes" in args)
        expect([name, args.yes?.kind, args.yes?.about]).toEqual([name, "flag", "do not ask"]);
  });

  test.each(Object.entries(cases))(
    "%s says how much, and waits for a yes",
    async (command, { prepare, given, asks }) => {
      const w = world();
      const owner = w.ctx("olive");
      const commands = await allCommands();
      const prepared = await prepare?.(w, owner);
      const line = { command, given: given(w, prepared as never), input: undefined, file: undefined };
      const run = (agreed: boolean, more: Given = {}) =>
        runForRemotePerson(commands, w.ctx("olive"), {
          ...line,
          given: { ...line.given, ...more },
          agreed,
          isOperator: true,
        });
      const content = () => JSON.stringify(contentOf(w));
      const [before, eventCount] = [content(), w.events.length];
      const refused = await run(false).then(
        () => null,
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(AppError);
      const { needs, question } = (refused as AppError).data as { needs: string; question: string };
      expect([needs, question.replace(/: \d+\. Go on/, ": ID. Go on")]).toEqual(["agreement", asks]);
      expect(question).toMatch(/\d/);
      expect(content()).toBe(before);
      expect(w.events).toHaveLength(eventCount);

      await run(true);
      expect(content()).not.toBe(before);
    },
  );

  test("asks in a terminal, and does nothing without one or after a no", async () => {
    const { data } = await newOrganization();
    const file = join(newFolder(), "crew.json");
    writeFileSync(file, "precious");
    const command = ["export", "organization", file, "--data", data];
    const without = await confab(command);
    expect(without.status).toBe(2);
    expect(without.stderr).toBe(
      `confab: This overwrites 1 file of 8 B: ${file}. Go on? Add --yes to confirm. See 'confab export organization --help'.\n`,
    );
    const answers = [["Go on? [y/N] ", "n"]] as const;
    const no = await inTerminal(command, { columns: 200, answers });
    expect([no.status, readFileSync(file, "utf8")]).toEqual([1, "precious"]);
    expect(no.seen).toContain("Nothing was changed.");
    const yes = await inTerminal(command, { columns: 200, answers: [["Go on? [y/N] ", "y"]] });
    expect(yes.status).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe("precious");
  });

  test("holds for a profile, which is forgotten with its key", async () => {
    const home = newFolder();
    const env = { XDG_CONFIG_HOME: home, HOME: home };
    const { data, owner } = await newOrganization();
    const server = await serve(data);
    const add = ["profile", "add", "work", "--address", server.url, "--email", owner.email];
    expect(await confab(add, { input: `${owner.api_key}\n`, env })).toMatchObject({ status: 0 });
    const refused = await confab(["profile", "remove", "work"], { env });
    expect([refused.status, refused.stderr]).toEqual([
      2,
      "confab: This forgets 1 profile with its key: work. Go on? Add --yes to confirm. See 'confab profile remove --help'.\n",
    ]);
    expect(await confab(["profile", "remove", "work", "--yes"], { env })).toMatchObject({ status: 0 });
    await server.end("SIGTERM");
  });
});

/** All rows of all tables. */
function contentOf(w: World): Record<string, unknown[]> {
  const { db } = w.app.env;
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
  );
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      db
        .all<Record<string, unknown>>(`SELECT * FROM "${name}"`)
        .map((row) =>
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
          ),
        ),
    ]),
  );
}
