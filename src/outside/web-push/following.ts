// A job that reads new messages and queues notifications. Sending a message does none of this.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { nextSlice, runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { findMessageById } from "@/messaging/messages/access.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { audienceAmong, isWanted } from "./reasons.ts";
import { pushing } from "./schema.ts";
import * as store from "./store.ts";

export async function followMessages(ctx: Ctx): Promise<void> {
  const oldest = store.findOldestSince(ctx);
  // Without subscriptions, write nothing.
  if (oldest === null) return;
  const from = Math.max(store.findProgress(ctx), oldest);
  const ids = store.listAfter(ctx, from, pushing.messagesAtOnce);
  const last = ids.at(-1);
  if (last === undefined) return;
  const used = new TimeUsed();
  for (const id of ids) {
    const row = findMessageById(ctx, id);
    if (row) await queuePushes(ctx, row, used);
    await nextSlice(used);
  }
  await noteProgress(ctx, last);
}

async function queuePushes(ctx: Ctx, row: MessageRow, used: TimeUsed): Promise<void> {
  const people = await runInSlices(wanting(ctx, row, store.peopleSubscribed(ctx)), used);
  for (let from = 0; from < people.length; from += pushing.peopleAtOnce) {
    await queueFor(ctx, { messageId: row.id, people: people.slice(from, from + pushing.peopleAtOnce) });
  }
}

const queueFor = action(
  allow.system,
  (tx, { messageId, people }: { messageId: number; people: readonly number[] }): void =>
    store.insertPushes(tx, messageId, people),
);

const noteProgress = action(allow.system, (tx, last: number): void => store.setProgress(tx, last));

function* wanting(ctx: Ctx, row: MessageRow, people: ReadonlySet<number>): Task<number[]> {
  const candidates = audienceAmong(ctx, row, people).filter((id) => memberOf(ctx, id).is_active);
  const found: number[] = [];
  for (let from = 0; from < candidates.length; from += pushing.peopleAtOnce) {
    const some = candidates.slice(from, from + pushing.peopleAtOnce);
    const flags = flagsOn(ctx, row, some);
    yield some.length;
    for (const id of some) {
      if (isWanted(ctx, id, { row, flags: flags.get(id) ?? [] })) found.push(id);
      yield 1;
    }
  }
  return found;
}
