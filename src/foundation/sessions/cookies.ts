// The two cookies of a session: its token, hidden from scripts, and the CSRF token, which our script sends as a header.
import { createHmac } from "node:crypto";
import { isSame } from "@/foundation/auth/secrets.ts";
import type { Env } from "@/kernel/context.ts";
import type { RequestFacts } from "@/kernel/endpoint.ts";
import { sessionLife } from "./schema.ts";

type Request = Pick<RequestFacts, "header" | "isSecure">;

/** Over TLS, this prefix prevents other hosts of the domain, and pages without TLS, from setting the cookies. */
function namesFor({ site }: Pick<Env, "site">, request: Request): { session: string; csrf: string } {
  const isSecure = request.isSecure || site.startsWith("https:");
  const prefix = isSecure ? "__Host-" : "";
  return { session: `${prefix}sessionid`, csrf: `${prefix}csrftoken` };
}

/** The name of the cookie whose value a page sends as X-CSRFToken. */
export function csrfCookieName(env: Pick<Env, "site">, request: Request): string {
  return namesFor(env, request).csrf;
}

/** Our tokens have 32 letters and digits. */
const maxTokenLength = 64;

/** The session token that a browser sent, or null. */
export function tokenOf(env: Pick<Env, "site">, request: Request): string | null {
  const sent = request.header("cookie");
  if (sent === undefined) return null;
  const token = new Bun.CookieMap(sent).get(namesFor(env, request).session);
  return token && token.length <= maxTokenLength ? token : null;
}

/** The CSRF token is an HMAC of the session's token, so that a token from elsewhere is refused. */
function csrfTokenOf(token: string): string {
  return createHmac("sha256", token).update("csrf").digest("base64url");
}

/** Whether a request has the CSRF token of its session. */
export function hasCsrfToken(request: Request, token: string): boolean {
  return isSame(request.header("x-csrftoken") ?? "", csrfTokenOf(token));
}

type Answering = Request & Pick<RequestFacts, "setCookie">;

/** Sets the cookies of a session. */
export function setCookies(env: Pick<Env, "site">, request: Answering, token: string): void {
  const names = namesFor(env, request);
  const traits = traitsOf(names.session, sessionLife.longest);
  request.setCookie(new Bun.Cookie(names.session, token, { ...traits, httpOnly: true }).serialize());
  request.setCookie(new Bun.Cookie(names.csrf, csrfTokenOf(token), traits).serialize());
}

/** Deletes the browser's cookies. */
export function forgetCookies(env: Pick<Env, "site">, request: Answering): void {
  const { session, csrf } = namesFor(env, request);
  for (const name of [session, csrf]) {
    request.setCookie(new Bun.Cookie(name, "", traitsOf(name, 0)).serialize());
  }
}

function traitsOf(name: string, maxAge: number) {
  return { path: "/", sameSite: "lax", secure: name.startsWith("__Host-"), maxAge } as const;
}
