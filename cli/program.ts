// Runs commands: gives each one help, parsing, --json, --as, --data, --server and errors.
import { existsSync } from "node:fs";
import { CommanderError, Help, Command as Node, Option } from "commander";
import { shapeText } from "@/kernel/http/shape-text.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { diskFault } from "@/operations/data-folder/schema.ts";
import { description, isNeeded, isOperand, optionName, read } from "./args.ts";
import type { Command, CommandCall } from "./command.ts";
import { warnOfUnknownVariables } from "./environment.ts";
import { Misuse } from "./misuse.ts";
import { groupOf, pluralOf } from "./nouns.ts";
import { defaultData } from "./organization.ts";
import { complain, writeNow } from "./output.ts";
import type { Remote } from "./remote.ts";
import { Unreachable } from "./server.ts";

const wrongUsage = 2;
const failed = 1;

interface Program extends Pick<CommandCall, "allCommands"> {
  version: string;
}

/** Runs a command line and returns the exit status. */
export async function run(
  argv: readonly string[],
  commands: readonly Command[],
  how: Program,
): Promise<number> {
  // Files that commands write may contain messages and key hashes: only their owner may read them.
  process.umask(0o077);
  const asked = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  try {
    await program(commands, how).parseAsync(asked, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return endOfParsing(error);
    complain(sentenceOf(error));
    return failed;
  }
}

/** Commander ends parsing by throwing, even after it printed help or the version. */
function endOfParsing(error: CommanderError): number {
  if (error.code === "commander.helpDisplayed" || error.code === "commander.version") return 0;
  if (error.code === "commander.help") return wrongUsage;
  const problem = error.message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/[.!]$/, "");
  complain(`${stripControlCharacters(problem)}. See '${whose.get(error) ?? "confab"} --help'.`);
  return wrongUsage;
}

function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return stripControlCharacters(error.message);
  if (error instanceof AppError) {
    const { cause } = error;
    return stripControlCharacters(
      cause instanceof Error ? `${error.message} (${cause.message})` : error.message,
    );
  }
  const fault = diskFault(error);
  if (fault !== null)
    return `The work could not be finished: ${fault}. Make room, or see to the disk, and try again.`;
  return `This is a bug in Confab: ${error instanceof Error ? error.stack : String(error)}`;
}

