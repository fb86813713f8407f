// Moves messages to another topic or channel (docs/design.md#messages-that-move).

import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { PropagateMode } from "@/messaging/message-edits/schema.ts";
import { reindexMessages } from "@/messaging/message-index/tx.ts";
import { parsedTopic } from "@/messaging/messages/recipients.ts";
import type { MessageRow, Movable } from "@/messaging/messages/rows.ts";
import { channelToPostIn, knownChannel } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { takeSeq } from "@/places/conversations/tx.ts";
import { topicKey } from "@/places/topics/schema.ts";
import type { Move, Thread, Way } from "./planned.ts";
import * as store from "./store.ts";
import { checkMayMove } from "./tx-rules.ts";

export interface MoveWish {
  content?: string;
  topic?: string;
  channel_id?: number;
  propagate_mode: PropagateMode;
}

/** Checks a requested move, except for its time limit. Returns what moves where, or null if nothing moves. */
export function plannedMove(tx: Tx, row: MessageRow, wish: MoveWish): Way | null {
  refuseContradictions(tx, row, wish);
  if (wish.topic === undefined && wish.channel_id === undefined) return staying(wish);
  const from = threadOf(tx, row);
  const to = wishedThread(tx, from, wish);
  const isTopicNew = to.topic !== from.topic;
  const isChannelNew = to.channel.id !== from.channel.id;
  if (!isTopicNew && !isChannelNew) return staying(wish);

  const way = { target: row, mode: wish.propagate_mode, from, to, isTopicNew, isChannelNew };
  checkMayMove(tx, way);
  return way;
}

function refuseContradictions(tx: Tx, row: MessageRow, wish: MoveWish): void {
  const { content, topic, channel_id } = wish;
  const isDirect = conversation(tx, row.conversation_id).channel_id === null;
  if (isDirect && channel_id !== undefined)
    fail("BAD_REQUEST", "Direct messages cannot be moved to channels.");
  if (isDirect && topic !== undefined) fail("BAD_REQUEST", "Direct messages cannot have topics.");
  if (content !== undefined && channel_id !== undefined) {
    fail("BAD_REQUEST", "A message's content and its channel cannot be changed at once.");
  }
}

/** A change of only the content applies to one message, so it refuses the other propagation modes. */
function staying({ content, propagate_mode }: MoveWish): null {
  if (propagate_mode === "change_one" || content === undefined) return null;
  fail("BAD_REQUEST", "Other messages can only be changed together with the topic or the channel.");
}

function threadOf(tx: Tx, { conversation_id, topic }: MessageRow): Thread {
  const { channel_id } = conversation(tx, conversation_id);
  return { channel: knownChannel(tx, channel_id ?? 0), conversationId: conversation_id, topic };
}

function wishedThread(tx: Tx, from: Thread, { topic: given, channel_id }: MoveWish): Thread {
  const topic = given === undefined ? from.topic : parsedTopic(given);
  if (channel_id === undefined || channel_id === from.channel.id) return { ...from, topic };
  const channel = channelToPostIn(tx, channel_id);
  return { channel, conversationId: channelConversation(tx, channel.id), topic };
}

/** Carries out a planned move. Returns the rows after it. */
export function carryOut(tx: Tx, { rows, to, isTopicNew, isChannelNew }: Move): readonly Movable[] {
  const ids = rows.map((row) => row.id);
  const topic = isTopicNew ? { topic: to.topic, topicKey: topicKey(to.topic) } : null;
  reindexMessages(tx, ids);
  if (!isChannelNew) {
    if (topic) store.setTopic(tx, ids, topic);
    return rows;
  }
  const { conversationId } = to;
  const arrivedSeq = takeSeq(tx, conversationId);
  store.setConversation(tx, ids, { conversationId, arrivedSeq, topic });
  return rows.map((row) => ({
    ...row,
    conversation_id: conversationId,
    arrived_seq: row.home_id === conversationId ? null : arrivedSeq,
  }));
}
