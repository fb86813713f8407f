import { type OpenedKey, userOpenedBy, userWithKey } from "@/foundation/keys/access.ts";
import { noteUse, roundOfUses } from "@/foundation/keys/uses.ts";
import { authErrors } from "@/foundation/permissions/schema.ts";
import { checkRealmActive } from "@/foundation/realm/access.ts";
import { isSameText } from "@/foundation/secrets/secrets.ts";
import type { Credential, Reads } from "@/kernel/core/context.ts";
import type { Admitted } from "@/kernel/http/admission.ts";
import { AppError, fail, failInEnglish, type KnownText, RefusedLogin } from "@/kernel/lib/errors.ts";
import { tablesVersion } from "@/kernel/store/cache.ts";
import { perApp } from "@/kernel/store/per-app.ts";

interface Admission extends ByKey {
  readonly authorization: string;
  /** The state of the tables that decided. */
  readonly version: number;
  /** The round in which the key's use was noted last. */
  round: number;
}

/** The latest admissions of each connection by the header's hash: a proxy sends requests of several people on one connection. */
const admissions = perApp(() => new WeakMap<object, Map<number, Admission>>());
const maxAdmissions = 32;
const maxKeptLength = 512;
const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
const versionOf = tablesVersion(["users", "api_keys", "realm"]);

/**
 * The user whose address and API key are in an `Authorization: Basic` header. Every 401 error that it throws is a
 * RefusedLogin. Clients repeat their headers, so those of a `connection` that were accepted are not checked again until
 * people, keys or the organization change.
 */
export function authenticate(ctx: Reads, authorization: string | undefined, connection?: object): Admitted {
  if (!connection || authorization === undefined || authorization.length > maxKeptLength) {
    const { userId, by } = checkHeader(ctx, authorization);
    noteUse(ctx, by.id);
    return { userId, by };
  }
  const version = versionOf(ctx);
  const { round } = roundOfUses(ctx);
  const ofConnection = admissions(ctx).get(connection);
  const hash = Bun.hash.xxHash32(authorization, seed);
  const known = ofConnection?.get(hash);
  if (known?.version === version && isSameText(known.authorization, authorization)) {
    if (known.round !== round) {
      known.round = round;
      noteUse(ctx, known.by.id);
    }
    return known;
  }
  const admission = { authorization, version, round, ...checkHeader(ctx, authorization) };
  noteUse(ctx, admission.by.id);
  const kept = ofConnection ?? new Map<number, Admission>();
  if (!ofConnection) admissions(ctx).set(connection, kept);
  if (kept.size >= maxAdmissions) kept.clear();
  kept.set(hash, admission);
  return admission;
}

interface ByKey {
  readonly userId: number;
  readonly by: Credential;
}

function checkHeader(ctx: Reads, authorization: string | undefined): ByKey {
  let account: string | null = null;
  try {
    const { address, key } = credentialsIn(authorization);
    account = address;
    return admit(ctx, userOpenedBy(ctx, address, key));
  } catch (error) {
    throw wrapRefusal(error, account);
  }
}

/** To clients like a request without credentials; the log tells them apart. */
class WrongKey extends AppError {
  constructor(message: KnownText) {
    super("UNAUTHORIZED", message);
  }
}

/** The error as a refused login, if it is for the client. */
function wrapRefusal(error: unknown, account: string | null): unknown {
  if (!(error instanceof AppError)) return error;
  return new RefusedLogin(error, account, error instanceof WrongKey ? "INVALID_API_KEY" : undefined);
}

function credentialsIn(authorization: string | undefined): { address: string; key: string } {
  if (!authorization) fail("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  const [scheme, encoded = ""] = authorization.split(" ", 2);
  if (scheme?.toLowerCase() !== "basic")
    failInEnglish("UNAUTHORIZED", "This endpoint requires HTTP basic authentication.");
  const credentials = decodeBase64(encoded);
  const colon = credentials.indexOf(":");
  if (colon < 0) throw new WrongKey("Invalid API key");
  return { address: credentials.slice(0, colon), key: credentials.slice(colon + 1) };
}

/** The user whose API key this is. Every 401 error that it throws is a RefusedLogin. */
export function authenticateKey(ctx: Reads, key: string): Admitted {
  try {
    const found = admit(ctx, userWithKey(ctx, key));
    noteUse(ctx, found.by.id);
    return found;
  } catch (error) {
    throw wrapRefusal(error, null);
  }
}

function admit(ctx: Reads, opened: OpenedKey | null): ByKey {
  if (!opened) throw new WrongKey("Invalid API key");
  const { user, keyId } = opened;
  checkRealmActive(ctx);
  if (!user.is_active) fail(authErrors.USER_DEACTIVATED, "Account is deactivated");
  return { userId: user.id, by: { kind: "key", id: keyId } };
}

/** Decodes Base64 to text; addresses may contain UTF-8. */
function decodeBase64(encoded: string): string {
  try {
    const text = atob(encoded);
    return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(encoded, "base64").toString("utf8");
  } catch {
    throw new WrongKey("Malformed API key");
  }
}
