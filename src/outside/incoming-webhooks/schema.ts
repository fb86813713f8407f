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

/** The limits of templates, in characters, and of what is kept to try them on. */
export const templateLimits = {
  content: 4_000,
  topic: 200,
  /** How many values in braces. */
  values: 50,
  path: 100,
  /** Of one value. */
  value: 1_000,
  /** How many elements of a list are said. */
  items: 20,
  /** Of the message. */
  message: 8_000,
  /** How many fields are named of what a tool posted. */
  named: 40,
} as const;

/** How many payloads of each bot are kept, for how long, and of what size. */
export const payloadKeeping = {
  perBot: 10,
  seconds: 86_400,
  size: 32_768,
  name: 100,
  sweepSeconds: 3600,
} as const;

/** A value of a payload in a template. */
export const placeholder = /\{\{([^{}]*)\}\}/g;

/** The path between the braces, and what is said instead if there is no such value. */
export function placeOf(inside: string): { path: string; fallback: string } {
  const bar = inside.indexOf("|");
  const path = bar < 0 ? inside : inside.slice(0, bar);
  return { path: path.trim(), fallback: bar < 0 ? "" : inside.slice(bar + 1).trim() };
}

const pathsOf = (template: string): string[] =>
  [...template.matchAll(placeholder)].map(([, inside = ""]) => placeOf(inside).path);

const templateText = z
  .string()
  .refine(
    (text) => !text.replaceAll(placeholder, " ").includes("{{"),
    "In the template, a pair of braces is not closed.",
  )
  .refine((text) => !pathsOf(text).includes(""), "In the template, a pair of braces names no field.")
  .refine(
    (text) => pathsOf(text).length <= templateLimits.values,
    "A template has at most 50 pairs of braces.",
  )
  .refine(
    (text) => pathsOf(text).every((path) => path.length <= templateLimits.path),
    "The path to a field has at most 100 characters.",
  );

/** How a bot words what `json` takes: Markdown with paths in double braces. */
export const webhookTemplate = z.object({
  topic: templateText
    .max(templateLimits.topic, "The template of the topic has at most 200 characters.")
    .default("")
    .meta({ description: "The topic's template; if it is empty, the topic is JSON." }),
  content: templateText
    .max(templateLimits.content, "A template has at most 4000 characters.")
    .refine((text) => text.trim() !== "", "The template is empty.")
    .meta({ description: "The message's template: Markdown, with paths in double braces." }),
});
export type WebhookTemplate = z.infer<typeof webhookTemplate>;

/** What a template makes of a payload. */
export const templateTrial = z.object({
  topic: z.string(),
  content: z.string().nullable().meta({ description: "Null if there is nothing to say." }),
  absent: z
    .array(z.string())
    .meta({ description: "The paths of the template at which the payload has nothing." }),
});
export type TemplateTrial = z.infer<typeof templateTrial>;

/** A payload that a tool posted. */
export const webhookPayload = z.object({
  id: z.int(),
  at: z.int().meta({ description: "UNIX seconds." }),
  sender: z.string().meta({ description: "The name in the address that it was posted to." }),
  size: z.int().meta({ description: "In characters." }),
  payload: z.string().nullable().meta({ description: "JSON; null if it was too large to keep." }),
});
export type WebhookPayload = z.infer<typeof webhookPayload>;

/** What a request led to. */
export const outcomes = ["sent", "repeated", "left_out", "nothing_to_say", "unknown_event"] as const;
export type PostOutcome = (typeof outcomes)[number];

export interface ReceivedPost {
  event: string;
  outcome: PostOutcome;
  /** The message's ID, if one was sent, now or when the event came first. */
  id?: number;
  /** Fields that an unknown event had. */
  fields?: string[];
}
