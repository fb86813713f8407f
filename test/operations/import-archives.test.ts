// What exports of other chats are packed in: names of any spelling, folders, files that nothing is taken from.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openCore } from "@/core.ts";
import { openFile } from "../support/database.ts";
import {
  cleanUp,
  confab,
  executable,
  founding,
  json,
  newFolder,
  surroundings,
} from "../support/executable.ts";
import { filed, type Members, tarred, unflagged, zipped } from "../support/imports/archives.ts";
import { mattermostExport, mattermostLines } from "../support/imports/mattermost.ts";
import { imported, refusal } from "../support/imports/outcome.ts";
import { slackExport } from "../support/imports/slack.ts";
import { zulipExport } from "../support/imports/zulip.ts";

afterAll(() => cleanUp());

const named = ["--org", "Crew"];
const ts = "1600000700.000100";
const channelName = "général-общий-日本";

/** An export with a channel and a file whose names are not ASCII. */
function international(): Members {
  const channels = slackExport()["channels.json"] as object[];
  const file = { id: "F7", name: "Résumé 日本.txt", mode: "hosted", url_private: "https://x.example/F7" };
  return {
    ...slackExport(),
    "channels.json": [
      ...channels,
      { id: "C7", name: channelName, created: 1, creator: "U1", members: ["U1"] },
    ],
    [`${channelName}/2020-09-13.json`]: [{ type: "message", user: "U1", ts, text: "Bonjour", files: [file] }],
    "__uploads/F7/Résumé 日本.txt": "content of F7",
  };
}

const decomposed = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, content]) => [name.normalize("NFD"), content]));

describe("names of members", () => {
  test.each<[string, () => Promise<string>]>([
    ["in UTF-8 that says so", () => zipped(join(newFolder(), "a.zip"), international())],
    [
      "in UTF-8 that does not say so",
      async () => unflagged(await zipped(join(newFolder(), "a.zip"), international())),
    ],
    [
      "that are decomposed, as on a Mac",
      async () => unflagged(await zipped(join(newFolder(), "a.zip"), decomposed(international()))),
    ],
    [
      "that are decomposed, in a tar archive",
      () => tarred(join(newFolder(), "a.tar.gz"), decomposed(international()), "."),
    ],
    ["that are decomposed, in a folder", async () => filed(newFolder(), decomposed(international()))],
  ])("%s are found by those in the lists", async (_, pack) => {
    const { report, document } = await imported("slack", await pack(), { args: named });
    const channel = document.channels.find(({ name }) => name === channelName);
    const received = document.messages.filter(({ channel_id }) => channel_id === channel?.id);
    expect(received.map(({ content }) => content)).toEqual([expect.stringContaining("Bonjour")]);
    expect(String(received[0]?.content)).toContain("[Résumé 日本.txt](/user_uploads/");
    expect([report.files, report.not_read]).toEqual([2, ["integration_logs.json"]]);
  });

  test("that are no UTF-8 are read as the standard says, and named if nothing refers to them", async () => {
    const archive = unflagged(
      await zipped(join(newFolder(), "a.zip"), { ...slackExport(), "XX/2020-09-13.json": "[]" }),
    );
    const bytes = readFileSync(archive);
    for (let at = bytes.indexOf("XX/2020"); at >= 0; at = bytes.indexOf("XX/2020", at + 1))
      bytes.set([0x81, 0x82], at);
    writeFileSync(archive, bytes);
    const { report } = await imported("slack", archive, { args: named });
    expect(report.not_read).toEqual(["integration_logs.json", "üé/2020-09-13.json"]);
  });
});

