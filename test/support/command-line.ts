// Runs commands in this process, which costs a tenth of starting the executable, and checks status, JSON output and errors.
import { expect } from "bun:test";
import { Readable } from "node:stream";
import { allCommands, commandsOf } from "@cli/loaders.ts";
import { nounsIn } from "@cli/nouns.ts";
import { run as runProgram } from "@cli/program.ts";
import { withStreams } from "@cli/streams.ts";
import { checkDocument, commandOf } from "./documents.ts";
import type { Finished } from "./executable.ts";

const usualMask = process.umask();

/** As `confab` of executable.ts, for commands that need no process or terminal of their own. */
export async function runHere(
  args: readonly string[],
  input = "",
  env: Record<string, string> = {},
): Promise<Finished> {
  const finished = { status: 0, stdout: "", stderr: "" };
  const write = (text: string) => {
    finished.stdout += text;
  };
  const streams = {
    isTerminal: () => false,
    input: () => Readable.from([Buffer.from(input)]),
    inputText: async () => input,
    write: async (text: string) => write(text),
    writeNow: write,
    writeError: (text: string) => {
      finished.stderr += text;
    },
  };
  const named = nounsIn(args);
  const commands = await (named.length > 0 ? commandsOf(named) : allCommands());
  const usual = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  finished.status = await withStreams(streams, () =>
    runProgram(args, commands, { version: "0.0.0", allCommands }),
  );
  for (const [name, value] of usual) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  process.umask(usualMask);
  return finished;
}

/** The JSON output of a command; fails if the command fails. */
export async function jsonHere<T = unknown>(args: readonly string[], input?: string): Promise<T> {
  const { status, stdout, stderr } = await runHere([...args, "--json"], input);
  if (status !== 0) throw new Error(`confab ${args.join(" ")}: ${stderr}`);
  const document = JSON.parse(stdout);
  checkDocument(args, document);
  return document as T;
}

export interface CommandLine {
  run(args: string[], input?: string): Promise<Finished>;
  json(args: string[], input?: string): Promise<unknown>;
  text(args: string[], input?: string): Promise<string>;
  /** Returns the error, which must be the only line of output. */
  refused(args: string[], status: 1 | 2): Promise<string>;
  /** That it says first how much it destroys and does nothing, and then does it: `asks` is the question, up to "Go on?". */
  asksFirst(args: string[], asks: string): Promise<void>;
  /** Names of the commands that have been run. */
  readonly used: ReadonlySet<string>;
}

export function commandLine(data: () => string): CommandLine {
  const used = new Set<string>();

  async function run(args: string[], input?: string): Promise<Finished> {
    used.add(commandOf(args)?.name ?? "");
    return runHere([...args, "--data", data()], input);
  }

  return {
    run,
    used,
    async json(args, input) {
      const { status, stdout, stderr } = await run([...args, "--json"], input);
      expect([args, status, stderr]).toEqual([args, 0, ""]);
      expect(stdout.trimEnd()).not.toContain("\n");
      const document = JSON.parse(stdout);
      checkDocument(args, document);
      return document;
    },
    async text(args, input) {
      const { status, stdout, stderr } = await run(args, input);
      expect([args, status, stderr]).toEqual([args, 0, ""]);
      return stdout;
    },
    async asksFirst(args, asks) {
      const { status, stdout, stderr } = await run(args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toStartWith(`confab: ${asks} Go on? Add --yes to confirm.`);
      expect(asks).toMatch(/\d/);
      expect(await run([...args, "--yes"])).toMatchObject({ status: 0, stderr: "" });
    },
    async refused(args, status) {
      const answer = await run(args);
      expect([args, answer.status, answer.stdout]).toEqual([args, status, ""]);
      expect(answer.stderr).toMatch(/^confab: .+\n$/);
      return answer.stderr;
    },
  };
}
