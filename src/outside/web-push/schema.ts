import { ECDH } from "node:crypto";
import { z } from "zod";

export const pushing = {
  everySeconds: 1,
  /** How many new messages are processed in one run. */
  messagesAtOnce: 200,
  /** How many people are processed without a pause. */
  peopleAtOnce: 200,
  /** Concurrent requests to push services; most browsers share one of a few services. */
  limits: { atOnce: 20, perOwner: 3, perHost: 15, perSlowHost: 2 },
  /** Seconds before each retry; after the last one, the push is given up. */
  pauses: [5, 60, 300],
  /** How long push services keep a push for an offline browser, in seconds. */
  keptSeconds: 86_400,
  /** People who were active within this many seconds are not notified. */
  activeSeconds: 60,
  maxPerUser: 20,
  maxTextLength: 300,
} as const;

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

export interface NewSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export const pushSubscription = z.object({
  id: z.int(),
  /** By it, a browser knows which of them is its own. */
  endpoint: z.string(),
  device: z.string(),
  created_at: z.int(),
});

/** What the service worker shows; short names, because a push has room for 4 KB. */
export interface PushedText {
  readonly title: string;
  readonly body: string;
  /** A path of this server: the conversation. */
  readonly url: string;
  /** Notifications with the same tag replace each other. */
  readonly tag: string;
  readonly icon: string;
  /** UNIX seconds. */
  readonly sent_at: number;
}
