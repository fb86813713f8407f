// Resolved topics have a check mark in front of their names.
import { asTopic } from "@/places/topics/schema.ts";

const sign = "✔ ";

export function isResolved(topic: string): boolean {
  return topic.startsWith(sign);
}

/** The topic's name without the sign, however often it was set. */
function unresolvedName(topic: string): string {
  return topic.replace(/^(✔ +)+/, "");
}

/** Whether two names differ by the sign alone; one that grew too long with it was cut. */
export function differsBySign(from: string, to: string): boolean {
  if (isResolved(from) === isResolved(to)) return false;
  return isResolved(to) ? to === asTopic(sign + from) : to === unresolvedName(from);
}

/** Whether the name is that of the empty topic with the sign, which it cannot bear. */
export function isResolvedEmpty(topic: string): boolean {
  return topic === sign.trim() || (isResolved(topic) && asTopic(unresolvedName(topic)) === "");
}