describe("every file of an export", () => {
  const cases: [string, () => Members, Members, (members: Members) => Promise<string>][] = [
    [
      "slack",
      slackExport,
      {
        "canvases/F9.html": "<p>",
        "unlisted/2020-09-13.json": "[]",
        "general/notes.txt": "x",
        "__uploads/F99/left.txt": "x",
        "emoji/readme.txt": "not a picture",
      },
      (members) => zipped(join(newFolder(), "a.zip"), members),
    ],
    [
      "zulip",
      zulipExport,
      { "analytics.json": "{}", "uploads/1/zz/orphan.txt": "x", "messages-000009.json.partial": "{}" },
      (members) => tarred(join(newFolder(), "a.tar.gz"), members, "."),
    ],
    [
      "mattermost",
      mattermostExport,
      { "data/20200101/orphan.bin": "x", "readme.txt": "x", "._import.jsonl": "of a Mac" },
      (members) => zipped(join(newFolder(), "a.zip"), members),
    ],
  ];

  test.each(cases)(
    "of %s is read, or named as not read; also in a dry run, and in a folder",
    async (source, whole, more, pack) => {
      const contents = { ...whole(), ...more };
      const isKnown = (path: string) => path !== "emoji/readme.txt";
      const data = join(newFolder(), "data");
      const options = source === "slack" ? named : [];
      const archive = await pack(contents);
      const tried = await json<{ not_read: string[] }>([
        "import",
        source,
        archive,
        "--dry-run",
        "--data",
        data,
      ]);
      const { report } = await imported(source, archive, { args: options });
      expect(report.not_read).toEqual(tried.not_read);
      expect(report.not_read).toEqual(expect.arrayContaining(Object.keys(more).filter(isKnown)));
      const none = await json<{ not_read: string[] }>(["import", source, await pack(whole()), "--dry-run"]);
      expect(report.not_read).toEqual([...none.not_read, ...Object.keys(more).filter(isKnown)].sort());
      const { stdout } = await confab(["import", source, archive, "--dry-run", "--data", data]);
      expect(stdout).toContain("Files in the export that were not read:\n");
      for (const path of Object.keys(more).filter(isKnown)) expect(stdout).toContain(`\n  ${path}\n`);

      const folder = await filed(newFolder(), contents);
      const { report: unpacked } = await imported(source, folder, { args: options });
      const { seconds: _, ...same } = report;
      expect(unpacked).toMatchObject(same);
      for (const [name, content] of Object.entries(contents)) {
        if (typeof content === "string") expect(readFileSync(join(folder, name), "utf8")).toBe(content);
      }
    },
  );

  test("that is in the archive twice is named, and the first one is read", async () => {
    const first = [{ type: "message", user: "U1", ts, text: "The first" }];
    const second = [{ type: "message", user: "U1", ts, text: "The second" }];
    const day = "général/2020-09-20.json";
    const general = { id: "C7", name: "général", members: ["U1"] };
    const contents = {
      ...slackExport(),
      "channels.json": [general],
      [day]: first,
      [day.normalize("NFD")]: second,
    };
    const { report, document } = await imported("slack", await zipped(join(newFolder(), "a.zip"), contents), {
      args: named,
    });
    expect(document.messages.map(({ content }) => content)).toContain("The first");
    expect(report.not_read).toContain(`${day} (2)`);
  });

  test("that is a link in an unpacked folder is named, and not followed", async () => {
    const folder = await filed(newFolder(), slackExport());
    symlinkSync("/etc/hostname", join(folder, "general", "2020-09-30.json"));
    const { report } = await imported("slack", folder, { args: named });
    expect(report.not_read).toContain("general/2020-09-30.json");
  });
});

