import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { runSync } from "@/kernel/lib/tasks.ts";
import { newestAnchor, pageOf } from "@/messaging/message-pages/page.ts";
import { type Narrowed, selectIds } from "@/messaging/message-pages/queries.ts";
import { selectionOf } from "@/messaging/message-pages/selection.ts";
import { type FlagName, messageFlags, type Receipt } from "@/messaging/message-rows/schema.ts";
import { messagesFor, readableAmong } from "@/messaging/messages/access.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { flagsOf } from "@/messaging/receipts/access.ts";
import { setRareFlag, setRead, setUnread } from "@/messaging/receipts/actions-marks.ts";
import { announce, markAsRead, readEverything } from "@/messaging/receipts/actions-reception.ts";
import { flagsAdded } from "@/messaging/receipts/schema.ts";
import { unreadOf } from "@/messaging/receipts/unread.ts";
import { channelFor } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { isSubscribed } from "@/places/subscriptions/access.ts";
import { asTopic, topicKey } from "@/places/topics/schema.ts";
import { sentence } from "@/text/language/tables.ts";

export interface FlagChange {
  op: "add" | "remove";
  flag: string;
}

export interface FlagsChanged {
  messages: number[];
  /** IDs of channels whose messages stayed read because the user is not subscribed. */
  ignored: number[];
}

/** Adds or removes a flag of the actor. Changes nothing if they may not read one of the messages. */
export const updateFlags = action(
  allow.user,
  (tx, input: FlagChange & { messages: readonly number[] }): FlagsChanged => {
    const flag = editableFlag(input.flag);
    const rows = messagesFor(tx, [...new Set(input.messages)]);
    return changeFlags(tx, { ...input, flag }, rows);
  },
);

/** As `updateFlags`, for the messages of a narrow around an anchor. Searches first, then writes in one transaction. */
export const updateFlagsInNarrow = operation(
  allow.user,
  async (ctx, { where, ...change }: FlagChange & { where: Narrowed }) => {
    return updateFlagsFound(ctx, { ...change, found: await selectIds(ctx, where) });
  },
);

/**
 * Skips messages that were deleted or became unreadable since the search. Returns all that the answer tells: after the change, the
 * same search may find other messages, and the next leader of a cluster must answer as this one would have.
 */
const updateFlagsFound = action(
  allow.user,
  (tx, { op, flag, found }: FlagChange & { found: Awaited<ReturnType<typeof selectIds>> }) => {
    const { ids, found_oldest, found_newest } = found;
    const { messages, ignored } = changeFlags(tx, { op, flag: editableFlag(flag) }, readableAmong(tx, ids));
    return {
      processed_count: ids.length,
      updated_count: messages.length,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest,
      found_newest,
      ignored,
    };
  },
);

function editableFlag(name: string): FlagName {
  const row = Object.hasOwn(messageFlags, name) ? messageFlags[name as FlagName] : null;
  if (!row) fail("BAD_REQUEST", sentence("Invalid flag: ''{flag}''", { flag: name }));
  if (!row.editable) fail("BAD_REQUEST", sentence("Flag not editable: ''{flag}''", { flag: name }));
  return name as FlagName;
}

function changeFlags(
  tx: Tx,
  change: { op: "add" | "remove"; flag: FlagName },
  rows: readonly Receipt[],
): FlagsChanged {
  const user = me(tx).id;
  const { op, flag } = change;
  const ignored =
    op === "remove" && flag === "read" ? channelsNotSubscribed(tx, user, rows) : new Set<number>();
  const before = flagsOf(tx, user, rows);
  const changing = rows.filter((row) => {
    if (ignored.has(conversation(tx, row.conversation_id).channel_id ?? 0)) return false;
    return before.get(row.id)?.includes(flag) !== (op === "add");
  });

  const isSet = op === "add";
  if (flag !== "read") setRareFlag(tx, user, { rows: changing, bit: messageFlags[flag].bit, isSet });
  else if (isSet) setRead(tx, user, changing);
  else setUnread(tx, user, changing);
  announce(tx, user, change, changing);
  return { messages: changing.map((row) => row.id), ignored: [...ignored].sort((a, b) => a - b) };
}

function channelsNotSubscribed(tx: Tx, user: number, rows: readonly Receipt[]): Set<number> {
  const channels = new Set(rows.map((row) => conversation(tx, row.conversation_id).channel_id ?? 0));
  channels.delete(0);
  for (const channel of channels) if (isSubscribed(tx, channel, user)) channels.delete(channel);
  return channels;
}

/** Marks all of the actor's messages as read. Writes one row for each conversation with unread messages. */
export const markAllAsRead = action(allow.user, (tx): void => {
  const user = me(tx).id;
  readEverything(tx, user);
  tx.emit(flagsAdded, to(user), { operation: "add", flag: "read", messages: [], all: true });
});

export const markChannelAsRead = action(allow.user, (tx, channelId: number): void => {
  const channel = channelFor(tx, channelId, "read");
  markConversation(tx, channelConversation(tx, channel.id), () => true);
});

export const markTopicAsRead = action(
  allow.user,
  (tx, input: { channel_id: number; topic: string }): void => {
    const channel = channelFor(tx, input.channel_id, "read");
    if (!hasOwnIn(tx, channel.id, input.topic))
      fail("BAD_REQUEST", sentence("No such topic ''{topic}''", { topic: input.topic }));
    const key = topicKey(asTopic(input.topic.trim()));
    markConversation(tx, channelConversation(tx, channel.id), (receipt) => topicKey(receipt.topic) === key);
  },
);

/** Whether the user received any message of the topic or has it in their history. */
function hasOwnIn(tx: Tx, channelId: number, topic: string): boolean {
  const narrow = narrowOf(tx, [
    { operator: "channel", operand: channelId, negated: false },
    { operator: "topic", operand: topic, negated: false },
  ]);
  const newest = { anchor: newestAnchor, include_anchor: false, num_before: 1, num_after: 0 };
  return runSync(pageOf(tx, selectionOf(tx, narrow, true), newest)).ids.length > 0;
}

function markConversation(tx: Tx, conversationId: number, matches: (receipt: Receipt) => boolean): void {
  const user = me(tx).id;
  const rows = unreadOf(tx, user, { only: [conversationId], max: Number.MAX_SAFE_INTEGER }).filter(matches);
  markAsRead(tx, user, rows);
}
