import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Db } from "@/kernel/context.ts";
import { action, operation } from "@/kernel/operation.ts";

const trying = new WeakSet<Db>();

/** Tries to write, so that a server that nobody writes to does not stay "failing" after the cause is gone. */
export const tryWriting = operation(allow.anyone, async (ctx): Promise<void> => {
  if (trying.has(ctx.db)) return;
  trying.add(ctx.db);
  try {
    await rewrite(ctx);
  } catch {
    // The store records the reason.
  } finally {
    trying.delete(ctx.db);
  }
});

/** Writes a value that is already there. */
const rewrite = action(allow.anyone, (tx): void => {
  realmSettings.write(tx, "site", realmSettings.read(tx).site);
});
