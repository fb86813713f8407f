import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { runnerOf } from "./host.ts";
import type { CommandLine } from "./schema.ts";

/** Runs a command as the actor, and returns the document that it prints with --json. */
export const runCommand = operation(allow.user, async (ctx, line: CommandLine): Promise<unknown> => {
  const run = runnerOf(ctx).run ?? fail("BAD_REQUEST", "This process runs no commands.");
  // Before the command runs, because it may end or lower the actor's own account.
  const isWatched = !line.isOperator && me(ctx).role <= roles.moderator;
  const { document, isAudited } = await run(ctx, line);
  if (isWatched && isAudited) await record(ctx, line);
  return document;
});

/** Without the values, which may be secret. `runCommand` has checked the actor, who may have no account any more. */
const record = action(allow.anyone, (tx, { command, given }: CommandLine): void =>
  recordAudit(tx, {
    event: "command_run",
    about: { kind: "server" },
    data: { command, options: Object.keys(given) },
  }),
);
