// The commands are a door of their own, above the core: the process that serves says how they are run.
import type { Ctx, Reads } from "@/kernel/context.ts";
import { perApp } from "@/kernel/per-app.ts";
import type { CommandLine } from "./schema.ts";

type Runner = (ctx: Ctx, line: CommandLine) => Promise<unknown>;

export const runnerOf = perApp((): { run: Runner | null } => ({ run: null }));

/** Lets programs elsewhere run commands at this server. */
export function setRunner(reads: Reads, run: Runner): void {
  runnerOf(reads).run = run;
}
