// Commands about people, bots, profiles, personal settings and the running server's queues, on the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { allCommands } from "@cli/loaders.ts";
import { generateSync } from "otplib";
import { commandLine, runHere } from "../support/command-line.ts";
import {
  type Credentials,
  call,
  cleanUp,
  json as made,
  newFolder,
  type Server,
  serve,
} from "../support/executable.ts";
import { until } from "../support/waiting.ts";

let data = "";
const { json, text, refused, used } = commandLine(() => data);

beforeAll(async () => {
  data = newFolder();
  await json(["init", "--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"]);
  for (const name of ["Mel", "Max"]) {
    await json(["user", "create", "--email", `${name.toLowerCase()}@example.com`, "--name", name]);
  }
});
afterAll(() => cleanUp());

let started: Promise<Server> | null = null;
/** The server of this folder; started by the first test that needs it, and again if it has ended. */
function served(): Promise<Server> {
  started = started === null ? serve(data) : started.then((server) => server.revived());
  return started;
}

describe("user address", () => {
  test("shows and sets whether an address is proved; who is added at the machine has proved theirs", async () => {
    expect(await json(["user", "address", "mel@example.com"])).toMatchObject({
      email: "mel@example.com",
      address_proof: { kind: "operator" },
    });
    expect(await text(["user", "address", "mel@example.com", "--unproved"])).toBe(
      "The address mel@example.com is not proved.\n",
    );
    expect(await text(["user", "show", "mel@example.com"])).toMatch(/^Address +not proved$/m);
    expect(await text(["user", "address", "mel@example.com", "--proved"])).toMatch(
      /^The address mel@example\.com is proved by the operator of the server on \d{4}-\d\d-\d\d\.\n$/,
    );
    expect(await json(["user", "show", "mel@example.com"])).toMatchObject({
      address_proof: { kind: "operator" },
    });
    const both = ["user", "address", "mel@example.com", "--proved", "--unproved"];
    expect(await refused(both, 2)).toContain("choose one");
    const listed = (await json(["audit", "--limit", "2"])) as { event: string }[];
    expect(listed.slice(0, 2).map(({ event }) => event)).toEqual([
      "user_address_proved",
      "user_address_unproved",
    ]);
  });
});

describe("user sessions", () => {
  test("lists where a person is signed in, and ends one or all", async () => {
    const server = await served();
    const signIn = async () => {
      const { url } = (await json(["user", "login-link", "mel@example.com"])) as { url: string };
      expect(url).toStartWith(`${server.url}/login/link/`);
      const headers = { "user-agent": "Mozilla/5.0 (Macintosh; Mac OS X) Version/26.0 Safari/605.1" };
      const answer = await fetch(url, { method: "POST", headers });
      const [cookie = ""] = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
      return async () => (await fetch(`${server.url}/json/users/me`, { headers: { cookie } })).status;
    };
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    expect(await first()).toBe(200);
    const listed = ["user", "sessions", "mel@example.com"];
    const { ended, sessions } = (await json(listed)) as { ended: number | null; sessions: { id: number }[] };
    expect([ended, sessions.length]).toEqual([null, 3]);
    expect(sessions[0]).toMatchObject({ device: "Safari on macOS", address: "127.0.0.1" });
    expect(await text(listed)).toMatch(
      /^ID +DEVICE +ADDRESS +SIGNED IN +LAST SEEN +ENDS\n\d+ +Safari on macOS/,
    );

    const id = Math.min(...sessions.map((one) => one.id));
    expect(await text([...listed, "--end", String(id), "--yes"])).toBe("One session has ended.\n");
    expect([await first(), await second(), await third()]).toEqual([401, 200, 200]);
    expect(await refused([...listed, "--end", String(id), "--yes"], 1)).toContain("No such session");
    expect(await text([...listed, "--end-all", "--yes"])).toBe("2 sessions have ended.\n");
    expect([await second(), await third()]).toEqual([401, 401]);
    expect(await text(listed)).toBe("mel@example.com is not signed in in any browser.\n");
    expect(await refused([...listed, "--end", "1", "--end-all"], 2)).toContain("choose one");
  });
});

