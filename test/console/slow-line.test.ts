// The console by a profile in a real terminal, over a slow line that loses packets, in an organization of 20,000 people.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, confab, newFolder, newOrganization, type Server, serve } from "../support/executable.ts";
import { Passage } from "../support/passage.ts";
import { hasTmux, openTerminal, type Terminal } from "../support/tmux.ts";

const people = 20_000;
const line = { delayMs: 50, lostOf: 50, lostMs: 200 };

let server: Server;
let passage: Passage;
let terminal: Terminal | undefined;
const home = newFolder();
const env = { HOME: home, XDG_CONFIG_HOME: home };

beforeAll(async () => {
  const founded = await newOrganization();
  const world = { users: people, channels: [], special: 0, messages: 0 };
  const filling = Bun.spawn(
    ["bun", join(import.meta.dir, "../bench/fill.ts"), founded.data, JSON.stringify(world)],
    {
      env: { ...process.env, PATH: `${join(process.cwd(), "node_modules/.bin")}:${process.env.PATH}` },
      stdout: "ignore",
    },
  );
  expect(await filling.exited).toBe(0);
  server = await serve(founded.data);
  passage = await Passage.to(Number(new URL(server.url).port), line);
  const key = join(home, "key");
  writeFileSync(key, founded.owner.api_key, { mode: 0o600 });
  const who = ["--email", founded.owner.email, "--key-file", key];
  for (const [name, address] of Object.entries({
    work: `http://127.0.0.1:${passage.port}`,
    near: server.url,
  }))
    expect(await confab(["profile", "add", name, "--address", address, ...who], { env })).toMatchObject({
      status: 0,
    });
});
afterAll(() => {
  terminal?.close();
  passage.close();
  return cleanUp();
});

describe.skipIf(!hasTmux)("over a slow line", () => {
  test("shows the first of 20,000 people before the others, finds one of them, and opens the last", async () => {
    terminal = openTerminal(["--profile", "work", "console"], { columns: 120, rows: 35, env });
    const { press, type, sees } = terminal;
    await sees(`● work http://127.0.0.1:${passage.port}`);
    type("2");
    await sees("bench1@example.com");
    await sees(`/${people + 1} ─╯`);
    type("/");
    type("19998");
    await sees(`1 of ${people + 1}`);
    press("Enter", "Enter");
    await sees("Time zone");
    press("Escape", "Escape");
    type("G");
    await sees(`${people + 1}/${people + 1}`);
    // Typed before the form is there.
    type("e");
    press("Tab");
    type("!");
    press("C-s");
    await sees("Changed the account of Bench User 19999!.");
    passage.cut();
    type("8");
    passage.refuse();
    await sees(/no answer since \d\d:\d\d/);
    passage.mend();
    await sees("There are no folders.");
  });

  test("fills the window, however large it is", async () => {
    if (!terminal) throw new Error("The test before this one opens the console.");
    for (const [columns, rows] of [
      [80, 24],
      [200, 50],
      [120, 35],
    ] as const) {
      terminal.resize(columns, rows);
      terminal.press("2");
      // Next to the whole name, 80 columns have no room for all of the address.
      await terminal.sees(columns === 80 ? "bench19999@example.c…" : "bench19999@example.com");
      // What is drawn arrives in parts, from above: once the last row is there, all is.
      const whole = new RegExp(`^(?=(?:.*\\n){${rows - 1}}.*\\S)(?:.*\\n)*.{${columns - 1}}╮\\n`);
      const shown = await terminal.sees(whole);
      expect(shown).toContain("● work http");
      expect(shown.trimEnd().split("\n")).toHaveLength(rows);
      terminal.press("8");
      await terminal.sees("There are no folders.");
    }
  });

  test("goes to another server and back, and stays where it is if that one does not answer", async () => {
    if (!terminal) throw new Error("The first test opens the console.");
    const { press, type, sees } = terminal;
    const goTo = (name: string) => {
      type(":");
      type(`server ${name}`);
      press("Enter");
    };
    goTo("near");
    await sees(`● near ${server.url}`);
    await sees("NEEDS ATTENTION");
    passage.refuse();
    goTo("work");
    await sees(/^ The server at .* cannot be reached\./m);
    await sees(`● near ${server.url}`);
    passage.mend();
    goTo("work");
    await sees(`● work http://127.0.0.1:${passage.port}`);
    press("C-c");
    await sees("left with 0");
  });
});
