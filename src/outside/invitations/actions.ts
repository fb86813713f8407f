import { recordAudit } from "@/foundation/audit/actions.ts";
import { hashKey, newKey } from "@/foundation/auth/secrets.ts";
import { withdrawMail } from "@/foundation/mail/actions.ts";
import { allow, may, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { welcome } from "@/foundation/users/arrival.ts";
import { userWithAddress } from "@/foundation/users/credentials.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { invitationFor, type Kind } from "./access.ts";
import { checkDailyLimit, deliver } from "./delivery.ts";
import { invitesChanged, mostLinks, type Terms } from "./schema.ts";
import type { Invitation, NewInvitation } from "./store.ts";
import * as store from "./store.ts";
import { checkTerms, expiry } from "./terms.ts";

export { inviteAddresses } from "./addresses.ts";

/** The address of the page where an invitation is accepted. */
export function linkOf(site: string, key: string): string {
  return `${site}/join/${key}`;
}

/** Makes a link by which anyone may join; returns it (API.md 4.16). */
export const createLink = action(allow.user, (tx, terms: Terms): string => {
  if (!may(tx, "create_multiuse_invite_group")) fail("BAD_REQUEST", "Insufficient permission");
  const promised = checkTerms(tx, terms);
  if (store.listOpen(tx, tx.now, me(tx).id).filter(({ kind }) => kind === "link").length >= mostLinks) {
    fail("BAD_REQUEST", `You can have at most ${mostLinks} invitation links: revoke some first.`);
  }

  const key = newKey();
  add(tx, { ...promised, kind: "link", key, email: null, notify_inviter: 0 });
  tellChanged(tx, me(tx).id);
  return linkOf(tx.env.site, key);
});

/** Adds an invitation of the actor's, as part of an action that tells of it. */
export function add(tx: Tx, made: Omit<NewInvitation, "inviter_id" | "key_hash">): Invitation {
  const added = store.insertInvitation(tx, {
    ...made,
    inviter_id: me(tx).id,
    key_hash: hashKey(made.key),
  });
  const { role, email, channel_ids, group_ids, expires_at } = added;
  record(tx, added, "created", { role, email, channel_ids, group_ids, expires_at });
  return added;
}

/** Ends an invitation before it is used up or expires. */
export const revoke = action(allow.user, (tx, { kind, id }: { kind: Kind; id: number }): void => {
  const found = invitationFor(tx, kind, id);

  end(tx, found, "revoked");
  tellChanged(tx, found.inviter_id);
});

/** Sends the invitation of an address again; it is valid as long as it was at first. */
export const resend = action(allow.user, (tx, id: number): void => {
  const found = invitationFor(tx, "address", id);
  if (!may(tx, "can_invite_users_group")) fail("BAD_REQUEST", "Insufficient permission");
  if (found.email !== null && userWithAddress(tx, found.email)) {
    fail("BAD_REQUEST", `'${found.email}' already has an account.`);
  }
  checkDailyLimit(tx, 1);

  const expires_at = expiry(tx.now, found.valid_minutes);
  store.setExpiry(tx, found.id, expires_at);
  record(tx, found, "resent", { email: found.email });
  deliver(tx, [{ ...found, expires_at }]);
  tellChanged(tx, found.inviter_id);
});

/** Sends the actor a text as new people would read it; returns the message's ID. */
export const tryWelcome = action(allow.admin, (tx, text: string): number => {
  return welcome(tx, text) ?? fail("BAD_REQUEST", "A welcome message must not be empty.");
});

/** Revokes what somebody has invited who leaves; part of their deactivation. */
export function revokeInvitationsOf(tx: Tx, inviterId: number): void {
  const open = store.listOpen(tx, tx.now, inviterId);
  for (const one of open) end(tx, one, "revoked");
  if (open.length > 0) tellChanged(tx, inviterId);
}

/** Ends all invitations of an address that has an account from now on; part of its arrival. */
export function endInvitationsTo(tx: Tx, address: string): void {
  const open = store.listOfAddress(tx, address);
  for (const one of open) end(tx, one, "used");
  tellChanged(tx, ...open.map(({ inviter_id }) => inviter_id));
}

function end(tx: Tx, found: Invitation, state: "revoked" | "used"): void {
  store.setEnded(tx, found.id, state);
  if (found.mail_id !== null) withdrawMail(tx, found.mail_id);
  if (state === "revoked") record(tx, found, "revoked", { email: found.email });
}

/** Tells administrators, and those whose invitations these are, that the list is another. */
export function tellChanged(tx: Tx, ...inviters: number[]): void {
  if (inviters.length > 0) tx.emit(invitesChanged, { to: usersUpTo(tx, roles.admin), also: inviters }, {});
}

export function record(tx: Tx, { id, kind, number }: Invitation, deed: string, data: object): void {
  recordAudit(tx, {
    event: `invitation_${deed}`,
    about: { kind: "invitation", id },
    data: { kind, invite_id: number, ...data },
  });
}
