// The console as an administrator uses it: every screen in a real terminal, at three sizes; each is used at one of them.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabaseOf } from "../support/database.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  executable,
  inTerminal,
  json,
  newFolder,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { png } from "../support/pictures.ts";
import { hasTmux, openTerminal, type Terminal } from "../support/tmux.ts";
import { until } from "../support/waiting.ts";

let olive: Credentials;
let organization: string;
/** The ID of a reported message. */
let reported: string;

beforeAll(async () => {
  organization = newFolder();
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  const made = await confab(["init", "--data", organization, "--org", "Ada & Co", ...owner, "--json"]);
  olive = JSON.parse(made.stdout).owner;
  writeFileSync(picture, png(64, 64));
  await fill();
});
afterAll(() => cleanUp());

const picture = join(newFolder(), "picture.png");

/** Content for each screen: a report, a waiting mail, a bot's waiting call. */
async function fill(): Promise<void> {
  const to = ["--data", organization];
  const max = await json<Credentials>([
    "user",
    "create",
    "--email",
    "max@example.com",
    "--name",
    "Max",
    ...to,
  ]);
  // No mail server listens on port 1.
  const server = await serve(organization, ["--smtp-url", "smtp://127.0.0.1:1"]);
  const post = async (path: string, params: Record<string, string>, who = olive) => {
    const { status, body } = await call(server, who, ["POST", path], params);
    expect({ path, status, body }).toMatchObject({ status: 200 });
    return String(body.id);
  };
  const { body: own } = await call(server, olive, ["GET", "/users/me"]);
  const subscribers = JSON.stringify([own.user_id]);
  await post("/channels/create", { name: "general", subscribers });
  const moderation = { name: "moderation", subscribers, invite_only: "true" };
  const moderation_request_channel_id = await post("/channels/create", moderation);
  await call(server, olive, ["PATCH", "/realm"], { moderation_request_channel_id });
  const pills = { type: "direct", to: JSON.stringify([olive.email]), content: "Buy pills, now" };
  reported = await post("/messages", pills, max);
  await post(`/messages/${reported}/report`, { report_type: "spam", description: "Again" });
  await post("/invites", { invitee_emails: "mona@example.com", stream_ids: "[]" });
  await server.end("SIGTERM");
  const url = "https://answers.example.com/hook";
  const bot = ["--name", "Answers", "--kind", "outgoing", "--url", url];
  const { email } = await json<Credentials>(["bot", "create", ...bot, ...to]);
  expect(await confab(["message", "send", "Are you there?", "--to", email, ...to])).toMatchObject({
    status: 0,
  });
}

interface Tour {
  /** The key of its screen. */
  key: string;
  title: string;
  /** The text typed into each field, in order; the last one saves. */
  create?: readonly string[];
  /** Closes the panel that shows a key once. */
  hasSecret?: boolean;
  /** The expected notice; by default, that the change can be undone. */
  said?: string;
  /** The filter that selects the created row. */
  find?: string;
  /** The keys to press in the form, the expected notice, and the key that opens the form. */
  edit?: readonly [keys: readonly string[], said: string | RegExp, opens?: string];
  /** What Enter shows. */
  opens?: RegExp;
  /** A key that acts at once, and the expected notice. */
  does?: readonly [key: string, said: string];
  remove?: readonly [question: string, said: string, key?: string];
}

