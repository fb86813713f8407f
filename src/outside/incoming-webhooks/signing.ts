import { createHmac, timingSafeEqual } from "node:crypto";

/** Compares a signature with the HMAC-SHA256 of a body, in constant time; `prefix` stands before the hexadecimal digits. */
export function isHmac(
  given: string,
  { body, secret, prefix = "" }: { body: string; secret: string; prefix?: string },
): boolean {
  return isSame(given, prefix + createHmac("sha256", secret).update(body).digest("hex"));
}

/** Compares two texts in a time that tells nothing of the second. */
export function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
