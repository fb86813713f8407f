import { z } from "zod";

export const pushing = {
  everySeconds: 1,
  /** How many new messages are looked at in one run. */
  messagesAtOnce: 200,
  /** How many people are looked at without a pause. */
  peopleAtOnce: 200,
  /** How many requests to push services are under way at a time. */
  atOnce: 20,
  /** Seconds before each retry; after the last one, the push is given up. */
  pauses: [5, 60, 300],
  /** A push service keeps a push for a browser that is not connected this long, in seconds. */
  keptSeconds: 86_400,
  /** Who was active this many seconds ago is looking at a client already. */
  activeSeconds: 60,
  maxPerUser: 20,
  maxTextLength: 300,
} as const;

const base64url = (bytes: number, what: string) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}=*$`), what);

/** What a browser's `PushSubscription` says. */
export const subscriptionFields = {
  endpoint: z
    .string()
    .max(2000, "The address of the push service is too long.")
    .refine(
      (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
      "Give the address of a push service.",
    ),
  p256dh: base64url(65, "The browser's key is not one for Web Push."),
  auth: base64url(16, "The browser's secret is not one for Web Push."),
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
