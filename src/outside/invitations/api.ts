import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { createLink, resend, revoke, tryWelcome } from "./actions.ts";
import { inviteAddresses } from "./actions-addresses.ts";
import { greet } from "./actions-arrival.ts";
import { revokeInvitationsOf } from "./actions-records.ts";
import { answerJoin, showInvitation } from "./join-page.ts";
import { listInvitations } from "./queries.ts";
import { addressTerms, invite, inviteId, linkTerms, welcomeText } from "./schema.ts";

const typed = z.string().optional();

export default domain({
  name: "invitations",
  about: "who may join, by link or by address, and the page where they join",
  hooks: [
    userHooks.added.register((tx, people) => {
      for (const { userId, address } of people) greet(tx, userId, { address, welcomeText: null });
    }),
    userHooks.deactivated.register(revokeInvitationsOf),
  ],
  endpoints: [
    endpoint("get-invites", {
      about: "Lists the open invitations that the caller may manage.",
      method: "GET",
      path: "/invites",
      returns: { invites: z.array(invite) },
      run: (ctx) => ({ invites: listInvitations(ctx) }),
    }),
    endpoint("send-invites", {
      about:
        "Invites people by email address. With a mail server they get an email; without one the caller gets the links to pass on.",
      method: "POST",
      path: "/invites",
      params: addressTerms.shape,
      run: (ctx, params) => inviteAddresses(ctx, params),
    }),
    endpoint("create-invite-link", {
      about:
        "Creates a link that anyone can join with. It works as long as the user who made it is active and has that role or a higher one. A link that makes owners is shown to owners only.",
      method: "POST",
      path: "/invites/multiuse",
      params: linkTerms.shape,
      returns: { invite_link: z.string() },
      run: async (ctx, params) => ({ invite_link: await createLink(ctx, params) }),
    }),
    endpoint("revoke-invite-link", {
      about: "Revokes an invitation link.",
      method: "DELETE",
      path: "/invites/multiuse/{invite_id:[0-9]+}",
      params: { invite_id: inviteId },
      run: (ctx, { invite_id: id }) => revoke(ctx, { kind: "link", id }),
    }),
    endpoint("revoke-email-invite", {
      about: "Revokes the invitation of an email address.",
      method: "DELETE",
      path: "/invites/{invite_id:[0-9]+}",
      params: { invite_id: inviteId },
      run: (ctx, { invite_id: id }) => revoke(ctx, { kind: "address", id }),
    }),
    endpoint("resend-email-invite", {
      about: "Sends the invitation of an email address again.",
      method: "POST",
      path: "/invites/{invite_id:[0-9]+}/resend",
      params: { invite_id: inviteId },
      run: (ctx, { invite_id }) => resend(ctx, invite_id),
    }),
    endpoint("test-welcome-bot-custom-message", {
      about:
        "Sends the caller the message that new users would get from the welcome bot. Administrators only.",
      method: "POST",
      path: "/realm/test_welcome_bot_custom_message",
      params: { welcome_message_custom_text: welcomeText },
      returns: { message_id: z.int() },
      run: async (ctx, params) => ({ message_id: await tryWelcome(ctx, params.welcome_message_custom_text) }),
    }),
    endpoint("get-join-page", {
      about: "Returns the page where an invited person joins.",
      method: "GET",
      path: "/join/{key}",
      // It counts wrong keys as guesses, which all nodes count together.
      servedBy: "leader",
      root: true,
      auth: "none",
      params: { key: z.string() },
      returns: {
        realm_name: z.string(),
        realm_url: z.string(),
        invited_as: z.int(),
        email: z.string().nullable(),
      },
      run: (ctx, { key }, request) => showInvitation(ctx, key, request),
    }),
    endpoint("join", {
      about:
        "Creates the account of an invited person. Programs get its API key; a browser is signed in and led to the web client. With an invitation that was mailed, their address counts as proved. With a link that anyone can join with, it does not.",
      method: "POST",
      path: "/join/{key}",
      root: true,
      auth: "none",
      // Validated later, because the page shows errors in its form.
      params: { key: z.string(), full_name: typed, email: typed, password: typed },
      returns: {
        user_id: z.int(),
        full_name: z.string(),
        email: z.string(),
        api_key: z.string(),
        realm_name: z.string(),
        realm_url: z.string(),
      },
      run: (ctx, { key, ...given }, request) => answerJoin(ctx, { key, given, request }),
    }),
  ],
});
