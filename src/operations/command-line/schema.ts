import { z } from "zod";

/** A command line as parsed by the remote program; the server checks every value again. */
export const commandLine = {
  /** As typed: `user create`. */
  command: z.string().max(60),
  /** Its arguments by name, as typed. */
  given: z.record(z.string().max(60), z.union([z.string(), z.array(z.string()), z.literal(true)])),
  /** What the command would read from standard input. */
  input: z.string().optional(),
  /** Whether the person has confirmed the command. */
  agreed: z.boolean().default(false),
};

/** A file that came with a command, in a temporary place until the command has run. */
export interface SentFile {
  path: string;
  size: number;
}

/** Max size of a file that comes with a command. */
export const maxSentMib = 16;

export interface CommandLine {
  command: string;
  given: Record<string, string | string[] | true>;
  input?: string | undefined;
  agreed: boolean;
  file?: SentFile | undefined;
  /** Whether it comes from the operator, on a node's data folder. */
  isOperator: boolean;
}

export interface Ran {
  /** What the command prints with --json. */
  document: unknown;
  /** Whether the audit log names it, besides what it changed. */
  isAudited: boolean;
}

/** By this command, which nobody types, a console with the data folder of a node has the leader make a change. */
export const changeCommand = "console change";
/** By this one, a console elsewhere reads screens; it changes nothing. */
export const lookCommand = "console look";
/** By this one, it submits forms, runs actions and undoes them. */
export const actCommand = "console act";

/** The answer of a server without this command. */
export function notRun(command: string): string {
  return `This server does not run the command '${command}' for remote programs.`;
}

/** What a command needs from the person before it can continue; the program asks for it and sends the command again. */
export const needed = z.object({ needs: z.enum(["input", "secret", "agreement"]), question: z.string() });
export type Needed = z.infer<typeof needed>;