const tours: readonly Tour[] = [
  {
    key: "1",
    title: "Overview",
    find: "reported",
    opens: /─ Reports {2}1/,
  },
  {
    key: "2",
    title: "Users",
    create: ["zed@example.com", "Zed Zimmer"],
    hasSecret: true,
    find: "zed",
    edit: [["Right"], "Changed the account of Zed Zimmer."],
    remove: ["Deactivate Zed Zimmer?", "Zed Zimmer is deactivated."],
  },
  {
    key: "3",
    title: "Bots",
    create: ["Build Bot", "build", "olive@example.com", "called", "https://hook.example.com"],
    hasSecret: true,
    find: "build",
    edit: [["2"], "Changed the bot Build Bot2."],
    remove: ["Deactivate Build Bot2?", "Build Bot2 is deactivated."],
  },
  {
    key: "6",
    title: "Channels",
    create: ["design", "How things look"],
    find: "design",
    edit: [["s"], "Changed the channel designs."],
    remove: ["Archive designs?", "designs is archived."],
  },
  {
    key: "8",
    title: "Folders",
    create: ["Projects", "What we build"],
    find: "Projects",
    edit: [["2"], "Changed the folder Projects2."],
    remove: ["Archive the folder Projects2?", "Projects2 is archived."],
  },
  {
    key: "4",
    title: "Groups",
    create: ["writers", "Who write"],
    find: "writers",
    edit: [["2"], "Changed the group writers2."],
    remove: ["Deactivate the group writers2?", "The group writers2 is deactivated."],
  },
  {
    key: "5",
    title: "Invitations",
    create: ["zoe@example.com"],
    said: "Invited zoe@example.com.",
    find: "zoe",
    remove: ["Revoke the invitation for zoe@example.com?", "Revoked the invitation for zoe@example.com."],
  },
  {
    key: "P",
    title: "Linkifiers",
    create: ["T-(?P<id>[0-9]+)", "https://example.com/{id}"],
    find: "T-",
    edit: [["Tab", "/", "x"], "Changed the linkifier T-(?P<id>[0-9]+)."],
    remove: ["Remove the linkifier T-(?P<id>[0-9]+)?", "Removed the linkifier"],
  },
  { key: "9", title: "Settings", find: "Name of the organization", edit: [["!"], "Changed name."] },
  { key: "0", title: "Defaults", find: "24-hour", edit: [["Right"], "Changed the default of"] },
  {
    key: "F",
    title: "Profile fields",
    create: [" ", "Team", "Where"],
    find: "Team",
    edit: [["2"], "Changed the field Team2."],
    remove: ["Remove the field Team2", "Removed the field Team2."],
  },
  {
    key: "C",
    title: "Channel groups",
    create: ["newcomers", "For all"],
    find: "newcomers",
    edit: [["2"], "Changed the group newcomers2."],
    remove: ["Remove the group newcomers2?", "Removed the group newcomers2."],
  },
  {
    key: "D",
    title: "Domains",
    create: ["example.org"],
    find: "example.org",
    edit: [["Right"], "Changed the domain example.org."],
    remove: ["Remove the domain example.org?", "Removed the domain example.org."],
  },
  {
    key: "T",
    title: "Retention",
    find: "organization",
    edit: [["C-u", "9", "0"], "Changed how long messages are kept."],
  },
  { key: "X", title: "Exports", create: [], said: "The export has been requested.", find: "public" },
  {
    key: "I",
    title: "Emoji, pictures",
    create: ["party", picture],
    find: "party",
    remove: ["Deactivate :party:?", ":party: is deactivated."],
  },
  {
    key: "I",
    title: "Emoji, pictures",
    find: "Icon",
    edit: [[...picture], "The organization has a new icon."],
  },
  {
    key: "S",
    title: "Sessions",
    find: "Olive",
    remove: ["Sign Olive out of all browsers?", "Ended 0 sessions of Olive.", "x"],
  },
  {
    key: "7",
    title: "Messages",
    create: ["general", "tea", "Two sugars"],
    find: "sugars",
    edit: [["!"], "The message is changed."],
    remove: ["Delete this message of Olive", "The message is deleted."],
  },
  { key: "L", title: "Log" },
  { key: "N", title: "Requests" },
  {
    key: "H",
    title: "Doctor",
    find: "Other users",
    remove: ["Let only this user read the data folder?", "Only this user can read the data folder now.", "x"],
  },
  { key: "B", title: "Backups" },
  {
    key: "Q",
    title: "Mail",
    find: "mona@example.com",
    does: ["t", "The running server tries the mail to mona@example.com again now."],
    remove: ["Discard the mail to mona@example.com", "Discarded the mail to mona@example.com."],
  },
  {
    key: "W",
    title: "Webhooks",
    find: "Answers",
    does: ["t", "The running server calls Answers again now."],
    remove: ["Discard the call of Answers", "Discarded the call of Answers."],
  },
  {
    key: "R",
    title: "Reports",
    find: "Spam",
    edit: [[..."Talked"], "Marked as handled.", "h"],
    does: ["h", "The report is open again."],
    remove: ["Deactivate Max?", "Max is deactivated.", "x"],
  },
  { key: "A", title: "Audit log", find: "realm changed" },
  { key: "E", title: "Events" },
];

/** Each console changes between these. */
const sizes = [
  [[80, 24]],
  [
    [200, 50],
    [120, 35],
  ],
] as const;

