// The names of topics: which there may be, which mean the same, how they are shown.
import { z } from "zod";
import { emptyTopicDisplayName, limits } from "@/foundation/realm/schema.ts";
import { isPrintable, shorten } from "@/foundation/realm/texts.ts";

const noTopic = "(no topic)";

/** A topic as given (API.md 1): two names mean the empty one; too long ones are cut. */
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

/** How an empty topic is shown to who cannot show it as such (API.md 1). */
export function shownTopic(topic: string, allowEmpty: boolean): string {
  return topic === "" && !allowEmpty ? emptyTopicDisplayName : topic;
}
