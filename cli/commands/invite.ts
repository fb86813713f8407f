import { z } from "zod";
import { roleName, roleNameOf, roles } from "@/foundation/permissions/schema.ts";
import { remarkOnLinks } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail, isError } from "@/kernel/lib/errors.ts";
import { createLink, resend, revoke } from "@/outside/invitations/actions.ts";
import { inviteAddresses } from "@/outside/invitations/actions-addresses.ts";
import { listInvitations, mailStates } from "@/outside/invitations/queries.ts";
import { type Invite, invitationErrors, type MailState } from "@/outside/invitations/schema.ts";
import { type ArgValues, flag, operand, operands, option, options } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { oneOrMore } from "../many.ts";
import { table, timeText } from "../output.ts";
import { addresses, channelIdOf } from "../values.ts";

const days = z.union(
  [
    z.literal("never").transform(() => null),
    z
      .string()
      .regex(/^[1-9]\d{0,4}$/)
      .transform((text) => Number(text) * 24 * 60),
  ],
  'days are a number from 1 on, or "never"',
);

const terms = {
  role: option("ROLE", roleName.default("member"), roleName.options.join(", ")),
  expires: option(
    "DAYS",
    days.optional(),
    'days until it expires, or "never" (default: as the server is set up)',
  ),
  channel: options("CHANNEL", z.array(z.string()).default([]), "channels to subscribe the people to"),
  no_defaults: flag(z.boolean().default(false), "leave out the organization's default channels"),
};

function termsOf(ctx: Ctx, { role, expires, channel, no_defaults }: ArgValues<typeof terms>) {
  return {
    invite_as: roles[role],
    invite_expires_in_minutes: expires,
    stream_ids: channel.map((name) => channelIdOf(ctx, name)),
    group_ids: [],
    include_realm_default_subscriptions: !no_defaults,
    welcome_message_custom_text: null,
  };
}

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** What has become of an invitation's mail; `answer` is what the mail server said. */
const mailState = z.object({
  state: z.enum(["sent", "waiting", "failed"]),
  answer: z.string().nullable(),
});

const shape = z.object({
  invite_id: z.int(),
  email: z.string().nullable(),
  link: z.string().nullable(),
  role: roleName,
  expires: z.iso.datetime().nullable(),
});
const sentShape = shape.extend({ mail: mailState.nullable() });
type Shown = z.infer<typeof shape>;

const presentInvite = ({ id, email, link_url, invited_as, expiry_date }: Invite): Shown => ({
  invite_id: id,
  email: email ?? null,
  link: link_url ?? null,
  role: roleNameOf(invited_as),
  expires: expiry_date === null ? null : timeOf(expiry_date),
});

type SentInvites = z.infer<typeof sentShape>;

const patienceMs = 10_000;

/** Waits until the server has tried to send the mails of these invitations, for a few seconds. */
async function waitForDelivery(
  ctx: Ctx,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, MailState>> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const states = mailStates(ctx, numbers);
    const isTried = [...states.values()].every(({ state, answer }) => state !== "waiting" || answer !== null);
    if (isTried || performance.now() > end) return states;
    await new Promise((resolve) => setTimeout(resolve, 100));
    ctx.db.noticeOthers(ctx);
  }
}

async function withMail(ctx: Ctx, invites: readonly Shown[]): Promise<SentInvites[]> {
  const states = await waitForDelivery(
    ctx,
    invites.map(({ invite_id }) => invite_id),
  );
  return invites.map((one) => ({ ...one, mail: states.get(one.invite_id) ?? null }));
}

function mailRemarks(invites: readonly SentInvites[]): string[] {
  const unsent = invites.flatMap(({ email, mail }) =>
    mail && mail.state !== "sent" ? [{ email: email ?? "", ...mail }] : [],
  );
  return unsent.map(({ email, state, answer }) => {
    if (state === "failed") return `The mail to ${email} could not be delivered: ${answer}`;
    if (answer === null)
      return `The mail to ${email} waits: a running server sends it ('confab health' tells whether one runs).`;
    return `The mail to ${email} waits, the server tries again: ${answer}`;
  });
}

const inviteTable = (invites: readonly Shown[]) =>
  table(
    ["FOR", "ROLE", "EXPIRES (UTC)", "LINK"],
    invites.map(({ email, role, expires, link }) => [
      email ?? "anyone",
      role,
      expires === null ? "never" : timeText(Date.parse(expires) / 1000),
      link ?? "sent by mail",
    ]),
  );

const unmailed =
  "This server sends no mail: pass each link on yourself ('confab serve --smtp-url' names a mail server).";

const sendingRemarks = (invites: readonly SentInvites[]) => [
  ...(invites.some(({ link, mail }) => link !== null && mail === null) ? [unmailed] : []),
  ...remarks(invites),
  ...mailRemarks(invites),
];

const remarks = (invites: readonly Shown[]) =>
  remarkOnLinks(invites.find(({ link }) => link !== null)?.link ?? null);

/** Those for an address, or the one with this link. */
function invitationsFor(open: readonly Invite[], text: string): Invite[] {
  const key = text.toLowerCase();
  return open.filter(({ email, link_url }) => email?.toLowerCase() === key || link_url === text);
}

