import type { Tx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import type { Submessage } from "@/messaging/messages/schema.ts";
import * as store from "./store.ts";
import { widgetOf } from "./widget-commands.ts";

export function insert(tx: Tx, submessage: Omit<Submessage, "id">): Submessage {
  return { id: store.insertSubmessage(tx, submessage), ...submessage };
}

/**
 * Turns a new message that begins with `/poll` or `/todo` into a widget. Returns its first submessage in a list, or none.
 */
export function attachWidget(tx: Tx, { id, sender_id, content }: MessageRow): Submessage[] {
  const widget = widgetOf(content);
  if (!widget) return [];
  return [insert(tx, { message_id: id, sender_id, msg_type: "widget", content: JSON.stringify(widget) })];
}

/** Deletes the submessages of messages that are about to be deleted. */
export function forgetSubmessages(tx: Tx, messageIds: readonly number[]): void {
  store.deleteSubmessages(tx, messageIds);
}
