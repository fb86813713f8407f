import { checkLogin, logInByKey } from "@/foundation/login/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { markProved } from "@/foundation/proofs/actions.ts";
import { proofLife } from "@/foundation/proofs/schema.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { loginSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { attempting, refuseFor } from "@/foundation/secrets/attempts.ts";
import { networkOf } from "@/foundation/secrets/networks.ts";
import { insider } from "@/foundation/secrets/passwords.ts";
import { findSession } from "@/foundation/sessions/access.ts";
import { enterAs } from "@/foundation/sessions/actions.ts";
import { deviceOf } from "@/foundation/sessions/queries.ts";
import { tryStep } from "@/foundation/two-step/actions.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import { type Ctx, siteOf, type Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, fail, isError } from "@/kernel/lib/errors.ts";
import { acceptedLanguage, sentence } from "@/text/language/tables.ts";
import {
  accountOf,
  bindIdentities,
  type FoundAccount,
  findLinkedUser,
  type Identity,
  joinAccount,
} from "./actions-accounts.ts";
import {
  awaitPassword,
  begin,
  type Claims,
  claimsFrom,
  endJoining,
  joiningOf,
  type PendingJoining,
  providerNamed,
  signOn,
  takePending,
} from "./providers.ts";
import { formatProblem, refusalOf } from "./refusals.ts";
import { type Provider, provedPath, signOnErrors, signOnLife } from "./schema.ts";
import { deleteSomeIdentities } from "./store.ts";

const cookieName = "confab_sign_on";
/** Seconds by which a provider's clock may differ. */
const clockSkew = 60;

const redirectOf = (ctx: Ctx, name: string) => `${siteOf(ctx)}/complete/oidc/${name}`;

interface Starting {
  name: string;
  otp?: string | undefined;
  /** The key of an invitation, for somebody without an account. */
  invitation?: string | undefined;
  /** Whether the user of the browser's session shows who they are. */
  proof: boolean;
  request: RequestFacts;
}

/** Begins a sign-in at a provider; returns the URL to redirect the browser to. */
export const startSignOn = operation(
  allow.anyone,
  async (ctx, { name, otp, invitation, proof, request }: Starting): Promise<string> => {
    const provider = providerNamed(ctx, name);
    if (!loginSettings.read(ctx).openid) fail("MISSING", "This organization does not use single sign-on.");
    if (otp !== undefined && !/^[0-9a-f]{64}$/i.test(otp)) fail("BAD_REQUEST", "Invalid OTP");
    const session = proof ? findSession(ctx, request) : null;
    if (proof && !session)
      fail(signOnErrors.SIGN_ON_FAILED, "You are no longer signed in here: sign in again.");
    refuseFor(signOn(ctx).starts.take(networkOf(request.address)), "attempts");
    const { url, browser } = await begin(ctx, {
      provider,
      redirect: redirectOf(ctx, name),
      otp: otp ?? null,
      invitation: invitation ?? null,
      session: session?.id ?? null,
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

/** Where to redirect the browser: to the client, or to the phone app that began it; or what the person must enter first. */
export type Completed = { location: string } | { asks: ProofRequest };

/** What a person must enter, because nobody has proved that the address of the account is theirs. */
export interface ProofRequest {
  what: "password" | "code";
  email: string;
  /** The provider's label. */
  label: string;
  /** Whether the server can mail a link for a new password. */
  sendsMail: boolean;
}

/** Completes a sign-in. */
export const completeSignOn = operation(
  allow.anyone,
  (ctx, { name, sent, request }: Returning): Promise<Completed> =>
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
        request.warn("sign_on", { provider: name, error: formatProblem(error as Error) });
        return fail(signOnErrors.SIGN_ON_FAILED, refusalOf(error as Error, provider.button ?? name));
      });
      if (pending.session !== null) {
        await proveAt(ctx, { provider, claims, session: pending.session, request });
        return { location: provedPath };
      }
      const account = typeof claims.email === "string" ? claims.email : null;
      const { user, asksPassword } = await attempting(account, () =>
        findAccount(ctx, {
          provider,
          claims,
          invitation: pending.invitation,
          language: acceptedLanguage(request.header("accept-language")),
        }),
      );
      const { otp } = pending;
      if (!asksPassword) return { location: await enter(ctx, { user, otp, request }) };
      await attempting(account, async () => checkCanProve(ctx, user));
      const waiting = awaitPassword(ctx, { provider: name, claims, userId: user.id, otp });
      request.setCookie(cookie(ctx, waiting, signOnLife));
      return { asks: proofRequestOf(ctx, { what: "password", user, provider }) };
    }),
);

interface SessionProof {
  provider: Provider;
  claims: Claims;
  session: number;
  request: RequestFacts;
}

/** Accepts a sign-in at a provider as proof of who uses the browser's session. */
const proveAt = action(allow.anyone, (tx, { provider, claims, session: id, request }: SessionProof): void => {
  const session = findSession(tx, request);
  const userId = findLinkedUser(tx, { provider, claims });
  if (session?.id !== id || session.user_id !== userId)
    fail(signOnErrors.SIGN_ON_FAILED, "You signed in as somebody else there. Sign in with your own account.");
  const { auth_time } = claims;
  if (typeof auth_time === "number" && tx.now - auth_time > proofLife + clockSkew)
    fail(
      signOnErrors.SIGN_ON_FAILED,
      sentence("{provider} did not ask you who you are.", { provider: provider.button ?? provider.name }),
    );
  markProved(tx, id);
});

