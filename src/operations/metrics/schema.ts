import { z } from "zod";
import { roleName } from "@/foundation/permissions/schema.ts";

/** The size of an organization. */
export const statistics = z.object({
  organization: z.string(),
  people: z.record(roleName, z.int()),
  bots: z.int(),
  channels: z.int(),
  messages: z.object({ all: z.int(), last_day: z.int(), last_week: z.int(), last_month: z.int() }),
  bytes: z.object({ database: z.int(), write_ahead_log: z.int(), files: z.int() }),
});
export type Statistics = z.infer<typeof statistics>;

/** An open event queue as administrators see it. */
export const openQueue = z.object({
  queue_id: z.string(),
  user_id: z.int(),
  /** Event types asked for; null for all. */
  event_types: z.array(z.string()).nullable(),
  /** Events that its client has not acknowledged. */
  waiting: z.int(),
  /** Whether its client is connected now. */
  is_connected: z.boolean(),
  /** When its client was last connected, in UNIX seconds. */
  last_connected: z.int(),
});
export type OpenQueue = z.infer<typeof openQueue>;

/** The public health status. */
export const health = z.object({
  status: z.enum(["ok", "failing"]),
  version: z.string(),
  problem: z.string().optional(),
});
export type Health = z.infer<typeof health>;
