import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { version } from "../../package.json";
import { jsonHere, runHere } from "../support/command-line.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  founding,
  inTerminal,
  json,
  newFolder,
  type Server,
  serve,
} from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/waiting.ts";

interface Account extends Credentials {
  user_id: number;
  full_name: string;
  role: string;
}

const key = expect.stringMatching(/^[A-Za-z0-9]{32}$/);

let seed: string;
let olive: Account;
let mel: Account;

beforeAll(async () => {
  seed = newFolder();
  olive = (await jsonHere<{ owner: Account }>(["init", "--data", seed, ...founding])).owner;
  mel = await jsonHere<Account>([
    "user",
    "create",
    "--data",
    seed,
    "--email",
    "mel@example.com",
    "--name",
    "Mel",
  ]);
});

afterEach(() => cleanUp(seed));
afterAll(() => cleanUp());

/** Commands on the test's own organization, with Olive, its owner, and Mel, a member. */
function organization() {
  const dataDir = newFolder(seed);
  const at = ["--data", dataDir];
  return {
    dataDir,
    run: (...args: string[]) => runHere([...args, ...at]),
    json: <T = Record<string, unknown>>(...args: string[]) => jsonHere<T>([...args, ...at]),
    piped: (input: string, ...args: string[]) => runHere([...args, ...at], input),
  };
}

const refusal = (status: number, sentence: string) => ({
  status,
  stdout: "",
  stderr: `confab: ${sentence}\n`,
});

