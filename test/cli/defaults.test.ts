// The defaults of every command's arguments and the effect of each flag, checked against the executable.
import { afterEach, describe, expect, test } from "bun:test";
import { type Arg, isNeeded, optionName } from "@cli/args.ts";
import type { Command } from "@cli/command.ts";
import { allCommands } from "@cli/loaders.ts";
import { run } from "@cli/program.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  founding,
  json,
  newFolder,
  serve,
} from "../support/executable.ts";

afterEach(() => cleanUp());

const commands = await allCommands();

/** The values a command gets for these arguments, without required ones. */
async function received(command: Command, ...words: string[]): Promise<Record<string, unknown>> {
  const args = Object.fromEntries(
    optional(command).map(([key, row]): [string, Arg] => [key, { ...row, env: undefined }]),
  );
  let seen: Record<string, unknown> | undefined;
  const execute: Command["execute"] = async (_, values) => {
    seen = values;
  };
  const spied = { ...command, args, settings: undefined, execute };
  const mask = process.umask();
  const status = await run([...command.name.split(" "), ...words], [spied], {
    version: "0",
    allCommands,
  });
  process.umask(mask);
  expect([command.name, status]).toEqual([command.name, 0]);
  return seen ?? {};
}

const optional = ({ args }: Command) => Object.entries(args).filter(([, row]) => !isNeeded(row));
const flagsOf = ({ args }: Command) => Object.entries(args).filter(([, { kind }]) => kind === "flag");
const defaultOf = ({ rule }: Arg) => rule.parse(undefined);

describe("of every command", () => {
  test.each(commands.map((command) => [command.name, command] as const))(
    "%s: nothing typed means the defaults, and each flag changes itself alone",
    async (_, command) => {
      const defaults = Object.fromEntries(optional(command).map(([key, row]) => [key, defaultOf(row)]));
      expect(await received(command)).toEqual(defaults);
      for (const [key] of flagsOf(command)) {
        expect(await received(command, optionName(key))).toEqual({ ...defaults, [key]: true });
      }
    },
  );

  test("every flag is off by default, and some command has one that begins with --no-", () => {
    const flags = commands.flatMap((command) =>
      flagsOf(command).map(([key, row]) => [`${command.name} ${optionName(key)}`, defaultOf(row)]),
    );
    expect(flags.filter(([, value]) => value !== false)).toEqual([]);
    expect(flags.filter(([name]) => / --no-/.test(String(name))).length).toBeGreaterThan(0);
  });
});

describe("invite", () => {
  test("link and send subscribe people to the default channels, and with --no-defaults to none", async () => {
    const data = newFolder();
    const at = ["--data", data];
    const { owner } = await json<{ owner: Credentials }>(["init", ...at, ...founding]);
    for (const words of ["channel create general", "default add-channel general"]) {
      expect(await confab([...words.split(" "), ...at])).toMatchObject({ status: 0 });
    }
    const server = await serve(data);
    const channelsBy = async (link: string, email: string) => {
      const body = new URLSearchParams({ full_name: "Somebody", email, password: "seven yellow kettles" });
      const joined = (await (await fetch(link, { method: "POST", body })).json()) as Credentials;
      const { body: found } = await call(server, joined, ["GET", "/users/me/subscriptions"]);
      return (found.subscriptions as { name: string }[]).map(({ name }) => name);
    };
    for (const [options, channels] of [
      [[], ["general"]],
      [["--no-defaults"], []],
    ] as const) {
      const { link } = await json<{ link: string }>(["invite", "link", ...options, ...at]);
      const suffix = options.length > 0 ? "without" : "with";
      const send = ["invite", "send", `sent-${suffix}@example.org`, ...options, ...at];
      const [sent] = await json<{ link: string }[]>(send);
      expect(await channelsBy(link, `link-${suffix}@example.org`)).toEqual([...channels]);
      expect(await channelsBy(sent?.link ?? "", `sent-${suffix}@example.org`)).toEqual([...channels]);
    }
    expect((await call(server, owner, ["GET", "/users"])).body.members).toHaveLength(5);
  });
});
