import { allow } from "@/foundation/permissions/access.ts";
import { fail } from "@/kernel/errors.ts";
import { operation } from "@/kernel/operation.ts";
import { runnerOf } from "./host.ts";
import type { CommandLine } from "./schema.ts";

/** Runs a command as the actor, and returns the document that it prints with --json. */
export const runCommand = operation(allow.user, async (ctx, line: CommandLine): Promise<unknown> => {
  const run = runnerOf(ctx).run ?? fail("BAD_REQUEST", "This process runs no commands.");
  return run(ctx, line);
});
