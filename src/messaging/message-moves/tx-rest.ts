// The rest of a move, stored while it is under way (src/messaging/topic-work).

import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Done, TopicWork } from "@/messaging/topic-work/rows.ts";
import { keepWork, noteDone } from "@/messaging/topic-work/tx.ts";
import { knownChannel, sharesHistory } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import type { Course, Moved, Thread, Way } from "./planned.ts";
import * as store from "./store.ts";
import type { NoticesWanted } from "./tx-notices.ts";
import type { Rest } from "./tx-portions.ts";

export interface Extras {
  /** Whether the new topic had messages before. */
  merges: boolean;
  wanted: NoticesWanted;
  moved: Moved;
}

/** Stores what is left of a move after its first messages; returns the ID of the work. */
export function keepRest(tx: Tx, { from, to, target, mode }: Way, after: number, extras: Extras): number {
  const readsAll = sharesHistory(from.channel);
  const id = keepWork(tx, { kind: "move", from, to, readsAll, lastId: after, done: doneBy(extras.moved) });
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

export function restOf(tx: Tx, work: TopicWork): Rest & Extras {
  const row = store.findRest(tx, work.id);
  if (!row) throw new Error(`The rest of the move ${work.id} is missing`);
  return {
    course: courseOf(tx, work, row.propagate_mode),
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

function courseOf(tx: Tx, work: TopicWork, mode: Course["mode"]): Course {
  const from = threadAt(tx, work.conversation_id, work.topic);
  const to = threadAt(tx, work.to_conversation_id, work.to_topic);
  const isChannelNew = to.channel.id !== from.channel.id;
  return { mode, from, to, isTopicNew: to.topic !== from.topic, isChannelNew };
}

/** A thread with its channel as it is now. */
function threadAt(reads: Reads, conversationId: number, topic: string): Thread {
  const { channel_id } = conversation(reads, conversationId);
  return { channel: knownChannel(reads, channel_id ?? 0), conversationId, topic };
}

/** Notes which messages have moved so far. */
export function noteMoved(tx: Tx, work: TopicWork, moved: Moved): void {
  store.setMoved(tx, work.id, moved.count);
  if (moved.concernsOthers !== (work.concerns_others === 1)) noteDone(tx, work, doneBy(moved));
}

const doneBy = ({ concernsOthers }: Moved): Done => ({ removed: 0, concerns_others: concernsOthers ? 1 : 0 });

export function forgetRest(tx: Tx, { id }: TopicWork): void {
  store.deleteRest(tx, id);
}
