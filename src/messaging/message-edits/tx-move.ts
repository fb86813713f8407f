// Moves messages to another topic or channel (docs/design.md#messages-that-move).

import { holds, may, me } from "@/foundation/permissions/access.ts";
import { type GrantName, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Steps } from "@/kernel/lib/steps.ts";
import { reindexMessages } from "@/messaging/message-index/tx.ts";
import type { MessageRow, Movable } from "@/messaging/message-rows/schema.ts";
import { graceSeconds } from "@/messaging/messages/schema.ts";
import { parsedTopic, topicsPolicyOf } from "@/messaging/sending/recipients.ts";
import { channelToPostIn, isAllowed, knownChannel, sharesHistory } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { takeSeq } from "@/places/conversations/tx.ts";
import { isResolved, isResolvedEmpty } from "@/places/topics/resolving.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { readableIn } from "./access.ts";
import { isResolution, type Move, moveErrors, type PropagateMode, type Thread, type Way } from "./schema.ts";
import * as store from "./store.ts";

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

function checkMayMove(tx: Tx, way: Way): void {
  const { from, to, isTopicNew, isChannelNew } = way;
  if (isChannelNew && !mayMoveOut(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to move messages out of this channel.");
  }
  if (isTopicNew && isResolved(from.topic) !== isResolved(to.topic) && !mayResolve(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to resolve topics in this channel.");
  }
  if (isTopicNew && !isResolution(way) && !mayMoveWithin(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to move messages to another topic in this channel.");
  }
  if (!isChannelNew && from.channel.is_archived) {
    fail("BAD_REQUEST", "Topics of an archived channel cannot be changed.");
  }
  checkTopic(tx, way);
}

function checkTopic(tx: Tx, { to, isTopicNew }: Way): void {
  if (isTopicNew && isResolvedEmpty(to.topic)) {
    fail("BAD_REQUEST", "The general chat topic cannot be marked as resolved.");
  }
  const policy = topicsPolicyOf(tx, to.channel);
  if (to.topic === "" && policy === "disable_empty_topic") {
    fail("BAD_REQUEST", "The general chat topic is not allowed in this channel.");
  }
  if (to.topic !== "" && policy === "empty_topic_only") {
    fail("BAD_REQUEST", "Only the general chat topic is allowed in this channel.");
  }
}

const mayMoveOut = (tx: Tx, { channel }: Thread) =>
  may(tx, "can_move_messages_between_channels_group") ||
  has(tx, channel.id, "can_move_messages_out_of_channel_group") ||
  isAllowed(tx, channel, "administer");

const mayMoveWithin = (tx: Tx, { channel }: Thread) =>
  may(tx, "can_move_messages_between_topics_group") ||
  has(tx, channel.id, "can_move_messages_within_channel_group") ||
  isAllowed(tx, channel, "administer");

const mayResolve = (tx: Tx, { channel }: Thread) =>
  may(tx, "can_resolve_topics_group") || has(tx, channel.id, "can_resolve_topics_group");

function has(tx: Tx, channelId: number, name: GrantName<"channel">): boolean {
  return holds(tx, me(tx), { scope: "channel", ownerId: channelId, name });
}

/** When the oldest message may have been sent that the actor may move; null without a limit. */
export function earliestToMove(ctx: Ctx, way: Way): number | null {
  const limit = limitFor(ctx, way);
  return limit === null || me(ctx).role <= roles.moderator ? null : ctx.now - limit - graceSeconds;
}

/**
 * Refuses to move messages that were sent before `earliest`. The error tells how many of the topic's readable messages could
 * be moved.
 */
export function* checkTimeLimit(ctx: Ctx, way: Way, earliest: number): Steps<void> {
  const isRecent = (row: Pick<Movable, "sent_at">) => row.sent_at >= earliest;
  if (way.mode !== "change_all" && isRecent(way.target)) return;
  const readsAll = sharesHistory(way.from.channel);
  let [total, movable, first]: [number, number, number | null] = [0, 0, null];
  for (let after: number | null = 0; after !== null; ) {
    const some = readableIn(ctx, way.from, { from: after + 1, readsAll });
    const recent = some.rows.filter(isRecent);
    total += some.rows.length;
    movable += recent.length;
    first ??= recent[0]?.id ?? null;
    after = some.after;
    yield some.rows.length;
  }
  if (way.mode === "change_all" && movable === total) return;
  fail(moveErrors.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, limitRefusal(movable, total), {
    first_message_id_allowed_to_move: first,
    total_messages_in_topic: total,
    total_messages_allowed_to_move: movable,
  });
}

function limitRefusal(movable: number, all: number): string {
  return movable === 0
    ? "The time limit for moving these messages has passed."
    : `You only have permission to move the ${movable}/${all} most recent messages in this topic.`;
}

/** The stricter of the time limits that apply, in seconds, or null. */
function limitFor(ctx: Ctx, { isTopicNew, isChannelNew }: Way): number | null {
  const settings = realmSettings.read(ctx);
  const limits = [
    isTopicNew ? settings.move_messages_within_stream_limit_seconds : null,
    isChannelNew ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