describe.skipIf(!hasTmux)("confab console, in tmux (skipped where there is none)", () => {
  test.concurrent.each(sizes.map((among, which) => ({ among, which })))(
    "shows everything, and changes every second thing, at $among",
    async ({ among, which }) => {
      const folder = newFolder(organization);
      chmodSync(folder, 0o755); // for the doctor
      const [[columns, rows]] = among;
      const terminal = openTerminal(["console", "--data", folder], { columns, rows });
      try {
        await terminal.sees("Overview");
        for (const [i, tour] of tours.entries()) {
          // Those that are toured come at both sizes, too.
          const [wide, high] = among[Math.floor(i / 2) % among.length] ?? among[0];
          terminal.resize(wide, high);
          await showScreen(terminal, tour, wide);
          if (i % 2 === which) await takeTour(terminal, tour);
        }
        terminal.press("q");
        await terminal.sees("Leave the console?");
        terminal.press("y");
        await terminal.sees("left with 0");
      } finally {
        terminal.close();
      }
    },
  );

  test.concurrent("filters the audit log, and asks before a shorter retention deletes messages", async () => {
    const folder = newFolder(organization);
    const database = openDatabaseOf(folder);
    const { changes } = database.run("UPDATE messages SET sent_at = sent_at - 2592000");
    database.close();
    expect(changes).toBeGreaterThan(1);
    const terminal = openTerminal(["console", "--data", folder], { columns: 160, rows: 50 });
    try {
      await terminal.sees("Overview");
      terminal.press("A", "f");
      await terminal.sees("Which entries to show");
      terminal.press("Tab");
      terminal.type("max@example.com");
      terminal.press("C-s");
      await terminal.sees("Showing entries about max@example.com.");
      await terminal.sees("user Max");
      terminal.press("T", "e");
      await terminal.sees("How long messages are kept");
      terminal.press("C-u", "7", "C-s");
      await terminal.sees(/\d+ messages in the organization are older than 7 days/);
      terminal.press("Tab", "Right", "C-s");
      await terminal.sees("Changed how long messages are kept.");
      terminal.press("C-c");
      await terminal.sees("left with 0");
    } finally {
      terminal.close();
    }
  });

  test.concurrent("shows what others do, and asks the running server", async () => {
    const folder = newFolder(organization);
    // The bot's complaint that nobody answers it would come at any time, and lie over what the test waits for.
    const database = openDatabaseOf(folder);
    expect(database.run("DELETE FROM webhook_calls").changes).toBe(1);
    database.close();
    const server = await serve(folder);
    const terminal = openTerminal(["console", "--data", folder], { columns: 80, rows: 24 });
    try {
      await terminal.sees("● server running");
      await terminal.sees("NEEDS ATTENTION");
      terminal.press("6");
      await terminal.sees(/─ Channels {2}2/);
      await call(server, olive, ["POST", "/channels/create"], { name: "news", subscribers: "[]" });
      await terminal.sees("news");
      await hearsEvents(terminal, server);
      await isCalm(server, folder);
      terminal.press("C-c");
      await terminal.sees("left with 0");
    } finally {
      terminal.close();
      await server.end("SIGTERM");
    }
  });

  test.concurrent("marks rows, follows mouse, size and server, and reads messages and log", async () => {
    const folder = newFolder(organization);
    const server = await serve(folder, ["--smtp-url", "smtp://127.0.0.1:1"]);
    const terminal = openTerminal(["console", "--data", folder], { columns: 80, rows: 24 });
    try {
      await call(server, olive, ["POST", "/channels/create"], { name: "news", subscribers: "[]" });
      for (const name of ["One", "Two", "Three"])
        await call(server, olive, ["POST", "/channel_folders/create"], { name, description: "" });
      await terminal.sees("● server running");
      await marksAndClicks(terminal);
      await followsOthers(terminal, server, folder);
      await fillsWhileResized(terminal, { columns: 160, rows: 50 });
      await readsAndBacksUp(terminal, server, folder);
      await server.end("SIGTERM");
      await terminal.sees("○ no server");
      const again = await serve(folder);
      await terminal.sees("● server running");
      await again.end("SIGTERM");
      terminal.press("C-c");
      await terminal.sees("left with 0");
    } finally {
      terminal.close();
      await server.end("SIGTERM");
    }
  });

  test.concurrent.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
  ])("uses colours if the environment allows them: %o", async (env, isColored) => {
    const terminal = openTerminal(["console", "--data", newFolder(organization)], {
      columns: 80,
      rows: 24,
      env,
    });
    try {
      await terminal.sees("? help");
      expect(/\x1b\[[\d;]*3[1-7]m/.test(terminal.looks())).toBe(isColored);
    } finally {
      terminal.close();
    }
  });

  test.concurrent("follows the window's size, and says when it is too small", async () => {
    const terminal = openTerminal(["console", "--data", newFolder(organization)], { columns: 80, rows: 24 });
    try {
      await terminal.sees("? help");
      terminal.resize(40, 12);
      await terminal.sees("Please make this window");
      terminal.resize(120, 40);
      const shown = (await terminal.sees("? help")).split("\n");
      expect(shown.some((line) => line.endsWith("╮") && line.length === 120)).toBe(true);
    } finally {
      terminal.close();
    }
  });
});

