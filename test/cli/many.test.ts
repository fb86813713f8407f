// Many people at once, and following messages: `user import`, `user delete`, `message list` and `message tail`, on the
// executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../support/command-line.ts";
import {
  call,
  cleanUp,
  executable,
  type Founded,
  newFolder,
  newOrganization,
  serve,
  surroundings,
} from "../support/executable.ts";

let founded: Founded;
let folder = "";
const { json, text, refused, run } = commandLine(() => founded.data);

beforeAll(async () => {
  founded = await newOrganization();
  folder = newFolder();
});
afterAll(() => cleanUp());

function csv(content: string | Buffer): string {
  const file = join(folder, `${Bun.randomUUIDv7()}.csv`);
  writeFileSync(file, content);
  return file;
}
const addresses = async () =>
  ((await json(["user", "list"])) as { email: string }[]).map(({ email }) => email);

describe("user import", () => {
  test("adds everybody with a key; reads quotes, roles, Windows line breaks and a byte-order mark", async () => {
    const file = csv(
      '\uFEFFEmail,Full name,Role\r\nzoe@example.com,"Ott, Zoë",Admin\r\n\r\nyan@example.com,"Li, Yan",\r\n',
    );
    expect(await text(["user", "import", file, "--dry-run"])).toBe(
      "2 people can be added. Nobody was, yet.\n",
    );
    expect(await addresses()).not.toContain("zoe@example.com");
    expect(await json(["user", "import", file])).toMatchObject({
      dry_run: false,
      count: 2,
      people: [
        { email: "zoe@example.com", full_name: "Ott, Zoë", role: "admin", api_key: expect.any(String) },
        { email: "yan@example.com", full_name: "Li, Yan", role: "member" },
      ],
    });
    const piped = await run(["user", "import", "-"], "email,name\nxia@example.com,Xia\n");
    expect(piped).toMatchObject({ status: 0, stdout: "Added one person.\n" });
  });

  test.each([
    ["name\nMel", "Line 1: the column 'email' is missing"],
    [
      "email;name\na@example.com;A",
      "Line 1: unknown column 'email;name'; the columns are email, name, role, channels and groups",
    ],
    ["email,name,email\na@example.com,A,b@example.com", "Line 1: a column is named twice"],
    ["email,name\n", "holds nobody"],
    ["", "holds nobody"],
    ["email,name\na@example.com,A\nb@example.com", "line 3"],
    ['email,name\na@example.com,"A', "line 2"],
    ["email,name,role\na@example.com,Ada,king", "line 2: role"],
    ["email,name\nnonsense,Ada\nb@example.com,", "line 2: email"],
    ["email,name\na@example.com,Ada\nA@example.com,Bea", "line 3: A@example.com is on line 2 already"],
    ['email,name\na@example.com,"Ada"\n\nolive@example.com,Olive', "line 4: olive@example.com: Email"],
  ])("refuses %j as a whole", async (content, sentence) => {
    const before = await addresses();
    expect(await refused(["user", "import", csv(content)], 1)).toContain(sentence);
    expect(await refused(["user", "import", csv(content), "--dry-run"], 1)).toContain(sentence);
    expect(await addresses()).toEqual(before);
  });

  test("refuses members, missing files and files that are not text", async () => {
    const file = csv("email,name\nw@example.com,Will");
    expect(await refused(["user", "import", file, "--as", "yan@example.com"], 1)).toContain("administrator");
    expect(await refused(["user", "import", join(folder, "absent.csv")], 1)).toContain("There is no file");
    expect(await refused(["user", "import", folder], 1)).toContain(`${folder} is not a file.`);
    const large = csv("x".repeat(4_000_001));
    expect(await refused(["user", "role", "guest", "--file", large, "--yes"], 1)).toContain(
      "is larger than the maximum of 4.0 MB.",
    );
    await refused(["user", "import", csv(Buffer.from([0xff, 0xfe, 0, 1, 2]))], 1);
  });

  test("subscribes all but guests to the default channels, with one event", async () => {
    await json(["channel", "create", "arrivals"]);
    await json(["default", "add-channel", "arrivals"]);
    const server = await serve(founded.data);
    const { body } = await call(server, founded.owner, ["POST", "/register"], {
      event_types: '["subscription"]',
    });
    const { queue_id } = body as { queue_id: string };
    const rows = "ann@example.com,Ann,\nben@example.com,Ben,moderator\neve@example.com,Eve,guest\n";
    const { people } = (await json(["user", "import", csv(`email,name,role\n${rows}`)])) as {
      people: { user_id: number }[];
    };
    const newcomers = people.slice(0, 2).map((one) => one.user_id);
    const query = { queue_id, last_event_id: "-1" };
    const { body: received } = await call(server, founded.owner, ["GET", "/events"], query);
    const { events } = received as { events: { op: string; user_ids: number[] }[] };
    expect(events.map(({ op, user_ids }) => [op, user_ids])).toEqual([["peer_add", newcomers]]);
    const subscribers = (await json(["channel", "subscribers", "arrivals"])) as { email: string }[];
    expect(subscribers.map(({ email }) => email)).toEqual([
      "olive@example.com",
      "ann@example.com",
      "ben@example.com",
    ]);
    await server.end("SIGTERM");
  });

  test("brings people into the channels and groups of their lines, besides the default channels", async () => {
    for (const name of ["site", "plans"]) await json(["channel", "create", name, "--private"]);
    await json(["channel", "create", "hall"]);
    await json(["default", "add-channel", "hall"]);
    await json(["channel", "create", "old"]);
    await json(["channel", "archive", "old", "--yes"]);
    await json(["group", "create", "engineers"]);
    await json(["group", "create", "gone"]);
    await json(["group", "deactivate", "gone", "--yes"]);
    const before = await addresses();
    const wrong = csv(
      "email,name,channels,groups\nfay@example.com,Fay,site;nowhere;old,engineers\nguy@example.com,Guy,,gone;nobody;role:members\n",
    );
    for (const trial of [[], ["--dry-run"]])
      expect(await refused(["user", "import", wrong, ...trial], 1)).toBe(
        "confab: Nobody was added: line 2: There is no channel named 'nowhere'; line 2: The channel 'old' is archived; " +
          "line 3: The group 'gone' is deactivated; line 3: There is no user group named 'nobody'; " +
          "line 3: role:members: System groups follow from roles and cannot be changed.\n",
      );
    expect(await addresses()).toEqual(before);

    const file = csv(
      "email,name,role,channels,groups\nfay@example.com,Fay,,Site; plans ;site,Engineers\nguy@example.com,Guy,guest,plans,\n",
    );
    await text(["user", "import", file, "--dry-run"]);
    expect(await addresses()).toEqual(before);
    expect(await text(["user", "import", file])).toBe("Added 2 people.\n");
    const members = async (channel: string) =>
      ((await json(["channel", "subscribers", channel])) as { email: string }[]).map(({ email }) => email);
    expect(await members("site")).toEqual(["olive@example.com", "fay@example.com"]);
    expect(await members("plans")).toEqual(["olive@example.com", "fay@example.com", "guy@example.com"]);
    expect(await members("hall")).toContain("fay@example.com");
    expect(await json(["group", "show", "engineers"])).toMatchObject({
      all_members: ["fay@example.com"],
    });
  });
});

