// Runs commands on one data folder and checks status, JSON output and errors.
import { expect } from "bun:test";
import { checkDocument, commandOf } from "./documents.ts";
import { confab, type Finished } from "./executable.ts";

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
    return confab([...args, "--data", data()], { input });
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
