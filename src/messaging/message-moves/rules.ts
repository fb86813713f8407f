import { differsBySign } from "@/places/topics/resolving.ts";
import type { Course } from "./planned.ts";

/** Whether a move only resolves or unresolves a topic. */
export function isResolution({ from, to, isChannelNew }: Course): boolean {
  return !isChannelNew && differsBySign(from.topic, to.topic);
}
