// Commands live above the core, so the process that serves registers how to run them.
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import type { CommandLine, Ran } from "./schema.ts";

type Runner = (ctx: Ctx, line: CommandLine) => Promise<Ran>;

export const runnerOf = perApp((): { run: Runner | null } => ({ run: null }));

/** Lets remote programs run commands at this server. */
export function setRunner(reads: Reads, run: Runner): void {
  runnerOf(reads).run = run;
}
