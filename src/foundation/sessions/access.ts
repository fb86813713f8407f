// Finds the session of a request.

import { safeMethods } from "@/foundation/auth/schema.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { checkRealmActive, isRealmOpen } from "@/foundation/realm/access.ts";
import { firstVisit } from "@/foundation/realm/schema.ts";
import { hashKey } from "@/foundation/secrets/secrets.ts";
import { findUserById } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Env, ReadsNow } from "@/kernel/core/context.ts";
import type { Admitted } from "@/kernel/http/admission.ts";
import type { RequestFacts } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { browserTokenOf, forgetCookies, hasCsrfToken, tokenOf } from "./cookies.ts";
import { noteSeen } from "./seen.ts";
import type { SessionRow } from "./store.ts";
import * as store from "./store.ts";

type Asking = ReadsNow & { env: Pick<Env, "site"> };

/** The session of the request's cookie, and its user; null if the user may not sign in. */
export function findSession(ctx: Asking, request: RequestFacts): SessionRow | null {
  const token = tokenOf(ctx.env, request);
  const row = token === null ? null : store.findByHash(ctx, hashKey(token));
  return row && isRealmOpen(ctx) && findUserById(ctx, row.user_id)?.is_active ? row : null;
}

/**
 * Like `findSession`, but throws if a request that may write lacks the CSRF token. If the session has ended, deletes the
 * browser's cookies.
 */
function sessionOf(ctx: Asking, request: RequestFacts): SessionRow | null {
  const token = tokenOf(ctx.env, request);
  if (token === null) return null;
  const row = findSession(ctx, request);
  if (!row) {
    forgetCookies(ctx.env, request);
    return null;
  }
  if (!safeMethods.includes(request.method) && !hasCsrfToken(request, token)) {
    fail(
      authErrors.CSRF_FAILED,
      "CSRF error: the X-CSRFToken header must hold the token in the csrftoken cookie.",
    );
  }
  return row;
}

/** The user of the request's session, or null. */
export function sessionUser(ctx: Asking, request: RequestFacts): Admitted | null {
  const row = sessionOf(ctx, request);
  if (!row) return null;
  noteSeen(ctx, row, request.address);
  return { userId: row.user_id, by: { kind: "session", id: row.id } };
}

/** The person that a link signs in; throws if it no longer works. */
export function personOfLink(ctx: ReadsNow, key: string): UserRow {
  checkRealmActive(ctx);
  const found = store.findLink(ctx, hashKey(key));
  const user = found && findUserById(ctx, found.user_id);
  if (user?.is_active) return user;
  return fail(
    "GONE",
    "The link was used, is older than an hour, or is not complete. At the server's machine, 'confab user login-link EMAIL' makes another one.",
  );
}

/** Whether somebody is the owner of a new organization who has not said yet who they are. */
export function awaitsFirstVisit(ctx: ReadsNow, { id, password_hash }: UserRow): boolean {
  return password_hash === null && firstVisit.read(ctx).owner === id;
}

/** A session, by ID; null if it has ended. */
export function sessionById(ctx: ReadsNow, id: number): SessionRow | null {
  return store.findById(ctx, id);
}

/** Whether a session, given by ID, has not ended. */
export function isAlive(ctx: ReadsNow, id: number): boolean {
  return store.findById(ctx, id) !== null;
}

/** One of the actor's own sessions. */
export function ownSession(ctx: Ctx, id: number): SessionRow {
  const found = store.listByUser(ctx, ctx.actor.id).find((row) => row.id === id);
  return found ?? fail("BAD_REQUEST", "No such session");
}

/** Names the browser of a request, if this user has signed in in it before; else null. */
export function findBrowser(ctx: Asking, request: RequestFacts, userId: number): string | null {
  const token = browserTokenOf(ctx.env, request);
  const hash = token === null ? null : hashKey(token);
  return hash && store.findBrowser(ctx, { hash, user_id: userId }) ? `browser ${hash.toHex()}` : null;
}
