import { allow, may, me } from "@/foundation/permissions/access.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { userWithAddress } from "@/foundation/users/access.ts";
import { siteOf } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { checkDailyLimit, invitationFor } from "./access.ts";
import { welcome } from "./actions-arrival.ts";
import { deliver } from "./actions-delivery.ts";
import { add, emitChanged, end, record } from "./actions-records.ts";
import { checkTerms } from "./actions-terms.ts";
import { expiry, type InvitationTerms, linkOf, maxLinks, type Revocation } from "./schema.ts";
import * as store from "./store.ts";

/** Creates an invitation link for any number of people; returns it. */
export const createLink = action(allow.user, (tx, terms: InvitationTerms): string => {
  if (!may(tx, "create_multiuse_invite_group")) fail("BAD_REQUEST", "Insufficient permission");
  const promised = checkTerms(tx, terms);
  if (store.listOpen(tx, tx.now, me(tx).id).filter(({ kind }) => kind === "link").length >= maxLinks) {
    fail("BAD_REQUEST", `You can have at most ${maxLinks} invitation links: revoke some first.`);
  }

  const key = newKey();
  add(tx, { ...promised, kind: "link", key, email: null, notify_inviter: 0 });
  emitChanged(tx, me(tx).id);
  return linkOf(siteOf(tx), key);
});

/** Revokes an open invitation. */
export const revoke = action(allow.user, (tx, { kind, id }: Revocation): void => {
  const found = invitationFor(tx, kind, id);

  end(tx, found, "revoked");
  emitChanged(tx, found.inviter_id);
});

/** Sends an invitation again and restarts its period of validity. */
export const resend = action(allow.user, (tx, id: number): void => {
  const found = invitationFor(tx, "address", id);
  if (!may(tx, "can_invite_users_group")) fail("BAD_REQUEST", "Insufficient permission");
  if (found.email !== null && userWithAddress(tx, found.email)) {
    fail("BAD_REQUEST", sentence("''{email}'' already has an account.", { email: found.email }));
  }
  checkDailyLimit(tx, 1);

  const expires_at = expiry(tx.now, found.valid_minutes);
  store.setExpiry(tx, found.id, expires_at);
  record(tx, found, "resent", { email: found.email });
  deliver(tx, [{ ...found, expires_at }]);
  emitChanged(tx, found.inviter_id);
});

/** Sends the actor the welcome message as a new user would see it; returns the message's ID. */
export const tryWelcome = action(allow.admin, (tx, text: string): number => {
  return welcome(tx, text) ?? fail("BAD_REQUEST", "A welcome message must not be empty.");
});