const findByText = (ctx: Ctx, text: string) => findInvitations(ctx, [text]);

/** Finds the open invitations by addresses or links; the error names all texts that fit none. */
function findInvitations(ctx: Ctx, texts: readonly string[]): Invite[] {
  const open = listInvitations(ctx);
  const unknown: string[] = [];
  const found = texts.flatMap((text) => {
    const mine = invitationsFor(open, text);
    if (mine.length === 0) unknown.push(`'${text}'`);
    return mine;
  });
  if (unknown.length > 0) fail("BAD_REQUEST", `There is no open invitation for ${unknown.join(", ")}.`);
  return [...new Set(found)];
}

/** Puts into one line which addresses were refused, and why. */
function failExplained(error: unknown): never {
  if (!isError(error, invitationErrors.INVITATION_FAILED)) throw error;
  const refused = error.data.errors as [email: string, reason: string][];
  const reasons = refused.map(([email, reason]) => `${email}: ${reason}`);
  return fail(invitationErrors.INVITATION_FAILED, [error.message, ...reasons].join(" "), error.data);
}

export default [
  command({
    name: "invite link",
    summary: "Create an invitation link that anyone may use",
    examples: ["confab invite link", "confab invite link --role guest --expires 7 --channel design"],
    args: terms,
    result: z.object({ link: z.string(), expires: z.iso.datetime().nullable() }),
    run: async (ctx, values) => {
      const link = await createLink(ctx, termsOf(ctx, values));
      const made = listInvitations(ctx).find(({ link_url }) => link_url === link);
      return { link, expires: made ? presentInvite(made).expires : null };
    },
    print: ({ link }) => link,
    remark: ({ link, expires }) => [
      expires === null
        ? "It works until it is revoked ('confab invite revoke')."
        : `It works until ${timeText(Date.parse(expires) / 1000)} UTC.`,
      ...remarkOnLinks(link),
    ],
  }),

  command({
    name: "invite send",
    summary: "Invite people by their addresses",
    about:
      "Invites each address. If a mail server is set (--smtp-url of 'confab serve'), the server emails the invitations; " +
      "otherwise pass each link on yourself. Says what the mail server answered if it did not take one.",
    examples: ["confab invite send ada@example.com grace@example.com --role moderator"],
    args: { emails: operands("EMAIL", addresses, "the addresses to invite"), ...terms },
    result: z.array(sentShape),
    run: async (ctx, { emails, ...values }) => {
      const invitee_emails = emails.join("\n");
      const input = { ...termsOf(ctx, values), invitee_emails, notify_referrer_on_join: true };
      await inviteAddresses(ctx, input).catch(failExplained);
      const wanted = new Set(emails.map((email) => email.trim().toLowerCase()));
      const isOne = ({ email }: Invite) => email !== undefined && wanted.has(email.toLowerCase());
      return withMail(ctx, listInvitations(ctx).filter(isOne).map(presentInvite));
    },
    print: inviteTable,
    remark: sendingRemarks,
  }),

  command({
    name: "invite list",
    isUnaudited: true,
    summary: "List open invitations",
    examples: ["confab invite list"],
    args: {},
    result: z.array(shape),
    run: (ctx) => listInvitations(ctx).map(presentInvite),
    print: inviteTable,
    remark: remarks,
  }),

  command({
    name: "invite resend",
    summary: "Send an invitation again",
    about: "Sends an invitation again and restarts its period of validity.",
    examples: ["confab invite resend ada@example.com"],
    args: { email: operand("EMAIL", z.string().min(1), "the address invited") },
    result: z.array(sentShape),
    run: async (ctx, { email }) => {
      const again = findByText(ctx, email).filter(({ is_multiuse }) => !is_multiuse);
      if (again.length === 0)
        fail("BAD_REQUEST", "Invitation links are not sent by email: pass the link on yourself.");
      for (const { id } of again) await resend(ctx, id);
      return withMail(ctx, findByText(ctx, email).map(presentInvite));
    },
    print: inviteTable,
    remark: sendingRemarks,
  }),

  command({
    name: "invite revoke",
    summary: "Revoke the invitations of an address, or a link",
    examples: [
      "confab invite revoke ada@example.com --yes",
      "confab invite revoke ada@example.com gus@example.com",
    ],
    args: {
      invitation: operands("EMAIL|LINK", oneOrMore, "the addresses invited, or links"),
      yes,
    },
    result: z.array(shape),
    run: async (ctx, { invitation, yes }) => {
      const found = findInvitations(ctx, invitation);
      const names = found.map(({ email }) => email ?? "a link");
      const note = "They cannot be used any more.";
      await confirm({ does: "revokes", count: [found.length, "invitation"], names, note }, yes);
      for (const { id, is_multiuse } of found) {
        await revoke(ctx, { kind: is_multiuse ? "link" : "address", id });
      }
      return found.map(presentInvite);
    },
    print: (revoked) => `Revoked ${revoked.length === 1 ? "1 invitation" : `${revoked.length} invitations`}.`,
  }),
];
