import { z } from "zod";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { event } from "@/kernel/core/events.ts";
import { bare } from "@/kernel/http/wire.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";

export interface Invitation {
  id: number;
  kind: InvitationKind;
  /** The ID that clients know, numbered per kind. */
  number: number;
  /** Null once the invitation has ended. */
  key: string | null;
  inviter_id: number;
  role: Role;
  /** Null for a link that anyone may use. */
  email: string | null;
  channel_ids: number[];
  group_ids: number[];
  with_defaults: 0 | 1;
  /** Null: the organization's text. */
  welcome_text: string | null;
  notify_inviter: 0 | 1;
  invited_at: number;
  /** Null: no limit. */
  valid_minutes: number | null;
  expires_at: number | null;
  state: "open" | "revoked" | "used";
  /** The queued email, which may already be sent. */
  mail_id: number | null;
  /** Whether only a mail has shown the key: who has it reads mail at the address. */
  is_mailed: 0 | 1;
}

const invitationKind = z.enum(["link", "address"]);
export type InvitationKind = z.infer<typeof invitationKind>;

export const invitationErrors = errorKinds({
  INVITATION_FAILED: { status: 400 },
});

export const inviteId = z.int();

/** The maximum of open links per user. */
export const maxLinks = 1000;

const century = 52_596_000;
const maxIds = 10_000;
const ids = z.array(z.int()).max(maxIds);
const codes = Object.values(roles) as [Role, ...Role[]];

export const welcomeText = realmSettings.table.welcome_message_custom_text.rule;

/** Null: the organization's text. Empty: no text. */
const welcomeOrDefault = bare(
  z.preprocess((text) => (text === "null" ? null : text), welcomeText.nullable()),
);

/** What an invitation of either kind gives to those who accept it. */
const given = z.object({
  invite_expires_in_minutes: z
    .int()
    .positive("An invitation must be valid for at least a minute.")
    .max(century, "An invitation can be valid for at most a century; use null for no limit.")
    .nullable()
    .optional(),
  invite_as: z.literal(codes).default(roles.member),
  group_ids: ids.default([]),
  include_realm_default_subscriptions: z.boolean().default(false),
  welcome_message_custom_text: welcomeOrDefault.default(null),
});

/** Email addresses separated by commas or line breaks, each alone or as `Name <address>`. */
export const addressList = z.string().max(50_000, "Too many addresses for one request.");

export const linkTerms = given.extend({ stream_ids: ids.default([]) });
export type InvitationTerms = z.infer<typeof linkTerms>;

export const addressTerms = given.extend({
  invitee_emails: addressList,
  stream_ids: ids,
  /** Tells the inviter when one of them joins. */
  notify_referrer_on_join: z.boolean().default(true),
});
export type AddressTerms = z.infer<typeof addressTerms>;

export const revocation = z.object({ kind: invitationKind, id: inviteId });
export type Revocation = z.infer<typeof revocation>;

/** An invitation as clients list it. */
export const invite = z.object({
  id: inviteId,
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  notify_referrer_on_join: z.boolean(),
  email: z.string().optional(),
  link_url: z.string().optional(),
});
export type Invite = z.infer<typeof invite>;

/** Tells clients to fetch the list again. */
export const invitesChanged = event("invites_changed", {
  about: "The open invitations have changed; administrators fetch the list again.",
  schema: z.object({}),
});

/** The URL of the page where an invitation is accepted. */
export function linkOf(site: string, key: string): string {
  return `${site}/join/${key}`;
}

/** What has become of the mail of an invitation. */
export interface MailState {
  state: "sent" | "waiting" | "failed";
  /** What the mail server answered to the last attempt; null if it took the mail or was not asked yet. */
  answer: string | null;
}

/** When an invitation made now expires; null for never. */
export function expiry(now: number, minutes: number | null): number | null {
  return minutes === null ? null : now + minutes * 60;
}
