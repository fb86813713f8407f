import { checkRealmActive } from "@/foundation/realm/access.ts";
import { keyOpens, userWithAddress, userWithKey } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/rows.ts";
import { tablesVersion } from "@/kernel/cache.ts";
import type { Reads } from "@/kernel/context.ts";
import { AppError, fail, RefusedLogin } from "@/kernel/errors.ts";
import { perApp } from "@/kernel/per-app.ts";
import { authErrors } from "./schema.ts";
import { isSameText } from "./secrets.ts";

interface Admission {
  readonly authorization: string;
  readonly userId: number;
  /** The state of the tables that decided. */
  readonly version: number;
}

/** The latest admissions of each connection by the header's hash: a proxy sends requests of several people on one connection. */
const admissions = perApp(() => new WeakMap<object, Map<number, Admission>>());
const maxAdmissions = 32;
const maxKeptLength = 512;
const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
const versionOf = tablesVersion(["users", "api_keys", "realm"]);

/**
 * The ID of the user whose address and API key are in an `Authorization: Basic` header. Every 401 error that it throws
 * is a RefusedLogin. Clients repeat their headers, so those of a `connection` that were accepted are not checked again
 * until people, keys or the organization change.
 */
export function authenticate(ctx: Reads, authorization: string | undefined, connection?: object): number {
  if (!connection || authorization === undefined || authorization.length > maxKeptLength)
    return checked(ctx, authorization);
  const version = versionOf(ctx);
  const ofConnection = admissions(ctx).get(connection);
  const hash = Bun.hash.xxHash32(authorization, seed);
  const known = ofConnection?.get(hash);
  if (known?.version === version && isSameText(known.authorization, authorization)) return known.userId;
  const userId = checked(ctx, authorization);
  const kept = ofConnection ?? new Map<number, Admission>();
  if (!ofConnection) admissions(ctx).set(connection, kept);
  if (kept.size >= maxAdmissions) kept.clear();
  kept.set(hash, { authorization, userId, version });
  return userId;
}

function checked(ctx: Reads, authorization: string | undefined): number {
  let account: string | null = null;
  try {
    const { address, key } = credentialsIn(authorization);
    account = address;
    return opened(ctx, address, key);
  } catch (error) {
    throw error instanceof AppError ? new RefusedLogin(error, account) : error;
  }
}

function credentialsIn(authorization: string | undefined): { address: string; key: string } {
  if (!authorization) fail("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  const [scheme, encoded = ""] = authorization.split(" ", 2);
  if (scheme?.toLowerCase() !== "basic")
    fail("UNAUTHORIZED", "This endpoint requires HTTP basic authentication.");
  const credentials = decoded(encoded);
  const colon = credentials.indexOf(":");
  if (colon < 0) fail(authErrors.INVALID_API_KEY, "Invalid API key");
  return { address: credentials.slice(0, colon), key: credentials.slice(colon + 1) };
}

/** The ID of the user whose API key this is. Every 401 error that it throws is a RefusedLogin. */
export function authenticateKey(ctx: Reads, key: string): number {
  try {
    return admitted(ctx, userWithKey(ctx, key));
  } catch (error) {
    throw error instanceof AppError ? new RefusedLogin(error, null) : error;
  }
}

function opened(ctx: Reads, address: string, key: string): number {
  const user = userWithAddress(ctx, address);
  return admitted(ctx, keyOpens(ctx, user, key) ? user : null);
}

function admitted(ctx: Reads, user: UserRow | null): number {
  if (!user) fail(authErrors.INVALID_API_KEY, "Invalid API key");
  checkRealmActive(ctx);
  if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
  return user.id;
}

/** Decodes Base64 to text; addresses may contain UTF-8. */
function decoded(encoded: string): string {
  try {
    const text = atob(encoded);
    return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(encoded, "base64").toString("utf8");
  } catch {
    return fail(authErrors.INVALID_API_KEY, "Malformed API key");
  }
}
