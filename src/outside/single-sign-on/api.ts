import { z } from "zod";
import { speak } from "@/foundation/pages/frame.ts";
import { proofHooks } from "@/foundation/proofs/hooks.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { completeSignOn, proveAndJoin, startSignOn } from "./actions.ts";
import { endIdentities } from "./actions-accounts.ts";
import { provedAnswer, signOnAnswer, startAnswer } from "./pages.ts";
import { hasProvider, providersOf } from "./providers.ts";
import { provedPath } from "./schema.ts";

// Only the leader serves these, because both write: the pending sign-in, and the session.
const open = { root: true, auth: "none", method: "GET", servedBy: "leader" } as const;
const said = z.string().max(4096).optional();

export default domain({
  name: "single-sign-on",
  about: "signing in at providers of OpenID Connect",
  hooks: [
    userHooks.claimed.register(endIdentities),
    proofHooks.providersOf.register(providersOf),
    proofHooks.hasProvider.register(hasProvider),
  ],
  endpoints: [
    endpoint("start-sign-on", {
      about:
        "Redirects a browser to a provider of OpenID Connect to sign in there. Phone apps send a one-time pad as mobile_flow_otp, and get the key encrypted with it. Somebody without an account joins by the invitation whose key is given. With `proof`, the user of the browser's session shows there who they are (`get-proof`).",
      ...open,
      path: "/login/oidc/{provider}",
      params: {
        provider: z.string(),
        mobile_flow_otp: z.string().optional(),
        is_signup: z.string().optional(),
        invitation: z.string().max(100).optional(),
        proof: z.boolean().default(false),
      },
      run: (ctx, { provider, mobile_flow_otp: otp, invitation, proof }, request) =>
        startAnswer(
          speak(ctx, request),
          startSignOn(ctx, { name: provider, otp, invitation, proof, request }),
        ),
    }),
    endpoint("get-proved-page", {
      about:
        "Returns the page for somebody who has shown at a provider who they are, in a window of its own.",
      ...open,
      path: provedPath,
      run: (ctx, _, request) => provedAnswer(speak(ctx, request)),
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
        signOnAnswer(speak(ctx, request), completeSignOn(ctx, { name, sent, request })),
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
        signOnAnswer(speak(ctx, request), proveAndJoin(ctx, { name, password, code, request })),
    }),
  ],
});
