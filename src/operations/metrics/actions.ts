import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { action, operation } from "@/kernel/operation.ts";
import { oneAtATime } from "@/kernel/per-app.ts";

/** Tries to write, so that a server that nobody writes to does not stay "failing" after the cause is gone. */
export const tryWriting = operation(allow.anyone, async (ctx): Promise<void> => {
  await attempt(ctx);
});

const attempt = oneAtATime(async (ctx: Ctx) => {
  try {
    await rewrite(ctx);
  } catch {
    // The store records the reason.
  }
});

/** Writes a value that is already there. */
const rewrite = action(allow.anyone, (tx): void => {
  realmSettings.write(tx, "site", realmSettings.read(tx).site);
});
