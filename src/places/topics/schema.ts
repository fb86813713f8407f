// The names of topics: which there may be, which mean the same, how they are shown.
import { z } from "zod";
import { emptyTopicDisplayName, limits } from "@/foundation/realm/schema.ts";
import { isPrintable, shorten } from "@/foundation/realm/texts.ts";

const noTopic = "(no topic)";

/** A topic as clients send it: two names mean the empty topic; names that are too long are cut. */
export const topicName = z
  .string()
  .trim()
  .refine(isPrintable, "Invalid character in topic!")
  .transform(asTopic);

/** The topic that a name stands for: `(no topic)` and the display name of the empty topic are the empty one. */
export function asTopic(name: string): string {
  if (name === noTopic || name === emptyTopicDisplayName) return "";
  return shorten(name, limits.max_topic_length, "...");
}

/** Topics are told apart without regard to case. */
export function topicKey(topic: string): string {
  return topic.toLowerCase();
}

/** The topic's name; the empty one gets a display name for clients that cannot show it. */
export function shownTopic(topic: string, allowEmpty: boolean): string {
  return topic === "" && !allowEmpty ? emptyTopicDisplayName : topic;
}
