import { allow, me } from "@/foundation/permissions/access.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { findSession } from "./access.ts";
import { csrfCookieName } from "./cookies.ts";
import { presentSession } from "./present.ts";
import type { Session } from "./schema.ts";
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
