// Commands as data, and the runner that gives each of them help, parsing, --json, --as, --data and errors.
import { CommanderError, Help, Command as Node, Option } from "commander";
import type { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { AppError } from "@/kernel/errors.ts";
import { harmless } from "@/kernel/harmless.ts";
import { shapeText } from "@/kernel/shape-text.ts";
import { type Args, description, isNeeded, isOperand, optionName, read, type Values } from "./args.ts";
import { groupOf, pluralOf } from "./nouns.ts";
import { asOperator, defaultData, type Target } from "./organization.ts";
import { complain, forPeople, write, writeNow } from "./output.ts";
import { type Server, Unreachable, withServer } from "./server.ts";

interface Described<A extends Args> {
  /** As typed: "serve", "user create". */
  name: string;
  summary: string;
  /** More details for --help. */
  about?: string;
  examples: readonly string[];
  args: A;
  /** The shape of the document that --json prints, or null. */
  result: z.ZodType | null;
  /** Reads the settings file of the data folder, for arguments that have an environment variable. */
  settings?: (dataDir: string) => Record<string, string>;
}

interface Call extends Target {
  json: boolean;
  /** Loads the commands of all nouns, for those that describe them. */
  allCommands: () => Promise<Command[]>;
}

/** A command that the runner can run. */
export interface Command extends Described<Args> {
  /** Whether it acts as a user of the organization. */
  readonly acts: boolean;
  execute(call: Call, values: Record<string, unknown>): Promise<void>;
}

interface Acting<A extends Args, S extends z.ZodType> extends Described<A> {
  result: S;
  run: (ctx: Ctx, values: Values<A>) => z.output<S> | Promise<z.output<S>>;
  print: (result: z.output<S>) => string;
  /** Remarks about the result, printed to standard error because scripts read standard output. */
  remark?: (result: z.output<S>) => readonly string[];
}

/** A command that acts as a user of an organization: the first active owner, or --as. */
export function command<A extends Args, S extends z.ZodType>(spec: Acting<A, S>): Command {
  const { run, print, remark, ...described } = spec;
  return {
    ...described,
    acts: true,
    async execute(call, values) {
      const result = await asOperator(call, async (ctx) => run(ctx, values as Values<A>));
      await write(call.json ? JSON.stringify(result) : forPeople(print(result)));
      for (const line of call.json ? [] : (remark?.(result) ?? [])) complain(line);
    },
  };
}

interface Standalone<A extends Args, R, S extends z.ZodType> extends Described<A> {
  result: S;
  /** Calls `show` once, if there is a result to print. */
  run: (call: Omit<Call, "json"> & { show(result: R): Promise<void> }, values: Values<A>) => Promise<void>;
  /** True for commands that act as a user even so. */
  actsAs?: boolean;
  print: (result: R) => string;
  json: (result: R) => z.output<S>;
}

/** A command that opens no organization by itself. */
export function standalone<A extends Args, R, S extends z.ZodType>(spec: Standalone<A, R, S>): Command {
  const { run, print, json: document, actsAs = false, ...described } = spec;
  return {
    ...described,
    acts: actsAs,
    execute({ json, ...call }, values) {
      const show = async (result: R) => {
        await write(json ? JSON.stringify(document(result)) : forPeople(print(result)));
      };
      return run({ ...call, show }, values as Values<A>);
    },
  };
}

/** Prints a result, as JSON or as the text, on lines of its own; false if nobody reads it any longer. */
type Out = (document: unknown, text: () => string) => Promise<boolean>;

interface Asking<A extends Args> extends Described<A> {
  result: z.ZodType;
  run: (server: Server, values: Values<A>, out: Out) => Promise<void>;
}

/** A command that asks the running server for what only it knows. */
export function asking<A extends Args>(spec: Asking<A>): Command {
  const { run, ...described } = spec;
  return {
    ...described,
    acts: true,
    execute({ json, ...target }, values) {
      const out: Out = (document, text) => write(json ? JSON.stringify(document) : forPeople(text()));
      return withServer(target, (server) => run(server, values as Values<A>, out));
    },
  };
}

const wrongUsage = 2;
const failed = 1;

/** Ends a command whose arguments contradict each other. */
export function misused(problem: string): never {
  throw new CommanderError(wrongUsage, "confab.misused", problem);
}

/** Whether none of the values was given. */
export function isEmpty(values: Record<string, unknown>): boolean {
  return Object.values(values).every((value) => value === undefined);
}

interface Program extends Pick<Call, "allCommands"> {
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
  complain(`${harmless(problem)}. See '${whose.get(error) ?? "confab"} --help'.`);
  return wrongUsage;
}

function sentenceOf(error: unknown): string {
  if (error instanceof Unreachable) return harmless(error.message);
  if (error instanceof AppError) {
    const { cause } = error;
    return harmless(cause instanceof Error ? `${error.message} (${cause.message})` : error.message);
  }
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
    .configureOutput({ outputError: () => {}, writeOut: writeNow })
    .addHelpText("after", "\nMore on a command: confab help <command>");
  throwing(root, "confab");
  const nouns = new Map<string, Node>();
  for (const spec of commands) place(spec, { root, nouns, allCommands });
  root.configureHelp({
    formatHelp(node, { helpWidth }) {
      if (node === root) grouped(root);
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
function grouped(root: Node): void {
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

interface Placing extends Pick<Call, "allCommands"> {
  root: Node;
  nouns: Map<string, Node>;
}

function place(spec: Command, { root, nouns, allCommands }: Placing): void {
  const [noun = "", verb] = spec.name.split(" ");
  if (verb === undefined) {
    furnish(root.command(noun), spec, allCommands);
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

function furnish(node: Node, spec: Command, allCommands: Call["allCommands"]): void {
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
  node.addHelpText("after", `\nExamples:\n${indented(spec.examples.join("\n"))}`);
  const { result } = spec;
  if (result) node.addHelpText("after", () => `\nWith --json:\n${indented(shapeText(result))}`);
  node.configureHelp({
    showGlobalOptions: true,
    visibleGlobalOptions: ({ parent }) =>
      rootOf(parent).options.filter(({ long }) => long !== "--version" && (spec.acts || long !== "--as")),
  });
  throwing(node, `confab ${spec.name}`);
  node.action(() => carryOut(node, spec, allCommands));
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

async function carryOut(node: Node, spec: Command, allCommands: Call["allCommands"]): Promise<void> {
  const globals = rootOf(node).opts<{ data?: string; json?: true; as?: string }>();
  if (!spec.acts && globals.as !== undefined) node.error("this command does not take --as");

  const dataDir = globals.data ?? (process.env.CONFAB_DATA || defaultData);
  const result = read(spec.args, given(node, spec), spec.settings?.(dataDir));
  if ("problem" in result) return node.error(result.problem);
  const call = {
    allCommands,
    dataDir,
    json: globals.json === true,
    as: globals.as ?? null,
  };
  try {
    await spec.execute(call, result.values);
  } catch (error) {
    if (error instanceof CommanderError) node.error(error.message);
    throw error;
  }
}

/** The typed values, by argument name. */
function given(node: Node, { args }: Command): Record<string, unknown> {
  const operands = Object.entries(args).filter(([, row]) => isOperand(row));
  const options = new Map(node.options.map((option) => [option.long, typedValue(node, option)]));
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
function typedValue(node: Node, option: Option): unknown {
  const name = option.attributeName();
  if (node.getOptionValueSource(name) !== "cli") return undefined;
  return option.negate ? true : node.getOptionValue(name);
}

function rootOf(node: Node | null): Node {
  if (!node) throw new Error("Command has no root program.");
  return node.parent ? rootOf(node.parent) : node;
}

function leaves(node: Node): Node[] {
  return node.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : [child]));
}

function fullName(node: Node): string {
  const { parent } = node;
  const name = parent?.parent ? `${fullName(parent)} ${node.name()}` : node.name();
  const operands = node.registeredArguments.map((argument) => {
    const shown = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? ` ${shown}` : ` [${shown}]`;
  });
  return name + operands.join("");
}
