import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { jsonHere, runHere } from "../support/command-line.ts";
import { call, cleanUp, newFolder, serve } from "../support/executable.ts";
import { type Members, tarred } from "../support/imports/archives.ts";
import {
  columns,
  documentOf,
  flagsOf,
  imported,
  members,
  namesIn,
  refusal,
  said,
} from "../support/imports/outcome.ts";
import { zulipExport, zulipFile } from "../support/imports/zulip.ts";

afterAll(() => cleanUp());

const packed = (contents: Members = zulipExport()) => tarred(join(newFolder(), "export.tar.gz"), contents);
const at = (id: number) => 1_600_000_000 + id;

describe("import zulip", () => {
  test("imports people, channels, conversations, messages, edits and reactions", async () => {
    const { report, document } = await imported("zulip", await packed());
    const name = namesIn(document);
    expect(report).toMatchObject({
      organization: "Zulip Crew",
      people: 6,
      bots: 2,
      deactivated: 2,
      known_people: 0,
    });
    expect(report).toMatchObject({
      channels: 3,
      conversations: 4,
      messages: 11,
      edits: 2,
      reactions: 2,
      stars: 2,
      files: 1,
      file_bytes: zulipFile.length,
    });
    expect(
      columns(document.users, "full_name", "email", "role", "is_active", "timezone", "date_joined"),
    ).toEqual([
      ["Olive Owner", "olive@example.com", 100, true, "Europe/Rome", 1_500_000_000],
      ["Notification Bot", expect.any(String), 400, true, "", expect.any(Number)],
      ["Welcome Bot", expect.any(String), 400, true, "", expect.any(Number)],
      ["Ada Admin", "ada@example.com", 200, true, "", 1_500_000_000],
      ["Mel Member", "mel@example.com", 400, true, "", 1_500_000_000],
      ["Gus Guest", "gus@example.com", 600, true, "", 1_500_000_000],
      ["Dex Gone", "dex@example.com", 400, false, "", 1_500_000_000],
      ["Left Long Ago", "left@example.com", 400, false, "", 1_500_000_000],
      ["Robot", "robot@example.com", 400, true, "", 1_500_000_000],
      ["welcome bot", "zulip-5@imported.invalid", 400, false, "", expect.any(Number)],
    ]);
    const robot = document.users.find(({ full_name }) => full_name === "Robot");
    expect([robot?.is_bot, name(robot?.bot_owner_id)]).toEqual([true, "Ada Admin"]);
    const privacy = ["invite_only", "history_public_to_subscribers", "is_archived"];
    expect(columns(document.channels, "name", "description", "date_created", ...privacy)).toEqual([
      ["general", "About general", 1_500_000_000, false, true, false],
      ["secret lab", "About secret lab", 1_500_000_000, true, false, false],
      ["old stuff", "About old stuff", 1_500_000_000, false, true, true],
    ]);
    expect(members(document)).toEqual({
      general: ["Olive Owner", "Ada Admin", "Mel Member", "Dex Gone"],
      "secret lab": ["Olive Owner", "Mel Member"],
      "old stuff": ["Ada Admin"],
    });
    const mentions = "Welcome @**Mel Member|5** and @_**Ada Admin|4**";
    const plan = expect.stringMatching(
      /^See \[the plan\]\(\/user_uploads\/1\/[0-9a-f]{32}\/plan-v2\.txt\) in #\*\*general>plans\*\*, not `@\*\*Mel Member\*\*`$/,
    );
    const link = "As [said](/#narrow/channel/1-general/topic/Plans/near/2) before\n";
    expect(said(document)).toEqual([
      ["general", "plans", "Olive Owner", at(1001), mentions],
      ["general", "Plans", "Ada Admin", at(1002), plan],
      ["secret lab", "", "Mel Member", at(1003), "Nobody else must know"],
      ["Olive Owner, Mel Member", null, "Mel Member", at(1004), "For Olive alone"],
      ["Olive Owner, Mel Member", null, "Olive Owner", at(1005), "And back"],
      ["Olive Owner, Ada Admin, Mel Member", null, "Ada Admin", at(1006), "The three of us"],
      ["general", "builds", "Robot", at(1007), "Build **passed**"],
      ["old stuff", "bye", "Dex Gone", at(1008), "So long"],
      ["general", "plans", "Mel Member", at(1009), `${link}\`\`\`\n@**Mel Member** /user_uploads/x\n\`\`\``],
      ["general", "mail", "Left Long Ago", at(1010), "By mail"],
      ["Mel Member, welcome bot", null, "welcome bot", at(1011), "Hello, and welcome to Zulip!"],
    ]);
    expect(document.messages.map(({ client }) => client)).toEqual(Array(11).fill("Zulip"));
    expect(document.message_edits.map(({ user_id, ...edit }) => ({ ...edit, by: name(user_id) }))).toEqual([
      {
        ...{ message_id: 2, by: "Ada Admin", edited_at: 1_600_001_500, prev_topic: null, topic: null },
        ...{ prev_content: "See the plan, @**Mel Member|5**", prev_channel_id: null, channel_id: null },
      },
      {
        ...{
          message_id: 2,
          by: "Olive Owner",
          edited_at: 1_600_002_000,
          prev_topic: "ideas",
          topic: "Plans",
        },
        ...{ prev_content: null, prev_channel_id: 3, channel_id: 1 },
      },
    ]);
    expect(columns(document.reactions, "message_id", "user_id", "type", "name")).toEqual([
      [2, 4, "U", "tada"],
      [2, 5, "R", "party_crab"],
    ]);
    expect(columns(document.emoji, "name", "deactivated")).toEqual([["party_crab", false]]);
    const crabs = document.groups.find(({ name: called }) => called === "crabs")?.id;
    const inGroup = document.group_members.filter(({ group_id }) => group_id === crabs);
    expect(inGroup.map(({ user_id }) => name(user_id))).toEqual(["Ada Admin", "Mel Member"]);
  });

  test("marks everything as read, and keeps stars, mentions, files and pictures", async () => {
    const { data } = await imported("zulip", await packed());
    const server = await serve(data);
    const flags = await flagsOf(server, data, "mel@example.com");
    expect(flags[1]).toEqual(["read", "starred", "mentioned"]);
    expect(Object.values(flags).every((some) => some.includes("read"))).toBe(true);
    expect((await flagsOf(server, data, "ada@example.com"))[7]).toEqual(["read", "starred"]);
    const { api_key } = await jsonHere<{ api_key: string }>([
      "user",
      "api-key",
      "ada@example.com",
      "--rotate",
      "--yes",
      "--data",
      data,
    ]);
    const ada = { email: "ada@example.com", api_key };
    const { body } = await call(server, ada, ["GET", "/attachments"]);
    const [file] = body.attachments as { path_id: string; name: string; messages: { id: number }[] }[];
    expect(file).toMatchObject({ name: "plan-v2.txt", messages: [{ id: 2 }] });
    const authorization = `Basic ${btoa(`${ada.email}:${api_key}`)}`;
    const opened = await fetch(`${server.url}/user_uploads/${file?.path_id}`, { headers: { authorization } });
    expect(await opened.text()).toBe(zulipFile);
    const found = await call(server, ada, ["GET", "/messages"], {
      ...{ anchor: "newest", num_before: "10", num_after: "0" },
      narrow: JSON.stringify([{ operator: "search", operand: "passed" }]),
    });
    expect((found.body.messages as { id: number }[]).map(({ id }) => id)).toEqual([7]);
    const users = await call(server, ada, ["GET", "/users"], { client_gravatar: "false" });
    const olive = (users.body.members as { full_name: string; avatar_url: string }[]).find(
      ({ full_name }) => full_name === "Olive Owner",
    );
    expect(olive?.avatar_url).not.toContain("identicon");
    expect((await fetch(new URL(olive?.avatar_url ?? "", server.url))).headers.get("content-type")).toBe(
      "image/webp",
    );
    const sent = { type: "channel", to: "general", topic: "plans", content: "Going on" };
    expect((await call(server, ada, ["POST", "/messages"], sent)).body).toMatchObject({ id: 12 });
    await server.end("SIGTERM");
  });

  test("merges existing people and channels, and refuses the same export twice", async () => {
    const data = newFolder();
    const founding = ["--org", "Crew", "--owner-email", "MEL@example.com", "--owner-name", "Mel of here"];
    await jsonHere(["init", ...founding, "--data", data]);
    await jsonHere(["channel", "create", "general", "--data", data]);
    await jsonHere(["channel", "create", "secret lab", "--data", data]);
    const file = await packed();
    const { report, document } = await imported("zulip", file, { data });
    expect(report).toMatchObject({ organization: "Crew", people: 6, known_people: 1 });
    expect(document.users.filter(({ email }) => /^mel@/i.test(String(email)))).toHaveLength(1);
    expect(columns(document.channels, "name", "invite_only")).toEqual([
      ["general", false],
      ["secret lab", false],
      ["secret lab (zulip)", true],
      ["old stuff", false],
    ]);
    expect(document.messages.map(({ channel_id }) => channel_id)).toContain(1);
    // Each look at the document is an export, which the audit log has.
    const look = async () => {
      const { audit_log, ...document } = await documentOf(data);
      const entries = audit_log.filter(({ event }) => event !== "export_written");
      return { ...document, audit_log: entries, exported_at: 0 };
    };
    const before = await look();
    expect(await refusal(["zulip", file, "--data", data])).toContain("was imported on");
    expect(await look()).toEqual(before);
  });

  test("only reports what would be imported, with --dry-run", async () => {
    const data = join(newFolder(), "none");
    const { stdout } = await runHere(["import", "zulip", await packed(), "--dry-run", "--data", data]);
    expect(stdout).toContain("Nothing was imported. From Zulip, this would be imported:");
    expect(stdout).toContain("Messages              11");
    expect(stdout).toContain("drafts: 1");
    expect((await runHere(["user", "list", "--data", data])).status).toBe(1);
  });

  test("refuses while a server runs, and changes nothing", async () => {
    const data = newFolder();
    await jsonHere([
      "init",
      "--org",
      "Crew",
      "--owner-email",
      "o@example.com",
      "--owner-name",
      "Olive",
      "--data",
      data,
    ]);
    const server = await serve(data);
    expect(await refusal(["zulip", await packed(), "--data", data])).toContain("serves");
    await server.end("SIGTERM");
  });
});