describe("confab", () => {
  test("prints its version", async () => {
    // Includes the commit of the build, if known.
    const { status, stdout, stderr } = await confab(["--version"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.replace(/ \([0-9a-f]{12}\+?\)/, "")).toBe(`${version}\n`);
  });

  test("lists every command in its help", async () => {
    const { status, stdout } = await confab(["--help"]);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?) /gm)].map((match) => match[1]);
    expect({ status, listed }).toMatchObject({
      status: 0,
      listed: expect.arrayContaining([
        "serve",
        "init",
        "user create",
        "bot list",
        "channel create",
        "message send",
      ]),
    });
  });

  test("explains a command, with examples", async () => {
    const asked = await confab(["help", "user", "create"]);
    expect(asked.stdout).toBe((await runHere(["user", "create", "--help"])).stdout);
    expect(asked.stdout).toMatch(
      /Usage: confab user create .*--role <ROLE>.*--data <DIR>.*Examples:\n {2}confab user/s,
    );
  });

  test("shows its help if no command is given", async () => {
    expect(await confab([])).toMatchObject({ status: 2, stdout: "" });
    expect((await confab(["user"])).stderr).toContain("Usage: confab user|users <command>");
  });

  test.each([
    [
      "an unknown command",
      ["usr", "list"],
      "unknown command 'usr' (Did you mean user?). See 'confab --help'.",
    ],
    [
      "an unknown verb",
      ["user", "lst"],
      "unknown command 'lst' (Did you mean list?). See 'confab user --help'.",
    ],
    [
      "an unknown option",
      ["user", "list", "--al"],
      "unknown option '--al' (Did you mean --as?). See 'confab user list --help'.",
    ],
    [
      "an option left out",
      ["user", "create", "--name", "Ada"],
      "--email is missing. See 'confab user create --help'.",
    ],
    [
      "an argument left out",
      ["user", "show"],
      "missing required argument 'EMAIL'. See 'confab user show --help'.",
    ],
    [
      "an invalid value",
      ["user", "create", "--email", "ada", "--name", "Ada"],
      "--email: Enter a valid email address. See 'confab user create --help'.",
    ],
    [
      "what would not stay on its line",
      ["user", "lst\n\u001b[2J"],
      "unknown command 'lst  [2J'. See 'confab user --help'.",
    ],
    [
      "an unknown role",
      ["user", "list", "--role", "boss"],
      "--role must be one of: owner, admin, moderator, member, guest. See 'confab user list --help'.",
    ],
    [
      "who acts, where nobody does",
      ["init", "--as", "a@b.c", ...founding],
      "this command does not take --as. See 'confab init --help'.",
    ],
  ])("refuses %s", async (_, args, sentence) => {
    expect(await runHere(args)).toEqual(refusal(2, sentence));
  });

  test("refuses an invalid value from the environment", async () => {
    expect(await confab(["serve"], { env: { CONFAB_PORT: "http" } })).toEqual(
      refusal(2, "CONFAB_PORT: a port must be a number from 1 to 65535. See 'confab serve --help'."),
    );
    expect(await confab(["serve"], { env: { CONFAB_WEB_PUBLIC_CHANNELS: "perhaps" } })).toEqual(
      refusal(2, "CONFAB_WEB_PUBLIC_CHANNELS: must be true or false. See 'confab serve --help'."),
    );
  });

  test("refuses a folder without an organization, and creates none", async () => {
    const missing = join(newFolder(), "nothing");
    const { status, stdout, stderr } = await confab(["user", "list"], { env: { CONFAB_DATA: missing } });
    expect({ status, stdout, made: existsSync(missing) }).toEqual({ status: 1, stdout: "", made: false });
    expect(stderr).toStartWith(`confab: There is no organization in ${missing}; name its folder`);
  });

  test("says why a data folder cannot be used", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    const sentence = `the data folder ${file} cannot be used: it is a file, not a folder. Name another one with --data.`;
    expect(await confab(["serve", "--data", file])).toEqual(refusal(1, sentence));
    expect(await runHere(["init", "--data", file, ...founding])).toEqual(refusal(1, sentence));
  });

  test.skipIf(process.getuid?.() === 0)("says so if the folder belongs to another user", async () => {
    const { dataDir } = organization();
    const run = (command: string) => confab([command, "--data", dataDir]);
    chmodSync(dataDir, 0);
    const sentence = `no permission to read ${dataDir}; run this as the user that the server runs as, for example with 'sudo -u confab'.`;
    for (const command of ["stats", "config", "doctor", "serve"])
      expect(await run(command)).toMatchObject(refusal(1, sentence));
    chmodSync(dataDir, 0o700);
    expect(await run("stats")).toMatchObject({ status: 0 });
  });

  test("acts as the user of --as, with their permissions", async () => {
    const { run } = organization();
    expect(
      await run("user", "create", "--email", "ada@example.com", "--name", "Ada", "--as", mel.email),
    ).toEqual(refusal(1, "Must be an organization administrator"));
    expect(await run("user", "list", "--as", "nobody@example.com")).toEqual(
      refusal(1, "There is no active user with the address nobody@example.com."),
    );
  });

  test("prints no control characters that were typed", async () => {
    expect(await organization().run("user", "list", "--as", "a\n\u001b[2Jb")).toEqual(
      refusal(1, "There is no active user with the address a [2Jb."),
    );
    expect(await organization().run("user", "list", "--as", "a\u202eb\u2066c")).toEqual(
      refusal(1, "There is no active user with the address a b c."),
    );
  });

  test("prints no control or direction characters of names", async () => {
    const { run } = organization();
    const name = "sales\u061cgnp.exe";
    expect(await run("channel", "create", name)).toMatchObject({
      stdout: expect.stringContaining("sales gnp.exe"),
    });
    const { stdout } = await run("channel", "list");
    expect(stdout).toContain("sales gnp.exe");
    expect(stdout).not.toContain("\u061c");
    const document = (await run("channel", "list", "--json")).stdout;
    expect(document).not.toContain("\u061c");
    expect(JSON.parse(document)).toMatchObject([{ name }]);
  });
});

