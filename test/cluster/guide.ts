// The settings and commands of docs/cluster.md, which the test takes from there.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "cluster.md"), "utf8");

/** The section about nats-servers that Confab runs, which has a test of its own. */
const [own = ""] = /^## Three machines, three commands\n[\s\S]*?(?=^## )/m.exec(page) ?? [];
const rest = page.replace(own, "");

/** Lines of a block that are settings or output, or continue the line before. */
const isNoCommand = (line: string) => /^(\s|#|[\w.-]+ ?[=:{]|[}\]"]|$)/.test(line);
const blocksIn = (text: string) =>
  [...text.matchAll(/(?:^(?: {4}.*)?\n)+/gm), ...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)]
    .map(([whole, fenced]) => (fenced ?? whole).replaceAll(/^ {4,6}/gm, ""))
    .filter((block) => block.trim() !== "");
const blocks = blocksIn(rest);

function commandsIn(text: string): Set<string> {
  const inBlocks = blocksIn(text)
    .flatMap((block) => block.split("\n"))
    .filter((line) => !isNoCommand(line));
  const inText = [...text.matchAll(/`(confab [^`]+)`/g)].map(([, command = ""]) =>
    command.replaceAll(/\s+/g, " "),
  );
  return new Set([...inBlocks, ...inText].map((line) => line.trim()));
}

/** The commands of the guide that no test has run yet, and those of that section. */
export const unrun = commandsIn(rest);
export const unrunOfOwn = commandsIn(own);
const commands = new Set([...unrun, ...unrunOfOwn]);

/** The arguments of a command of the guide, for the test to run it; throws if the guide has no such command. */
export function argsOf(command: string, dataDir?: string): string[] {
  if (!commands.has(command)) throw new Error(`docs/cluster.md has no command '${command}'`);
  for (const one of [unrun, unrunOfOwn]) one.delete(command);
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
