// Moves messages to another topic or channel (docs/design.md#messages-that-move).

import { holds, may, me } from "@/foundation/permissions/access.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { checkMayBegin, parseTopic, topicsPolicyOf } from "@/messaging/sending/recipients.ts";
import { channelToPostIn, existingChannel, isAllowed } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { isResolved, isResolvedEmpty } from "@/places/topics/resolving.ts";
import { isResolution, type MessagePatch, type TargetedMove, type Thread } from "./schema.ts";

type MoveRequest = Pick<MessagePatch, "content" | "topic" | "channel_id" | "propagate_mode">;

/** Checks a requested move, except for its time limit. Returns what moves where, or null if nothing moves. */
export function planMove(tx: Tx, row: MessageRow, request: MoveRequest): TargetedMove | null {
  refuseContradictions(tx, row, request);
  if (request.topic === undefined && request.channel_id === undefined) return checkStaysInPlace(request);
  const from = threadOf(tx, row);
  const to = resolveTarget(tx, from, request);
  const isTopicNew = to.topic !== from.topic;
  const isChannelNew = to.channel.id !== from.channel.id;
  if (!isTopicNew && !isChannelNew) return checkStaysInPlace(request);

  const move = { target: row, mode: request.propagate_mode, from, to, isTopicNew, isChannelNew };
  checkMayMove(tx, move);
  return move;
}

function refuseContradictions(tx: Tx, row: MessageRow, request: MoveRequest): void {
  const { content, topic, channel_id } = request;
  const isDirect = conversation(tx, row.conversation_id).channel_id === null;
  if (isDirect && channel_id !== undefined)
    fail("BAD_REQUEST", "Direct messages cannot be moved to channels.");
  if (isDirect && topic !== undefined) fail("BAD_REQUEST", "Direct messages cannot have topics.");
  if (content !== undefined && channel_id !== undefined) {
    fail("BAD_REQUEST", "A message's content and its channel cannot be changed at once.");
  }
}

/** A change of only the content applies to one message, so it refuses the other propagation modes. */
function checkStaysInPlace({ content, propagate_mode }: MoveRequest): null {
  if (propagate_mode === "change_one" || content === undefined) return null;
  fail("BAD_REQUEST", "Other messages can only be changed together with the topic or the channel.");
}

function threadOf(tx: Tx, { conversation_id, topic }: MessageRow): Thread {
  const { channel_id } = conversation(tx, conversation_id);
  return { channel: existingChannel(tx, channel_id ?? 0), conversationId: conversation_id, topic };
}

function resolveTarget(tx: Tx, from: Thread, { topic: given, channel_id }: MoveRequest): Thread {
  const topic = given === undefined ? from.topic : parseTopic(given);
  if (channel_id === undefined || channel_id === from.channel.id) return { ...from, topic };
  const channel = channelToPostIn(tx, channel_id);
  return { channel, conversationId: channelConversation(tx, channel.id), topic };
}

function checkMayMove(tx: Tx, move: TargetedMove): void {
  const { from, to, isTopicNew, isChannelNew } = move;
  if (isChannelNew && !mayMoveOut(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to move messages out of this channel.");
  }
  if (isTopicNew && isResolved(from.topic) !== isResolved(to.topic) && !mayResolve(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to resolve topics in this channel.");
  }
  if (isTopicNew && !isResolution(move) && !mayMoveWithin(tx, from)) {
    fail("BAD_REQUEST", "You don't have permission to move messages to another topic in this channel.");
  }
  if (!isChannelNew && from.channel.is_archived) {
    fail("BAD_REQUEST", "Topics of an archived channel cannot be changed.");
  }
  checkTopic(tx, move);
}

function checkTopic(tx: Tx, move: TargetedMove): void {
  const { to, isTopicNew } = move;
  if (!isResolution(move)) checkMayBegin(tx, to);
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
