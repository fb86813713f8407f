// Emits changes of messages.

import { topicLinks } from "@/foundation/linkifiers/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { type MessageUpdated, messageUpdated } from "@/messaging/message-edits/schema.ts";
import type { Move } from "@/messaging/message-moves/planned.ts";
import type { Concerned } from "@/messaging/message-moves/tx-readers.ts";
import { findMessageById } from "@/messaging/messages/access.ts";
import { readerIds } from "@/messaging/messages/audience.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { messageBits } from "@/messaging/messages/schema.ts";
import { emitGone } from "@/messaging/messages/tx-removal.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import { setRendered } from "./store.ts";

/** A change of content, as events carry it. */
function contentNews(before: MessageRow, after: MessageRow): MessageUpdated["content"] {
  return {
    content: after.content,
    rendered_content: after.rendered,
    edited: {
      orig_content: before.content,
      orig_rendered_content: before.rendered,
      is_me_message: (after.bits & messageBits.isMe) !== 0,
    },
  };
}

/** Emits new content to a message's readers. */
export function emitContentChanged(tx: Tx, before: MessageRow, after: MessageRow): void {
  emitUpdated(tx, after, { user_id: tx.actor.id, content: contentNews(before, after) });
}

/**
 * Emits a move to everyone concerned, with the new content if that changed too. Users who may no longer read a message get
 * its deletion instead.
 */
export function emitMoved(
  tx: Tx,
  move: Move,
  { concerned, target }: { concerned: readonly Concerned[]; target: MessageRow },
): void {
  const { from } = move;
  const content = target.content === move.target.content ? null : contentNews(move.target, target);
  for (const { userIds, kept, lost, knowsSource } of concerned) {
    const shown = kept.includes(target.id)
      ? target
      : kept[0] === undefined
        ? null
        : findMessageById(tx, kept[0]);
    if (shown) {
      tx.emit(
        messageUpdated,
        { to: userIds },
        {
          user_id: tx.actor.id,
          message_id: shown.id,
          message_ids: [...kept],
          edit_timestamp: tx.now,
          place: { stream_id: from.channel.id, ...(knowsSource ? { stream_name: from.channel.name } : {}) },
          content: shown === target ? content : null,
          move: moveNews(tx, move),
          flags: flagsByUser(tx, shown, userIds),
        },
      );
    }
    if (lost.length > 0) {
      const place = { stream_id: from.channel.id, topic: from.topic };
      emitGone(tx, { to: userIds }, { ids: lost, place });
    }
  }
}

function moveNews(tx: Tx, { mode, from, to, isTopicNew, isChannelNew }: Move): MessageUpdated["move"] {
  return {
    propagate_mode: mode,
    orig_subject: from.topic,
    ...(isChannelNew ? { new_stream_id: to.channel.id } : {}),
    ...(isTopicNew ? { topic: { subject: to.topic, topic_links: topicLinks(tx, to.topic) } } : {}),
  };
}

/** Replaces a message's rendering, for example when a preview of a link has been fetched. */
export function replaceRendering(tx: Tx, id: number, rendered: string): void {
  const row = findMessageById(tx, id);
  if (!row || row.rendered === rendered) return;

  setRendered(tx, id, rendered);
  emitUpdated(tx, row, { user_id: null, content: { content: row.content, rendered_content: rendered } });
}

/** Emits a change to the message's readers and to the user who made it. */
function emitUpdated(tx: Tx, row: MessageRow, news: Pick<MessageUpdated, "user_id" | "content">): void {
  const { channel_id } = conversation(tx, row.conversation_id);
  const by = news.user_id === null ? [] : [news.user_id];
  const readers = readerIds(tx, row);
  tx.emit(
    messageUpdated,
    { to: readers, also: by },
    {
      ...news,
      message_id: row.id,
      message_ids: [row.id],
      edit_timestamp: tx.now,
      place:
        channel_id === null ? null : { stream_id: channel_id, stream_name: channelNameOf(tx, channel_id) },
      move: null,
      flags: flagsByUser(tx, row, [...readers, ...by]),
    },
  );
}

/** Each listener's flags on a message. Users with the same flags share an object, so that queues share its JSON. */
function flagsByUser(tx: Tx, row: MessageRow, userIds: readonly number[]): MessageUpdated["flags"] {
  const known = new Map<readonly string[], { flags: readonly string[] }>();
  const flags = flagsOn(tx, row, tx.listeners(userIds));
  return Object.fromEntries(
    [...flags].map(([user, list]) => {
      const own = known.get(list) ?? { flags: list };
      known.set(list, own);
      return [user, own];
    }),
  );
}
