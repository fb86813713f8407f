// A job that reads new messages and queues notifications. Sending a message does none of this.
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { inTurns, type Steps } from "@/kernel/steps.ts";
import { findMessageById } from "@/messaging/messages/access.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { audienceAmong, isWanted } from "./reasons.ts";
import { pushing } from "./schema.ts";
import * as store from "./store.ts";

export async function followMessages(ctx: Ctx): Promise<void> {
  const subscriptions = store.subscriptionsByUser(ctx);
  // Without subscriptions, write nothing.
  if (subscriptions.size === 0) return;
  const oldest = Math.min(...[...subscriptions.values()].flat().map((row) => row.since_id));
  const from = Math.max(store.findProgress(ctx), oldest);
  const ids = store.listAfter(ctx, from, pushing.messagesAtOnce);
  const last = ids.at(-1);
  if (last === undefined) return;
  const found: Noted[] = [];
  for (const id of ids) {
    const row = findMessageById(ctx, id);
    const people = row ? await inTurns(wanting(ctx, row, subscriptions.keys())) : [];
    const wanted = people.flatMap((userId) => subscriptions.get(userId) ?? []);
    const subscriptionIds = wanted.filter((one) => one.since_id < id).map((one) => one.id);
    if (subscriptionIds.length > 0) found.push({ messageId: id, subscriptionIds });
  }
  await note(ctx, { found, last });
}

interface Noted {
  messageId: number;
  subscriptionIds: number[];
}

const note = action(allow.system, (tx, { found, last }: { found: readonly Noted[]; last: number }): void => {
  for (const { messageId, subscriptionIds } of found) store.insertPushes(tx, messageId, subscriptionIds);
  store.setProgress(tx, last);
});

function* wanting(ctx: Ctx, row: MessageRow, people: Iterable<number>): Steps<number[]> {
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
