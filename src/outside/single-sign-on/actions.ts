import { attempting, refuseFor } from "@/foundation/auth/attempts.ts";
import { networkOf } from "@/foundation/auth/networks.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { loginSettings } from "@/foundation/realm/schema.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { giveLoginKey } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/rows.ts";
import { type Ctx, siteOf } from "@/kernel/context.ts";
import type { RequestFacts } from "@/kernel/endpoint.ts";
import { AppError, fail } from "@/kernel/errors.ts";
import { action, operation } from "@/kernel/operation.ts";
import { begin, claimsFrom, providerNamed, signOn, takePending } from "./providers.ts";
import { loggedProblem, refusalOf } from "./refusals.ts";
import { signOnErrors, signOnLife } from "./schema.ts";
import { accountOf, type Identity } from "./tx.ts";

const cookieName = "confab_sign_on";

const redirectOf = (ctx: Ctx, name: string) => `${siteOf(ctx)}/complete/oidc/${name}`;

interface Starting {
  name: string;
  otp?: string | undefined;
  /** The key of an invitation, for somebody without an account. */
  invitation?: string | undefined;
  request: RequestFacts;
}

/** Begins a sign-in at a provider; returns the URL to redirect the browser to. */
export const startSignOn = operation(
  allow.anyone,
  async (ctx, { name, otp, invitation, request }: Starting): Promise<string> => {
    const provider = providerNamed(ctx, name);
    if (!loginSettings.read(ctx).openid) fail("MISSING", "This organization does not use single sign-on.");
    if (otp !== undefined && !/^[0-9a-f]{64}$/i.test(otp)) fail("BAD_REQUEST", "Invalid OTP");
    refuseFor(signOn(ctx).starts.take(networkOf(request.address)), "There were too many attempts.");
    const { url, browser } = await begin(ctx, {
      provider,
      redirect: redirectOf(ctx, name),
      otp: otp ?? null,
      invitation: invitation ?? null,
    });
    request.setCookie(cookie(ctx, browser, signOnLife));
    return url;
  },
);

function cookie(ctx: Ctx, value: string, maxAge: number): string {
  const secure = siteOf(ctx).startsWith("https:");
  const traits = { path: "/", sameSite: "lax", httpOnly: true, secure, maxAge } as const;
  return new Bun.Cookie(cookieName, value, traits).serialize();
}

interface Returning {
  name: string;
  sent: Record<string, string | undefined>;
  request: RequestFacts;
}

/** Completes a sign-in; returns where to redirect the browser: to the client, or to the phone app that began it. */
export const completeSignOn = operation(
  allow.anyone,
  (ctx, { name, sent, request }: Returning): Promise<string> =>
    attempting(null, async () => {
      const provider = providerNamed(ctx, name);
      const state = sent.state ?? "";
      const browser = new Bun.CookieMap(request.header("cookie") ?? "").get(cookieName);
      const pending = takePending(ctx, { name, state, browser });
      request.setCookie(cookie(ctx, "", 0));
      const url = new URL(redirectOf(ctx, name));
      for (const [key, value] of Object.entries(sent))
        if (value !== undefined) url.searchParams.set(key, value);
      const claims = await claimsFrom(provider, { url, state, pending }).catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        request.warn("sign_on", { provider: name, error: loggedProblem(error as Error) });
        return fail(signOnErrors.SIGN_ON_FAILED, refusalOf(error as Error, provider.button ?? name));
      });
      const account = typeof claims.email === "string" ? claims.email : null;
      const user = await attempting(account, () =>
        findAccount(ctx, { provider, claims, invitation: pending.invitation }),
      );
      if (pending.otp !== null) return appAddress(ctx, user, pending.otp);
      await enterAs(ctx, { user_id: user.id, request });
      return "/";
    }),
);

const findAccount = action(allow.anyone, (tx, identity: Identity): UserRow => accountOf(tx, identity));

/** The phone app's API key, encrypted with the one-time pad that the app sent. */
async function appAddress(ctx: Ctx, user: UserRow, otp: string): Promise<string> {
  const key = Buffer.from(await giveLoginKey(ctx, user.id));
  const pad = Buffer.from(otp, "hex");
  const sealed = Buffer.from(key.map((byte, i) => byte ^ (pad[i] ?? 0)));
  const facts = new URLSearchParams({
    realm: siteOf(ctx),
    email: user.delivery_email,
    user_id: String(user.id),
    otp_encrypted_api_key: sealed.toString("hex"),
  });
  // Wire: the URL scheme of existing phone apps.
  return `zulip://login?${facts}`;
}
