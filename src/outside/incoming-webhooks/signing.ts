import { createHmac } from "node:crypto";
import { isSame } from "@/foundation/secrets/secrets.ts";

/** Compares a signature with the HMAC-SHA256 of a body, in constant time; `prefix` is what comes before the hexadecimal digits. */
export function isHmac(
  given: string,
  { body, secret, prefix = "" }: { body: string; secret: string; prefix?: string },
): boolean {
  return isSame(given, prefix + createHmac("sha256", secret).update(body).digest("hex"));
}