describe("a broken export of Zulip", () => {
  const realm = () => zulipExport()["realm.json"] as Record<string, { id?: number }[]>;
  const broken: Record<string, [() => Members, string]> = {
    "without people": [
      () => ({ ...zulipExport(), "realm.json": { zerver_realm: [{ name: "x" }] } }),
      "zerver_userprofile in realm.json is not a list",
    ],
    "that ends in the middle": [
      () => ({ ...zulipExport(), "realm.json": JSON.stringify(realm()).slice(0, 500) }),
      "realm.json is not complete JSON",
    ],
    "with messages of people who are missing": [
      () => ({
        ...zulipExport(),
        "realm.json": {
          ...realm(),
          zerver_userprofile: realm().zerver_userprofile?.filter(({ id }) => id !== 13),
        },
      }),
      'people that it does not describe: "13"',
    ],
    "with a wrong type": [
      () => ({ ...zulipExport(), "messages-000002.json": { zerver_message: [{ id: "x" }] } }),
      "zerver_message.0.id in messages-000002.json is not a number",
    ],
    "whose files lie outside": [
      () => ({
        ...zulipExport(),
        "attachment.json": {
          zerver_attachment: [{ file_name: "p", path_id: "../../../../etc/passwd", owner: 12 }],
        },
      }),
      "names a file outside itself",
    ],
    "that is no such export": [() => ({ "other.json": {} }), "has no realm.json"],
  };
  for (const [what, [contents, sentence]] of Object.entries(broken)) {
    test(`${what} is refused, and nothing is made`, async () => {
      const data = join(newFolder(), "data");
      expect(await refusal(["zulip", await packed(contents()), "--data", data])).toContain(sentence);
      expect((await runHere(["user", "list", "--data", data])).stderr).toContain("There is no organization");
    });
  }

  test("with missing people is imported if they are to be added", async () => {
    const people = realm().zerver_userprofile?.filter(({ id }) => id !== 13);
    const file = await packed({ ...zulipExport(), "realm.json": { ...realm(), zerver_userprofile: people } });
    const { document } = await imported("zulip", file, { args: ["--missing-people"] });
    const unknown = document.users.find(({ full_name }) => full_name === "Unknown 13");
    expect(unknown).toMatchObject({ is_active: false, email: "zulip-13@imported.invalid" });
    expect(document.messages.filter(({ sender_id }) => sender_id === unknown?.user_id)).toHaveLength(3);
  });
});