function program(commands: readonly Command[], { version, allCommands }: Program): Node {
  const root = new Node("confab")
    .description("Team chat in one file: channels with topics, direct messages and bots.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .usage("<command> [options]")
    .addOption(new Option("--data <DIR>", `the data folder (default: ${defaultData}; or CONFAB_DATA)`))
    .addOption(new Option("--json", "print one JSON document, for scripts"))
    .addOption(new Option("--as <EMAIL>", "act as this user (default: the first active owner)"))
    .addOption(
      new Option("--server <URL>", "a remote server instead of a data folder, with --as or a profile"),
    )
    .addOption(new Option("--profile <NAME>", "a remote server saved by 'confab profile add'"))
    .addOption(new Option("--key-file <FILE>", "with --server: the file that holds your API key there"))
    .configureOutput({ outputError: () => {}, writeOut: writeNow })
    .addHelpText("after", "\nMore on a command: confab help <command>");
  throwing(root, "confab");
  const nouns = new Map<string, Node>();
  for (const spec of commands) place(spec, { root, nouns, allCommands });
  root.configureHelp({
    formatHelp(node, { helpWidth }) {
      if (node === root) groupCommands(root);
      const whole = Object.assign(new Help(), {
        helpWidth,
        visibleCommands: leaves,
        subcommandTerm: fullName,
      });
      return whole.formatHelp(node, whole);
    },
  });
  return root;
}

/** Groups the nouns under their headings. */
function groupCommands(root: Node): void {
  for (const noun of root.commands) {
    const heading = `${groupOf(noun.name())}:`;
    for (const node of [noun, ...noun.commands]) node.helpGroup(heading);
  }
}

/** The command whose parsing failed. */
const whose = new WeakMap<CommanderError, string>();

function throwing(node: Node, name: string): void {
  node.exitOverride((error) => {
    whose.set(error, name);
    throw error;
  });
}

interface Placing extends Pick<CommandCall, "allCommands"> {
  root: Node;
  nouns: Map<string, Node>;
}

function place(spec: Command, { root, nouns, allCommands }: Placing): void {
  const [noun = "", verb] = spec.name.split(" ");
  if (verb === undefined) {
    const node = root.command(noun).helpCommand(false);
    nouns.set(noun, node);
    furnish(node, spec, allCommands);
    return;
  }
  let parent = nouns.get(noun);
  if (!parent) {
    parent = root.command(noun).usage("<command> [options]").helpCommand(false);
    if (pluralOf(noun) !== noun) parent.alias(pluralOf(noun));
    parent.helpOption("-h, --help", "print this help");
    throwing(parent, `confab ${noun}`);
    nouns.set(noun, parent);
  }
  furnish(parent.command(verb), spec, allCommands);
}

function furnish(node: Node, spec: Command, allCommands: CommandCall["allCommands"]): void {
  node.summary(spec.summary).description(spec.about ?? `${spec.summary}.`);
  for (const [key, row] of Object.entries(spec.args)) {
    const more = row.kind === "operands" || row.kind === "options" ? "..." : "";
    if (isOperand(row)) {
      const name = `${row.placeholder}${more}`;
      node.argument(isNeeded(row) ? `<${name}>` : `[${name}]`, description(row));
    } else {
      const value = row.kind === "flag" ? "" : ` <${row.placeholder}${more}>`;
      node.addOption(new Option(optionName(key) + value, description(row)));
    }
  }
  node.addHelpText("after", `\nExamples:\n${indent(spec.examples.join("\n"))}`);
  const { result } = spec;
  if (result) node.addHelpText("after", () => `\nWith --json:\n${indent(shapeText(result))}`);
  node.configureHelp({
    showGlobalOptions: true,
    visibleGlobalOptions: ({ parent }) =>
      rootOf(parent).options.filter(({ long }) => long !== "--version" && isFor(spec, long)),
  });
  throwing(node, `confab ${spec.name}`);
  node.action(() => carryOut(node, spec, allCommands));
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

async function carryOut(node: Node, spec: Command, allCommands: CommandCall["allCommands"]): Promise<void> {
  const globals = rootOf(node).opts<Globals>();
  if (!spec.acts && globals.as !== undefined) node.error("this command does not take --as");

  await warnOfUnknownVariables();
  const dataDir = globals.data ?? (process.env.CONFAB_DATA || defaultData);
  const remote = await remoteOf(node, spec, globals);
  const typed = readArguments(node, spec);
  if (takesKeyFile(spec)) typed.key_file ??= globals.keyFile;
  const result = read(spec.args, typed, spec.settings?.(dataDir));
  if ("problem" in result) return node.error(result.problem);
  const call: CommandCall = {
    given: Object.fromEntries(
      Object.entries(typed).filter(([, value]) => value !== undefined),
    ) as CommandCall["given"],
    remote,
    allCommands,
    dataDir,
    json: globals.json === true,
    as: globals.as ?? null,
  };
  try {
    await spec.execute(call, result.values);
  } catch (error) {
    if (error instanceof Misuse) node.error(error.message);
    throw error;
  }
}

interface Globals {
  data?: string;
  json?: true;
  as?: string;
  server?: string;
  profile?: string;
  keyFile?: string;
}

/** The global options that a command takes; the rest is left out of its help. */
function isFor({ acts, runsRemotely }: Command, long: string | null | undefined): boolean {
  if (long === "--as") return acts;
  if (long === "--key-file") return acts && runsRemotely;
  return runsRemotely || !["--server", "--profile"].includes(long ?? "");
}

/** Whether the command has a --key-file of its own: commander takes it for the global option. */
function takesKeyFile({ args }: Command): boolean {
  return "key_file" in args;
}

/**
 * The remote server that a command is for: that of the options or, if neither they nor CONFAB_DATA name a data folder, that of the
 * current profile. Null means the data folder.
 */
async function remoteOf(node: Node, spec: Command, globals: Globals): Promise<Remote | null> {
  const { server, profile, keyFile: key_file } = globals;
  if (server === undefined && profile === undefined) {
    if (key_file !== undefined && !takesKeyFile(spec)) node.error("--key-file is for --server or --profile");
    if (spec.isApart || globals.data !== undefined || process.env.CONFAB_DATA) return null;
    return ofCurrentProfile(node, spec, key_file);
  }
  if (globals.data !== undefined) node.error("choose one: --data or a remote server");
  if (spec.runsRemotely && !spec.acts && key_file !== undefined) node.error("this command needs no key");
  if (spec.runsRemotely) return { server, profile, key_file };
  if (spec.isApart) return node.error("this command takes no server");
  return node.error(
    `confab ${spec.name} works only on the machine of the server: run it there, without --server and --profile`,
  );
}

async function ofCurrentProfile(node: Node, spec: Command, key_file?: string): Promise<Remote | null> {
  const { readProfiles } = await import("./profile-store.ts");
  const { current: profile, profiles } = readProfiles();
  if (profile === null) return null;
  const address = stripControlCharacters(profiles[profile]?.server ?? "");
  const hasDefaultData = existsSync(defaultData);
  if (!spec.runsRemotely) {
    const folder = hasDefaultData ? `--data ${defaultData}` : "--data and a folder of this machine";
    return node.error(
      `confab ${spec.name} works only on the machine of the server (the current profile is '${profile}', ${address}): ` +
        `run it there, or pass ${folder}`,
    );
  }
  if (hasDefaultData)
    complain(
      `this is about ${address}, by the profile '${profile}'; --data ${defaultData} is for the folder here.`,
    );
  return { server: undefined, profile, key_file };
}

/** The typed values, by argument name. */
function readArguments(node: Node, { args }: Command): Record<string, unknown> {
  const operands = Object.entries(args).filter(([, row]) => isOperand(row));
  const options = new Map(node.options.map((option) => [option.long, readOption(node, option)]));
  return {
    ...Object.fromEntries(Object.keys(args).map((key) => [key, options.get(optionName(key))])),
    ...Object.fromEntries(operands.map(([key], i) => [key, orUndefined(node.processedArgs[i])])),
  };
}

/** Commander passes an empty list if a list operand was not typed. */
function orUndefined(operand: unknown): unknown {
  return Array.isArray(operand) && operand.length === 0 ? undefined : operand;
}

/** Undefined if the option was not typed. Commander turns `--no-x` into an option `x` that defaults to true. */
function readOption(node: Node, option: Option): unknown {
  const name = option.attributeName();
  if (node.getOptionValueSource(name) !== "cli") return undefined;
  return option.negate ? true : node.getOptionValue(name);
}

function rootOf(node: Node | null): Node {
  if (!node) throw new Error("Command has no root program.");
  return node.parent ? rootOf(node.parent) : node;
}

function leaves(node: Node): Node[] {
  const isOwn = (child: Node) => child.commands.length === 0 || child.registeredArguments.length > 0;
  return node.commands.flatMap((child) => [...(isOwn(child) ? [child] : []), ...leaves(child)]);
}

/** With its arguments, but without those of the command that it is part of: "backup list [PLACE]". */
function fullName(node: Node): string {
  const operands = node.registeredArguments.map((argument) => {
    const shown = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? ` ${shown}` : ` [${shown}]`;
  });
  return pathOf(node) + operands.join("");
}

function pathOf(node: Node): string {
  const { parent } = node;
  return parent?.parent ? `${pathOf(parent)} ${node.name()}` : node.name();
}
