import { findUnsent, type UnsentMail } from "@/foundation/mail/queries.ts";
import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { listProviders, pictureFields, takesPasswords } from "@/foundation/realm/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { type Ctx, siteOf } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { mayChange, openInvitation } from "./access.ts";
import { type Invitation, type Invite, linkOf, type MailState } from "./schema.ts";
import * as store from "./store.ts";

/** Open invitations, newest first: administrators see all, others their own. */
export const listInvitations = query(allow.user, (ctx): Invite[] => {
  const member = me(ctx);
  return store.listOpen(ctx, ctx.now, isAdmin(member) ? null : member.id).map((one) => present(ctx, one));
});

function present(ctx: Ctx, one: Invitation): Invite {
  return {
    id: one.number,
    invited_by_user_id: one.inviter_id,
    invited: one.invited_at,
    expiry_date: one.expires_at,
    invited_as: one.role,
    is_multiuse: one.kind === "link",
    notify_referrer_on_join: one.notify_inviter === 1,
    ...(one.email === null ? {} : { email: one.email }),
    ...(isShown(ctx, one) && one.key !== null ? { link_url: linkOf(siteOf(ctx), one.key) } : {}),
  };
}

/** An emailed link proves who owns the address, so it is not shown even if the server no longer sends email. */
function isShown(ctx: Ctx, one: Invitation): boolean {
  const isHandedOver = !one.is_mailed && !serverOptions.read(ctx).sends_mail;
  return mayChange(ctx, one) && (one.kind === "link" || isHandedOver);
}

/** The state of invitations' mails, by number; invitations without a mail are missing. */
export const mailStates = query(allow.user, (ctx, numbers: readonly number[]): Map<number, MailState> => {
  const member = me(ctx);
  const wanted = new Set(numbers);
  const open = store.listOpen(ctx, ctx.now, isAdmin(member) ? null : member.id);
  return new Map(
    open.flatMap(({ number, kind, mail_id }) =>
      kind === "address" && wanted.has(number) && mail_id !== null
        ? [[number, stateOf(findUnsent(ctx, mail_id))]]
        : [],
    ),
  );
});

function stateOf(unsent: UnsentMail | null): MailState {
  if (!unsent) return { state: "sent", answer: null };
  return { state: unsent.given_up_at === null ? "waiting" : "failed", answer: unsent.answer };
}

/** What anyone with a link may know. */
export interface InvitationDoor {
  organization: string;
  /** The URL of the organization's icon. */
  icon: string;
  /** The invited address; null if the person may choose. */
  email: string | null;
  role: number;
  site: string;
  takesPasswords: boolean;
  /** Where people may sign in instead, or as well. */
  providers: ReturnType<typeof listProviders>;
}

/** What anyone with a link may know; throws if the invitation has ended. */
export const lookUpInvitation = query(allow.anyone, (ctx, key: string): InvitationDoor => {
  const { email, role } = openInvitation(ctx, key);
  const { name: organization } = realmSettings.read(ctx);
  return {
    organization,
    icon: pictureFields(ctx, "icon").icon_url,
    email,
    role,
    site: siteOf(ctx),
    takesPasswords: takesPasswords(ctx),
    providers: listProviders(ctx),
  };
});