describe("the folder of an unpacked export", () => {
  test("is refused if the data folder is in it, and nothing is made there", async () => {
    const folder = await filed(newFolder(), slackExport());
    const before = readdirSync(folder);
    const link = join(newFolder(), "link");
    symlinkSync(folder, link);
    for (const data of [folder, join(folder, "confab-data"), join(link, "new", "data")]) {
      for (const more of [[], ["--dry-run"]])
        expect(await refusal(["slack", folder, ...named, "--data", data, ...more])).toContain(
          "is in the export, which would change with it: name another data folder with --data.",
        );
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each(["slack", "confab"])("is not deleted if it is where %s is imported", async (source) => {
    const data = newFolder();
    const folder = await filed(join(data, "import", "mine"), slackExport());
    const file = source === "slack" ? folder : join(folder, "users.json");
    const error = await refusal([source, file, "--data", data]);
    expect(error).toContain(`Move ${file} elsewhere first`);
    expect(existsSync(join(folder, "users.json"))).toBe(true);
  });

  test("is the same export after the system has added files of its own", async () => {
    const folder = await filed(newFolder(), { ...slackExport(), "general/.DS_Store": "one" });
    const { data } = await imported("slack", folder, { args: named });
    await filed(folder, {
      ".DS_Store": "x",
      "general/.DS_Store": "another",
      ".git/HEAD": "x",
      "Thumbs.db": "x",
    });
    expect(await refusal(["slack", folder, "--data", data])).toContain("This export was imported on");
    await filed(folder, { "general/2020-12-24.json": "[]" });
    const again = await json<{ messages: number }>(["import", "slack", folder, "--data", data]);
    expect(again.messages).toBeGreaterThan(0);
  });

  test("may hold uploads whose names begin with a dot", async () => {
    const file = { id: "F7", name: ".env", mode: "hosted", url_private: "https://x.example/F7" };
    const contents = {
      ...slackExport(),
      "general/2020-09-20.json": [{ type: "message", user: "U1", ts, text: "See", files: [file] }],
      "__uploads/F7/.env": "content of F7",
    };
    const { report } = await imported("slack", await filed(newFolder(), contents), { args: named });
    expect([report.files, report.not_read]).toEqual([2, ["integration_logs.json"]]);
  });
});

const isRoot = process.getuid?.() === 0;
/** Root may read everything. */
const asNobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const canForbid = process.platform !== "win32" && (!isRoot || Bun.which("setpriv") !== null);

describe.skipIf(!canForbid)("an export that may not be read", () => {
  test.each<[string, string, string]>([
    ["a file", "slack", "general/2020-09-13.json"],
    ["a folder", "slack", "general"],
    ["the archive", "slack", ""],
    ["the document", "confab", ""],
  ])("names %s that cannot be read, also in a dry run", async (what, source, path) => {
    const [folder, data] = [newFolder(), newFolder()];
    for (const one of [folder, data]) chmodSync(one, 0o777);
    const isUnpacked = path !== "";
    if (isUnpacked) await filed(folder, slackExport());
    else writeFileSync(join(folder, "export"), what);
    const forbidden = join(folder, path || "export");
    chmodSync(forbidden, 0);
    for (const more of [[], ["--dry-run"]]) {
      const file = isUnpacked ? folder : forbidden;
      const args = ["import", source, file, "--data", data, ...more];
      const child = Bun.spawn([...asNobody, ...executable, ...args], {
        env: surroundings(),
        stderr: "pipe",
      });
      const [status, text] = [await child.exited, await new Response(child.stderr).text()];
      expect([status, text]).toEqual([1, `confab: ${forbidden} cannot be read: no permission to read it.\n`]);
      expect(existsSync(join(data, "import"))).toBe(false);
    }
    chmodSync(forbidden, 0o700);
  });
});

test("an export with very many files that are not read names a number of them, and says how many more there are", async () => {
  const folder = await filed(newFolder(), slackExport());
  for (let nth = 0; nth < 1100; nth++) writeFileSync(join(folder, `more-${nth}`), "");
  const report = await json<{ not_read: string[] }>(["import", "slack", folder, "--dry-run"]);
  expect(report.not_read).toHaveLength(1001);
  // With integration_logs.json.
  expect(report.not_read.at(-1)).toBe("and 101 more files and folders");
});

describe("an export that is not quite as usual", () => {
  test("has numbers as text, and text as numbers", async () => {
    const channels = slackExport()["channels.json"] as object[];
    const general = { ...channels[0], created: "1498401043", is_archived: "false" };
    const contents: Members = {
      ...slackExport(),
      "channels.json": [general, ...channels.slice(1)],
      "general/2020-09-14.json": [
        {
          ...{ type: "message", user: "U1", ts: 1600000700.0001, text: "Build" },
          attachments: [{ title: 7, fields: [{ title: "Time", value: 3 }] }],
          files: [{ id: "F8", name: 8, created: "", mode: "tombstone" }],
        },
      ],
    };
    const { document } = await imported("slack", await zipped(join(newFolder(), "a.zip"), contents), {
      args: named,
    });
    expect(document.channels[0]).toMatchObject({
      name: "general",
      date_created: 1_498_401_043,
      is_archived: false,
    });
    expect(document.messages.map(({ content }) => String(content))).toContainEqual(
      expect.stringContaining("**Time**: 3"),
    );
    const wrong = { ...contents, "channels.json": [{ ...general, created: "yesterday" }] };
    const error = await refusal([
      "slack",
      await zipped(join(newFolder(), "b.zip"), wrong),
      ...named,
      "--data",
      newFolder(),
    ]);
    expect(error).toContain("0.created in channels.json is not a number");
  });

  test("of Zulip and Mattermost has times as text", async () => {
    const realm = zulipExport()["realm.json"] as { zerver_stream: object[] };
    const streams = realm.zerver_stream.map((one) => ({ ...one, date_created: "1500000000.5" }));
    const zulip = { ...zulipExport(), "realm.json": { ...realm, zerver_stream: streams } };
    const { document } = await imported("zulip", await tarred(join(newFolder(), "a.tar.gz"), zulip));
    expect(document.channels[0]?.date_created).toBe(1_500_000_000);
    const text = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (key, given) => (key.endsWith("_at") ? String(given) : given)));
    const lines = mattermostExport((text(mattermostLines()) as unknown[]) ?? []);
    const { report } = await imported("mattermost", await zipped(join(newFolder(), "b.zip"), lines));
    const usual = await imported("mattermost", await zipped(join(newFolder(), "c.zip"), mattermostExport()));
    expect(report.messages).toBe(usual.report.messages);
  });

  test("has no address: says how to begin, and is imported after that", async () => {
    const users = (slackExport()["users.json"] as { profile?: object }[]).map(({ profile, ...one }) => ({
      ...one,
      profile: { ...profile, email: undefined },
    }));
    const archive = await zipped(join(newFolder(), "a.zip"), { ...slackExport(), "users.json": users });
    const data = newFolder();
    const sentence = "no address of anybody";
    const error = await refusal(["slack", archive, ...named, "--data", data]);
    expect(error).toContain(sentence);
    expect(error).toContain("confab init --org NAME --owner-email EMAIL --owner-name NAME");
    const tried = await json<{ remarks: string[] }>([
      "import",
      "slack",
      archive,
      ...named,
      "--dry-run",
      "--data",
      data,
    ]);
    expect(tried.remarks).toEqual([expect.stringContaining(sentence)]);
    await json(["init", ...founding, "--data", data]);
    const { report } = await imported("slack", archive, { data });
    expect([report.people, report.known_people]).toEqual([5, 0]);
  });

  test("of Zulip counts votes in polls among what is lost", async () => {
    const vote = { id: 1, message: 1, sender: 1, msg_type: "widget", content: "{}" };
    const realm = zulipExport()["realm.json"] as object;
    const contents = { ...zulipExport(), "realm.json": { ...realm, zerver_submessage: [vote, vote, vote] } };
    const { report } = await imported("zulip", await tarred(join(newFolder(), "a.tar.gz"), contents));
    expect(report.lost).toContainEqual({
      what: "votes and other changes in polls and to-do lists",
      count: 3,
    });
  });

  test("of Confab is a document, not a folder", async () => {
    const folder = newFolder();
    for (const more of [[], ["--dry-run"]]) {
      const error = await refusal(["confab", folder, ...more, "--data", join(folder, "data")]);
      expect(error).toContain(`${folder} is a folder; name the JSON document`);
    }
  });
});

test("an import where a first start has made only a database asks for what is missing, and leaves nothing", async () => {
  const data = newFolder();
  await openCore(data).close();
  const archive = await zipped(join(newFolder(), "a.zip"), slackExport());
  expect(await refusal(["slack", archive, "--data", data])).toContain("name it with --org");
  expect(existsSync(join(data, "import"))).toBe(false);
  expect((await imported("slack", archive, { data, args: named })).report.people).toBe(5);
});

describe("import --dry-run without an organization", () => {
  const folders: Record<string, (data: string) => void> = {
    "in a folder that does not exist": () => {},
    "in an empty folder": (data) => mkdirSync(data),
    "where a first start has only begun": (data) => {
      mkdirSync(data);
      writeFileSync(join(data, "confab.beginning"), "");
      const database = openFile(join(data, "confab.db"));
      database.run("CREATE TABLE other (id INTEGER PRIMARY KEY)");
      database.close();
    },
  };
  test.each(Object.keys(folders))("%s says what would be imported, and changes nothing", async (where) => {
    const data = join(newFolder(), "data");
    folders[where]?.(data);
    const before = existsSync(data) ? readdirSync(data) : null;
    const archive = await zipped(join(newFolder(), "a.zip"), slackExport());
    const report = await json(["import", "slack", archive, "--dry-run", "--data", data]);
    expect(report).toMatchObject({ people: 5, matches: [], dry_run: true });
    expect(report.remarks).toEqual([
      "The export does not contain the organization's name: name it with --org.",
    ]);
    expect(existsSync(data) ? readdirSync(data) : null).toEqual(before);
  });
});
