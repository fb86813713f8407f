// Commands as data: each one's name, arguments, work and output.
import type { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { Args, ArgValues } from "./args.ts";
import { contentOf, isFile } from "./files.ts";
import { addressOf } from "./lock.ts";
import { failUsage } from "./misuse.ts";
import { asOperator, type OrganizationTarget } from "./organization.ts";
import { complain, forPeople, forScripts, write } from "./output.ts";
import { isNodeFolder, serverOfNode } from "./own-node.ts";
import type { CommandServer, Remote } from "./remote.ts";
import { checkShape, type Server, withServer } from "./server.ts";

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

export interface CommandCall extends OrganizationTarget {
  json: boolean;
  /** The arguments as typed. */
  given: Record<string, string | string[] | true>;
  /** The remote server that the command is for; null for the data folder. */
  remote: Remote | null;
  /** Loads the commands of all nouns, for those that describe them. */
  allCommands: () => Promise<Command[]>;
}

/** A command that the runner can run. */
export interface Command extends Described<Args> {
  /** Whether it acts as a user of the organization. */
  readonly acts: boolean;
  /** Whether it also works against a remote server. */
  readonly runsRemotely: boolean;
  /** Whether it concerns neither a data folder nor a server. */
  readonly isApart: boolean;
  /** For a command that a server runs for remote programs: its work as a user, which returns the document of --json. */
  perform?(ctx: Ctx, values: Record<string, unknown>): Promise<unknown>;
  /** Whether it does so only for the operator, who can read a node's data folder. */
  readonly isOperators?: boolean;
  /** Whether the audit log need not name it when it was run for a remote person, with these values. */
  isUnaudited?(values: Record<string, unknown>): boolean;
  execute(call: CommandCall, values: Record<string, unknown>): Promise<void>;
}

interface Acting<A extends Args, S extends z.ZodType> extends Described<A> {
  result: S;
  /** True for the operator's own commands, which need the data folder. */
  isHere?: true;
  /** Whether it only shows something, or concerns nothing but the actor's own messages and settings; or with which values. */
  isUnaudited?: true | ((values: ArgValues<A>) => boolean);
  run: (ctx: Ctx, values: ArgValues<A>) => z.output<S> | Promise<z.output<S>>;
  print: (result: z.output<S>, values: ArgValues<A>) => string;
  /** What could not be done, although the rest was: the command ends with status 1. */
  failure?: (result: z.output<S>) => string | null;
  /** Remarks about the result, printed to standard error because scripts read standard output. */
  remark?: (result: z.output<S>) => readonly string[];
}

/** A command that acts as a user of an organization: the first active owner, or --as. */
export function command<A extends Args, S extends z.ZodType>(spec: Acting<A, S>): Command {
  const { run, print, remark, failure, isHere = false, isUnaudited = () => false, ...described } = spec;
  const perform = async (ctx: Ctx, values: Record<string, unknown>) => run(ctx, values as ArgValues<A>);
  return {
    ...described,
    acts: true,
    runsRemotely: !isHere,
    isApart: false,
    perform,
    isOperators: isHere,
    isUnaudited: (values) => isUnaudited === true || isUnaudited(values as ArgValues<A>),
    async execute(call, values) {
      const server = await otherServer(call);
      const result = server
        ? await performBy(server, spec, { ...call, values })
        : await asOperator(call, async (ctx) => perform(ctx, values));
      await write(call.json ? forScripts(result) : forPeople(print(result, values as ArgValues<A>)));
      for (const line of call.json ? [] : (remark?.(result) ?? [])) complain(line);
      const failed = failure?.(result) ?? null;
      if (failed !== null) fail("BAD_REQUEST", failed);
    },
  };
}

/** The server that runs a command instead of this process: a remote one, or that of a node's data folder; or null. */
export async function otherServer({
  remote,
  ...target
}: OrganizationTarget & Pick<CommandCall, "remote">): Promise<CommandServer | null> {
  if (!remote) return isNodeFolder(target.dataDir) ? serverOfNode(target) : null;
  const { remoteAccount, remoteServer } = await import("./remote.ts");
  return remoteServer(await remoteAccount(remote, target.as));
}

interface Performed<S> {
  name: string;
  args: Args;
  result: S;
}

async function performBy<S extends z.ZodType>(
  server: CommandServer,
  { name, args, result }: Performed<S>,
  { given, values }: CommandCall & { values: Record<string, unknown> },
): Promise<z.output<S>> {
  const file = await fileAmong(args, values);
  return checkShape(result, await server.run({ command: name, given, agreed: false, file }), server);
}

/** The content of the file that a command reads, to send along; undefined if it reads none. */
async function fileAmong(args: Args, values: Record<string, unknown>): Promise<Blob | undefined> {
  for (const [key, row] of Object.entries(args)) {
    const path = values[key];
    if (isFile(row) && typeof path === "string") return contentOf(path, row);
  }
  return undefined;
}

interface Standalone<A extends Args, R, S extends z.ZodType> extends Described<A> {
  result: S;
  /** Calls `show` once, if there is a result to print. */
  run: (
    call: Omit<CommandCall, "json"> & { show(result: R): Promise<void> },
    values: ArgValues<A>,
  ) => Promise<void>;
  /** True for commands that act as a user even so. */
  actsAs?: boolean;
  /** True for commands that do so at a remote server, too. */
  runsRemotely?: boolean;
  /** True for commands that concern neither a data folder nor a server. */
  isApart?: boolean;
  print: (result: R) => string;
  json: (result: R) => z.output<S>;
}

/** A command that opens no organization by itself. */
export function standalone<A extends Args, R, S extends z.ZodType>(spec: Standalone<A, R, S>): Command {
  const {
    run,
    print,
    json: document,
    actsAs = false,
    runsRemotely = false,
    isApart = false,
    ...described
  } = spec;
  return {
    ...described,
    acts: actsAs,
    runsRemotely,
    isApart,
    execute({ json, ...call }, values) {
      const show = async (result: R) => {
        await write(json ? forScripts(document(result)) : forPeople(print(result)));
      };
      return run({ ...call, show }, values as ArgValues<A>);
    },
  };
}

interface Inspecting<A extends Args, S extends z.ZodType> extends Described<A> {
  result: S;
  /** Reads the data folder, where a person runs the command on the server's machine. */
  here: (target: Pick<CommandCall, "dataDir">, values: ArgValues<A>) => Promise<z.output<S>>;
  /** Finds out the same in the server, for a person elsewhere. */
  there: (ctx: Ctx, values: ArgValues<A>) => Promise<z.output<S>>;
  print: (result: z.output<S>) => string;
  /** Called once the result is printed; throws if it is bad. */
  judge?: (result: z.output<S>) => void;
}

/** A command that reads a data folder without acting as a user, and shows the same of a remote server to anyone who may know it. */
export function inspecting<A extends Args, S extends z.ZodType>(spec: Inspecting<A, S>): Command {
  const { here, there, print, judge = () => {}, ...described } = spec;
  return {
    ...described,
    acts: true,
    runsRemotely: true,
    isApart: false,
    perform: (ctx, values) => there(ctx, values as ArgValues<A>),
    isUnaudited: () => true,
    async execute(call, values) {
      if (!call.remote && call.as !== null)
        failUsage("--as goes with --server: next to the data folder the command acts for nobody");
      const server = call.remote && (await otherServer(call));
      const result = server
        ? await performBy(server, spec, { ...call, values })
        : await here(call, values as ArgValues<A>);
      await write(call.json ? forScripts(result) : forPeople(print(result)));
      judge(result);
    },
  };
}

/** Prints a result, as JSON or as the text, on separate lines; false if the output is closed. */
export type Out = (document: unknown, text: () => string) => Promise<boolean>;

export function outOf(json: boolean): Out {
  return (document, text) => write(json ? forScripts(document) : forPeople(text()));
}

interface Asking<A extends Args> extends Described<A> {
  result: z.ZodType;
  run: (server: Server, values: ArgValues<A>, out: Out) => Promise<void>;
  /** What it does next to the folder of a node that does not run; without this, it is refused there. */
  runOnStoppedNode?: (dataDir: string, out: Out) => Promise<void>;
  /** What it does next to the folder of a node that runs, if that differs. */
  runOnNode?: (server: Server, dataDir: string, out: Out) => Promise<void>;
}

/** A command that asks the running server for what only it knows. */
export function asking<A extends Args>(spec: Asking<A>): Command {
  const { run, runOnStoppedNode, runOnNode, ...described } = spec;
  return {
    ...described,
    acts: true,
    runsRemotely: true,
    isApart: false,
    async execute(call, values) {
      const out = outOf(call.json);
      const { remote, dataDir } = call;
      if (runOnStoppedNode && !remote && isNodeFolder(dataDir) && addressOf(dataDir) === null)
        return runOnStoppedNode(dataDir, out);
      const work = (server: Server) => run(server, values as ArgValues<A>, out);
      const server = await otherServer(call);
      if (server && runOnNode && !remote) return runOnNode(server, dataDir, out);
      return server ? work(server) : withServer(call, work);
    },
  };
}

/** Whether none of the values was given. */
export function isEmpty(values: Record<string, unknown>): boolean {
  return Object.values(values).every((value) => value === undefined);
}
