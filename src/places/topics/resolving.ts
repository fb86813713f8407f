// The name of a resolved topic begins with a check mark.
import { asTopic } from "@/places/topics/schema.ts";

const sign = "✔ ";

export function isResolved(topic: string): boolean {
  return topic.startsWith(sign);
}

/** The topic's name without any leading check marks. */
function nameBeforeResolving(topic: string): string {
  return topic.replace(/^(✔ +)+/, "");
}

/** Whether two names differ only by the check mark. Adding it may have truncated a long name. */
export function differsBySign(from: string, to: string): boolean {
  if (isResolved(from) === isResolved(to)) return false;
  return isResolved(to) ? to === asTopic(sign + from) : to === nameBeforeResolving(from);
}

/** Whether the name is a check mark without a topic. The empty topic cannot be resolved. */
export function isResolvedEmpty(topic: string): boolean {
  return topic === sign.trim() || (isResolved(topic) && asTopic(nameBeforeResolving(topic)) === "");
}