describe("user keys", () => {
  test("lists a person's keys with their last use, and ends one or all, also at the running server", async () => {
    const { url } = await served();
    const { api_key } = (await json([
      "user",
      "api-key",
      "max@example.com",
      "--rotate",
      "--yes",
    ])) as Credentials;
    const headers = { authorization: `Basic ${btoa(`max@example.com:${api_key}`)}` };
    const status = async () => (await fetch(`${url}/api/v1/users/me`, { headers })).status;
    expect(await status()).toBe(200);

    const listed = ["user", "keys", "max@example.com"];
    const { ended, keys } = (await json(listed)) as { ended: number | null; keys: { id: number }[] };
    expect([ended, keys.length]).toEqual([null, 1]);
    expect(keys[0]).toMatchObject({ kind: "program", device: "" });
    expect(await text(listed)).toMatch(/^ID +FOR +MADE +LAST USED\n\d+ +programs +\d{4}-/);
    expect(await refused([...listed, "--end", "99999"], 1)).toContain("No such key");
    expect(await refused([...listed, "--end", "1", "--end-all"], 2)).toContain("choose one");
    expect(await status()).toBe(200);

    expect(await text([...listed, "--end", String(keys[0]?.id), "--yes"])).toBe("One key has ended.\n");
    expect(await status()).toBe(401);
    expect(await text(listed)).toBe("max@example.com has no API keys.\n");
    expect(await text(["audit", "--limit", "1"])).toContain("user_keys_ended");
  });
});

describe("user reset-link", () => {
  test("prints a link for a new password", async () => {
    const { stdout, stderr } = await runHere(["user", "reset-link", "max@example.com", "--data", data]);
    expect(stderr).toContain("only works on the server's own machine");
    expect(stdout).toMatch(/^http\S+\/password\/reset\/\w{32}\n\nIt works once, within an hour\.\n$/);
    const { url } = (await json(["user", "reset-link", "max@example.com"])) as { url: string };
    expect(url).toMatch(/^http\S+\/password\/reset\/\w{32}$/);
    expect(await refused(["user", "reset-link", "nobody@example.com"], 1)).toStartWith("confab: ");
  });
});