describe("init", () => {
  test("creates the organization and shows the owner's key", async () => {
    const dataDir = newFolder();
    expect(await json(["init", "--data", dataDir, ...founding])).toEqual({
      organization: { name: "Crew", string_id: "", date_created: expect.any(Number) },
      owner: { user_id: 1, email: "olive@example.com", full_name: "Olive", role: "owner", api_key: key },
    });
  });

  test("prints text without --json", async () => {
    const { stdout } = await confab(["init", "--data", newFolder(), ...founding]);
    expect(stdout).toMatch(/^Created the organization Crew, owned by Olive\.\n/);
    expect(stdout).toMatch(/API key {2}[A-Za-z0-9]{32}\n/);
  });

  test.each(["init", "serve"])("'%s' creates it in the language that --language names", async (command) => {
    const data = newFolder();
    const language = ["--language", "de"];
    if (command === "init") await jsonHere(["init", "--data", data, ...founding, ...language]);
    const first = ["--owner-email", "olive@example.com", ...language];
    const server = await serve(data, command === "serve" ? first : [], { welcomes: true });
    const { email } = await jsonHere<{ email: string }>(["user", "show", "1", "--data", data]);
    const rotate = ["user", "api-key", email, "--rotate", "--yes", "--data", data];
    const { api_key } = await jsonHere<{ api_key: string }>(rotate);
    const ask = async (path: string, params = {}) =>
      (await call(server, { email, api_key }, ["GET", path], params)).body;

    const { streams } = (await ask("/streams")) as { streams: { name: string }[] };
    const newest = { anchor: "newest", num_before: "20", num_after: "0", apply_markdown: "false" };
    const { messages } = (await ask("/messages", newest)) as { messages: { content: string }[] };
    expect(streams.map(({ name }) => name)).toEqual(["allgemein"]);
    expect(messages.map(({ content }) => content)).toContainEqual(
      expect.stringMatching(/^Hallo und willkommen bei /),
    );
  });

  test("refuses a language that there is not", async () => {
    expect(await runHere(["init", "--data", newFolder(), ...founding, "--language", "nl"])).toEqual(
      refusal(2, "--language must be one of: en, ar, de, es, fr, ja. See 'confab init --help'."),
    );
  });

  test("refuses a folder that already holds one", async () => {
    expect(await organization().run("init", ...founding)).toEqual(
      refusal(1, "This data folder already holds an organization."),
    );
  });
});