describe("user delete", () => {
  test("closes the account as the API does, after confirmation, and mails only if the server sends mail", async () => {
    expect(await refused(["user", "delete", "xia@example.com"], 2)).toContain("Add --yes to confirm");
    const commented = ["user", "delete", "xia@example.com", "--comment", "Bye", "--yes"];
    expect(await refused(commented, 1)).toContain("sends no mail");
    expect(await json(["user", "delete", "xia@example.com", "--yes"])).toMatchObject({ is_active: false });
    expect(await refused(["user", "delete", "olive@example.com", "--yes"], 1)).toContain("owner");
    expect(
      await refused(["user", "delete", "zoe@example.com", "--yes", "--as", "yan@example.com"], 1),
    ).toContain("administrator");
  });
});

describe("message list", () => {
  const sent: number[] = [];
  beforeAll(async () => {
    await json(["channel", "create", "design"]);
    for (const [topic, content] of [
      ["colours", "Blue"],
      ["lunch", "Noon?"],
      ["colours", "Green"],
    ] as const) {
      const to = ["--to", "design", "--topic", topic];
      sent.push(((await json(["message", "send", ...to, content])) as { id: number }).id);
    }
  });
  const contents = async (...more: string[]) =>
    ((await json(["message", "list", ...more])) as { content: string }[]).map(({ content }) => content);

  test("lists the newest first, by channel, topic and sender, and page by page", async () => {
    expect(await contents("--channel", "design")).toEqual(["Green", "Noon?", "Blue"]);
    expect(await contents("--channel", "design", "--topic", "colours")).toEqual(["Green", "Blue"]);
    expect(await contents("--channel", "design", "--from", "yan@example.com")).toEqual([]);
    expect(await contents("--channel", "design", "--limit", "1")).toEqual(["Green"]);
    expect(await contents("--channel", "design", "--before", String(sent[1]))).toEqual(["Blue"]);
    expect(await contents("--channel", "design", "--after", String(sent[0]))).toEqual(["Green", "Noon?"]);
    expect(await contents("--channel", "design", "--after", String(sent[0]), "--limit", "1")).toEqual([
      "Noon?",
    ]);
    expect(await refused(["message", "list", "--before", "1", "--after", "2"], 2)).toContain("choose one");
    expect(await refused(["message", "list", "--channel", "nowhere"], 1)).toContain("nowhere");
  });

  test("and tail shows them oldest first, then new ones as they come", async () => {
    const args = ["message", "tail", "--channel", "design", "--topic", "colours"];
    const seen = (await json(args)) as { content: string }[];
    expect(seen.map(({ content }) => content)).toEqual(["Blue", "Green"]);
    expect(await text([...args, "--limit", "1"])).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}olive@example\.com {2}#design > colours\n {4}Green\n$/,
    );
    const follow = [...args, "--limit", "1", "--follow", "--json", "--data", founded.data];
    const child = Bun.spawn([...executable, ...follow], { env: surroundings(), stdout: "pipe" });
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let out = (await reader.read()).value ?? "";
    await json(["message", "send", "--to", "design", "--topic", "lunch", "Later"]);
    await json(["message", "send", "--to", "design", "--topic", "colours", "Red"]);
    while (out.trim().split("\n").length < 2) out += (await reader.read()).value ?? "";
    const lines = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { content: string }).content);
    expect(lines).toEqual(["Green", "Red"]);
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
  });
});
