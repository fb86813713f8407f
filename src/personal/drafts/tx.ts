import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import * as store from "./store.ts";

/**
 * Deletes all drafts of a user who turned synchronization off. Emits no event, because clients now hold the only copy.
 */
export function forgetDrafts(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (before.enable_drafts_synchronization && !now.enable_drafts_synchronization)
    store.deleteDrafts(tx, userId);
}