describe("user", () => {
  test("create adds a person and shows their key", async () => {
    const { json } = organization();
    const ada = await json(
      "user",
      "create",
      "--email",
      "ada@example.com",
      "--name",
      "Ada",
      "--role",
      "admin",
    );
    expect(ada).toEqual({
      user_id: expect.any(Number),
      email: "ada@example.com",
      full_name: "Ada",
      role: "admin",
      api_key: key,
    });
    expect(await json<Account[]>("user", "list")).toMatchObject([
      { email: olive.email, role: "owner", is_active: true },
      { email: mel.email, role: "member", is_active: true },
      { email: "ada@example.com", role: "admin", is_active: true },
    ]);
  });

  test("create refuses a taken address", async () => {
    expect(await organization().run("user", "create", "--email", mel.email, "--name", "Mel Two")).toEqual(
      refusal(1, "Email 'mel@example.com' already in use"),
    );
  });

  test("list aligns its columns", async () => {
    const [head, first, second] = (await organization().run("user", "list")).stdout.split("\n");
    expect(head).toMatch(/^ID +EMAIL +NAME +ROLE +KIND +STATE +LAST ACTIVE$/);
    expect(first?.indexOf("Olive")).toBe(head?.indexOf("NAME") ?? -1);
    expect(second?.indexOf("Mel")).toBe(head?.indexOf("NAME") ?? -1);
  });

  test("show prints one user and refuses an unknown one", async () => {
    const { run, json } = organization();
    expect(await json("user", "show", mel.email)).toMatchObject({
      user_id: mel.user_id,
      role: "member",
      is_bot: false,
    });
    expect((await run("user", "show", mel.email)).stdout).toMatch(/^Email +mel@example.com$/m);
    expect(await run("user", "show", "nobody@example.com")).toEqual(
      refusal(1, "There is no user with the address 'nobody@example.com'."),
    );
  });

  test("role changes a role, except that of the last owner", async () => {
    const { run } = organization();
    expect(await run("user", "role", mel.email, "moderator")).toMatchObject({
      status: 0,
      stdout: "Mel is moderator now.\n",
    });
    expect(await run("user", "role", olive.email, "member")).toEqual(
      refusal(1, "The owner permission cannot be removed from the only organization owner."),
    );
  });

  test("deactivate and reactivate end and restore an account", async () => {
    const { run, json } = organization();
    expect(await json("user", "deactivate", mel.email, "--yes")).toMatchObject({
      changed: [{ is_active: false }],
    });
    expect(await run("user", "deactivate", mel.email, "--yes")).toEqual(
      refusal(1, "User is already deactivated"),
    );
    expect(await json("user", "reactivate", mel.email)).toMatchObject({ changed: [{ is_active: true }] });
  });

  test("api-key never shows the old key", async () => {
    const { status, stdout, stderr } = await organization().run("user", "api-key", mel.email);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^confab: A key is shown once, .*--rotate.*\n$/);
  });

  test("never print what could control a terminal: in questions, in tables, or as JSON", async () => {
    const { dataDir, run, json } = organization();
    const topic = "a\u202egnp.exe";
    await json("channel", "create", "party");
    await json("channel", "subscribe", "party", mel.email);
    await json("message", "send", "cake\u009b2J", "--to", "party", "--topic", topic, "--as", mel.email);
    const deletion = ["channel", "delete-topic", "party", topic, "--data", dataDir];
    const answers = [["[y/N] ", "n"]] as const;
    const { seen, status } = await inTerminal(deletion, { columns: 200, answers });
    expect(seen).toContain("This deletes 1 message of #party > a gnp.exe for everyone. Go on? [y/N]");
    expect([seen.includes("\u202e"), status]).toEqual([false, 1]);
    for (const listing of [
      ["channel", "topics", "party"],
      ["message", "list", "--channel", "party"],
    ]) {
      const printed = await run(...listing);
      const document = await run(...listing, "--json");
      expect([printed.status, document.status]).toEqual([0, 0]);
      expect(printed.stdout + document.stdout).not.toMatch(/[\u202e\u009b]/);
      expect(printed.stdout).toContain("a gnp.exe");
      expect(JSON.stringify(JSON.parse(document.stdout))).toContain(topic);
    }
  });

  test("list fits the terminal's width, and is bold only in a terminal", async () => {
    const { dataDir, run } = organization();
    await run("user", "create", "--email", "a.very.long.address@example.com", "--name", "A Very Long Name");
    const { seen } = await inTerminal(["user", "list", "--data", dataDir], { columns: 70 });
    const [head = "", ...rows] = seen.trimEnd().split("\n");
    expect(head).toMatch(/^\x1b\[1mID .*LAST ACTIVE\x1b\[22m$/);
    expect(rows.every((row) => row.length <= 70 && /active +never$/.test(row))).toBe(true);
    expect(rows.at(-1)).toContain("…");
    expect((await run("user", "list")).stdout).toContain("a.very.long.address@example.com  A Very Long Name");
  });

  test("password asks twice in a terminal, without echo", async () => {
    const { dataDir } = organization();
    const ask = (second: string) => {
      const answers = [
        ["Password: ", "correct horse"],
        ["once more: ", second],
      ] as const;
      return inTerminal(["user", "password", mel.email, "--data", dataDir], { columns: 80, answers });
    };
    expect(await ask("correct horse")).toEqual({
      status: 0,
      seen: "Password: \nPassword, once more: \nMel has a new password.\n",
    });
    expect(await ask("wrong horse")).toEqual({
      status: 1,
      seen: "Password: \nPassword, once more: \nconfab: The two entries differ: nothing was changed.\n",
    });
  });

  test("password is read only from standard input", async () => {
    const { run, piped } = organization();
    expect(await run("user", "password", mel.email, "correct horse")).toMatchObject({ status: 2 });
    expect(await piped("short", "user", "password", mel.email)).toEqual(
      refusal(1, "A password has at least 6 characters."),
    );
    const ann = ["--email", "ann@example.com", "--name", "Ann", "--password-stdin"];
    for (const command of [
      ["user", "password", mel.email],
      ["user", "create", ...ann],
    ]) {
      for (const input of [
        "correct horse\nbattery staple\n",
        "correct horse\r\nbattery",
        "correct horse\n\n",
      ]) {
        expect(await piped(input, ...command)).toEqual(
          refusal(1, "Password: standard input holds several lines, but this is one. Nothing was changed."),
        );
      }
      expect(await piped("correct\0horse\n", ...command)).toEqual(
        refusal(1, "A password is one line, without characters that nobody can type."),
      );
    }
    expect(await piped("correct horse\n", "user", "password", mel.email)).toEqual({
      status: 0,
      stdout: "Mel has a new password.\n",
      stderr: "",
    });
  });

  test("an easily guessed password is refused unless the operator insists", async () => {
    const { run, json, piped } = organization();
    const advice =
      "This password is easy to guess. Choose a longer one, such as a few unrelated words. " +
      "--allow-weak-password accepts it anyway.";
    const ann = ["--email", "ann@example.com", "--name", "Ann", "--password-stdin"];
    expect(await piped("123456\n", "user", "password", mel.email)).toEqual(refusal(1, advice));
    expect(await piped(`${mel.email}\n`, "user", "password", mel.email)).toEqual(refusal(1, advice));
    expect(await piped("123456\n", "user", "create", ...ann)).toEqual(refusal(1, advice));
    expect((await run("user", "list")).stdout).not.toContain("ann@");

    const insisting = "--allow-weak-password";
    expect(await piped("123456\n", "user", "password", mel.email, insisting)).toMatchObject({ status: 0 });
    expect(await piped("123456\n", "user", "create", ...ann, insisting)).toMatchObject({ status: 0 });
    expect(await json<Account[]>("user", "list")).toContainEqual(
      expect.objectContaining({ full_name: "Ann" }),
    );
    expect(await piped("1234\n", "user", "password", mel.email, insisting)).toEqual(
      refusal(1, "A password has at least 6 characters."),
    );
  });
});

describe("bot", () => {
  test("create adds a bot with an owner", async () => {
    const { json } = organization();
    const bot = await json("bot", "create", "--name", "Build Bot", "--owner", mel.email);
    expect(bot).toMatchObject({
      email: expect.stringMatching(/^build-bot@/),
      full_name: "Build Bot",
      api_key: key,
      bot_owner_id: mel.user_id,
    });
    expect(await json<Account[]>("bot", "list")).toMatchObject([
      { full_name: "Build Bot", bot_owner_email: mel.email },
    ]);
  });

  test("create requires a short name if none can be made of the name", async () => {
    expect(await organization().run("bot", "create", "--name", "建設")).toEqual(
      refusal(
        2,
        "--short-name is required if the name has no Latin letters. See 'confab bot create --help'.",
      ),
    );
  });
});

describe("channel", () => {
  test("create subscribes the acting user, or the named ones", async () => {
    const { json } = organization();
    await json("channel", "create", "design", "--description", "Looks");
    await json("channel", "create", "board", "--private", "--subscribe", olive.email, mel.email);
    expect(await json<object[]>("channel", "list")).toEqual([
      {
        channel_id: expect.any(Number),
        name: "design",
        description: "Looks",
        invite_only: false,
        is_archived: false,
        folder: null,
        folder_id: null,
        subscriber_count: 1,
      },
      expect.objectContaining({ name: "board", invite_only: true, subscriber_count: 2 }),
    ]);
  });

  test("create refuses a taken name", async () => {
    const { run } = organization();
    await run("channel", "create", "design");
    expect(await run("channel", "create", "Design")).toEqual(refusal(1, "Channel 'Design' already exists"));
  });

  test("subscribe adds people", async () => {
    const { run } = organization();
    await run("channel", "create", "design");
    expect((await run("channel", "subscribe", "design", mel.email)).stdout).toBe(
      "design has 2 subscribers now.\n",
    );
    expect(await run("channel", "subscribe", "nothing", mel.email)).toMatchObject({ status: 1, stdout: "" });
  });
});

describe("message send", () => {
  test("writes to a channel, to people, and from standard input", async () => {
    const { run, json, piped } = organization();
    await run("channel", "create", "design");
    const { id } = await json<{ id: number }>("message", "send", "--to", "design", "--topic", "hue", "Blue.");
    expect(await json("message", "send", "--to", `${mel.email},${olive.email}`, "Lunch?")).toEqual({
      id: id + 1,
    });
    expect(await piped("a\nb\n", "message", "send", "--to", "design", "--topic", "hue", "-")).toMatchObject({
      stdout: `Sent message ${id + 2}.\n`,
    });
  });

  test("refuses a channel without a topic, an unknown user, and empty content", async () => {
    const { run, piped } = organization();
    expect(await run("message", "send", "--to", "design", "Blue.")).toEqual(
      refusal(
        2,
        "--topic is required for a message to a channel ('' for general chat). See 'confab message send --help'.",
      ),
    );
    expect(await run("message", "send", "--to", "nobody@example.com", "Hi")).toMatchObject({
      status: 1,
      stdout: "",
    });
    expect(await piped("", "message", "send", "--to", mel.email, "-")).toEqual(
      refusal(1, "Message must not be empty"),
    );
  });
});

describe("serve", () => {
  test("creates the organization on its first run, and shows a command to try", async () => {
    const server = await serve(newFolder());
    const { stdout } = server.printed();
    expect(stdout).toStartWith(`Confab is ready at ${server.url}\n`);
    const [, email, api_key] = /curl -sS -u '(owner@localhost):([A-Za-z0-9]{32})' \S+/.exec(stdout) ?? [];
    expect(
      await call(server, { email: `${email}`, api_key: `${api_key}` }, ["GET", "/users/me"]),
    ).toMatchObject({
      status: 200,
      body: { email: "owner@localhost", full_name: "Owner", is_owner: true },
    });
  });

  test.skipIf(!Bun.which("curl") || !Bun.which("sh"))("shows a line that works as it is pasted", async () => {
    const server = await serve(newFolder(), [
      "--owner-email",
      "o'brien@example.com",
      "--owner-name",
      "O'Brien",
    ]);
    const line = server.printed().stdout.match(/^ *(curl .*)$/m)?.[1] ?? "";
    const { stdout } = Bun.spawnSync(["sh", "-c", line]);
    expect(JSON.parse(stdout.toString())).toMatchObject({ result: "success", full_name: "O'Brien" });
  });

  test("warns if it is reached at an unknown address, and answers each client with theirs", async () => {
    const data = newFolder(seed);
    const server = await serve(data, ["--host", "0.0.0.0"]);
    const { stdout } = server.printed();
    expect(stdout).toContain(`Warning: links in invitations and emails lead to ${server.url}`);
    const answer = await fetch(`http://localhost:${server.port}/api/v1/server_settings`);
    expect(await answer.json()).toMatchObject({ realm_url: `http://localhost:${server.port}` });
    const { link } = JSON.parse(
      (await runHere(["invite", "link", "--json", "--as", olive.email, "--data", data])).stdout,
    );
    expect(link).toStartWith(server.url);
    const { stdout: shown, stderr: remark } = await runHere([
      "invite",
      "link",
      "--as",
      olive.email,
      "--data",
      data,
    ]);
    expect([shown.trim().split("\n").length, remark]).toEqual([
      1,
      expect.stringContaining("only works on the server's own machine"),
    ]);
    await server.end("SIGTERM");
    expect(server.printed().stderr).toContain('"links_lead_to"');
  });

  test("warns behind a proxy too, and answers with the address that the proxy was asked", async () => {
    const server = await serve(newFolder(seed), ["--trusted-proxy", "127.0.0.1"]);
    expect(server.printed().stdout).toContain(
      `Warning: links in invitations and emails lead to ${server.url}`,
    );
    const headers = { "x-forwarded-host": "chat.lan", "x-forwarded-proto": "https" };
    const answer = await fetch(`${server.url}/api/v1/server_settings`, { headers });
    expect(await answer.json()).toMatchObject({ realm_url: "https://chat.lan" });
    await server.end("SIGTERM");
  });

  test("prints only its address on later runs", async () => {
    const server = await serve(newFolder(seed), ["--site", "https://chat.example.com/"]);
    expect(server.printed().stdout).toBe("Confab is ready at https://chat.example.com\n");
    expect(await call(server, olive, ["GET", "/server_settings"])).toMatchObject({
      body: { realm_name: "Crew", realm_url: "https://chat.example.com" },
    });
  });

  test("allows web-public channels if set", async () => {
    const server = await serve(newFolder(seed), ["--web-public-channels"]);
    const asked = { fetch_event_types: JSON.stringify(["realm"]) };
    expect(await call(server, olive, ["POST", "/register"], asked)).toMatchObject({
      body: { server_web_public_streams_enabled: true },
    });
  });

  test("prints one JSON document with --json, and its log elsewhere", async () => {
    const server = await serve(newFolder(), ["--json", "--org", "Crew"]);
    await server.end("SIGTERM");
    const { stdout, stderr } = server.printed();
    expect(JSON.parse(stdout)).toEqual({
      login_link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/login\/link\/\w{32}$/),
      site: server.url,
      organization: { name: "Crew", string_id: "", date_created: expect.any(Number) },
      owner: { user_id: 1, email: "owner@localhost", full_name: "Owner", role: "owner", api_key: key },
    });
    const lines = stderr.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ event: "request", operation: "get-server-settings", status: 200 }),
    );
  });

  test("lets other commands know its address", async () => {
    const { dataDir, json } = organization();
    await (await serve(dataDir, ["--site", "https://chat.example.com"])).end("SIGTERM");
    expect(await json("bot", "create", "--name", "Bolt")).toMatchObject({
      email: "bolt-bot@chat.example.com",
    });
  });

  test("refuses a taken port before it creates a key", async () => {
    const dataDir = newFolder();
    const port = await freePort();
    const holder = createServer().listen(port, "127.0.0.1");
    const refused = await confab(["serve", "--data", dataDir, "--port", String(port)]);
    await new Promise((resolve) => holder.close(resolve));
    const sentence = `port ${port} of 127.0.0.1 is taken; stop what uses it, or choose another with --port.`;
    expect(refused).toEqual(refusal(1, sentence));
    expect((await serve(dataDir)).printed().stdout).toContain("API key");
  });

  test("refuses a folder in use, and takes it over from a killed server", async () => {
    const dataDir = newFolder(seed);
    const first = await serve(dataDir);
    const second = await confab(["serve", "--data", dataDir, "--port", String(await freePort())]);
    expect({ status: second.status, stdout: second.stdout }).toEqual({ status: 1, stdout: "" });
    expect(second.stderr).toMatch(/^confab: process \d+ serves .* already; stop it first/);

    await first.end("SIGKILL");
    const third = await serve(dataDir);
    expect(await call(third, olive, ["GET", "/users/me"])).toMatchObject({ status: 200 });
  });
});

