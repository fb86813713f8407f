// A job that reads new messages and notes each for the people who may get a mail about it. Sending a message does none of
// this.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { findMessageById, lastMessageId } from "@/messaging/messages/access.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { candidatesFor, reasonFor } from "./reasons.ts";
import { missed } from "./schema.ts";
import type { Waiting } from "./store.ts";
import * as store from "./store.ts";

export async function followMessages(ctx: Ctx): Promise<void> {
  const from = store.findProgress(ctx);
  if (!serverOptions.read(ctx).sends_mail) {
    // After mail is turned on, send no mails about earlier messages.
    if (lastMessageId(ctx) > from) await advance(ctx, lastMessageId(ctx));
    return;
  }
  const ids = store.listAfter(ctx, from, missed.messagesAtOnce);
  const used = new TimeUsed();
  for (const id of ids) await follow(ctx, id, used);
  const last = ids.at(-1);
  if (last !== undefined) await advance(ctx, last);
}

const advance = action(allow.system, (tx, messageId: number): void => store.setProgress(tx, messageId));

async function follow(ctx: Ctx, id: number, used: TimeUsed): Promise<void> {
  const row = findMessageById(ctx, id);
  const people = row ? await runInSlices(wantingMail(ctx, row), used) : [];
  for (let from = 0; from < people.length; from += missed.peopleAtOnce) {
    await note(ctx, { id, userIds: people.slice(from, from + missed.peopleAtOnce) });
  }
}

/** People who want a mail about a message if they have not read it by then. */
function* wantingMail(ctx: Ctx, row: MessageRow): Task<number[]> {
  const isPerson = (id: number) => {
    const { is_active, is_bot } = memberOf(ctx, id);
    return is_active && !is_bot;
  };
  const candidates = [...candidatesFor(ctx, row)].filter(isPerson);
  const found: number[] = [];
  for (let from = 0; from < candidates.length; from += missed.peopleAtOnce) {
    const some = candidates.slice(from, from + missed.peopleAtOnce);
    const flags = flagsOn(ctx, row, some);
    yield some.length;
    for (const id of some) {
      const own = flags.get(id) ?? [];
      if (!own.includes("read") && reasonFor(ctx, id, { row, flags: own }) !== null) found.push(id);
      yield 1;
    }
  }
  return found;
}

const note = action(allow.system, (tx, { id, userIds }: { id: number; userIds: readonly number[] }): void => {
  const since = findMessageById(tx, id)?.sent_at;
  if (since === undefined) return;
  const period = (userId: number) => settingOf(tx, userId, "email_notifications_batching_period_seconds");
  const people: Waiting[] = userIds.map((user_id) => ({ user_id, due_at: since + period(user_id) }));
  store.insertMissed(tx, { messageId: id, since }, people);
});
