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

const seconds = z.int().nullable();

/** What an owner sees of the running server. Ages are in seconds, null if it never happened; sizes in bytes. */
export const serverState = z.object({
  version: z.string(),
  /** In UNIX seconds. */
  started_at: z.int(),
  memory_bytes: z.int(),
  database_bytes: z.int(),
  write_ahead_log_bytes: z.int(),
  /** Null if nobody can tell. */
  free_bytes: z.number().nullable(),
  open_queues: z.int(),
  online: z.int(),
  last_backup_age: seconds,
  /** How many scheduled backups in a row failed, and why at last; 0 and null if the last one did not, or none is scheduled. */
  failed_backups: z.int(),
  backup_problem: z.string().nullable(),
  /** That of its https address; null without TLS. Times are in UNIX seconds, null where there is none. */
  certificate: z
    .object({
      expires_at: z.int().nullable(),
      /** How many tries to get it in a row failed, and why at last. */
      failed_tries: z.int(),
      problem: z.string().nullable(),
      retry_at: z.int().nullable(),
    })
    .nullable(),
  sends_mail: z.boolean(),
  /** Programs outside that the server calls: what waits for them, and when they last answered and failed. */
  services: z.array(
    z.object({
      service: z.enum(["mail", "push", "webhooks"]),
      waiting: z.int(),
      answer_age: seconds,
      failure_age: seconds,
    }),
  ),
});
export type ServerState = z.infer<typeof serverState>;

/** More would slow down every request for the metrics. */
export const maxTokens = 100;

/** The name by which administrators know a token of a monitoring program. */
export const tokenName = z
  .string()
  .regex(/^[\w.-]{1,60}$/, "a name of letters, digits, dots, dashes and underscores, such as prometheus");

/** A token by which a monitoring program reads the metrics, as administrators see it. */
export const metricsToken = z.object({
  name: z.string(),
  /** UNIX seconds. */
  made_at: z.int(),
});
export type MetricsToken = z.infer<typeof metricsToken>;

/** The public health status. */
export const health = z.object({
  status: z.enum(["ok", "failing"]),
  version: z.string(),
  problem: z.string().optional(),
});
export type Health = z.infer<typeof health>;

/** What one sample holds, in this order; counts are those since the sample before, latencies are milliseconds. */
export const sampleFields = [
  "at",
  "messages",
  "requests",
  "failed_logins",
  "send_p50",
  "send_p99",
  "poll_p50",
  "poll_p99",
  "memory_bytes",
  "queues",
  "online",
  "database_bytes",
  "mails_waiting",
  "webhooks_waiting",
] as const;
export type SampleField = (typeof sampleFields)[number];

const sample = z.array(z.number()).length(sampleFields.length);
export type Sample = z.infer<typeof sample>;

/** What a server measured lately: every five seconds of the last minutes, and every minute of the last day. */
export const metricsHistory = z.object({
  fields: z.array(z.string()),
  recent: z.array(sample),
  minutes: z.array(sample),
});
export type MetricsHistory = z.infer<typeof metricsHistory>;
