import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import * as store from "./store.ts";

/**
 * Drops all drafts of a user who no longer wants them kept here. Clients are not told: what they hold of them is then
 * the only copy there is.
 */
export function forgetDrafts(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (before.enable_drafts_synchronization && !now.enable_drafts_synchronization)
    store.deleteDrafts(tx, userId);
}
