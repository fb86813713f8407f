import { z } from "zod";
import { event } from "@/kernel/core/events.ts";

/** Times in seconds, as clients use them. */
export const presenceTimes = {
  /** A stored time is replaced only by one that is at least this much newer. */
  throttle: 55,
  /** Users not seen for this long are offline. */
  offline: 200,
  /** Users who were active this shortly before they were last connected count as active at that time. */
  stillActive: 70,
  day: 86_400,
  historyDays: 14,
} as const;

/** Larger organizations get no presence events, which would cost too much; their clients poll. */
export const maxUsersForEvents = 100;

export const presenceStatus = z.enum(["active", "idle"], {
  error: "The presence status must be 'active' or 'idle'.",
});
export type PresenceStatus = z.infer<typeof presenceStatus>;

export const historyDays = z.int().min(0, "The number of days must not be negative.");

export const presenceReport = z.object({
  status: presenceStatus,
  new_user_input: z.boolean().default(false),
  /** The client wants no presences in the response. */
  ping_only: z.boolean().default(false),
  /** What the client already has. If absent, it expects the legacy form unless `slim_presence` is set. */
  last_update_id: z.int().min(-1).optional(),
  slim_presence: z.boolean().default(false),
  history_limit_days: historyDays.default(presenceTimes.historyDays),
});
export type PresenceReport = z.infer<typeof presenceReport>;

const modernPresence = z.object({ active_timestamp: z.int(), idle_timestamp: z.int() });
export type ModernPresence = z.infer<typeof modernPresence>;

const legacyPresence = z.object({
  client: z.string(),
  status: presenceStatus,
  timestamp: z.int(),
  pushable: z.boolean().optional(),
});
export type LegacyPresence = z.infer<typeof legacyPresence>;

/** Modern form: by user ID. Legacy form: by email address, then by client. */
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

export const presenceChanged = event("presence", {
  about: "A user has come back, or is active again after being idle.",
  isFleeting: true,
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
  shape: ({ user_id, email, server_timestamp, modern, legacy }: PresenceChange, { capabilities, options }) =>
    capabilities.has("simplified_presence_events")
      ? { presences: { [user_id]: modern } }
      : {
          user_id,
          ...(options.slim_presence === true ? {} : { email }),
          server_timestamp,
          presence: { [legacy.client]: legacy },
        },
});
