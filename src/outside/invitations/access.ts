// Which invitations a user may manage, and which are still open.

import { isAdmin, me, memberOf } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { type Invitation, type InvitationKind, invitationErrors } from "./schema.ts";
import * as store from "./store.ts";

function isExpired({ expires_at }: Invitation, now: number): boolean {
  return expires_at !== null && expires_at <= now;
}

/** Only owners may manage invitations of owners, because anyone who sees such a link could become one. */
export function mayChange(ctx: Ctx, { inviter_id, role }: Invitation): boolean {
  if (ctx.actor.kind === "system") return true;
  const member = me(ctx);
  if (role === roles.owner && member.role !== roles.owner) return false;
  return inviter_id === member.id || isAdmin(member);
}

/**
 * An invitation that the actor may manage. For somebody else's, answers "No such invitation", as if it did not exist.
 */
export function invitationFor(ctx: Ctx, kind: InvitationKind, number: number): Invitation {
  const found = store.findByNumber(ctx, kind, number);
  const isKnown = found && (found.inviter_id === ctx.actor.id || mayChange(ctx, found));
  if (!isKnown) return fail("BAD_REQUEST", "No such invitation");
  if (!mayChange(ctx, found)) fail("BAD_REQUEST", "Only an organization owner may do this.");
  if (found.state === "revoked") fail("BAD_REQUEST", "Invitation has already been revoked");
  if (found.state === "used" || isExpired(found, ctx.now)) fail("BAD_REQUEST", "No such invitation");
  return found;
}

/** The open invitation with this key. If it has ended, says why, and nothing else. */
export function openInvitation(ctx: ReadsNow, key: string): Invitation {
  const found = store.findByKeyHash(ctx, hashKey(key));
  if (!found) return fail("MISSING", "No such invitation. Please check that the link is complete.");
  checkRealmActive(ctx);
  if (found.state === "used") fail("GONE", "This invitation has already been used.");
  if (found.state === "revoked" || !hasValidInviter(ctx, found))
    fail("GONE", "This invitation has been revoked.");
  if (isExpired(found, ctx.now)) fail("GONE", "This invitation has expired.");
  return found;
}

/** As `openInvitation`, for the person with this address: refuses invitations of others. */
export function openInvitationFor(ctx: ReadsNow, key: string, address: string): Invitation {
  const found = openInvitation(ctx, key);
  if (found.email !== null && found.email.toLowerCase() !== address.toLowerCase()) {
    fail("BAD_REQUEST", sentence("This invitation is for the address {email}.", { email: found.email }));
  }
  return found;
}

/** An invitation ends when its inviter loses the right to give its role. */
function hasValidInviter(reads: Reads, { inviter_id, role }: Invitation): boolean {
  const inviter = memberOf(reads, inviter_id);
  return inviter.is_active === 1 && inviter.role <= role;
}

/** An open invitation of an address, or null. */
export function openInvitationTo(ctx: ReadsNow, address: string): Invitation | null {
  const isOpen = (one: Invitation) => !isExpired(one, ctx.now) && hasValidInviter(ctx, one);
  return store.listOfAddress(ctx, address).find(isOpen) ?? null;
}

const day = 86_400;

/** Throws if this would exceed the server's daily limit. */
export function checkDailyLimit(ctx: Ctx, count: number): void {
  const { invitations_per_day: max } = serverOptions.read(ctx);
  if (store.countSendings(ctx, day) + count <= max) return;
  fail(
    invitationErrors.INVITATION_FAILED,
    sentence("At most {max} addresses can be invited in a day, so nothing was sent.", { max: String(max) }),
    {
      errors: [],
      sent_invitations: false,
      daily_limit_reached: true,
      license_limit_reached: false,
    },
  );
}
