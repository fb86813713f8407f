import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { checkContent } from "@/messaging/messages/schema.ts";
import { renderMessage } from "@/messaging/sending/lookup.ts";
import { listMentioned } from "@/messaging/sending/mentions.ts";
import { type ResolvedRecipient, resolveRecipient } from "@/messaging/sending/recipients.ts";
import { scheduledMessageFor, timeToCome } from "./access.ts";
import { presentScheduled } from "./queries.ts";
import {
  type MessageDraft,
  messagesScheduled,
  type NewScheduledMessage,
  type ScheduledMessagePatch,
  scheduledMessageRemoved,
  scheduledMessageUpdated,
  scheduling,
} from "./schema.ts";
import type { Letter, ScheduledRow } from "./store.ts";
import * as store from "./store.ts";

/** Schedules a message, which the actor must be allowed to send now; returns its ID. */
export const scheduleMessage = action(allow.user, (tx, input: NewScheduledMessage): number => {
  const sender_id = me(tx).id;
  if (store.countScheduled(tx, sender_id) >= scheduling.max) {
    fail("BAD_REQUEST", `You can have at most ${scheduling.max} messages scheduled.`);
  }
  const deliver_at = timeToCome(tx, input.scheduled_delivery_timestamp);
  const letter = checkDraft(tx, input);

  const read_by_sender = input.read_by_sender ?? null;
  const { client } = tx.actor;
  const row = store.insertScheduled(tx, { ...letter, sender_id, deliver_at, client, read_by_sender });
  checkLength(tx, sender_id);
  tx.emit(messagesScheduled, to(sender_id), { scheduled_messages: [presentScheduled(row)] });
  return row.id;
});

/** Changes the content, the recipient or the time of a scheduled message. */
export const editScheduledMessage = action(allow.user, (tx, changes: ScheduledMessagePatch): void => {
  const { scheduled_message_id, ...given } = changes;
  const row = scheduledMessageFor(tx, scheduled_message_id);
  const time = given.scheduled_delivery_timestamp;
  if (Object.values(given).every((value) => value === undefined)) fail("BAD_REQUEST", "Nothing to change");
  if (row.failed && time === undefined) {
    fail("BAD_REQUEST", "This message could not be sent: give it a new delivery time.");
  }
  const deliver_at = time === undefined ? row.deliver_at : timeToCome(tx, time);
  const letter = checkDraft(tx, changeDraft(row, given));

  const now: ScheduledRow = { ...row, ...letter, deliver_at, failed: false };
  store.setScheduled(tx, now);
  checkLength(tx, row.sender_id);
  tx.emit(scheduledMessageUpdated, to(row.sender_id), { scheduled_message: presentScheduled(now) });
});

export const deleteScheduledMessage = action(allow.user, (tx, scheduledId: number): void => {
  const { id, sender_id } = scheduledMessageFor(tx, scheduledId);

  store.deleteScheduled(tx, id);
  tx.emit(scheduledMessageRemoved, to(sender_id), { scheduled_message_id: id });
});

/** Throws if a user's scheduled messages have become too long for one response. */
function checkLength(tx: Tx, senderId: number): void {
  if (store.bytesScheduled(tx, senderId) <= scheduling.maxBytes) return;
  fail("BAD_REQUEST", "Your scheduled messages are too long in total: shorten or delete some first.");
}

/** Resolves and renders the message as if it were sent now; throws if the actor may not send it. */
function checkDraft(tx: Tx, draft: MessageDraft): Letter {
  const content = checkContent(draft.content);
  const recipient = resolveRecipient(tx, draft);
  const rendered = renderMessage(tx, content);
  listMentioned(tx, rendered, recipient);
  return { ...addressOf(tx, recipient), content, rendered: rendered.html };
}

function addressOf(tx: Tx, recipient: ResolvedRecipient): Pick<Letter, "type" | "to" | "topic"> {
  if (recipient.kind === "channel") {
    return { type: "stream", to: [recipient.channel.id], topic: recipient.topic };
  }
  const others = [...recipient.people].filter((id) => id !== tx.actor.id).sort((a, b) => a - b);
  return { type: "private", to: others.length > 0 ? others : [tx.actor.id], topic: "" };
}

/** The scheduled message with changes applied. To change the recipient's type, the whole recipient must be given. */
function changeDraft(row: ScheduledRow, changes: Partial<MessageDraft>): MessageDraft {
  const present = row.type === "stream" ? "channel" : "direct";
  const { type = present, to: ids = row.to, content = row.content } = changes;
  if (type === present) return { type, to: ids, content, topic: changes.topic ?? row.topic };
  if (changes.to === undefined) {
    fail("BAD_REQUEST", "Recipient required when updating type of scheduled message.");
  }
  if (type === "channel" && changes.topic === undefined) {
    fail("BAD_REQUEST", "Topic required when updating scheduled message type to channel.");
  }
  return { type, to: ids, content, topic: changes.topic };
}

/** Part of erasing a person: deletes their scheduled messages, at most `max`. Returns how many it deleted. */
export function forgetSomeScheduledMessages(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeScheduled(tx, userId, max);
}
