import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { jsonHere, runHere } from "../support/command-line.ts";
import { call, cleanUp, newFolder, serve } from "../support/executable.ts";
import { type Members, zipped } from "../support/imports/archives.ts";
import { mattermostExport, mattermostFile, mattermostLines } from "../support/imports/mattermost.ts";
import { columns, flagsOf, imported, members, namesIn, refusal, said } from "../support/imports/outcome.ts";

afterAll(() => cleanUp());

const packed = (contents: Members = mattermostExport()) => zipped(join(newFolder(), "bulk.zip"), contents);
const at = (n: number) => 1_600_000_000 + n;

describe("import mattermost", () => {
  test("imports people, channels, conversations, threads, reactions and files", async () => {
    const { data, report, document } = await imported("mattermost", await packed());
    const name = namesIn(document);
    expect(report).toMatchObject({
      organization: "The Crew",
      people: 4,
      bots: 1,
      deactivated: 1,
      threads: 1,
      files: 1,
      file_bytes: mattermostFile.length,
      stars: 4,
    });
    expect(columns(document.users, "full_name", "email", "role", "is_active", "is_bot")).toEqual([
      ["Olive Owner", "olive@example.com", 100, true, false],
      ["Notification Bot", expect.any(String), 400, true, true],
      ["Welcome Bot", expect.any(String), 400, true, true],
      ["Mel Member", "mel.m@example.com", 400, true, false],
      ["Gus the Guest", "gus@example.com", 600, true, false],
      ["Dex Gone", "dex@example.com", 400, false, false],
      ["Robot", "mattermost-robot@imported.invalid", 400, true, true],
    ]);
    const proofs = columns(document.users, "address_proof").flat();
    expect(proofs).toEqual(["operator", null, null, "import", "import", "import", null]);
    expect(name(document.users[6]?.bot_owner_id)).toBe("Olive Owner");
    expect(columns(document.channels, "name", "description", "invite_only", "is_archived")).toEqual([
      ["Town Square", "About Town Square\nAll of us", false, false],
      ["Secret Lab", "About Secret Lab", true, false],
      ["Old Stuff", "About Old Stuff", false, true],
    ]);
    expect(members(document)).toEqual({
      "Town Square": ["Olive Owner", "Mel Member", "Gus the Guest", "Dex Gone"],
      "Secret Lab": ["Olive Owner", "Mel Member"],
      "Old Stuff": ["Gus the Guest", "Dex Gone"],
    });
    const thread = "What about the plan?";
    const plan = expect.stringMatching(
      /^\*\*What\*\* about the plan\?\n\n\[plan\.txt\]\(\/user_uploads\/1\/\w{32}\/plan\.txt\)$/,
    );
    expect(said(document)).toEqual([
      [
        "Town Square",
        "",
        "Olive Owner",
        at(3),
        "Hello @**Mel Member|4**. In #**Secret Lab**, not `@mel.m`, @**all**",
      ],
      ["Town Square", thread, "Mel Member", at(6), plan],
      ["Town Square", "", "Olive Owner", at(8), "Pinned"],
      ["Secret Lab", "", "Olive Owner", at(9), "Nobody else must know"],
      ["Old Stuff", "", "Dex Gone", at(10), "So long"],
      ["Olive Owner, Mel Member", null, "Olive Owner", at(11), "For Mel alone"],
      ["Olive Owner, Mel Member, Gus the Guest", null, "Gus the Guest", at(12), "The three of us"],
      ["Olive Owner", null, "Olive Owner", at(13), "To myself"],
      ["Town Square", thread, "Olive Owner", at(20), "In the thread"],
      ["Town Square", thread, "Robot", at(21), "> Build\n> passed"],
      ["Town Square", "", "Mel Member", at(30), "Later"],
      ["Olive Owner, Mel Member", null, "Mel Member", at(40), "A reply"],
    ]);
    expect(columns(document.message_edits, "message_id", "edited_at")).toEqual([[9, at(25)]]);
    expect(columns(document.reactions, "message_id", "user_id", "name")).toEqual([
      [1, 1, "party-crab"],
      [1, 4, "+1"],
    ]);
    expect(columns(document.emoji, "name")).toEqual([["party-crab"]]);
    expect(report.lost).toEqual(
      expect.arrayContaining([
        { what: "notices such as 'joined the channel'", count: 1 },
        { what: "reactions whose emoji is not in the export", count: 1 },
        { what: "threads in direct messages, whose replies are imported as plain messages", count: 1 },
      ]),
    );
    const server = await serve(data);
    const flags = await flagsOf(server, data, "mel.m@example.com");
    expect([flags[1], flags[3]]).toEqual([
      ["read", "starred", "mentioned", "stream_wildcard_mentioned", "wildcard_mentioned"],
      ["read", "starred"],
    ]);
    expect(Object.values(flags).every((some) => some.includes("read"))).toBe(true);
    const { api_key } = await jsonHere<{ api_key: string }>([
      "user",
      "api-key",
      "mel.m@example.com",
      "--rotate",
      "--yes",
      "--data",
      data,
    ]);
    const mel = { email: "mel.m@example.com", api_key };
    const { body } = await call(server, mel, ["GET", "/attachments"]);
    const [file] = body.attachments as { path_id: string }[];
    const authorization = `Basic ${btoa(`${mel.email}:${api_key}`)}`;
    const opened = await fetch(`${server.url}/user_uploads/${file?.path_id}`, { headers: { authorization } });
    expect(await opened.text()).toBe(mattermostFile);
    const everyone = await call(server, mel, ["GET", "/users"], { client_gravatar: "false" });
    const pictured = (everyone.body.members as { full_name: string; avatar_url: string }[])
      .filter(({ avatar_url }) => !avatar_url.includes("identicon"))
      .map(({ full_name }) => full_name);
    expect(pictured).toEqual(["Olive Owner"]);
    await server.end("SIGTERM");
  });

  test("distinguishes channels of several teams", async () => {
    const other = [
      { type: "team", team: { name: "other", display_name: "Others", type: "I" } },
      {
        type: "channel",
        channel: { team: "other", name: "town-square", display_name: "Town Square", type: "O" },
      },
    ];
    const [version, ...rest] = mattermostLines();
    const file = await packed(mattermostExport([version, ...rest.slice(0, 6), ...other, ...rest.slice(6)]));
    expect(await refusal(["mattermost", file, "--data", join(newFolder(), "data")])).toContain(
      "name it with --org",
    );
    const { document } = await imported("mattermost", file, { args: ["--org", "Both"] });
    expect(document.channels.map(({ name }) => name)).toEqual([
      "Town Square",
      "Secret Lab",
      "Old Stuff",
      "Town Square (Others)",
    ]);
  });
});

