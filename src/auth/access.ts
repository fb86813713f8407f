import type { Actor, Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { keyOpens, userWithAddress } from "@/users/credentials.ts";

/** The user that HTTP Basic credentials (address and API key) name (API.md 5); throws the 401 errors. */
export function authenticate(ctx: Pick<Ctx, "db">, authorization: string | undefined, client: string): Actor {
  if (!authorization) fail("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  const [scheme, encoded = ""] = authorization.split(" ", 2);
  if (scheme?.toLowerCase() !== "basic")
    fail("UNAUTHORIZED", "This endpoint requires HTTP basic authentication.");
  const credentials = Buffer.from(encoded, "base64").toString("utf8");
  const colon = credentials.indexOf(":");
  if (colon < 0) fail("INVALID_API_KEY", "Invalid API key");

  const user = userWithAddress(ctx, credentials.slice(0, colon));
  if (!keyOpens(ctx, user, credentials.slice(colon + 1)) || !user) fail("INVALID_API_KEY", "Invalid API key");
  if (!user.is_active) fail("USER_DEACTIVATED", "Account is deactivated");
  return { kind: "user", id: user.id, client };
}