describe("a stopping server", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "answers open polls on %s and leaves one file",
    async (signal) => {
      const dataDir = newFolder(seed);
      const server = await serve(dataDir);
      const { answer } = await poll(server, mel, ["message"]);
      await json(["user", "role", olive.email, "owner", "--data", dataDir]);

      expect(await server.end(signal)).toBe(0);
      expect(await answer).toMatchObject({ status: 200, body: { result: "success", events: [] } });
      const wal = statSync(join(dataDir, "confab.db-wal"), { throwIfNoEntry: false });
      expect(wal?.size ?? 0).toBe(0);
      expect(existsSync(join(dataDir, "confab.pid"))).toBe(false);
    },
  );
});

describe("a server that gets two stop signals", () => {
  test("keeps running on SIGHUP without a certificate", async () => {
    const { dataDir } = organization();
    const server = await serve(dataDir);
    server.signal("SIGHUP");
    await Bun.sleep(100);
    expect(await call(server, olive, ["GET", "/users/me"])).toMatchObject({ status: 200 });
    expect(await server.end("SIGTERM")).toBe(0);
  });

  test("stops at once on a second signal, even with pending requests", async () => {
    const server = await serve(newFolder(seed));
    const slow = connect(server.port, "127.0.0.1").on("error", () => {});
    slow.write("POST /api/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n");
    await reached(server);
    server.end("SIGTERM");
    const isClosed = () =>
      fetch(`${server.url}/health`).then(
        () => false,
        () => true,
      );
    await until(isClosed, "the server takes no connections");
    // It waits for the request, unless it gets another signal.
    expect(await server.end("SIGTERM")).toBe(128 + 15);
    slow.destroy();
  });
});

