import type { Reads } from "@/kernel/context.ts";
import type { Submessage } from "./schema.ts";
import * as store from "./store.ts";

/** The submessages on each of these messages; those without any are missing. */
export function submessagesOn(reads: Reads, messageIds: readonly number[]): Map<number, Submessage[]> {
  return store.findSubmessages(reads, messageIds);
}

/** Whether the message is a poll, a list of tasks or the like: then its text is settled, and cannot be edited. */
export function isWidget(reads: Reads, messageId: number): boolean {
  return store.findFirst(reads, messageId) !== null;
}
