// The providers of this process, and the requests to them. Loads openid-client with the first sign-in.
import type { Configuration } from "openid-client";
import { proofLife } from "@/foundation/proofs/schema.ts";
import { attemptLimit } from "@/foundation/secrets/attempts.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { unreachableText } from "./refusals.ts";
import { issuerKey, type Provider, signOnErrors, signOnLife } from "./schema.ts";
import * as store from "./store.ts";

/** A sign-in that has not come back from the provider yet. */
export interface Pending {
  provider: string;
  verifier: string;
  nonce: string;
  /** The value of the browser's cookie. */
  browser: string;
  /** Sent by existing phone apps. */
  otp: string | null;
  /** The key of the invitation by which somebody without an account joins. */
  invitation: string | null;
  /** The session whose user shows by this sign-in who they are; null if it signs somebody in. */
  session: number | null;
  /** On the monotonic clock, in milliseconds. */
  until: number;
}

/** A sign-in that waits for the password of the account that it would join. */
export interface PendingJoining {
  provider: string;
  claims: Claims;
  userId: number;
  /** Whether the password was right, and only a code is missing. */
  hasPassword: boolean;
  otp: string | null;
  /** On the monotonic clock, in milliseconds. */
  until: number;
}

const maxPending = 10_000;
const startAgain =
  "This sign-in was started in another browser, or took longer than ten minutes. Please start again.";

export const signOn = perApp(({ clock }) => ({
  providers: new Map<string, Provider>(),
  pending: new Map<string, Pending>(),
  /** By the value of the browser's cookie. */
  joining: new Map<string, PendingJoining>(),
  starts: attemptLimit(clock, 60, 600),
}));

/** The names of the providers whose issuers have signed a user in; what they were called then does not matter. */
export function providersOf(reads: Reads, userId: number): string[] {
  const issuers = store.listIssuersOf(reads, userId);
  const all = [...signOn(reads).providers.values()];
  return all.filter(({ issuer }) => issuers.includes(issuerKey(issuer))).map(({ name }) => name);
}

/** The same as a yes or no. Commands do not know the providers: there, any that has ever signed the user in counts. */
export function hasProvider(reads: Reads, userId: number): boolean {
  if (signOn(reads).providers.size === 0) return store.listIssuersOf(reads, userId).length > 0;
  return providersOf(reads, userId).length > 0;
}

export function providerNamed(reads: Reads, name: string): Provider {
  return (
    signOn(reads).providers.get(name) ??
    fail(
      "MISSING",
      "This way of signing in does not exist. Its name may have changed: start at the sign-in page.",
    )
  );
}

const patienceSeconds = 10;

/** Reads the provider's metadata; throws if it cannot be reached or its metadata are invalid. */
export async function configurationOf(provider: Provider): Promise<Configuration> {
  const { allowInsecureRequests, discovery } = await import("openid-client");
  const isPlain = provider.issuer.startsWith("http:");
  return discovery(new URL(provider.issuer), provider.client_id, provider.client_secret, undefined, {
    timeout: patienceSeconds,
    ...(isPlain && { execute: [allowInsecureRequests] }),
  });
}

export interface Start {
  /** The URL to redirect the browser to. */
  url: string;
  /** The value of the cookie that the browser must come back with. */
  browser: string;
}

/** Begins a sign-in at a provider, which will redirect the browser to `redirect`. */
export async function begin(
  reads: Reads,
  {
    provider,
    redirect,
    ...request
  }: { provider: Provider; redirect: string } & Pick<Pending, "otp" | "invitation" | "session">,
): Promise<Start> {
  const client = await import("openid-client");
  const config = await configurationOf(provider).catch(() => unreachable(provider));
  const [state, nonce, browser] = [newKey(), newKey(), newKey()];
  const verifier = client.randomPKCECodeVerifier();
  const until = reads.db.clock.steady() + signOnLife * 1000;
  remember(reads, state, { provider: provider.name, verifier, nonce, browser, until, ...request });
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: provider.scopes,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    // Somebody who has only the open browser must not get through by the provider's own session.
    ...(request.session !== null && { prompt: "login", max_age: String(proofLife) }),
  });
  return { url: url.href, browser };
}

function remember(reads: Reads, state: string, pending: Pending): void {
  keep(signOn(reads).pending, state, pending);
}

/** Adds to a map of bounded size, in which the oldest entry gives way. */
function keep<T>(all: Map<string, T>, key: string, value: T): void {
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > maxPending && oldest !== undefined) all.delete(oldest);
}

/** Has a sign-in wait for a password; returns the value of the cookie that the browser must come back with. */
export function awaitPassword(
  reads: Reads,
  joining: Pick<PendingJoining, "provider" | "claims" | "userId" | "otp">,
): string {
  const browser = newKey();
  const until = reads.db.clock.steady() + signOnLife * 1000;
  keep(signOn(reads).joining, browser, { ...joining, hasPassword: false, until });
  return browser;
}

/** The sign-in of a browser that waits for a password. */
export function joiningOf(
  reads: Reads,
  { name, browser }: { name: string; browser: string | null },
): PendingJoining {
  const found = browser === null ? undefined : signOn(reads).joining.get(browser);
  if (found?.provider === name && found.until >= reads.db.clock.steady()) return found;
  return fail(signOnErrors.SIGN_ON_FAILED, startAgain);
}

export function endJoining(reads: Reads, browser: string | null): void {
  if (browser !== null) signOn(reads).joining.delete(browser);
}

function unreachable({ button, name }: Provider): never {
  return fail(signOnErrors.SIGN_ON_FAILED, unreachableText(button ?? name));
}

/** The sign-in that a browser came back from; each works once. */
export function takePending(
  reads: Reads,
  { name, state, browser }: { name: string; state: string; browser: string | null },
): Pending {
  const { pending: all } = signOn(reads);
  const found = all.get(state);
  const isOwn = found?.provider === name && found.browser === browser;
  if (!found || !isOwn || found.until < reads.db.clock.steady()) {
    return fail(signOnErrors.SIGN_ON_FAILED, startAgain);
  }
  all.delete(state);
  return found;
}

/** A provider's claims about a person. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string };

/** Exchanges the code for the person's claims, after every check of OpenID Connect. */
export async function claimsFrom(
  provider: Provider,
  { url, state, pending }: { url: URL; state: string; pending: Pending },
): Promise<Claims> {
  const client = await import("openid-client");
  const config = await configurationOf(provider).catch(() => unreachable(provider));
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("the answer has no ID token");
  const isWhole = claims.email !== undefined && claims[provider.groups_claim] !== undefined;
  if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}
