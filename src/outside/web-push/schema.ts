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