describe("while a server runs", () => {
  test("a new user, channel and message reach a waiting client", async () => {
    const { dataDir, run } = organization();
    const server = await serve(dataDir);

    const users = await poll(server, mel, ["realm_user"]);
    await run("user", "create", "--email", "ada@example.com", "--name", "Ada");
    expect(await users.events()).toMatchObject([
      { type: "realm_user", op: "add", person: { full_name: "Ada" } },
    ]);

    const channels = await poll(server, mel, ["stream"]);
    await run("channel", "create", "design", "--subscribe", mel.email);
    expect(await channels.events()).toMatchObject([
      { type: "stream", op: "create", streams: [{ name: "design" }] },
    ]);

    const messages = await poll(server, mel, ["message"]);
    await run("message", "send", "--to", "design", "--topic", "hue", "Blue.");
    expect(await messages.events()).toMatchObject([
      { type: "message", message: { sender_email: olive.email, subject: "hue", content: "Blue." } },
    ]);
  });

  test("rotating a key ends the old one at once", async () => {
    const { dataDir, json } = organization();
    const server = await serve(dataDir);
    const fresh = await json<Account>("user", "api-key", mel.email, "--rotate", "--yes");
    expect(await call(server, fresh, ["GET", "/users/me"])).toMatchObject({ status: 200 });
    expect(await call(server, mel, ["GET", "/users/me"])).toMatchObject({ status: 401 });
  });

  test("a password opens the account it was set for", async () => {
    const { dataDir, piped } = organization();
    const server = await serve(dataDir);
    for (const [password, ...insisting] of [
      ["correct horse"],
      ["123456", "--allow-weak-password"],
    ] as const) {
      await piped(`${password}\n`, "user", "password", mel.email, ...insisting);
      const login = { username: mel.email, password };
      expect(await call(server, mel, ["POST", "/fetch_api_key"], login)).toMatchObject({ status: 200 });
    }
  });
});

/** Resolves once the server has read what was sent to it before, over whatever connection. */
async function reached(server: Server): Promise<void> {
  for (let i = 0; i < 3; i++) await call(server, olive, ["GET", "/users/me"]);
}

/** A client that waits for events of these types. */
async function poll(server: Server, who: Credentials, types: readonly string[]) {
  const { body } = await call(server, who, ["POST", "/register"], { event_types: JSON.stringify(types) });
  const queue = { queue_id: String(body.queue_id), last_event_id: "-1" };
  const answer = call(server, who, ["GET", "/events"], queue);
  await reached(server);
  return { answer, events: async () => (await answer).body.events };
}
