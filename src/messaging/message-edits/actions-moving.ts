// Moves messages, with all that follows from it: the first ones in the transaction of the request, the others in later ones.

import { recordAudit } from "@/foundation/audit/actions.ts";
import type { Reads, Tx } from "@/kernel/core/context.ts";
import { keepWork, noteDone } from "@/messaging/background-jobs/actions.ts";
import type { DoneWork, TopicWork } from "@/messaging/background-jobs/schema.ts";
import { keepPast } from "@/messaging/message-history/actions.ts";
import type { HistoryChange } from "@/messaging/message-history/schema.ts";
import { reindexMessages } from "@/messaging/message-index/actions.ts";
import type { MessageRow, Movable } from "@/messaging/message-rows/schema.ts";
import { findMessageById, newestInTopic } from "@/messaging/messages/access.ts";
import { concernsOthers, keepingFirst, placeNamed } from "@/messaging/messages/actions.ts";
import { sightIn } from "@/messaging/messages/audience.ts";
import { forgetFlagsOfOthers } from "@/messaging/receipts/actions-marks.ts";
import { emitUnreadAgain } from "@/messaging/receipts/actions-reception.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { existingChannel, sharesHistory } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import { takeSeq } from "@/places/conversations/actions.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { moveTopicPolicies } from "@/places/user-topics/actions.ts";
import { readableIn } from "./access.ts";
import { changeContent, emitMoved } from "./actions-content.ts";
import { leaveNotices, type NoticesWanted } from "./actions-notices.ts";
import { listConcerned } from "./readers.ts";
import {
  isResolution,
  type Move,
  type MovedCount,
  type MovePlan,
  type TargetedMove,
  type Thread,
} from "./schema.ts";
import * as store from "./store.ts";

export interface Begun {
  /** The actor's files that no message links to any more. */
  detached: Attachment[];
  /** The work that is left; null if all is done. */
  work: number | null;
}

interface With {
  content: string | null;
  wanted: NoticesWanted;
}

/** Moves the first messages, and stores what is left. */
export function beginMove(tx: Tx, move: TargetedMove, { content, wanted }: With): Begun {
  const { to } = move;
  const merges = newestInTopic(tx, to.conversationId, topicKey(to.topic)) !== null;
  const { rows, after } = firstPortion(tx, move);
  const detached = moveMessages(tx, { ...move, rows }, content);
  const moved = {
    count: rows.length,
    firstId: rows[0]?.id ?? null,
    concernsOthers: concernsOthers(tx, rows),
  };
  const extras = { merges, wanted, moved };
  if (after !== null) return { detached, work: keepRest(tx, move, after, extras) };
  recordMove(tx, move, moved);
  conclude(tx, move, extras);
  return { detached, work: null };
}

/** Moves the next messages, and concludes the move with the last ones. Returns the last of them, or null after all. */
export function continueMove(tx: Tx, work: TopicWork): number | null {
  const rest = restOf(tx, work);
  const { plan } = rest;
  const { rows, after } = nextPortion(tx, rest);
  const target = rows[0] && findMessageById(tx, rows[0].id);
  if (target) moveMessages(tx, { ...plan, target, rows }, null);
  const moved = {
    ...rest.moved,
    count: rest.moved.count + rows.length,
    concernsOthers: rest.moved.concernsOthers || concernsOthers(tx, rows),
  };
  if (after !== null) {
    noteMoved(tx, work, moved);
    return after;
  }
  forgetRest(tx, work);
  recordMove(tx, plan, moved);
  conclude(tx, plan, { ...rest, moved });
  return null;
}

function moveMessages(tx: Tx, move: Move, content: string | null): Attachment[] {
  const { from, to } = move;
  const ids = move.rows.map((row) => row.id);
  keepPast(tx, move.target.id, ids, changeOf(move, content));
  const channels = move.isChannelNew ? [from.channel.id, to.channel.id] : [];
  return keepingFirst(tx, channels, () => {
    const after = carryOut(tx, move);
    // First: anyone who has a message only in their history is known by their flags.
    const concerned = listConcerned(tx, move, after);
    if (move.isChannelNew) {
      forgetFlagsOfOthers(tx, ids, (userIds) => sightIn(tx, to.channel, after, userIds));
    }
    const moved = findMessageById(tx, move.target.id) as MessageRow;
    const rewritten = content === null ? null : changeContent(tx, moved, content);
    const target = rewritten?.changed ?? moved;
    emitMoved(tx, move, { concerned, target });
    if (move.isChannelNew) {
      const were = subscriberIds(tx, from.channel.id);
      emitUnreadAgain(
        tx,
        ids,
        [...subscriberIds(tx, to.channel.id)].filter((id) => !were.has(id)),
      );
    }
    return rewritten?.detached ?? [];
  });
}

function changeOf(
  { target, from, to, isTopicNew, isChannelNew }: Move,
  content: string | null,
): HistoryChange {
  return {
    rewritten: content === null ? null : target.id,
    topic: isTopicNew ? to.topic : null,
    channel: isChannelNew ? { from: from.channel.id, to: to.channel.id } : null,
  };
}

function recordMove(tx: Tx, plan: MovePlan, { count, concernsOthers: isOthers }: MovedCount): void {
  if (!isOthers) return;
  const { from, to } = plan;
  const [name, where] = [from, to].map(({ conversationId, topic }) =>
    placeNamed(tx, { conversation_id: conversationId, topic }),
  );
  const event = !isResolution(plan)
    ? "messages_moved"
    : isResolved(to.topic)
      ? "topic_resolved"
      : "topic_unresolved";
  recordAudit(tx, { event, about: { kind: "topic", name }, data: { messages: count, to: where } });
}