async function marksAndClicks(terminal: Terminal): Promise<void> {
  terminal.press("8");
  const shown = (await terminal.sees(/Folders {2}3/)).split("\n");
  terminal.press("Space", "Space");
  await terminal.sees("2 marked");
  terminal.press("d");
  await terminal.sees("Archive 2 at once: One, Two?");
  terminal.press("y");
  await terminal.sees("2 done:");
  terminal.press("u");
  await terminal.sees("Undone: 2 done:");
  terminal.press("g");
  await terminal.sees(/▸ +One/);
  const y = shown.findIndex((line) => line.includes("Three"));
  const x = shown[y]?.indexOf("Three") ?? 0;
  terminal.type(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);
  await terminal.sees(/▸ +Three/);
  terminal.press("Enter");
  await terminal.sees("Folders › Three");
  terminal.press("Escape");
}

/** A change by somebody else, and what the screen then shows without a key press. */
const doings: readonly (readonly [
  key: string,
  path: string,
  params: Record<string, string>,
  shown: string,
])[] = [
  [
    "2",
    "/users",
    { email: "nia@example.com", full_name: "Nia", password: "seven yellow kettles" },
    "nia@example.com",
  ],
  ["3", "/bots", { full_name: "Clock", short_name: "clock" }, "clock-bot@"],
  ["4", "/user_groups/create", { name: "cooks", description: "", members: "[]" }, "cooks"],
  ["5", "/invites/multiuse", {}, "anyone with the link"],
  [
    "C",
    "/default_stream_groups/create",
    { group_name: "start", description: "", stream_names: "[]" },
    "start",
  ],
  ["P", "/realm/filters", { pattern: "Z-(?P<n>[0-9]+)", url_template: "https://z.example/{n}" }, "z.example"],
  ["F", "/realm/profile_fields", { name: "Team", field_type: "1" }, "Team"],
  ["D", "/realm/domains", { domain: "example.net", allow_subdomains: "false" }, "example.net"],
  ["A", "/realm/domains", { domain: "example.com", allow_subdomains: "false" }, "example.com"],
  ["Q", "/invites", { invitee_emails: "nick@example.com", stream_ids: "[]" }, "nick@e"],
  ["7", "/messages", { type: "stream", to: "general", topic: "t", content: "Fresh bread" }, "Fresh bread"],
];

async function followsOthers(terminal: Terminal, server: Server, folder: string): Promise<void> {
  const shows = async (key: string) => {
    terminal.press(key);
    await terminal.sees(new RegExp(` ${key} \\S`));
  };
  const does = async (path: string, params: Record<string, string>) => {
    const { status, body } = await call(server, olive, ["POST", path], params);
    expect({ path, status, body }).toMatchObject({ status: 200 });
  };
  const runs = async (...args: string[]) =>
    expect(await confab([...args, "--data", folder])).toMatchObject({ status: 0 });
  for (const [key, path, params, shown] of doings) {
    await shows(key);
    await does(path, params);
    await terminal.sees(shown);
  }
  await shows("R");
  await terminal.sees(/─ Reports {2}1/);
  await does(`/messages/${reported}/report`, { report_type: "harassment", description: "And loud" });
  await terminal.sees(/─ Reports {2}2/);
  await shows("I");
  await terminal.sees(/:confab: .* server/);
  await runs("emoji", "add", "parrot", picture);
  await terminal.sees("parrot");
  await shows("W");
  const hook = ["--kind", "outgoing", "--url", "https://replies.example.com/hook"];
  const bot = await json<Credentials>(["bot", "create", "--name", "Replies", ...hook, "--data", folder]);
  await runs("message", "send", "Are you there?", "--to", bot.email);
  await terminal.sees("Replies");
}

