// The notices that the notification bot sends to the old and the new topic of moved messages.

import { translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { settingOf, usersWhoChanged } from "@/foundation/user-settings/access.ts";
import { notificationBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { findMessageById, newestInTopic } from "@/messaging/messages/access.ts";
import { deleteTogether } from "@/messaging/messages/actions.ts";
import { viewersOf } from "@/places/channels/access.ts";
import { actorMention } from "@/places/channels/queries.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { policiesOn } from "@/places/user-topics/access.ts";
import { policies } from "@/places/user-topics/schema.ts";
import type { Translator } from "@/text/language/translator.ts";
import { messageReference, threadReference } from "@/text/quoting/references.ts";
import { isResolution, type MessagePatch, type MovedCount, type MovePlan, type Thread } from "./schema.ts";

export interface Extent {
  /** No message stayed in the old topic. */
  isWhole: boolean;
  /** The new topic already had messages. */
  merges: boolean;
  moved: MovedCount;
}

export type NoticesWanted = Pick<
  MessagePatch,
  "send_notification_to_old_thread" | "send_notification_to_new_thread"
>;

/** Sends the requested notices to the old and the new topic. A resolved or unresolved topic always gets its notice. */
export function leaveNotices(tx: Tx, move: MovePlan, extent: Extent, wanted: NoticesWanted): void {
  const { from, to } = move;
  const isElsewhere = move.isChannelNew || topicKey(from.topic) !== topicKey(to.topic);
  if (isElsewhere && !isResolution(move)) {
    if (wanted.send_notification_to_new_thread) leave(tx, to, arrival(tx, move, extent));
    if (wanted.send_notification_to_old_thread) leave(tx, from, departure(tx, move, extent));
  }
  const isMarked = isResolved(from.topic) !== isResolved(to.topic);
  if (isMarked && !to.channel.is_archived) sendResolvedNotice(tx, to);
}

/** Sends a notice, read by the actor, who knows already. An archived channel gets none, since it is read-only. */
function leave(tx: Tx, { channel, topic }: Thread, content: string): void {
  if (channel.is_archived) return;
  sendNotice(tx, { to: { channelId: channel.id, topic }, content, readBy: [tx.actor.id] });
}

function departure(tx: Tx, { from, to }: MovePlan, { isWhole, moved }: Extent): string {
  const translator = translatorToAll(tx);
  const { t } = translator;
  const names = { place: nameFor(tx, translator, to, from.channel), person: actorMention(tx, translator) };
  if (isWhole) return t("This topic was moved to {place} by {person}.", names);
  if (moved.count === 1) return t("A message was moved from this topic to {place} by {person}.", names);
  return t(
    "{count, plural, one {# message was} other {# messages were}} moved from this topic to {place} by {person}.",
    { count: moved.count, ...names },
  );
}

function arrival(tx: Tx, { from, to }: MovePlan, { isWhole, merges, moved }: Extent): string {
  const translator = translatorToAll(tx);
  const { t } = translator;
  const names = { place: nameFor(tx, translator, from, to.channel), person: actorMention(tx, translator) };
  if (isWhole && !merges) return t("This topic was moved here from {place} by {person}.", names);
  if (moved.count === 1 && moved.firstId !== null) {
    const message = messageReference(t("A message"), to, moved.firstId);
    return t("{message} was moved here from {place} by {person}.", { message, ...names });
  }
  return t(
    "{count, plural, one {# message was} other {# messages were}} moved here from {place} by {person}.",
    { count: moved.count, ...names },
  );
}

/** A link to a thread for readers of `where`, or "a private channel" if some of them may not see the thread's channel. */
function nameFor(tx: Tx, { t }: Translator, thread: Thread, where: ChannelRow): string {
  const isSecret = thread.channel.invite_only && thread.channel.id !== where.id;
  const viewers = isSecret ? viewersOf(tx, thread.channel) : null;
  const isKnown =
    !viewers || (where.invite_only && [...subscriberIds(tx, where.id)].every((id) => viewers.has(id)));
  return isKnown ? threadReference(thread) : t("a private channel");
}

const undoSeconds = 60;

/**
 * Sends the notice that the topic was resolved or unresolved. If that undoes a notice sent just before, deletes that one.
 */
function sendResolvedNotice(tx: Tx, thread: Thread): void {
  const { channel, conversationId, topic } = thread;
  const newest = newestInTopic(tx, conversationId, topicKey(topic));
  const last = newest === null ? null : findMessageById(tx, newest);
  if (last && isResolutionNotice(tx, last) && last.sent_at > tx.now - undoSeconds) {
    deleteTogether(tx, [last]);
    return;
  }
  const translator = translatorToAll(tx);
  const person = actorMention(tx, translator);
  const content = isResolved(topic)
    ? translator.t("{person} has marked this topic as resolved.", { person })
    : translator.t("{person} has marked this topic as unresolved.", { person });
  sendNotice(tx, {
    to: { channelId: channel.id, topic },
    content,
    onlyFor: listConcernedByResolution(tx, thread),
  });
}

function isResolutionNotice(tx: Tx, { sender_id, bits }: MessageRow): boolean {
  return sender_id === notificationBot(tx).id && (bits & messageBits.quiet) !== 0;
}

/** The users who get the notice as unread. By default followers of the topic; their setting may say always or never. */
function listConcernedByResolution(tx: Tx, { channel, topic }: Thread): number[] {
  const followers = [...policiesOn(tx, { channelId: channel.id, topic })]
    .filter(([, policy]) => policy === policies.followed)
    .map(([id]) => id);
  const follows = new Set(followers);
  const setting = "resolved_topic_notice_auto_read_policy";
  const isWanted = (id: number) => {
    const policy = settingOf(tx, id, setting);
    return policy === "never" || (policy === "except_followed" && follows.has(id));
  };
  const subscribers = subscriberIds(tx, channel.id);
  const asked = new Set([...follows, ...usersWhoChanged(tx, setting)]);
  return [...asked].filter((id) => id !== tx.actor.id && subscribers.has(id) && isWanted(id));
}