/** After the last message: moves the visibility policies of a whole topic and sends the notices. */
function conclude(tx: Tx, plan: MovePlan, { merges, moved, wanted }: Extras): void {
  const { from, to } = plan;
  const isWhole = newestInTopic(tx, from.conversationId, topicKey(from.topic)) === null;
  if (isWhole) {
    const places = {
      from: { channelId: from.channel.id, topic: from.topic },
      to: { channelId: to.channel.id, topic: to.topic },
    };
    moveTopicPolicies(tx, { ...places, merges });
  }
  leaveNotices(tx, plan, { isWhole, merges, moved }, wanted);
}

interface Portion {
  rows: Move["rows"];
  /** Where the next portion begins, after this ID; null after the last one. */
  after: number | null;
}

/** The first messages of a move, among them the one given in the request. */
function firstPortion(tx: Tx, { target, mode, from }: TargetedMove): Portion {
  if (mode === "change_one") return { rows: [target], after: null };
  const part = { from: mode === "change_later" ? target.id : 0, readsAll: sharesHistory(from.channel) };
  const { rows, after } = readableIn(tx, from, part);
  const isThere = rows.some((row) => row.id === target.id);
  return { rows: isThere ? rows : [...rows, target].sort((a, b) => a.id - b.id), after };
}

interface Rest {
  plan: MovePlan;
  /** The message given in the request, which has moved already. */
  targetId: number;
  after: number;
  readsAll: boolean;
}

/**
 * The next messages of the old topic after an ID. Those that were sent to it since the move began move along. Where only the topic's
 * case changes, the one given in the request is still found there.
 */
function nextPortion(tx: Tx, { plan, targetId, after, readsAll }: Rest): Portion {
  const portion = readableIn(tx, plan.from, { from: after + 1, readsAll });
  return { ...portion, rows: portion.rows.filter((row) => row.id !== targetId) };
}

/** Whether a move takes one portion. */
export function isSmall(tx: Tx, { from }: TargetedMove): boolean {
  return readableIn(tx, from, { from: 0, readsAll: sharesHistory(from.channel) }).after === null;
}

interface Extras {
  /** Whether the new topic had messages before. */
  merges: boolean;
  wanted: NoticesWanted;
  moved: MovedCount;
}

/** Stores what is left of a move after its first messages; returns the ID of the work. */
function keepRest(tx: Tx, { from, to, target, mode }: TargetedMove, after: number, extras: Extras): number {
  const readsAll = sharesHistory(from.channel);
  const id = keepWork(tx, { kind: "move", from, to, readsAll, lastId: after, done: resultOf(extras.moved) });
  const { merges, wanted, moved } = extras;
  store.insertRest(tx, {
    work_id: id,
    target_id: target.id,
    propagate_mode: mode,
    merges: merges ? 1 : 0,
    moved: moved.count,
    first_id: moved.firstId,
    notifies_old: wanted.send_notification_to_old_thread ? 1 : 0,
    notifies_new: wanted.send_notification_to_new_thread ? 1 : 0,
  });
  return id;
}

function restOf(tx: Tx, work: TopicWork): Rest & Extras {
  const row = store.findRest(tx, work.id);
  if (!row) throw new Error(`The rest of the move ${work.id} is missing`);
  return {
    plan: planOf(tx, work, row.propagate_mode),
    targetId: row.target_id,
    after: work.last_id,
    readsAll: work.reads_all === 1,
    merges: row.merges === 1,
    moved: { count: row.moved, firstId: row.first_id, concernsOthers: work.concerns_others === 1 },
    wanted: {
      send_notification_to_old_thread: row.notifies_old === 1,
      send_notification_to_new_thread: row.notifies_new === 1,
    },
  };
}

function planOf(tx: Tx, work: TopicWork, mode: MovePlan["mode"]): MovePlan {
  const from = threadAt(tx, work.conversation_id, work.topic);
  const to = threadAt(tx, work.to_conversation_id, work.to_topic);
  const isChannelNew = to.channel.id !== from.channel.id;
  return { mode, from, to, isTopicNew: to.topic !== from.topic, isChannelNew };
}

/** A thread with its channel as it is now. */
function threadAt(reads: Reads, conversationId: number, topic: string): Thread {
  const { channel_id } = conversation(reads, conversationId);
  return { channel: existingChannel(reads, channel_id ?? 0), conversationId, topic };
}

/** Notes which messages have moved so far. */
function noteMoved(tx: Tx, work: TopicWork, moved: MovedCount): void {
  store.setMoved(tx, work.id, moved.count);
  if (moved.concernsOthers !== (work.concerns_others === 1)) noteDone(tx, work, resultOf(moved));
}

const resultOf = ({ concernsOthers }: MovedCount): DoneWork => ({
  removed: 0,
  concerns_others: concernsOthers ? 1 : 0,
});

function forgetRest(tx: Tx, { id }: TopicWork): void {
  store.deleteRest(tx, id);
}

/** Carries out a planned move. Returns the rows after it. */
function carryOut(tx: Tx, { rows, to, isTopicNew, isChannelNew }: Move): readonly Movable[] {
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
