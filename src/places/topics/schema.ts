// Topic names: which are valid, which are equal, how they are shown.
import { z } from "zod";
import { emptyTopicDisplayName, limits } from "@/foundation/realm/schema.ts";
import { isPrintable, shorten } from "@/foundation/realm/texts.ts";

const noTopic = "(no topic)";

/** A topic as clients send it. Two names mean the empty topic. Truncates long names. */
export const topicName = z
  .string()
  .trim()
  .refine(isPrintable, "Invalid character in topic!")
  .transform(asTopic);

/** Normalizes a name: `(no topic)` and the display name of the empty topic become the empty topic. */
export function asTopic(name: string): string {
  if (name === noTopic || name === emptyTopicDisplayName) return "";
  return shorten(name, limits.max_topic_length, "...");
}

/** Topics with the same key are equal: case is ignored. */
export function topicKey(topic: string): string {
  return topic.toLowerCase();
}

/** The topic's name. The empty topic gets a display name for clients that cannot show it. */
export function displayTopic(topic: string, allowEmpty: boolean): string {
  return topic === "" && !allowEmpty ? emptyTopicDisplayName : topic;
}
