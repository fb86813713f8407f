import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { endLinks } from "./actions.ts";
import { answerRequest, answerReset, showRequest, showReset } from "./pages.ts";

const open = { root: true, auth: "none" } as const;

export default domain({
  name: "recovery",
  about: "choosing a new password after forgetting the old one",
  hooks: [
    userHooks.passwordChanged.register((tx, { userId }) => endLinks(tx, userId)),
    userHooks.deactivated.register(endLinks),
    userHooks.addressChanged.register(endLinks),
  ],
  endpoints: [
    endpoint("get-forgotten-password-page", {
      about: "Returns the page on which people ask for a new password.",
      ...open,
      method: "GET",
      path: "/password/reset",
      run: (ctx, _, request) => showRequest(ctx, request),
    }),
    endpoint("request-password-reset", {
      about:
        "Mails a link for a new password to the address, if it has an account. Answers the same, and as fast, if it has none. Attempts are limited by address and by network address.",
      ...open,
      method: "POST",
      path: "/password/reset",
      params: { email: z.string().max(254, "Email address is too long.") },
      run: (ctx, { email }, request) => answerRequest(ctx, email, request),
    }),
    endpoint("get-password-reset-page", {
      about:
        "Returns the page on which a person chooses a new password; to programs, the person's address. Does not use the link.",
      ...open,
      method: "GET",
      path: "/password/reset/{key}",
      // It counts wrong keys as guesses, which all nodes count together.
      servedBy: "leader",
      params: { key: z.string() },
      returns: { email: z.string() },
      run: (ctx, { key }, request) => showReset(ctx, key, request),
    }),
    endpoint("reset-password", {
      about:
        "Sets a new password by a link, which works once within an hour, and ends all sessions and all keys that logins handed out.",
      ...open,
      method: "POST",
      path: "/password/reset/{key}",
      params: { key: z.string(), password: z.string().optional(), username: z.string().optional() },
      run: (ctx, { key, password }, request) => answerReset(ctx, { key, password }, request),
    }),
  ],
});
