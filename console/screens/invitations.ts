import { z } from "zod";
import { roleName, roleNameOf, roles } from "@/foundation/permissions/schema.ts";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail, isError } from "@/kernel/lib/errors.ts";
import { listInvitations } from "@/outside/invitations/queries.ts";
import {
  addressList,
  addressTerms,
  type Invite,
  invitationErrors,
  linkTerms,
} from "@/outside/invitations/schema.ts";
import { createLink, inviteAddresses, resend, revoke } from "../changes/people.ts";
import { toAccount } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { channelIdsOf, channelNames, userNames } from "../names.ts";
import { channelPicks } from "../picks.ts";
import { qrLines } from "../qr.ts";
import { type ActionOutcome, form, type RowAction, type ScreenForm, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends Invite {
  inviter: string;
}

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const nameOf = userNames(now);
  return listInvitations(now).map((one) => ({ ...one, inviter: nameOf(one.invited_by_user_id) }));
}

const minutesADay = 24 * 60;

function termFields(now: Ctx) {
  return {
    role: { label: "Role", about: "The role of people who join with it.", rule: roleName, start: "member" },
    expires: {
      label: "Valid for days",
      about: "Empty: it never expires.",
      rule: linkTerms.shape.invite_expires_in_minutes,
      start: "10",
      read: (_: Ctx, text: string) => minutesOf(text),
    },
    channels: {
      label: "Channels",
      about: "Channels to subscribe them to besides the default ones, separated by commas.",
      rule: addressTerms.shape.stream_ids,
      choices: channelNames(now),
      open: true,
      picks: channelPicks,
      read: channelIdsOf,
    },
  };
}

function minutesOf(text: string): number | null {
  const days = text.trim();
  if (days === "") return null;
  return /^[1-9]\d{0,4}$/.test(days)
    ? Number(days) * minutesADay
    : fail("BAD_REQUEST", "Enter a number of days from 1, or nothing.");
}

interface TermValues {
  role: keyof typeof roles;
  expires?: number | null;
  channels: number[];
}

function termsOf({ role, expires, channels }: TermValues) {
  return {
    invite_as: roles[role],
    invite_expires_in_minutes: expires,
    stream_ids: channels,
    group_ids: [],
    include_realm_default_subscriptions: true,
    welcome_message_custom_text: null,
  };
}

function newInvitations(now: Ctx): ScreenForm {
  const field = {
    label: "Addresses",
    about: "Email addresses to invite, separated by commas. Empty: creates a link that anyone may use.",
    rule: z.union([z.literal(""), addressList]),
  };
  return form({
    title: "A new invitation",
    fields: { invitee_emails: field, ...termFields(now) },
    async submit(ctx, { invitee_emails, ...given }) {
      const common = termsOf(given);
      if (invitee_emails.trim() === "") return linkOutcome(await createLink(ctx, common));
      await inviteAddresses(ctx, { ...common, invitee_emails, notify_referrer_on_join: true }).catch(
        failExplained,
      );
      return { message: `Invited ${invitee_emails}.` };
    },
  });
}

/** Shows the link and its QR code. */
function linkOutcome(link: string): ActionOutcome {
  return {
    message: "Created the link.",
    secret: [["Link", link]],
    picture: qrLines(link),
    remark: ["Anyone with this link may join. The list shows it again.", ...remarkOnLinks(link)].join(" "),
  };
}

/** Puts into one line which addresses were refused, and why. */
function failExplained(error: unknown): never {
  if (!isError(error, invitationErrors.INVITATION_FAILED)) throw error;
  const refused = error.data.errors as [email: string, reason: string][];
  const reasons = refused.map(([email, reason]) => `${email}: ${reason}`);
  return fail(invitationErrors.INVITATION_FAILED, [error.message, ...reasons].join(" "), error.data);
}

const inviteeOf = ({ email }: Row) => email ?? "anyone with the link";

const rowActions: RowAction<Row>[] = [
  {
    key: "d",
    need: "anyone",
    title: () => "revoke",
    confirm: (row) => `Revoke the invitation for ${inviteeOf(row)}? It cannot be used any more.`,
    async run(ctx, { id, is_multiuse, ...row }) {
      await revoke(ctx, { kind: is_multiuse ? "link" : "address", id });
      return { message: `Revoked the invitation for ${row.email ?? "anyone with the link"}.` };
    },
  },
  {
    key: "s",
    need: "anyone",
    title: ({ is_multiuse }) => (is_multiuse ? null : "send again"),
    async run(ctx, row) {
      await resend(ctx, row.id);
      return { message: `Sent the invitation for ${inviteeOf(row)} again.` };
    },
  },
];

export const invitations = screen<Row>({
  key: "5",
  title: "Invitations",
  area: "People",
  about: "open invitations",
  empty: "There are no open invitations.",
  rows,
  id: ({ id, is_multiuse }) => `${is_multiuse ? "link" : "address"} ${id}`,
  copies: ({ link_url }) => link_url ?? null,
  columns: [
    { title: "FOR", value: inviteeOf },
    { title: "ROLE", value: ({ invited_as }) => roleNameOf(invited_as) },
    timeColumn("EXPIRES", ({ expiry_date }) => expiry_date),
    { title: "BY", value: ({ inviter }) => inviter, spare: true },
    {
      title: "LINK",
      spare: true,
      value: ({ link_url }) => link_url ?? "sent by email",
      grow: true,
      tone: () => "dim",
    },
  ],
  facts: ({ ctx }, row) => [
    ["For", inviteeOf(row)],
    ["Role", roleNameOf(row.invited_as)],
    ["Link", row.link_url ?? "sent by email"],
    ["Invited", timeText(row.invited)],
    ["By", row.inviter, toAccount(ctx(), row.invited_by_user_id)],
    ["Expires", row.expiry_date === null ? "never" : timeText(row.expiry_date)],
  ],
  picture: (_, { link_url }) => (link_url ? qrLines(link_url) : []),
  create: { title: "new invitation", need: "can_invite_users_group", form: newInvitations },
  rowActions,
});
