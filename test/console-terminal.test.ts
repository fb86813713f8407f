// The console as an administrator uses it: every screen in a real terminal, at two sizes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  inTerminal,
  newFolder,
  type Server,
  serve,
} from "./support/executable.ts";
import { hasTmux, openTerminal, type Terminal } from "./support/tmux.ts";

let olive: Credentials;
let organization: string;

beforeAll(async () => {
  organization = newFolder();
  const owner = ["--owner-email", "olive@example.com", "--owner-name", "Olive"];
  const made = await confab(["init", "--data", organization, "--org", "Ada & Co", ...owner, "--json"]);
  olive = JSON.parse(made.stdout).owner;
});
afterAll(() => cleanUp());

interface Tour {
  /** The key of its screen. */
  key: string;
  title: string;
  /** The text typed into each field, in order; the last one saves. */
  create?: readonly string[];
  /** Closes the panel that shows a key once. */
  hasSecret?: boolean;
  /** The expected message; by default, that it can be undone. */
  said?: string;
  /** The filter that selects the created row. */
  find?: string;
  /** Keys to press, and the expected message. */
  edit?: readonly [keys: readonly string[], said: string | RegExp];
  remove?: readonly [question: string, said: string];
}

const tours: readonly Tour[] = [
  { key: "1", title: "Overview" },
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
    create: ["Build Bot", "build", "olive@example.com"],
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
  { key: "9", title: "Settings", find: "Organization name", edit: [["!"], "Changed name."] },
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
  { key: "I", title: "Emoji, pictures", find: "Icon" },
  { key: "S", title: "Sessions", find: "Olive" },
  { key: "7", title: "Messages" },
  { key: "L", title: "Log" },
  { key: "N", title: "Requests" },
  { key: "H", title: "Doctor" },
  { key: "B", title: "Backups" },
  { key: "Q", title: "Mail" },
  { key: "W", title: "Webhooks" },
  { key: "R", title: "Reports" },
  { key: "A", title: "Audit log", find: "realm changed" },
  { key: "E", title: "Events" },
];

const sizes = [
  [80, 24],
  [160, 50],
] as const;
/** In two terminals each, as the console sends a terminal only so many bytes a second. */
const halves = sizes.flatMap(([columns, rows]) =>
  [tours.slice(0, 10), tours.slice(10)].map((part) => [columns, rows, part[0]?.title, part] as const),
);

describe.skipIf(!hasTmux)("confab console, in tmux (skipped where there is none)", () => {
  test.concurrent.each(halves)(
    "shows and changes everything at %i×%i, from %s on",
    async (columns, rows, _, part) => {
      const folder = newFolder(organization);
      const terminal = openTerminal(["console", "--data", folder], { columns, rows });
      try {
        await terminal.sees("Overview");
        for (const tour of part) await takeTour(terminal, tour, columns);
        terminal.press("q");
        await terminal.sees("Leave the console?");
        terminal.press("y");
        await terminal.sees("left with 0");
      } finally {
        terminal.close();
      }
    },
    120_000,
  );

  test.concurrent("shows what others do, and asks the running server", async () => {
    const folder = newFolder(organization);
    const server = await serve(folder);
    const terminal = openTerminal(["console", "--data", folder], { columns: 80, rows: 24 });
    try {
      await terminal.sees("● server running");
      await terminal.sees("NEEDS ATTENTION");
      terminal.press("6");
      await terminal.sees("There are no channels.");
      await call(server, olive, ["POST", "/channels/create"], { name: "news", subscribers: "[]" });
      await terminal.sees("news");
      await hearsEvents(terminal, server);
      terminal.press("C-c");
      await terminal.sees("left with 0");
    } finally {
      terminal.close();
      await server.end("SIGTERM");
    }
  });

  test.concurrent.each(sizes)(
    "marks rows, follows mouse, size and server, and reads messages and log at %i×%i",
    async (columns, rows) => {
      const folder = newFolder(organization);
      const server = await serve(folder);
      const terminal = openTerminal(["console", "--data", folder], { columns, rows });
      try {
        await call(server, olive, ["POST", "/channels/create"], { name: "news", subscribers: "[]" });
        for (const name of ["One", "Two", "Three"])
          await call(server, olive, ["POST", "/channel_folders/create"], { name, description: "" });
        await terminal.sees("● server running");
        await marksAndClicks(terminal);
        await readsAndBacksUp(terminal, server, folder);
        await fillsWhileResized(terminal, { columns, rows });
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
    },
    120_000,
  );

  test.concurrent.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
  ])(
    "has colour unless it is not wanted: %o",
    async (env, isColored) => {
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
    },
    30_000,
  );

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

async function readsAndBacksUp(terminal: Terminal, server: Server, folder: string): Promise<void> {
  terminal.press("6", "m");
  await terminal.sees("Messages of news");
  const sent = { type: "stream", to: "news", topic: "tea", content: "Two sugars" };
  await call(server, olive, ["POST", "/messages"], sent);
  await terminal.sees(/tea +Two su/);
  terminal.press("r");
  await terminal.sees("The topic tea is resolved.");
  terminal.press("L");
  await terminal.sees("send-message");
  terminal.press("B", "b");
  await terminal.sees("Back up everything to one file");
  terminal.press("C-u");
  terminal.type(`${folder}.tar.gz`);
  terminal.press("C-s");
  await terminal.sees(/▸ +\d{4}-.* there/);
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

async function takeTour(terminal: Terminal, tour: Tour, columns: number): Promise<void> {
  const { key, title, create, find, edit, remove } = tour;
  terminal.press(key);
  const shown = await terminal.sees(new RegExp(`─ ${title}  \\d`));
  for (const line of shown.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
  if (create) await createOne(terminal, create, tour);
  if (find) {
    terminal.press("/");
    terminal.type(find);
    terminal.press("Enter");
    await terminal.sees(/ \d+ of \d+ /);
    await terminal.sees(/▸ +\S/);
  }
  if (edit) await editOne(terminal, edit);
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

async function editOne(terminal: Terminal, [keys, said]: NonNullable<Tour["edit"]>): Promise<void> {
  terminal.press("e");
  await terminal.sees("esc cancel");
  terminal.press(...keys);
  terminal.press("C-s");
  await terminal.sees(said);
}

async function removeOne(terminal: Terminal, [question, said]: NonNullable<Tour["remove"]>): Promise<void> {
  terminal.press("d");
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
