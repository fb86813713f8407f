// Adding and ending invitations, with their entries in the audit log.

import { recordAudit } from "@/foundation/audit/actions.ts";
import type { ChangeOf } from "@/foundation/audit/schema.ts";
import { withdrawMail } from "@/foundation/mail/actions.ts";
import { me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { type Invitation, invitesChanged } from "./schema.ts";
import type { NewInvitation } from "./store.ts";
import * as store from "./store.ts";

/** Adds an invitation of the actor. The calling action emits the event. */
export function add(tx: Tx, made: Omit<NewInvitation, "inviter_id" | "key_hash" | "is_mailed">): Invitation {
  const added = store.insertInvitation(tx, {
    ...made,
    is_mailed: made.kind === "address" && serverOptions.read(tx).sends_mail ? 1 : 0,
    inviter_id: me(tx).id,
    key_hash: hashKey(made.key),
  });
  const { role, email, channel_ids, group_ids, expires_at } = added;
  record(tx, added, "created", { role, email, channel_ids, group_ids, expires_at });
  return added;
}

/** Revokes all invitations of a user who is being deactivated. */
export function revokeInvitationsOf(tx: Tx, inviterId: number): void {
  const open = store.listOpen(tx, tx.now, inviterId);
  for (const one of open) end(tx, one, "revoked");
  if (open.length > 0) emitChanged(tx, inviterId);
}

/** Ends all invitations of an address that now has an account. */
export function endInvitationsTo(tx: Tx, address: string): void {
  const open = store.listOfAddress(tx, address);
  for (const one of open) end(tx, one, "used");
  emitChanged(tx, ...open.map(({ inviter_id }) => inviter_id));
}

export function end(tx: Tx, found: Invitation, state: "revoked" | "used"): void {
  store.setEnded(tx, found.id, state);
  if (found.mail_id !== null) withdrawMail(tx, found.mail_id);
  if (state === "revoked") record(tx, found, "revoked", { email: found.email });
}

/** Tells administrators and the inviters that the list has changed. */
export function emitChanged(tx: Tx, ...inviters: number[]): void {
  if (inviters.length > 0) tx.emit(invitesChanged, { to: usersUpTo(tx, roles.admin), also: inviters }, {});
}

export function record(
  tx: Tx,
  { id, kind, number, email, inviter_id }: Invitation,
  verb: ChangeOf<"invitation">,
  data: object,
): void {
  recordAudit(tx, {
    event: `invitation_${verb}`,
    about: { kind: "invitation", id, name: email ?? `link ${number}` },
    personId: inviter_id,
    data: { kind, invite_id: number, ...data },
  });
}

/** Ends the invitations of an address, and forgets it in those that have ended. */
export function forgetInvitedAddress(tx: Tx, address: string): void {
  endInvitationsTo(tx, address);
  store.forgetAddress(tx, address);
}