async function readsAndBacksUp(terminal: Terminal, server: Server, folder: string): Promise<void> {
  terminal.press("6", "/");
  terminal.type("news");
  terminal.press("Enter");
  await terminal.sees(/▸ +news/);
  terminal.press("m");
  await terminal.sees("Messages of news");
  const sent = { type: "stream", to: "news", topic: "tea", content: "Two sugars" };
  await call(server, olive, ["POST", "/messages"], sent);
  await terminal.sees(/tea +Two su/);
  terminal.press("r");
  await terminal.sees("The topic tea is resolved.");
  terminal.press("L", "f", "Tab");
  await terminal.sees("▸ Operation");
  terminal.type("send-message");
  terminal.press("C-s");
  await terminal.sees("Showing all levels, only send-message.");
  await terminal.sees(/▸ .*send-message +/);
  terminal.press("x", "N", "/");
  terminal.type("create-ch");
  terminal.press("Enter");
  await terminal.sees(/▸ +create-channel/);
  terminal.press("X", "n");
  await terminal.sees("A new export");
  terminal.press("C-s");
  await terminal.sees(/▸ .* ready/);
  terminal.press("d");
  await terminal.sees("Delete the file of this export?");
  terminal.press("y");
  await terminal.sees(/▸ .* deleted/);
  terminal.press("B", "b");
  await terminal.sees("Back up everything to one file");
  terminal.press("C-u");
  terminal.type(`${folder}.tar.gz`);
  terminal.press("C-s");
  await terminal.sees(/▸ .* there/);
  terminal.press("/");
  terminal.type("tar.gz");
  terminal.press("Enter");
  await terminal.sees("1 of 1");
  terminal.press("r");
  await terminal.sees("Restore into a new folder");
  terminal.press("C-u");
  terminal.type(`${folder}-restored`);
  terminal.press("C-s");
  await terminal.sees(/Restoring: .* is in/);
  const { stdout } = await confab(["user", "list", "--data", `${folder}-restored`]);
  expect(stdout).toContain("olive@example.com");
  rmSync(`${folder}-restored`, { recursive: true });
  terminal.press("q");
}

async function fillsWhileResized(terminal: Terminal, size: { columns: number; rows: number }): Promise<void> {
  terminal.press("8", "n");
  await terminal.sees("A new channel folder");
  terminal.type("Half");
  terminal.resize(100, 30);
  await terminal.sees(/Name +Half/);
  terminal.type("way");
  terminal.resize(size.columns, size.rows);
  await terminal.sees(/Name +Halfway/);
  terminal.press("C-s");
  await terminal.sees("Created the folder Halfway.");
}

