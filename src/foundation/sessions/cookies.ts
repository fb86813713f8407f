// The two cookies of a session: its token, hidden from scripts, and the CSRF token, which our script sends as a header. A third
// one stays when the session ends, and shows that somebody has signed in in this browser.
import { createHmac } from "node:crypto";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Env } from "@/kernel/core/context.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { browserLife, sessionLife } from "./schema.ts";

type Request = Pick<RequestFacts, "header" | "isSecure">;

interface Names {
  session: string;
  csrf: string;
  browser: string;
}

/** Over TLS, this prefix prevents other hosts of the domain, and pages without TLS, from setting the cookies. */
function namesFor({ site }: Pick<Env, "site">, request: Request): Names {
  const isSecure = request.isSecure || site.startsWith("https:");
  const prefix = isSecure ? "__Host-" : "";
  return {
    session: `${prefix}sessionid`,
    csrf: `${prefix}csrftoken`,
    browser: `${prefix}knownbrowser`,
  };
}

/** The name of the cookie whose value a page sends as X-CSRFToken. */
export function csrfCookieName(env: Pick<Env, "site">, request: Request): string {
  return namesFor(env, request).csrf;
}

/** Our tokens have 32 letters and digits. */
const maxTokenLength = 64;

/** The session token that a browser sent, or null. */
export function tokenOf(env: Pick<Env, "site">, request: Request): string | null {
  return readToken(request, namesFor(env, request).session);
}

/** The token that stays in a browser, or null. */
export function browserTokenOf(env: Pick<Env, "site">, request: Request): string | null {
  return readToken(request, namesFor(env, request).browser);
}

function readToken(request: Request, name: string): string | null {
  const sent = request.header("cookie");
  if (sent === undefined) return null;
  const token = new Bun.CookieMap(sent).get(name);
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

/** Sets the cookie that stays when the session ends. */
export function setBrowserCookie(env: Pick<Env, "site">, request: Answering, token: string): void {
  const { browser } = namesFor(env, request);
  request.setCookie(
    new Bun.Cookie(browser, token, { ...traitsOf(browser, browserLife), httpOnly: true }).serialize(),
  );
}

/** Deletes the cookies of the session. */
export function forgetCookies(env: Pick<Env, "site">, request: Answering): void {
  const { session, csrf } = namesFor(env, request);
  for (const name of [session, csrf]) {
    request.setCookie(new Bun.Cookie(name, "", traitsOf(name, 0)).serialize());
  }
}

function traitsOf(name: string, maxAge: number) {
  return { path: "/", sameSite: "lax", secure: name.startsWith("__Host-"), maxAge } as const;
}
