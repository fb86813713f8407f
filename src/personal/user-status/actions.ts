import { recordAudit } from "@/foundation/audit/actions.ts";
import { updateOwnSettings } from "@/foundation/own-account/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { userToChange } from "@/foundation/users/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import * as store from "./store.ts";
import { change, type StatusChanges } from "./tx.ts";

/** Changes the actor's status. */
export const updateOwnStatus = action(
  allow.user,
  (tx, { away, ...changes }: StatusChanges & { away?: boolean }): void => {
    if (away === undefined || Object.values(changes).some((value) => value !== undefined)) {
      change(tx, me(tx).id, changes);
    }
    if (away !== undefined) updateOwnSettings.in(tx, { settings: { presence_enabled: !away } });
  },
);

/** Changes another user's status, as an administrator. */
export const updateStatusOf = action(
  allow.admin,
  (tx, { user_id, ...changes }: StatusChanges & { user_id: number }): void => {
    const user = userToChange(tx, user_id);
    if (!user.is_active) fail("BAD_REQUEST", "User is deactivated");

    const before = store.findStatus(tx, user.id);
    if (!change(tx, user.id, changes)) return;
    const data = { from: before, to: store.findStatus(tx, user.id) };
    recordAudit(tx, { event: "user_status_changed", about: { kind: "user", id: user.id }, data });
  },
);
