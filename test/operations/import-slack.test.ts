import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../support/command-line.ts";
import { cleanUp, newFolder, serve } from "../support/executable.ts";
import { type Members, zipped } from "../support/imports/archives.ts";
import { columns, flagsOf, imported, members, namesIn, refusal, said } from "../support/imports/outcome.ts";
import { slackExport, slackFile } from "../support/imports/slack.ts";
import { png } from "../support/pictures.ts";
import { type Reply, servePlain } from "../support/plain-server.ts";

afterAll(() => cleanUp());

const packed = (contents: Members = slackExport()) => zipped(join(newFolder(), "export.zip"), contents);
const at = (n: number) => 1_600_000_000 + n;
const named = ["--org", "Crew"];
const olive = "olive@example.com";

describe("import slack", () => {
  test("imports people, channels, conversations, threads, reactions and files", async () => {
    const { data, report, document } = await imported("slack", await packed(), { args: named });
    expect(report).toMatchObject({
      organization: "Crew",
      people: 5,
      bots: 2,
      deactivated: 2,
      threads: 2,
      files: 1,
      file_bytes: slackFile.length,
      stars: 3,
    });
    expect(columns(document.users, "full_name", "email", "role", "is_active", "is_bot", "timezone")).toEqual([
      ["Olive Owner", olive, 100, true, false, "Europe/Rome"],
      ["Notification Bot", expect.any(String), 400, true, true, ""],
      ["Welcome Bot", expect.any(String), 400, true, true, ""],
      ["Ada Admin", "ada@example.com", 200, true, false, ""],
      ["Gus Guest", "gus@example.com", 600, true, false, ""],
      ["Dex Gone", "dex@example.com", 400, false, false, ""],
      ["Otto Outside", "slack-u9@imported.invalid", 400, false, false, ""],
      ["Robot", "slack-ub@imported.invalid", 400, true, true, ""],
      ["CI", "slack-bot-b9@imported.invalid", 400, false, true, ""],
    ]);
    expect(columns(document.channels, "name", "description", "invite_only", "is_archived")).toEqual([
      ["general", "About general\nAll of us", false, false],
      ["old-stuff", "About old-stuff", false, true],
      ["secret", "About secret", true, false],
    ]);
    expect(members(document)).toEqual({
      general: ["Olive Owner", "Ada Admin", "Gus Guest"],
      "old-stuff": [],
      secret: ["Olive Owner", "Ada Admin"],
    });
    const linked = "[linked.txt](https://files.slack.com/F3/linked.txt)";
    const build = "Build [#1](https://ci.example.com/1) passed";
    expect(said(document)).toEqual([
      [
        "general",
        "",
        "Olive Owner",
        at(2),
        "Hello @**Ada Admin|4**, **bold** *italic* ~~gone~~ & `a < b` in #**secret**",
      ],
      ["general", "What about the plan?", "Ada Admin", at(3), "What about **the plan**?"],
      ["general", "What about the plan?", "Gus Guest", at(4), "In the thread"],
      ["general", "What about the plan? (2)", "Olive Owner", at(5), "What about the plan?"],
      ["general", "What about the plan? (2)", "Ada Admin", at(6), "Again, for all"],
      ["general", "", "Ada Admin", at(7), "Edited"],
      ["general", "", "Olive Owner", at(8), "Vote"],
      [
        "general",
        "",
        "Olive Owner",
        at(9),
        expect.stringMatching(/^\[minutes\.txt\]\(\/user_uploads\/1\/\w{32}\/minutes\.txt\)\n/),
      ],
      [
        "general",
        "",
        "CI",
        at(10),
        `${build}\n\n> [Log](https://ci.example.com/log)\n> all **green**\n> **Time**: 3 s`,
      ],
      ["general", "", "Otto Outside", at(11), "From outside"],
      [
        "general",
        "",
        "Ada Admin",
        at(12),
        "See [this](/#narrow/channel/1-general/topic//near/1)\n- one\n- two\n> quoted",
      ],
      [
        "general",
        "",
        "Olive Owner",
        at(13),
        "```\nlet a = 1 < 2;\nhttps://x.example.com\n```\n\n@**all** done",
      ],
      ["general", "", "Dex Gone", at(14), "/me waves"],
      ["secret", "", "Olive Owner", at(15), "Nobody else must know"],
      ["old-stuff", "", "Gus Guest", at(16), "So long"],
      ["Olive Owner, Ada Admin", null, "Olive Owner", at(17), "For Ada alone"],
      ["Olive Owner, Ada Admin", null, "Ada Admin", at(18), "In a thread"],
      ["Olive Owner, Ada Admin, Gus Guest", null, "Gus Guest", at(19), "The three of us"],
    ]);
    expect(String(document.messages[7]?.content)).toEndWith(linked);
    expect(JSON.stringify(document)).not.toContain("xoxe-secret");
    expect(columns(document.message_edits, "message_id", "edited_at", "prev_content")).toEqual([
      [6, at(500), "*The text before this edit is not in the export.*"],
    ]);
    const name = namesIn(document);
    expect(
      columns(document.reactions, "message_id", "user_id", "name").map(([id, by, emoji]) => [
        id,
        name(by),
        emoji,
      ]),
    ).toEqual([
      [7, "Olive Owner", "+1"],
      [7, "Ada Admin", "partycrab"],
      [7, "Ada Admin", "+1"],
      [7, "Gus Guest", "partycrab"],
    ]);
    expect(report.lost).toEqual(
      expect.arrayContaining([
        { what: "notices such as 'has joined the channel'", count: 1 },
        { what: "reactions whose emoji is not in the export", count: 1 },
        { what: "files that the export only links to", count: 1 },
        { what: "files that are deleted or hidden", count: 1 },
        { what: "threads in direct messages, whose replies are imported as plain messages", count: 1 },
      ]),
    );
    const server = await serve(data);
    expect((await flagsOf(server, data, "gus@example.com"))[12]).toEqual([
      "read",
      "starred",
      "stream_wildcard_mentioned",
      "wildcard_mentioned",
    ]);
    await server.end("SIGTERM");
  });

  test("fetches files that the export only links to, with the token, and from no other host", async () => {
    const asked: [path: string, authorization: string | undefined][] = [];
    const source = await servePlain(({ path, headers }): Reply => {
      asked.push([path, headers.authorization]);
      if (path === "/olive.png") return { body: png(60, 60) };
      if (path === "/F3/linked.txt") return { status: 302, headers: { location: "/moved.txt" } };
      return path === "/moved.txt"
        ? { body: slackFile }
        : { body: "<html>", headers: { "content-type": "text/html" } };
    });
    try {
      const host = `127.0.0.1:${source.port}`;
      const token = join(newFolder(), "token");
      writeFileSync(token, "xoxp-1\n");
      const fetching = ["--fetch", "--token-file", token, "--fetch-host", host];
      const { report, document } = await imported("slack", await packed(slackExport(`http://${host}`)), {
        args: [...named, ...fetching],
      });
      expect(report.files).toBe(2);
      expect(asked).toEqual([
        ["/olive.png", "Bearer xoxp-1"],
        ["/F3/linked.txt", "Bearer xoxp-1"],
        ["/moved.txt", "Bearer xoxp-1"],
      ]);
      expect(String(document.messages[7]?.content)).toContain("[linked.txt](/user_uploads/");
      asked.length = 0;
      await imported("slack", await packed(slackExport(`http://${host}`)), { args: [...named, "--fetch"] });
      expect(asked).toEqual([]);
    } finally {
      await source.stop();
    }
  });

  test("asks for the organization's name and an owner if the export has none", async () => {
    const data = join(newFolder(), "data");
    expect(await refusal(["slack", await packed(), "--data", data])).toContain("name it with --org");
    const at = ["--data", data, ...named, "--owner-email", "nobody@example.com"];
    expect(await refusal(["slack", await packed(), ...at])).toContain(
      "nobody active with the address nobody@example.com",
    );
    const { document } = await imported("slack", await packed(), {
      data,
      args: [...named, "--owner-email", "ADA@example.com"],
    });
    expect(document.users[0]).toMatchObject({ full_name: "Ada Admin", role: 100 });
  });
});

