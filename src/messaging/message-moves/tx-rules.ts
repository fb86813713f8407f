// Permissions and time limits for moving messages.

import { holds, may, me } from "@/foundation/permissions/access.ts";
import { type GrantName, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { topicsPolicyOf } from "@/messaging/messages/recipients.ts";
import type { Movable } from "@/messaging/messages/rows.ts";
import { graceSeconds } from "@/messaging/messages/schema.ts";
import { isAllowed } from "@/places/channels/access.ts";
import { isResolved, isResolvedEmpty } from "@/places/topics/resolving.ts";
import type { Thread, Way } from "./planned.ts";
import { isResolution } from "./rules.ts";
import { moveErrors } from "./schema.ts";

export function checkMayMove(tx: Tx, way: Way): void {
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

/**
 * Refuses to move messages that were sent too long ago. The error tells how many of the topic's readable messages could
 * be moved.
 */
export function checkTimeLimit(
  tx: Tx,
  way: Way,
  rows: readonly Movable[],
  readAll: () => readonly Movable[],
): void {
  const limit = limitFor(tx, way);
  if (limit === null || me(tx).role <= roles.moderator) return;
  const earliest = tx.now - limit - graceSeconds;
  const isRecent = (row: Pick<Movable, "sent_at">) => row.sent_at >= earliest;
  if (way.mode === "change_all" ? rows.every(isRecent) : isRecent(way.target)) return;
  const readable = readAll();
  const movable = readable.filter(isRecent);
  fail(moveErrors.MOVE_MESSAGES_TIME_LIMIT_EXCEEDED, limitRefusal(movable.length, readable.length), {
    first_message_id_allowed_to_move: movable[0]?.id ?? null,
    total_messages_in_topic: readable.length,
    total_messages_allowed_to_move: movable.length,
  });
}

function limitRefusal(movable: number, all: number): string {
  return movable === 0
    ? "The time limit for moving these messages has passed."
    : `You only have permission to move the ${movable}/${all} most recent messages in this topic.`;
}

/** The stricter of the time limits that apply, in seconds, or null. */
function limitFor(tx: Tx, { isTopicNew, isChannelNew }: Way): number | null {
  const settings = realmSettings.read(tx);
  const limits = [
    isTopicNew ? settings.move_messages_within_stream_limit_seconds : null,
    isChannelNew ? settings.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
