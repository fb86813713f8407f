import type { Reads } from "@/kernel/core/context.ts";
import type { Submessage } from "@/messaging/messages/schema.ts";
import * as store from "./store.ts";

/** The submessages of each of these messages. Messages without any are missing. */
export function submessagesOn(reads: Reads, messageIds: readonly number[]): Map<number, Submessage[]> {
  return store.findSubmessages(reads, messageIds);
}

/** Whether the message is a widget, such as a poll or a task list. Its content cannot be edited. */
export function isWidget(reads: Reads, messageId: number): boolean {
  return store.findFirst(reads, messageId) !== null;
}
