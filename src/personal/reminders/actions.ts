import { allow, me } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import { timeToCome } from "@/personal/scheduled-messages/access.ts";
import { deliverAll } from "@/personal/scheduled-messages/delivery.ts";
import { reminderFor } from "./access.ts";
import { presentReminder, reminderText, waitingTextOf } from "./queries.ts";
import {
  maxReminders,
  maxRemindersPerMessage,
  type NewReminder,
  reminderRemoved,
  remindersAdded,
} from "./schema.ts";
import type { ReminderRow } from "./store.ts";
import * as store from "./store.ts";

/** Creates a reminder of a message that the actor may read; returns its ID. */
export const createReminder = action(allow.user, (tx, input: NewReminder): number => {
  const user_id = me(tx).id;
  const { id: message_id } = messageFor(tx, input.message_id);
  const deliver_at = timeToCome(tx, input.scheduled_delivery_timestamp);
  if (store.countReminders(tx, user_id) >= maxReminders) {
    fail("BAD_REQUEST", `You can have at most ${maxReminders} reminders.`);
  }
  if (store.countRemindersOf(tx, user_id, message_id) >= maxRemindersPerMessage) {
    fail("BAD_REQUEST", `You can have at most ${maxRemindersPerMessage} reminders of one message.`);
  }

  const source = { message_id, note: input.note };
  const row = store.insertReminder(tx, {
    ...source,
    ...waitingTextOf(tx, source),
    user_id,
    deliver_at,
  });
  tx.emit(remindersAdded, to(user_id), { reminders: [presentReminder(row)] });
  return row.id;
});

export const deleteReminder = action(allow.user, (tx, reminderId: number): void => {
  const { id, user_id } = reminderFor(tx, reminderId);

  store.deleteReminder(tx, id);
  tx.emit(reminderRemoved, to(user_id), { reminder_id: id });
});

/** Delivers due reminders, however late. Waits while the organization is deactivated. */
export const deliverReminders = operation(allow.system, async (ctx): Promise<void> => {
  if (!isRealmOpen(ctx)) return;
  await deliverAll((max) => store.listDue(ctx, ctx.db.clock.now(), max), {
    deliver: (id) => remind(ctx, id),
    onRefused: (id) => giveUp(ctx, id),
  });
});

/** Reads the message again, because it may have been edited or deleted since. */
const remind = action(allow.system, (tx, id: number): void => {
  const row = findDue(tx, id);
  if (!row) return;
  const asReader = actingAs(tx, { kind: "user", id: row.user_id, client: "Internal" });
  allow.user(asReader);

  sendNotice(asReader, { to: { people: [row.user_id] }, content: reminderText(asReader, row) });
  store.deleteReminder(tx, id);
  tx.emit(reminderRemoved, to(row.user_id), { reminder_id: id });
});

/** For reminders of deactivated users. Emits no event, because nobody would receive it. */
const giveUp = action(allow.system, (tx, id: number): void => {
  if (findDue(tx, id)) store.setFailed(tx, id);
});

/** Quotes messages again that were edited or deleted, reminder by reminder, so that no other request waits for all of them. */
export const renewReminders = operation(allow.system, async (ctx): Promise<void> => {
  const used = new TimeUsed();
  while (store.findStale(ctx)) {
    await renewSome(ctx);
    await nextSlice(used);
  }
});

const renewSome = action(allow.system, (tx): void => {
  const stale = store.findStale(tx);
  if (stale) renewNext(tx, stale);
});

/** Null if it was delivered or deleted in the meantime. */
function findDue(tx: Tx, id: number): ReminderRow | null {
  const row = store.findReminder(tx, id);
  return row && row.failed === 0 && row.deliver_at <= tx.now ? row : null;
}

/**
 * Has the reminders of messages that were edited, or are about to be deleted, keep nothing of the earlier text. Renders nothing:
 * there may be a reminder for everybody.
 */
export function outdate(tx: Tx, messageIds: readonly number[]): void {
  store.setStale(tx, messageIds);
}

const maxRows = 100;
const maxMs = 2;

/** Quotes a message again in its next reminders, for a few milliseconds but at least one. */
function renewNext(tx: Tx, { message_id, last_id }: store.Stale): void {
  const { clock } = tx.db;
  const rows = store.findRemindersOf(tx, message_id, { after: last_id, max: maxRows });
  const end = clock.steady() + maxMs;
  for (const row of rows) {
    const asOwner = actingAs(tx, { kind: "user", id: row.user_id, client: "Internal" });
    store.setText(tx, row.id, waitingTextOf(asOwner, row));
    store.setLastRenewed(tx, { message_id, last_id: row.id });
    if (clock.steady() >= end) return;
  }
  if (rows.length < maxRows) store.deleteStale(tx, message_id);
}

/** Part of erasing a person: deletes their reminders, at most `max`. Returns how many it deleted. */
export function forgetSomeReminders(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeReminders(tx, userId, max);
}
