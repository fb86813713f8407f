import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageToChange } from "@/messaging/messages/access.ts";
import { readersOf } from "@/messaging/messages/audience.ts";
import type { Submessage } from "@/messaging/messages/schema.ts";
import { noteParticipation } from "@/places/user-topics/actions-automatic.ts";
import { type NewSubmessage, submessageAdded } from "./schema.ts";
import * as store from "./store.ts";
import { kindOf, problemOfBeginning, problemOfChange, widgetOf } from "./widgets.ts";

const maxPerMessage = { count: 10_000, bytes: 1_000_000 };

/** Adds a submessage to a widget, or turns the actor's own message into a widget. */
export const addSubmessage = action(allow.user, (tx, input: NewSubmessage): void => {
  const row = messageToChange(tx, input.message_id);
  checkContent(tx, row, jsonOf(input.content));
  const { count, bytes } = store.sizeOfSubmessages(tx, row.id);
  if (count >= maxPerMessage.count || bytes >= maxPerMessage.bytes) {
    fail("BAD_REQUEST", "This widget has reached its maximum number of changes.");
  }

  const added = insert(tx, { ...input, sender_id: me(tx).id });
  tx.emit(submessageAdded, readersOf(tx, row), added);
  noteParticipation(tx, row);
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("BAD_REQUEST", "The content of a submessage must be JSON.");
  }
}

function checkContent(tx: Tx, row: MessageRow, content: unknown): void {
  const first = store.findFirst(tx, row.id);
  const isAuthor = row.sender_id === me(tx).id;
  if (!first && !isAuthor) fail("BAD_REQUEST", "Only the sender of a message can turn it into a widget.");
  const kind = first && kindOf(JSON.parse(first.content));
  const problem = first ? kind && problemOfChange(kind, content, isAuthor) : problemOfBeginning(content);
  if (problem) fail("BAD_REQUEST", problem);
}

function insert(tx: Tx, submessage: Omit<Submessage, "id">): Submessage {
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
