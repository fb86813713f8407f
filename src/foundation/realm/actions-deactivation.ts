import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { realmOf } from "./access.ts";
import { realmDeactivated, realmId } from "./schema.ts";
import * as store from "./store.ts";

/** Closes the organization to everyone; its data stays until the operator removes the data folder. */
export const deactivateRealm = action(
  allow.owner,
  (tx, { deletion_delay_days }: { deletion_delay_days?: number | null }): void => {
    if (deletion_delay_days != null) {
      fail(
        "BAD_REQUEST",
        "This server does not delete organizations: its operator can remove the data folder.",
      );
    }
    if (realmOf(tx).deactivated_at !== null) fail("BAD_REQUEST", "The organization is deactivated already.");

    store.setDeactivatedAt(tx, tx.now);
    recordAudit(tx, { event: "realm_deactivated", about: { kind: "realm" } });
    tx.emit(realmDeactivated, everyone, { realm_id: realmId });
  },
);

/** Opens the organization again. Only for the command line, because nobody can log in. */
export const reactivateRealm = action(allow.owner, (tx): void => {
  if (realmOf(tx).deactivated_at === null) fail("BAD_REQUEST", "The organization is not deactivated.");

  store.setDeactivatedAt(tx, null);
  recordAudit(tx, { event: "realm_reactivated", about: { kind: "realm" } });
});