describe("a broken bulk export", () => {
  const without = (matches: (line: string) => boolean) =>
    mattermostExport(mattermostLines().filter((line) => !matches(JSON.stringify(line))));
  const text = String(mattermostExport()["import.jsonl"]);
  const broken: Record<string, [Members, string]> = {
    "without lines": [{ "data/x.txt": "" }, "this one has 0"],
    "without its version": [without((line) => line.includes('"version"')), "line 1 must contain the version"],
    "of another version": [mattermostExport([{ type: "version", version: 2 }]), "Only version 1"],
    "that is cut off": [
      { ...mattermostExport(), "import.jsonl": text.slice(0, text.length - 20) },
      "is not complete JSON",
    ],
    "with posts of people who are missing": [
      without((line) => line.includes('"type":"user"') && line.includes('"dex"')),
      'does not describe: "dex"',
    ],
    "with posts in channels that are missing": [
      without((line) => line.includes('"type":"channel"') && line.includes("secret-lab")),
      "channel crew/secret-lab, but does not describe it",
    ],
    "with a wrong type": [
      mattermostExport([...mattermostLines(), { type: "post", post: { team: 5 } }]),
      "post.user in import.jsonl, line 24 is not a string",
    ],
    "whose files lie outside": [
      mattermostExport([
        ...mattermostLines(),
        {
          type: "post",
          post: {
            team: "crew",
            channel: "town-square",
            user: "olive",
            message: "",
            create_at: 1,
            attachments: [{ path: "../../../../../../etc/passwd" }],
          },
        },
      ]),
      "names a file outside itself",
    ],
  };
  for (const [what, [contents, sentence]] of Object.entries(broken)) {
    test(`${what} is refused, and nothing is made`, async () => {
      const data = join(newFolder(), "data");
      expect(await refusal(["mattermost", await packed(contents), "--data", data])).toContain(sentence);
      expect((await runHere(["user", "list", "--data", data])).stderr).toContain("There is no organization");
    });
  }
});
