import { z } from "zod";
import { event } from "@/kernel/events.ts";

/** Times in seconds, as clients use them. */
export const presenceTimes = {
  /** What is newer than this by less is not written anew. */
  throttle: 55,
  /** Who has not been heard of for this long is offline. */
  offline: 200,
  /** Who was active this long before they were last connected counts as active then. */
  stillActive: 70,
  day: 86_400,
  historyDays: 14,
} as const;

/** Larger organizations learn of presence by asking alone: everybody's coming told to everybody would cost too much. */
export const mostUsersTold = 100;

export const presenceStatus = z.enum(["active", "idle"], { error: "A presence status is active or idle." });
export type PresenceStatus = z.infer<typeof presenceStatus>;

export const historyDays = z.int().min(0, "Presence goes back 0 days or more.");

const modernPresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type ModernPresence = z.infer<typeof modernPresence>;

const legacyPresence = z.object({
  client: z.string(),
  status: presenceStatus,
  timestamp: z.int(),
  pushable: z.boolean().optional(),
});
export type LegacyPresence = z.infer<typeof legacyPresence>;

/** By user ID in the modern form; in the legacy form by address, then by client. */
export const presences = z.union([
  z.record(z.string(), modernPresence),
  z.record(z.string(), z.record(z.string(), legacyPresence)),
]);

export interface PresenceChange {
  user_id: number;
  email: string;
  server_timestamp: number;
  modern: ModernPresence;
  legacy: LegacyPresence & { pushable: boolean };
}

export const presenceChanged = event<PresenceChange>("presence", {
  about: "A user has come back, or is active again after being idle.",
  schema: z.union([
    z.object({ presences: z.record(z.string(), modernPresence) }),
    z.object({
      user_id: z.int(),
      email: z.string().optional(),
      server_timestamp: z.number(),
      presence: z.record(z.string(), legacyPresence),
    }),
  ]),
  variant: ({ capabilities, options }) =>
    `${capabilities.has("simplified_presence_events")},${options.slim_presence === true}`,
  shape: ({ user_id, email, server_timestamp, modern, legacy }, { capabilities, options }) =>
    capabilities.has("simplified_presence_events")
      ? { presences: { [user_id]: modern } }
      : {
          user_id,
          ...(options.slim_presence === true ? {} : { email }),
          server_timestamp,
          presence: { [legacy.client]: legacy },
        },
});
