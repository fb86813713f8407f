import { z } from "zod";
import { event } from "@/kernel/core/events.ts";
import { bare, looseJson } from "@/kernel/http/wire.ts";

/** What a client declares that it understands; each capability changes the form of the state and of events. */
export const clientCapabilities = z.looseObject({
  notification_settings_null: z.boolean().optional(),
  bulk_message_deletion: z.boolean().optional(),
  user_avatar_url_field_optional: z.boolean().optional(),
  stream_typing_notifications: z.boolean().optional(),
  user_settings_object: z.boolean().optional(),
  linkifier_url_template: z.boolean().optional(),
  user_list_incomplete: z.boolean().optional(),
  include_deactivated_groups: z.boolean().optional(),
  archived_channels: z.boolean().optional(),
  empty_topic_name: z.boolean().optional(),
  simplified_presence_events: z.boolean().optional(),
  report_events: z.boolean().optional(),
});

export const includeSubscribers = z.enum(["true", "false", "partial"], {
  error: "include_subscribers must be true, false or partial.",
});

/** Seconds. What phones ask for, and the most that a queue waits: its events take memory. */
const idleTimes = { mobile: 43_200, max: 604_800 };

/** Wire: for how long a queue waits for its client; phones send the word, with its quotes or without. */
export const idleTimeout = bare(
  z.preprocess(
    (given) => (typeof given === "string" ? looseJson(given) : given),
    z
      .union([z.int().min(1), z.literal("mobile")], {
        error: "idle_queue_timeout must be a number of seconds, or mobile.",
      })
      .transform((given) => (given === "mobile" ? idleTimes.mobile : Math.min(given, idleTimes.max))),
  ),
);

/** Limited because every term is checked for every message. */
const maxTerms = 100;
/** Longer than any address, name or topic. Limited because a queue keeps its narrow as long as it lives. */
const maxOperandLength = 500;

const queueOperand = z
  .string()
  .max(maxOperandLength, `An operand of a queue's narrow can have at most ${maxOperandLength} characters.`);

export const queueNarrow = z
  .array(z.tuple([z.string(), queueOperand]))
  .max(maxTerms, `The narrow of an event queue can have at most ${maxTerms} terms.`);

/** Sent by the queue itself to a client that has waited long. */
export const heartbeat = event("heartbeat", {
  about: "Sent each minute to clients that wait, so that connections stay open. Carries nothing.",
  schema: z.object({}),
});

/** A client has ended its queue, on any node. */
export const queueEnded = event("event_queue", {
  about: "A client has ended its queue.",
  op: "end",
  schema: z.object({ queue_id: z.string() }),
  after: ({ queue_id }, queues) => queues.end(queue_id),
  isInternal: true,
});

/** What a client asked for when it opened a queue, in the form that nodes exchange. Most clients of a kind ask for the same. */
export const terms = z.object({
  /** The name of the client, which may decide the form of events. */
  client: z.string(),
  given: z.object({
    apply_markdown: z.boolean(),
    client_gravatar: z.boolean().optional(),
    include_subscribers: includeSubscribers,
    all_public_streams: z.boolean(),
    slim_presence: z.boolean(),
    presence_history_limit_days: z.number(),
    event_types: z.array(z.string()).nullish(),
    client_capabilities: z.record(z.string(), z.unknown()),
    narrow: queueNarrow,
    idle_queue_timeout: z.int().optional(),
  }),
});

export type QueueTerms = z.infer<typeof terms>;

/** How a queue was opened: enough to open it again. */
export interface Opening extends QueueTerms {
  /** The position in the sequence of event IDs. */
  readonly start: number;
}
