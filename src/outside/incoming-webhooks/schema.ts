import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";

export const maxBodyBytes = 1_048_576;
/** Maximum nesting of JSON, because the size of indented JSON grows with the square of the depth. */
export const maxDepth = 100;

/** Patterns of event names: `["issues.*", "push"]`. */
export const eventNames = z
  .array(z.string().trim().min(1).max(100))
  .max(100)
  .meta({ description: "Names of events, where * stands for any characters." });

/** A channel's name or ID. */
export const channelGiven = z
  .string()
  .trim()
  .max(limits.max_stream_name_length)
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text));

export const secretRule = z
  .string()
  .min(16, "A secret has at least 16 characters.")
  .max(200, "A secret has at most 200 characters.")
  .regex(/^[\x21-\x7e]+$/, "A secret has only printable ASCII characters, without spaces.");

/** What there is to know of a sender: its events, and those that are left out unless the address asks for them. */
export const senderFacts = z.object({
  name: z.string(),
  title: z.string(),
  where: z.string().meta({ description: "Where the address is entered there: the names of its pages." }),
  field: z.string().meta({ description: "The field that it is entered in there." }),
  paste: z
    .string()
    .nullable()
    .meta({ description: "What is entered or run there besides; ADDRESS stands for the address." }),
  signs: z.boolean(),
  events: z.array(z.string()),
  left_out: z.array(z.string()),
  takes_others: z.boolean().meta({
    description: "Whether `only_events` may name other events, too, which get a plain sentence.",
  }),
});
export type SenderFacts = z.infer<typeof senderFacts>;

/** What a request led to. */
export const outcomes = ["sent", "left_out", "nothing_to_say", "unknown_event"] as const;
export type PostOutcome = (typeof outcomes)[number];

export interface ReceivedPost {
  event: string;
  outcome: PostOutcome;
  /** The message's ID, if one was sent. */
  id?: number;
}
