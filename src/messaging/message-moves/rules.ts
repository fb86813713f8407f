import { differsBySign } from "@/places/topics/resolving.ts";
import type { Way } from "./planned.ts";

/** Whether a move only resolves or unresolves a topic. */
export function isResolution({ from, to, isChannelNew }: Way): boolean {
  return !isChannelNew && differsBySign(from.topic, to.topic);
}
