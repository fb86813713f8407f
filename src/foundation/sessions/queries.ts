import { allow, me } from "@/foundation/permissions/access.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { findSession } from "./access.ts";
import { csrfCookieName } from "./cookies.ts";
import { type Session, sessionLife } from "./schema.ts";
import type { SessionRow } from "./store.ts";
import * as store from "./store.ts";

/** The actor's sessions, most recently used first; `request` is null for commands. */
export const listSessions = query(allow.user, (ctx, request: RequestFacts | null): Session[] => {
  const current = request && findSession(ctx, request);
  return store.listByUser(ctx, me(ctx).id).map((row) => presentSession(row, current?.id ?? null));
});

/** The sessions of another person, for administrators. */
export const listSessionsOf = query(allow.user, (ctx, userId: number): Session[] => {
  const user = accountToOpen(ctx, userId);
  return store.listByUser(ctx, user.id).map((row) => presentSession(row, null));
});

/** What the page's script may know: whether there is a session, and which cookie has the CSRF token. */
export const stateOfBrowser = query(allow.anyone, (ctx, request: RequestFacts) => ({
  signed_in: findSession(ctx, request) !== null,
  csrf_cookie: csrfCookieName(ctx.env, request),
}));

/** A session as its user sees it; `currentId` is that of the request. */
function presentSession(row: SessionRow, currentId: number | null): Session {
  const { user_id: _, proved_at: __, ...shown } = row;
  const expires_at = Math.min(row.last_seen_at + sessionLife.idle, row.created_at + sessionLife.longest);
  return { ...shown, expires_at, is_current: row.id === currentId };
}

/** The order matters, because browsers also name those that they imitate. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bConfab\b/i, "Confab"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const maxLength = 60;

/** Such as "Firefox on Linux"; for other programs, the first word of their User-Agent. */
export function deviceOf(userAgent: string | undefined): string {
  const said = (userAgent ?? "").slice(0, 512);
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(said))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser && system) return `${browser} on ${system}`;
  const first = /^[\w.+-]+/.exec(said)?.[0].slice(0, maxLength);
  return browser ?? system ?? first ?? "Unknown device";
}
