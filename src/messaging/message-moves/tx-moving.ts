// Moves messages, with all that follows from it: the first ones in the transaction of the request, the others in later ones.

import { recordAudit } from "@/foundation/audit/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { concernsOthers, placeNamed } from "@/messaging/alterations/tx-records.ts";
import { changeContent } from "@/messaging/message-edits/tx-content.ts";
import { emitMoved } from "@/messaging/message-edits/tx-news.ts";
import type { Change } from "@/messaging/message-history/schema.ts";
import { keepPast } from "@/messaging/message-history/tx.ts";
import { findMessageById, newestInTopic } from "@/messaging/messages/access.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { keepingFirst } from "@/messaging/messages/tx-removal.ts";
import { forgetFlagsOfOthers } from "@/messaging/receipts/tx-marks.ts";
import { emitUnreadAgain } from "@/messaging/receipts/tx-reception.ts";
import type { TopicWork } from "@/messaging/topic-work/rows.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { isResolved } from "@/places/topics/resolving.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { moveTopicPolicies } from "@/places/user-topics/tx.ts";
import type { Course, Move, Moved, Way } from "./planned.ts";
import { isResolution } from "./rules.ts";
import { carryOut } from "./tx-move.ts";
import { leaveNotices, type NoticesWanted } from "./tx-notices.ts";
import { firstPortion, nextPortion } from "./tx-portions.ts";
import { concernedBy, sightIn } from "./tx-readers.ts";
import { type Extras, forgetRest, keepRest, noteMoved, restOf } from "./tx-rest.ts";

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
export function beginMove(tx: Tx, way: Way, { content, wanted }: With): Begun {
  const { to } = way;
  const merges = newestInTopic(tx, to.conversationId, topicKey(to.topic)) !== null;
  const { rows, after } = firstPortion(tx, way);
  const detached = moveMessages(tx, { ...way, rows }, content);
  const moved = {
    count: rows.length,
    firstId: rows[0]?.id ?? null,
    concernsOthers: concernsOthers(tx, rows),
  };
  const extras = { merges, wanted, moved };
  if (after !== null) return { detached, work: keepRest(tx, way, after, extras) };
  recordMove(tx, way, moved);
  conclude(tx, way, extras);
  return { detached, work: null };
}

/** Moves the next messages, and concludes the move with the last ones. Returns the last of them, or null after all. */
export function continueMove(tx: Tx, work: TopicWork): number | null {
  const rest = restOf(tx, work);
  const { course } = rest;
  const { rows, after } = nextPortion(tx, rest);
  const target = rows[0] && findMessageById(tx, rows[0].id);
  if (target) moveMessages(tx, { ...course, target, rows }, null);
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
  recordMove(tx, course, moved);
  conclude(tx, course, { ...rest, moved });
  return null;
}

function moveMessages(tx: Tx, move: Move, content: string | null): Attachment[] {
  const { from, to } = move;
  const ids = move.rows.map((row) => row.id);
  keepPast(tx, move.target.id, ids, changeOf(move, content));
  const channels = move.isChannelNew ? [from.channel.id, to.channel.id] : [];
  return keepingFirst(tx, channels, () => {
    const after = carryOut(tx, move);
    // First: whoever has a message only in their history is known by their flags.
    const concerned = concernedBy(tx, move, after);
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

function changeOf({ target, from, to, isTopicNew, isChannelNew }: Move, content: string | null): Change {
  return {
    rewritten: content === null ? null : target.id,
    topic: isTopicNew ? to.topic : null,
    channel: isChannelNew ? { from: from.channel.id, to: to.channel.id } : null,
  };
}

function recordMove(tx: Tx, course: Course, { count, concernsOthers: isOthers }: Moved): void {
  if (!isOthers) return;
  const { from, to } = course;
  const [name, where] = [from, to].map(({ conversationId, topic }) =>
    placeNamed(tx, { conversation_id: conversationId, topic }),
  );
  const event = !isResolution(course)
    ? "messages_moved"
    : isResolved(to.topic)
      ? "topic_resolved"
      : "topic_unresolved";
  recordAudit(tx, { event, about: { kind: "topic", name }, data: { messages: count, to: where } });
}

/** After the last message: moves the visibility policies of a whole topic and sends the notices. */
function conclude(tx: Tx, course: Course, { merges, moved, wanted }: Extras): void {
  const { from, to } = course;
  const isWhole = newestInTopic(tx, from.conversationId, topicKey(from.topic)) === null;
  if (isWhole) {
    const places = {
      from: { channelId: from.channel.id, topic: from.topic },
      to: { channelId: to.channel.id, topic: to.topic },
    };
    moveTopicPolicies(tx, { ...places, merges });
  }
  leaveNotices(tx, course, { isWhole, merges, moved }, wanted);
}