async function hearsEvents(terminal: Terminal, server: Server): Promise<void> {
  terminal.press("E");
  await terminal.sees("Listening.");
  await call(server, olive, ["POST", "/messages"], {
    type: "stream",
    to: "news",
    topic: "t",
    content: "Hear, hear",
  });
  await terminal.sees(/message +\{/);
  terminal.press("/");
  terminal.type("hear, hear");
  terminal.press("Enter");
  await terminal.sees("1 of ");
  terminal.press("Enter");
  await terminal.sees("sender_email");
  terminal.press("G");
  await terminal.sees('"content": "Hear, hear"');
}

/** An event or a frame takes at most 5 KB of output, and never redraws the whole screen. */
async function isCalm(server: Server, folder: string): Promise<void> {
  let written = "";
  let bytes = 0;
  const decoder = new TextDecoder();
  const data = (_: unknown, chunk: Uint8Array) => {
    bytes += chunk.length;
    written += decoder.decode(chunk, { stream: true });
  };
  const console = Bun.spawn([...executable, "console", "--data", folder], {
    env: { ...surroundings(), TERM: "xterm-256color", COLORTERM: "truecolor" },
    terminal: { cols: 160, rows: 50, data },
  });
  const shows = (text: string) =>
    until(
      () => written.includes(text),
      () => `the console writes ${text}, after ${JSON.stringify(written.slice(-8000))}`,
    );
  try {
    await shows("server running");
    console.terminal?.write("E");
    await shows("Listening.");
    [written, bytes] = ["", 0];
    // Only what changes is written: no two of these have a letter in common, with each other or with what else an event holds.
    const signs = Array.from({ length: 60 }, (_, at) => String.fromCodePoint(0x410 + at));
    for (const [i, sign] of signs.entries()) {
      const content = sign.repeat(9);
      await call(server, olive, ["POST", "/messages"], { type: "stream", to: "news", topic: "t", content });
      if (i % 10 === 9) await shows(content);
    }
    expect(written).not.toContain("\x1b[2J");
    // Unchanged parts are not written again: the title, and the list of screens.
    expect(written).not.toMatch(/Confab {2}|PEOPLE/);
    // Each frame is shown at once, so that nothing flickers.
    const frames = written.split("\x1b[?2026h").slice(1);
    expect(frames.length).toBeGreaterThan(3);
    expect(bytes / Math.max(frames.length, 60)).toBeLessThan(5_000);
    for (const frame of frames.slice(0, -1)) expect(frame).toEndWith("\x1b[?2026l");
  } finally {
    console.kill();
    await console.exited;
  }
}

async function showScreen(terminal: Terminal, { key, title }: Tour, columns: number): Promise<void> {
  terminal.press(key);
  await terminal.sees(new RegExp(`─ ${title}  \\d`));
  const shown = await terminal.sees(new RegExp(`^.{${columns - 1}}╮$`, "m"));
  for (const line of shown.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
}

async function takeTour(terminal: Terminal, tour: Tour): Promise<void> {
  const { title, create, find, opens, edit, does, remove } = tour;
  if (create) await createOne(terminal, create, tour);
  if (find) {
    terminal.press("/");
    terminal.type(find);
    terminal.press("Enter");
    await terminal.sees(/ \d+ of \d+ /);
    await terminal.sees(/▸ +\S/);
  }
  if (opens) {
    terminal.press("Enter");
    await terminal.sees(opens);
    terminal.press("Escape");
    await terminal.sees(new RegExp(`─ ${title}  \\d`));
  }
  if (edit) await editOne(terminal, edit);
  if (does) {
    terminal.press(does[0]);
    await terminal.sees(does[1]);
  }
  if (remove) await removeOne(terminal, remove);
  if (find) {
    terminal.press("q");
    await terminal.sees("q quit");
  }
}

async function createOne(
  terminal: Terminal,
  fields: readonly string[],
  { hasSecret, said = "u undo" }: Tour,
): Promise<void> {
  terminal.press("n");
  await terminal.sees("esc cancel");
  for (const [i, text] of fields.entries()) {
    if (i > 0) terminal.press("Tab");
    terminal.type(text);
  }
  terminal.press("C-s");
  if (!hasSecret) return void (await terminal.sees(said));
  await terminal.sees("API key");
  await terminal.sees("This is not shown again");
  terminal.press("Enter");
  await terminal.sees("? help");
}

async function editOne(
  terminal: Terminal,
  [keys, said, opens = "e"]: NonNullable<Tour["edit"]>,
): Promise<void> {
  terminal.press(opens);
  await terminal.sees("esc cancel");
  terminal.press(...keys);
  terminal.press("C-s");
  await terminal.sees(said);
}

async function removeOne(
  terminal: Terminal,
  [question, said, key = "d"]: NonNullable<Tour["remove"]>,
): Promise<void> {
  terminal.press(key);
  await terminal.sees(question);
  terminal.press("y");
  await terminal.sees(said);
}

describe("confab console", () => {
  test("says that it needs a terminal", async () => {
    const { status, stderr } = await confab(["console", "--data", organization]);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^confab: the console needs a terminal: [^\n]+\n$/),
    });
  });

  test("refuses --json, an unknown --as and a folder without organization", async () => {
    expect(await confab(["console", "--data", organization, "--json"])).toMatchObject({ status: 2 });
    const asNobody = await inTerminal(["console", "--data", organization, "--as", "no@example.com"], {
      columns: 80,
    });
    expect(asNobody.seen).toContain("There is no active user with the address no@example.com.");
    const nowhere = await inTerminal(["console", "--data", newFolder()], { columns: 80 });
    expect(nowhere).toMatchObject({ status: 1, seen: expect.stringContaining("There is no organization") });
  });
});