const findAccount = action(allow.anyone, (tx, identity: Identity): FoundAccount => accountOf(tx, identity));

function proofRequestOf(
  ctx: Ctx,
  { what, user, provider }: { what: ProofRequest["what"]; user: UserRow; provider: Provider },
): ProofRequest {
  const { button: label = provider.name } = provider;
  return { what, email: user.delivery_email, label, sendsMail: serverOptions.read(ctx).sends_mail };
}

/** Throws, saying what to do, if the person cannot show by a password that an account is theirs. */
function checkCanProve(ctx: Ctx, { delivery_email, password_hash }: UserRow): void {
  if (password_hash !== null && takesPasswords(ctx)) return;
  const byMail = serverOptions.read(ctx).sends_mail && takesPasswords(ctx);
  const unproved = byMail
    ? `There is an account with the address {email} already, but nobody has proved that the address belongs to it. If it is yours, choose a password for it by "Forgot your password?", and sign in again. Or ask whoever runs the server: ''confab user address {email} --proved'' lets you in.`
    : "There is an account with the address {email} already, but nobody has proved that the address belongs to it. Ask whoever runs the server: ''confab user address {email} --proved'' lets you in.";
  fail(signOnErrors.SIGN_ON_FAILED, sentence(unproved, { email: delivery_email }));
}

interface Entering {
  user: UserRow;
  otp: string | null;
  request: RequestFacts;
}

/** Signs the browser in, or makes the phone app's key; returns where to redirect the browser. */
async function enter(ctx: Ctx, { user, otp, request }: Entering): Promise<string> {
  if (otp !== null) return appAddress(ctx, { user, otp, request });
  await enterAs(ctx, { user_id: user.id, request });
  return "/";
}

interface Proving {
  name: string;
  password: string;
  code: string;
  request: RequestFacts;
}

/** A refusal of what the person entered, with which the page asks again. */
export interface AskedAgain {
  error: AppError;
  asks: ProofRequest;
}

/** Completes a sign-in that waits for the password, or then the code, of the account that it joins. */
export const proveAndJoin = operation(
  allow.anyone,
  async (ctx, { name, request, ...given }: Proving): Promise<Completed | AskedAgain> => {
    const provider = providerNamed(ctx, name);
    const browser = new Bun.CookieMap(request.header("cookie") ?? "").get(cookieName);
    const joining = joiningOf(ctx, { name, browser });
    const user = userFor(ctx, joining.userId);
    const ask = (what: ProofRequest["what"]) => proofRequestOf(ctx, { what, user, provider });
    try {
      const missing = await checkStep(ctx, { joining, user, ...given, request });
      if (missing === "code") return { asks: ask("code") };
    } catch (error) {
      if (!(error instanceof AppError) || isError(error, authErrors.USER_DEACTIVATED)) throw error;
      return { error, asks: ask(joining.hasPassword ? "code" : "password") };
    }
    endJoining(ctx, browser);
    request.setCookie(cookie(ctx, "", 0));
    const { claims, userId, otp } = joining;
    const joined = await attempting(user.delivery_email, () =>
      join(ctx, { provider, claims, userId, invitation: null, language: null }),
    );
    return { location: await enter(ctx, { user: joined, otp, request }) };
  },
);

const join = action(
  allow.anyone,
  (tx, joining: Identity & { userId: number }): UserRow => joinAccount(tx, joining),
);

interface Step {
  joining: PendingJoining;
  user: UserRow;
  password: string;
  code: string;
  request: RequestFacts;
}

/** Checks the password, then the code; returns what is still missing. Attempts count like those of a login. */
async function checkStep(ctx: Ctx, { joining, user, password, code, request }: Step): Promise<"code" | null> {
  if (!joining.hasPassword) {
    const { address } = request;
    const { missing } = await checkLogin(ctx, { username: user.delivery_email, password, address, request });
    joining.hasPassword = true;
    // Setting a second step up is not asked for: the provider has signed the person in.
    return missing === "code" ? "code" : null;
  }
  const guesser = insider(user, "provider", request.address);
  const { missing } = await tryStep(ctx, { user, guesser, code });
  return missing === "code" ? "code" : null;
}

interface AppLogin {
  user: UserRow;
  otp: string;
  request: RequestFacts;
}

/** The phone app's API key, encrypted with the one-time pad that the app sent. */
async function appAddress(ctx: Ctx, { user, otp, request }: AppLogin): Promise<string> {
  const login = { user, device: deviceOf(request.header("user-agent")), address: request.address };
  const key = Buffer.from(await logInByKey(ctx, login));
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

/** Binds identities to the issuers of this process's providers, as `bindIdentities`. */
export const learnIssuers = action(allow.system, (tx): number =>
  bindIdentities(tx, signOn(tx).providers.values()),
);

/** Part of erasing a person: deletes their accounts at providers, at most `max`. Returns how many it deleted. */
export function forgetSomeIdentities(tx: Tx, userId: number, max: number): number {
  return deleteSomeIdentities(tx, userId, max);
}
