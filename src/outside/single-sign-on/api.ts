import { z } from "zod";
import { refusalAnswer } from "@/foundation/pages/present.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/domain.ts";
import { endpoint, type RawAnswer } from "@/kernel/endpoint.ts";
import { completeSignOn, proveAndJoin, startSignOn } from "./actions.ts";
import { leadTo, refusedPage, signOnAnswer } from "./pages.ts";
import { endIdentities } from "./tx.ts";

// Only the leader serves these, because both write: the pending sign-in, and the session.
const open = { root: true, auth: "none", method: "GET", servedBy: "leader" } as const;
const said = z.string().max(4096).optional();

async function started(work: Promise<string>): Promise<RawAnswer> {
  try {
    return leadTo(await work);
  } catch (error) {
    return refusalAnswer(error, refusedPage);
  }
}

export default domain({
  name: "single-sign-on",
  hooks: [userHooks.claimed.register(endIdentities)],
  endpoints: [
    endpoint("start-sign-on", {
      about:
        "Redirects a browser to a provider of OpenID Connect to sign in there. Phone apps send a one-time pad as mobile_flow_otp, and get the key encrypted with it. Somebody without an account joins by the invitation whose key is given.",
      ...open,
      path: "/login/oidc/{provider}",
      params: {
        provider: z.string(),
        mobile_flow_otp: z.string().optional(),
        is_signup: z.string().optional(),
        invitation: z.string().max(100).optional(),
      },
      run: (ctx, { provider, mobile_flow_otp: otp, invitation }, request) =>
        started(startSignOn(ctx, { name: provider, otp, invitation, request })),
    }),
    endpoint("complete-sign-on", {
      about: "Signs in a browser that comes back from a provider of OpenID Connect.",
      ...open,
      path: "/complete/oidc/{provider}",
      params: {
        provider: z.string(),
        code: said,
        state: said,
        iss: said,
        error: said,
        error_description: said,
        session_state: said,
      },
      run: (ctx, { provider: name, ...sent }, request) =>
        signOnAnswer(completeSignOn(ctx, { name, sent, request })),
    }),
    endpoint("join-by-sign-on", {
      about:
        "Completes a sign-in at a provider that waits for the password, and then the code of two-step sign-in, of the account that it joins. Attempts are limited as for `sign-in`.",
      ...open,
      method: "POST",
      path: "/complete/oidc/{provider}",
      params: {
        provider: z.string(),
        username: z.string().optional(),
        password: z.string().default(""),
        code: z.string().max(100).default(""),
      },
      run: (ctx, { provider: name, password, code }, request) =>
        signOnAnswer(proveAndJoin(ctx, { name, password, code, request })),
    }),
  ],
});
