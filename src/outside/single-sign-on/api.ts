import { z } from "zod";
import { framed, refusalAnswer } from "@/foundation/pages/present.ts";
import { domain } from "@/kernel/domain.ts";
import { endpoint, RawAnswer } from "@/kernel/endpoint.ts";
import { type Html, html } from "@/kernel/html.ts";
import { completeSignOn, startSignOn } from "./actions.ts";

// Only the leader serves these, because both write: the pending sign-in, and the session.
const open = { root: true, auth: "none", method: "GET", servedBy: "leader" } as const;
const said = z.string().max(4096).optional();

async function led(work: Promise<string>): Promise<RawAnswer> {
  try {
    const location = await work;
    return new RawAnswer(
      null,
      { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
      302,
    );
  } catch (error) {
    return refusalAnswer(error, refused);
  }
}

function refused(message: string, { forNow }: { forNow: boolean }): Html {
  return framed({ title: "Sign in" }, [
    html`<h1>${forNow ? "Please wait a while" : "You are not signed in"}</h1>
<p class="lead">${message}</p>
<p><a href="/login">Back to signing in</a></p>`,
  ]);
}

export default domain({
  name: "single-sign-on",
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
        led(startSignOn(ctx, { name: provider, otp, invitation, request })),
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
      run: (ctx, { provider: name, ...sent }, request) => led(completeSignOn(ctx, { name, sent, request })),
    }),
  ],
});
