import type { Tx } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import type { Reachable } from "@/messaging/receipts/reach.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { emitProperty } from "@/places/channels/tx-properties.ts";
import { conversation } from "@/places/conversations/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { firstMessagesOf } from "./access.ts";
import { type Readership, readersOfAll } from "./audience.ts";
import { messageHooks } from "./hooks.ts";
import type { MessageRow } from "./rows.ts";
import { type MessagesDeleted, messagesDeleted } from "./schema.ts";
import { deleteMessages } from "./tx.ts";

type Placed = Reachable & Pick<MessageRow, "topic">;

/** Deletes messages of one conversation and emits this to their readers and the actor. */
export function deleteTogether(tx: Tx, rows: readonly Placed[]): void {
  const [any] = rows;
  if (!any) return;
  const { channel_id: channelId } = conversation(tx, any.conversation_id);
  const topics = [...Map.groupBy(rows, (row) => topicKey(row.topic)).values()];
  const readerships = topics.flatMap(([first, ...others]) => {
    if (!first) return [];
    const place = channelId === null ? null : { stream_id: channelId, topic: first.topic };
    return withActor(tx, readersOfAll(tx, [first, ...others])).map((readership) => ({
      ...readership,
      place,
    }));
  });

  keepingFirst(tx, channelId === null ? [] : [channelId], () => {
    const ids = rows.map((row) => row.id);
    messageHooks.removed(tx, ids);
    deleteMessages(tx, ids);
    for (const { audience, ...gone } of readerships) emitGone(tx, audience, gone);
  });
}

/** Adds the actor to the audience, once, if they are not among the readers. */
function withActor(tx: Tx, readers: readonly Readership[]): Readership[] {
  if (tx.actor.kind !== "user") return [...readers];
  const { id } = tx.actor;
  const hears = ({ audience: { to, also } }: Readership) =>
    to === "everyone" || (to instanceof Set ? to : new Set(to)).has(id) || also?.includes(id);
  if (readers.some(hears)) return [...readers];
  const largest = readers.toSorted((a, b) => b.ids.length - a.ids.length)[0];
  return readers.map((one) =>
    one === largest
      ? { ...one, audience: { ...one.audience, also: [...(one.audience.also ?? []), id] } }
      : one,
  );
}

/** Emits to users that messages are deleted, or no longer readable for them. */
export function emitGone(tx: Tx, audience: Audience, { ids, place }: Omit<MessagesDeleted, "form">): void {
  tx.emit(messagesDeleted, audience, { ids, place, form: "bulk" });
  // Wire: clients without bulk_message_deletion get one event for each message.
  for (const id of ids) tx.emit(messagesDeleted, audience, { ids: [id], place, form: "single" });
}

/** Runs `body`, which changes the messages of channels, and emits `first_message_id` where it changed. */
export function keepingFirst<T>(tx: Tx, channelIds: readonly number[], body: () => T): T {
  const before = firstMessagesOf(tx, channelIds);
  const result = body();
  const after = firstMessagesOf(tx, channelIds);
  for (const id of channelIds) {
    const value = after.get(id) ?? null;
    if (value !== (before.get(id) ?? null))
      emitProperty(tx, knownChannel(tx, id), { property: "first_message_id", value });
  }
  return result;
}
