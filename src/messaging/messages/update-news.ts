// What clients are told of a changed message.

import { topicLinks } from "@/foundation/linkifiers/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { setRendered } from "@/messaging/message-history/store.ts";
import type { Move } from "@/messaging/message-moves/planned.ts";
import type { Concerned } from "@/messaging/message-moves/readers.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import type { MessageRow } from "./access.ts";
import { readerIds } from "./audience.ts";
import { tellGone } from "./removal.ts";
import { messageBits } from "./schema.ts";
import { findMessage } from "./store.ts";
import { type MessageUpdated, messageUpdated } from "./update-event.ts";

/** What a change did to the content, as events tell it. */
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

/** Tells the readers of a message that its sender changed what it says. */
export function tellContentChanged(tx: Tx, before: MessageRow, after: MessageRow): void {
  tell(tx, after, { user_id: tx.actor.id, content: contentNews(before, after) });
}

/**
 * Tells everyone concerned what has moved where, and what it says if that changed as well; who may not read it any more
 * is told that it is gone.
 */
export function tellMoved(
  tx: Tx,
  move: Move,
  { concerned, target }: { concerned: readonly Concerned[]; target: MessageRow },
): void {
  const { from } = move;
  const content = target.content === move.target.content ? null : contentNews(move.target, target);
  for (const { userIds, kept, lost, knowsSource } of concerned) {
    const shown = kept.includes(target.id) ? target : kept[0] === undefined ? null : findMessage(tx, kept[0]);
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
      tellGone(tx, { to: userIds }, { ids: lost, place });
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

/** Gives a message another rendering of the content it has, now that more is known of what it links to. */
export function replaceRendering(tx: Tx, id: number, rendered: string): void {
  const row = findMessage(tx, id);
  if (!row || row.rendered === rendered) return;

  setRendered(tx, id, rendered);
  tell(tx, row, { user_id: null, content: { content: row.content, rendered_content: rendered } });
}

/** Tells who reads the message, and who changed it, be they among its readers or not. */
function tell(tx: Tx, row: MessageRow, news: Pick<MessageUpdated, "user_id" | "content">): void {
  const { channel_id } = conversation(tx, row.conversation_id);
  const by = news.user_id === null ? [] : [news.user_id];
  const readers = [...new Set([...readerIds(tx, row), ...by])];
  tx.emit(
    messageUpdated,
    { to: readers },
    {
      ...news,
      message_id: row.id,
      message_ids: [row.id],
      edit_timestamp: tx.now,
      place:
        channel_id === null ? null : { stream_id: channel_id, stream_name: channelNameOf(tx, channel_id) },
      move: null,
      flags: flagsByUser(tx, row, readers),
    },
  );
}

/** Everyone's flags on a message; the same object for the same flags, so that queues share its text. */
function flagsByUser(tx: Tx, row: MessageRow, userIds: readonly number[]): MessageUpdated["flags"] {
  const known = new Map<readonly string[], { flags: readonly string[] }>();
  const flags = flagsOn(tx, row, userIds);
  return Object.fromEntries(
    [...flags].map(([user, list]) => {
      const own = known.get(list) ?? { flags: list };
      known.set(list, own);
      return [user, own];
    }),
  );
}
