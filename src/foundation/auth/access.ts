import { checkRealmActive } from "@/foundation/realm/access.ts";
import { keyOpens, userWithAddress } from "@/foundation/users/credentials.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";

/** The ID of the user that HTTP Basic credentials (address and API key) name (API.md 5); throws the 401 errors. */
export function authenticate(ctx: Pick<Ctx, "db">, authorization: string | undefined): number {
  if (!authorization) fail("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  const [scheme, encoded = ""] = authorization.split(" ", 2);
  if (scheme?.toLowerCase() !== "basic")
    fail("UNAUTHORIZED", "This endpoint requires HTTP basic authentication.");
  const credentials = decoded(encoded);
  const colon = credentials.indexOf(":");
  if (colon < 0) fail("INVALID_API_KEY", "Invalid API key");

  const user = userWithAddress(ctx, credentials.slice(0, colon));
  if (!keyOpens(ctx, user, credentials.slice(colon + 1)) || !user) fail("INVALID_API_KEY", "Invalid API key");
  checkRealmActive(ctx);
  if (!user.is_active) fail("USER_DEACTIVATED", "Account is deactivated");
  return user.id;
}

/** Base64 as text; addresses that are not ASCII come as UTF-8. */
function decoded(encoded: string): string {
  try {
    const text = atob(encoded);
    return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(encoded, "base64").toString("utf8");
  } catch {
    return fail("INVALID_API_KEY", "Malformed API key");
  }
}