describe("a broken export of Slack", () => {
  const broken: Record<string, [Members, string]> = {
    "without people": [{ "channels.json": [] }, "has no users.json"],
    "with people of a wrong type": [
      { ...slackExport(), "users.json": [{ id: 5 }] },
      "0.id in users.json is not a string",
    ],
    "whose messages have no times": [
      {
        ...slackExport(),
        "general/2020-09-13.json": [{ type: "message", user: "U1", text: "x", ts: "now" }],
      },
      "0.ts in 2020-09-13.json: A time looks like",
    ],
    "that names people who are missing": [
      {
        ...slackExport(),
        "general/2020-09-14.json": [{ type: "message", user: "U77", text: "x", ts: "1600000700.1" }],
      },
      'people that it does not describe: "U77"',
    ],
    "with a day that is cut off": [
      { ...slackExport(), "general/2020-09-14.json": '[{"type":' },
      "2020-09-14.json is not complete JSON",
    ],
    "whose channel lies outside": [
      { ...slackExport(), "groups.json": [{ id: "C8", name: "../../etc" }] },
      "",
    ],
  };
  for (const [what, [contents, sentence]] of Object.entries(broken)) {
    test(`${what} is refused, and nothing is made`, async () => {
      const data = join(newFolder(), "data");
      const { status, stderr } = await runHere([
        "import",
        "slack",
        await packed(contents),
        ...named,
        "--data",
        data,
      ]);
      expect([status, stderr.includes(sentence)]).toEqual([sentence === "" ? 0 : 1, true]);
      if (sentence !== "")
        expect((await runHere(["user", "list", "--data", data])).stderr).toContain(
          "There is no organization",
        );
    });
  }
});
