// Invites people by their e-mail addresses.

import { allow, may, me } from "@/foundation/permissions/access.ts";
import { addressRefusal } from "@/foundation/realm/domains.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { userWithAddress } from "@/foundation/users/access.ts";
import { isGeneratedAddress } from "@/foundation/users/addresses.ts";
import { emailAddress } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { checkDailyLimit } from "./access.ts";
import { deliver } from "./actions-delivery.ts";
import { add, emitChanged } from "./actions-records.ts";
import { checkTerms } from "./actions-terms.ts";
import { type AddressTerms, invitationErrors } from "./schema.ts";

/** An address that cannot be invited, the reason, and whether it belongs to a deactivated account. */
type Refused = [email: string, reason: string, isDeactivated: boolean];

/** Invites each address. If some cannot be invited, invites the others and throws INVITATION_FAILED with the list. */
export const inviteAddresses = operation(allow.user, async (ctx, input: AddressTerms): Promise<void> => {
  const refused = await inviteThose(ctx, input);
  if (refused.length > 0) failInvitations(refused, { othersSent: true });
});

function failInvitations(errors: readonly Refused[], { othersSent }: { othersSent: boolean }): never {
  const message = othersSent
    ? "Some of these addresses cannot be invited. All others have been."
    : "None of these addresses can be invited, so nothing was sent.";
  fail(invitationErrors.INVITATION_FAILED, message, {
    errors,
    sent_invitations: othersSent,
    daily_limit_reached: false,
    license_limit_reached: false,
  });
}

const inviteThose = action(allow.user, (tx, input: AddressTerms): Refused[] => {
  if (!may(tx, "can_invite_users_group")) fail("BAD_REQUEST", "Insufficient permission");
  const promised = checkTerms(tx, input);
  const { welcome, refused } = sortAddresses(tx, addressesIn(input.invitee_emails));
  if (welcome.length === 0) failInvitations(refused, { othersSent: false });
  checkDailyLimit(tx, welcome.length);

  const notify_inviter = input.notify_referrer_on_join ? 1 : 0;
  const made = welcome.map((email) =>
    add(tx, { ...promised, kind: "address", key: newKey(), email, notify_inviter }),
  );
  deliver(tx, made);
  emitChanged(tx, me(tx).id);
  return refused;
});

/** The addresses without names and duplicates. */
function addressesIn(text: string): string[] {
  const given = text
    .split(/[\n,]/)
    .map((entry) => (/<([^<>]*)>\s*$/.exec(entry)?.[1] ?? entry).trim())
    .filter((entry) => entry !== "");
  if (given.length === 0) fail("BAD_REQUEST", "You must specify at least one email address.");
  const first = Map.groupBy(given, (address) => address.toLowerCase());
  return [...first.values()].flatMap(([address]) => address ?? []);
}

function sortAddresses(tx: Tx, addresses: readonly string[]): { welcome: string[]; refused: Refused[] } {
  const refused: Refused[] = [];
  const welcome = addresses.filter((address) => {
    const refusal = refusalOf(tx, address);
    if (refusal) refused.push(refusal);
    return refusal === null;
  });
  return { welcome, refused };
}

const unwanted = {
  outside: "Outside your organization's domains.",
  disposable: "A disposable address.",
} as const;

function refusalOf(tx: Tx, address: string): Refused | null {
  if (!emailAddress.safeParse(address).success) return [address, "Not an email address.", false];
  const account = userWithAddress(tx, address);
  if (account?.is_active) return [address, "Already has an account.", false];
  if (account) return [address, "Account has been deactivated.", true];
  if (isGeneratedAddress(tx, address)) return [address, "Kept for the organization's own use.", false];
  const reason = addressRefusal(tx, address);
  return reason && [address, unwanted[reason], false];
}
