// The keys by which pushes are encrypted for a browser. Apart from the schema, whose types the service worker shares.
import { ECDH } from "node:crypto";
import { z } from "zod";
import type { NewSubscription } from "./schema.ts";

const isBase64url = (text: string, bytes: number) =>
  new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}=*$`).test(text) &&
  Buffer.from(text, "base64url").byteLength === bytes;

/** Whether it is a point of P-256, not compressed: everything else makes the encryption fail. */
function isKey(text: string): boolean {
  if (!isBase64url(text, 65)) return false;
  const point = Buffer.from(text, "base64url");
  try {
    return point[0] === 4 && ECDH.convertKey(point, "prime256v1").length > 0;
  } catch {
    return false;
  }
}

const isSecret = (text: string) => isBase64url(text, 16);

/** Whether pushes can be encrypted for a browser. */
export const hasValidKeys = ({ p256dh, auth }: Pick<NewSubscription, "p256dh" | "auth">): boolean =>
  isKey(p256dh) && isSecret(auth);

/** The JSON form of a browser's `PushSubscription`. */
export const subscriptionFields = {
  endpoint: z
    .string()
    .max(2000, "The URL of the push service is too long.")
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), "Enter the URL of a push service."),
  p256dh: z.string().refine(isKey, "The browser's key is not a valid key for Web Push."),
  auth: z.string().refine(isSecret, "The browser's secret is not a valid secret for Web Push."),
};
