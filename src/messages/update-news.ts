// What clients are told of a changed message.
import { channelNameOf } from "@/channels/access.ts";
import { conversation } from "@/conversations/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { flagsOn } from "@/receipts/access.ts";
import type { MessageRow } from "./access.ts";
import { readerIds } from "./audience.ts";
import { messageBits } from "./schema.ts";
import { findMessage } from "./store.ts";
import { setRendered } from "./store-edits.ts";
import { type MessageUpdated, messageUpdated } from "./update-event.ts";

/** What a change did to the content, as events tell it. */
export function contentNews(before: MessageRow, after: MessageRow): MessageUpdated["content"] {
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

/** Gives a message another rendering of the content it has, now that more is known of what it links to. */
export function replaceRendering(tx: Tx, id: number, rendered: string): void {
  const row = findMessage(tx, id);
  if (!row || row.rendered === rendered) return;

  setRendered(tx, id, rendered);
  tell(tx, row, { user_id: null, content: { content: row.content, rendered_content: rendered } });
}

function tell(tx: Tx, row: MessageRow, news: Pick<MessageUpdated, "user_id" | "content">): void {
  const { channel_id } = conversation(tx, row.conversation_id);
  const readers = [...readerIds(tx, row)];
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
      flags: flagsFor(tx, row, readers),
    },
  );
}

/** Everyone's flags on a message; the same object for the same flags, so that queues share its text. */
export function flagsFor(tx: Tx, row: MessageRow, userIds: readonly number[]): MessageUpdated["flags"] {
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
