// The settings and commands of docs/cluster.md, which the test takes from there.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "cluster.md"), "utf8");

/** Lines of a block that are settings or output, or continue the line before. */
const isNoCommand = (line: string) => /^(\s|#|[\w.-]+ ?[=:{]|[}\]"]|$)/.test(line);
const blocks = [...page.matchAll(/(?:^(?: {4}.*)?\n)+/gm), ...page.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)]
  .map(([whole, fenced]) => (fenced ?? whole).replaceAll(/^ {4,6}/gm, ""))
  .filter((block) => block.trim() !== "");
const inBlocks = blocks.flatMap((block) => block.split("\n")).filter((line) => !isNoCommand(line));
const inText = [...page.matchAll(/`(confab [^`]+)`/g)].map(([, command = ""]) =>
  command.replaceAll(/\s+/g, " "),
);
const commands = new Set([...inBlocks, ...inText].map((line) => line.trim()));

/** The commands of the guide that no test has run yet. */
export const unrun = new Set(commands);

/** The arguments of a command of the guide, for the test to run it; throws if the guide has no such command. */
export function argsOf(command: string, dataDir?: string): string[] {
  if (!commands.has(command)) throw new Error(`docs/cluster.md has no command '${command}'`);
  unrun.delete(command);
  const [, ...args] = command.split(" ");
  return dataDir === undefined ? args : [...args, "--data", dataDir];
}

/** The settings that the guide has people write into confab.toml, with the values of the test's machine instead. */
export function settingsWith(values: Record<string, unknown>): string {
  const block = blocks.find((one) => /^cluster = /m.test(one));
  const lines = block?.trim().split("\n") ?? [];
  const named = lines.map((line) => line.split(" = ")[0] ?? "");
  const missing = Object.keys(values).filter((name) => !named.includes(name));
  if (missing.length > 0) throw new Error(`docs/cluster.md does not set ${missing.join()}`);
  return lines
    .map((line, at) => {
      const name = named[at] ?? "";
      return name in values ? `${name} = ${JSON.stringify(values[name])}\n` : `${line}\n`;
    })
    .join("");
}
