import type { Tx } from "@/kernel/context.ts";
import type { Audience } from "@/kernel/events.ts";
import type { Reachable } from "@/messaging/receipts/reach.ts";
import { conversation } from "@/places/conversations/access.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { type Readership, readersOfAll } from "./audience.ts";
import { keepingFirst } from "./first-message.ts";
import { messageHooks } from "./hooks.ts";
import { type MessagesDeleted, messagesDeleted } from "./schema.ts";
import type { MessageRow } from "./store.ts";
import { deleteMessages } from "./store.ts";

type Placed = Reachable & Pick<MessageRow, "topic">;

/** Deletes messages that stand in one conversation, and tells who may read them and who does it. */
export function deleteTogether(tx: Tx, rows: readonly Placed[]): void {
  const [any] = rows;
  if (!any) return;
  const { channel_id: channelId } = conversation(tx, any.conversation_id);
  const topics = [...Map.groupBy(rows, (row) => topicKey(row.topic)).values()];
  const told = topics.flatMap(([first, ...others]) => {
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
    for (const { audience, ...gone } of told) tellGone(tx, audience, gone);
  });
}

/** Who deletes may read all that goes, and hears of it once, be they among its readers or not. */
function withActor(tx: Tx, readers: readonly Readership[]): Readership[] {
  if (tx.actor.kind !== "user") return [...readers];
  const { id } = tx.actor;
  const hears = ({ audience: { to, also } }: Readership) =>
    to === "everyone" || (to instanceof Set ? to : new Set(to)).has(id) || also?.includes(id);
  if (readers.some(hears)) return [...readers];
  const most = readers.toSorted((a, b) => b.ids.length - a.ids.length)[0];
  return readers.map((one) =>
    one === most ? { ...one, audience: { ...one.audience, also: [...(one.audience.also ?? []), id] } } : one,
  );
}

/** Tells people that messages are gone for them. */
export function tellGone(tx: Tx, audience: Audience, { ids, place }: Omit<MessagesDeleted, "form">): void {
  tx.emit(messagesDeleted, audience, { ids, place, form: "bulk" });
  // Wire: clients without bulk_message_deletion get one event for each message.
  for (const id of ids) tx.emit(messagesDeleted, audience, { ids: [id], place, form: "single" });
}