describe("user two-step", () => {
  test("shows and resets a person's two-step sign-in", async () => {
    const { email, api_key } = (await json([
      "user",
      "api-key",
      "mel@example.com",
      "--rotate",
      "--yes",
    ])) as Credentials;
    const { url } = await served();
    const headers = { authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
    const post = async (path: string, params: Record<string, string> = {}) => {
      const body = new URLSearchParams(params);
      return (await fetch(url + path, { method: "POST", headers, body })).json();
    };
    const { secret } = (await post("/api/v1/users/me/two_step")) as { secret: string };
    const code = generateSync({ secret });
    expect(await post("/api/v1/users/me/two_step/confirm", { code })).toMatchObject({ result: "success" });
    const shown = ["user", "two-step", email];
    expect(await text(shown)).toBe("Two-step sign-in is on for mel@example.com.\n");

    // A backup contains it; an export, which is meant to be passed on, does not.
    const folder = newFolder();
    const [archive, document, restored] = ["b.tar.gz", "e.json", "restored"].map((name) =>
      join(folder, name),
    );
    await runHere(["backup", archive ?? "", "--data", data]);
    expect((await runHere(["restore", archive ?? "", "--data", restored ?? ""])).status).toBe(0);
    expect((await runHere([...shown, "--data", restored ?? ""])).stdout).toContain("is on for");
    await runHere(["export", "organization", document ?? "", "--data", data]);
    const exported = await Bun.file(document ?? "").text();
    expect(exported).toContain(email);
    for (const hidden of [secret, "recovery"]) expect(exported).not.toContain(hidden);

    expect(await json([...shown, "--reset", "--yes"])).toEqual({ email, is_on: false });
    expect(await refused([...shown, "--reset", "--yes"], 1)).toContain("Mel does not use two-step sign-in.");
    expect(await refused(["user", "two-step", "nobody@example.com"], 1)).toStartWith("confab: ");
  });
});

describe("user login-link", () => {
  test("prints a link that works once", async () => {
    const { stdout, stderr } = await runHere(["user", "login-link", "max@example.com", "--data", data]);
    expect(stderr).toContain("only works on the server's own machine");
    expect(stdout).toMatch(/^http\S+\/login\/link\/\w{32}\n\nIt works once, within an hour\.\n$/);
    expect(await refused(["user", "login-link", "nobody@example.com"], 1)).toStartWith("confab: ");
  });
});

describe("user", () => {
  test("create, list, show, update, role, deactivate, reactivate", async () => {
    const ada = await json(["user", "create", "--email", "ada@example.com", "--name", "Ada"]);
    expect(ada).toMatchObject({
      full_name: "Ada",
      role: "member",
      api_key: expect.stringMatching(/^\w{32}$/),
    });
    const id = String((ada as { user_id: number }).user_id);
    expect(await json(["user", "show", id])).toMatchObject({ email: "ada@example.com" });
    expect(await json(["user", "keys", id])).toMatchObject({ email: "ada@example.com" });
    expect(await refused(["user", "show", "999"], 1)).toContain("There is no user with the ID '999'");
    expect(await text(["user", "update", id, "--name", "Ada Byron"])).toBe(
      "ada@example.com is called Ada Byron now.\n",
    );
    expect(await text(["user", "update", "ada@example.com", "--email", "byron@example.com"])).toBe(
      "Ada Byron's address is now byron@example.com.\n",
    );
    expect(await json(["user", "role", "byron@example.com", "moderator"])).toMatchObject({
      changed: [{ role: "moderator" }],
    });
    expect(await json(["user", "deactivate", "byron@example.com", "--yes"])).toMatchObject({
      changed: [{ is_active: false }],
    });
    expect(await text(["user", "list", "--state", "deactivated"])).toMatch(
      /^ID .*\n\d+ +byron@example\.com +Ada Byron +moderator +person +deactivated +never\n$/,
    );
    expect(await json(["user", "reactivate", "byron@example.com"])).toMatchObject({
      changed: [{ is_active: true }],
    });
    expect(await json(["users", "list", "--role", "owner"])).toMatchObject([{ email: "olive@example.com" }]);
    const bots = (await json(["user", "list", "--kind", "bot"])) as { is_bot: boolean }[];
    expect(bots.every(({ is_bot }) => is_bot)).toBe(true);
    expect(await text(["user", "show", "byron@example.com"])).toMatch(/^Name +Ada Byron$/m);

    expect(await refused(["user", "update", "byron@example.com"], 2)).toContain("name a change");
    expect(
      await refused(["user", "update", "byron@example.com", "--email", "mel@example.com"], 1),
    ).toStartWith("confab: ");
    expect(await refused(["user", "update", "byron@example.com", "--name", " "], 2)).toContain("--name");
    expect(await refused(["user", "show", "nobody@example.com"], 1)).toContain("There is no user");
    const asMel = ["user", "deactivate", "max@example.com", "--yes", "--as", "mel@example.com"];
    expect(await refused(asMel, 1)).toContain("administrator");
    expect(await json(["user", "show", "byron@example.com"])).toMatchObject({ full_name: "Ada Byron" });
  });

  test("a new key or password replaces the old one", async () => {
    const { api_key } = (await json([
      "user",
      "api-key",
      "mel@example.com",
      "--rotate",
      "--yes",
    ])) as Credentials;
    expect(api_key).toMatch(/^\w{32}$/);
    expect(await refused(["user", "api-key", "mel@example.com"], 1)).toContain("add --rotate");
    expect(await json(["user", "password", "mel@example.com"], "long enough for anybody\n")).toMatchObject({
      email: "mel@example.com",
    });
    const short = await commandLine(() => data).run(["user", "password", "mel@example.com"], "x\n");
    expect([short.status, short.stdout]).toEqual([1, ""]);
  });
});

describe("profile-field", () => {
  test("create, list, update, reorder, delete; and people's values", async () => {
    expect(
      await json(["profile-field", "create", "Team", "--kind", "choice", "--option", "Design", "Support"]),
    ).toMatchObject({ name: "Team", kind: "choice", options: ["Design", "Support"], in_summary: false });
    await json(["profile-field", "create", "Mentor", "--kind", "people", "--editable", "false"]);
    await json(["profile-field", "create", "Job title", "--hint", "What you do", "--summary", "true"]);
    expect(await text(["profile-field", "list"])).toMatch(/^\d+ +Mentor +people +no +no +no$/m);

    const say = (field: string, value: string) => json(["user", "profile", "mel@example.com", field, value]);
    await say("team", "support");
    await say("Mentor", "olive@example.com, max@example.com");
    expect(await say("Job title", "Engineer")).toEqual({
      email: "mel@example.com",
      profile: { Team: "Support", Mentor: "olive@example.com, max@example.com", "Job title": "Engineer" },
    });
    expect(await text(["user", "show", "mel@example.com"])).toMatch(/^Team +Support$/m);

    const options = ["--option", "Support", "Engineering"];
    expect(await json(["profile-field", "update", "Team", "--name", "Crew", ...options])).toMatchObject({
      name: "Crew",
      options: ["Support", "Engineering"],
    });
    expect(await say("Crew", "Engineering")).toMatchObject({ profile: { Crew: "Engineering" } });
    expect(await say("Crew", "")).not.toHaveProperty("profile.Crew");
    expect(await json(["profile-field", "reorder", "Job title", "Crew"])).toMatchObject([
      { name: "Job title", hint: "What you do", in_summary: true },
      { name: "Crew" },
      { name: "Mentor" },
    ]);
    expect(await refused(["profile-field", "delete", "Mentor"], 2)).toContain("Add --yes to confirm");
    expect(await json(["profile-field", "delete", "mentor", "--yes"])).toMatchObject({ name: "Mentor" });
    expect(await json(["user", "show", "mel@example.com"])).toMatchObject({
      profile: { "Job title": "Engineer" },
    });

    expect(await refused(["user", "profile", "mel@example.com", "Mentor", "x"], 1)).toContain(
      "no profile field named 'Mentor'",
    );
    expect(await refused(["user", "profile", "mel@example.com", "Crew", "Sales"], 1)).toStartWith("confab: ");
    expect(await refused(["profile-field", "create", "Crew"], 1)).toStartWith("confab: ");
    expect(await refused(["profile-field", "create", "Age", "--kind", "number"], 2)).toContain(
      "must be one of: text",
    );
  });
});

describe("bot", () => {
  test("create, list, show, update, api-key, deactivate, reactivate", async () => {
    const build = (await json(["bot", "create", "--name", "Build Bot", "--owner", "mel@example.com"])) as {
      email: string;
      api_key: string;
    };
    expect(build.email).toStartWith("build-bot@");
    await json(["channel", "create", "builds", "--subscribe", "max@example.com", "olive@example.com"]);
    const changes = ["--name", "CI", "--owner", "max@example.com", "--channel", "builds"];
    expect(await json(["bot", "update", build.email, ...changes])).toMatchObject({
      full_name: "CI",
      kind: "generic",
      bot_owner_email: "max@example.com",
      default_sending_channel: "builds",
      url: null,
    });
    expect(await text(["bot", "show", build.email])).toMatch(/^Sends to +builds$/m);
    expect(await text(["bot", "list"])).toMatch(/ +CI +generic +max@example\.com +active$/m);
    const { api_key } = (await json(["bot", "api-key", build.email, "--rotate", "--yes"])) as Credentials;
    expect(api_key).not.toBe(build.api_key);
    expect(await json(["bot", "deactivate", build.email, "--yes"])).toMatchObject({ is_active: false });
    expect(await refused(["bot", "deactivate", build.email, "--yes"], 1)).toContain("already deactivated");
    expect(await text(["bot", "reactivate", build.email])).toBe("CI is active again.\n");

    expect(await refused(["bot", "api-key", build.email], 2)).toContain("add --rotate");
    expect(await refused(["bot", "show", "mel@example.com"], 1)).toContain("is not a bot");
    expect(await refused(["bot", "update", build.email, "--url", "https://example.com/"], 1)).toContain(
      "Only outgoing webhooks",
    );
    expect(
      await refused(["bot", "update", build.email, "--name", "CI2", "--channel", "nowhere"], 1),
    ).toContain("nowhere");
    expect(await json(["bot", "show", build.email])).toMatchObject({ full_name: "CI" });
  });

  test("one that posts to a URL shows where, how and with which token", async () => {
    const create = ["bot", "create", "--name", "Answers", "--kind", "outgoing"];
    expect(await refused(create, 1)).toContain("payload_url");
    const { email } = (await json([...create, "--url", "https://answers.example.com/a"])) as Credentials;
    expect(await json(["bot", "show", email])).toMatchObject({
      kind: "outgoing",
      url: "https://answers.example.com/a",
      format: "generic",
      token: expect.stringMatching(/^\w{32}$/),
    });
    expect(
      await json(["bot", "update", email, "--url", "https://answers.example.com/b", "--format", "slack"]),
    ).toMatchObject({ url: "https://answers.example.com/b", format: "slack" });
  });
});

test("the acting user's settings are listed and set", async () => {
  const asMel = ["--as", "mel@example.com"];
  expect(await json(["settings", "set", "twenty_four_hour_time", "true", ...asMel])).toEqual({
    name: "twenty_four_hour_time",
    value: true,
    words: "yes",
  });
  expect(await text(["settings", "list", ...asMel])).toMatch(/^twenty_four_hour_time +yes /m);
  expect(await text(["settings", "list"])).toMatch(/^twenty_four_hour_time +no /m);
  expect(await refused(["settings", "set", "color_scheme", "9"], 1)).toContain("color_scheme");
  expect(await refused(["settings", "set", "colour", "9"], 1)).toContain("There is no setting 'colour'");
});

describe("queue list", () => {
  test("shows the running server's queues", async () => {
    data = newFolder(data);
    expect(await refused(["queue", "list"], 1)).toContain("No server runs on");
    const server = await serve(data);
    const mel = await made<Credentials>([
      "user",
      "api-key",
      "mel@example.com",
      "--rotate",
      "--yes",
      "--data",
      data,
    ]);
    expect(await text(["queue", "list"])).toMatch(/^QUEUE +USER +STATE .*\n$/);

    const types = { event_types: '["realm_user","message"]' };
    const { body } = await call(server, mel, ["POST", "/register"], types);
    await json(["user", "update", "max@example.com", "--name", "Maximilian"]);
    const listed = async () => (await json(["queue", "list"])) as { waiting: number }[];
    await until(async () => (await listed())[0]?.waiting === 1, "the server has read the event");
    expect(await listed()).toEqual([
      {
        queue_id: body.queue_id as string,
        user_id: expect.any(Number),
        email: "mel@example.com",
        event_types: ["realm_user", "message"],
        waiting: 1,
        is_connected: false,
        last_connected: expect.any(Number),
      },
    ] as never);
    expect(await text(["queue", "list"])).toMatch(
      / mel@example\.com +away +[\d-]+ [\d:]+ +1 +realm_user, message$/m,
    );
    expect(await refused(["queue", "list", "--as", "mel@example.com"], 1)).toContain(
      "Must be an organization administrator",
    );
    await server.end("SIGTERM");
  });
});

test("every command on people is exercised here", async () => {
  // Two that are missing here are in test/cli/many.test.ts, two in test/operations/erasing-crash.test.ts.
  const here = /^(user (?!import$|delete$|erase$|delete-messages$)|(bot|profile-field|settings|queue) )/;
  const names = (await allCommands()).map(({ name }) => name).filter((name) => here.test(name));
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});
