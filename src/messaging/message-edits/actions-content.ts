import { createHash } from "node:crypto";
import { topicLinks } from "@/foundation/linkifiers/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { reindexMessages } from "@/messaging/message-index/actions.ts";
import { contentBits, type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { checkNotArchived, findMessageById } from "@/messaging/messages/access.ts";
import { emitGone } from "@/messaging/messages/actions.ts";
import { readerIds } from "@/messaging/messages/audience.ts";
import { checkTyped, graceSeconds } from "@/messaging/messages/schema.ts";
import { flagsOn } from "@/messaging/receipts/access.ts";
import { resetContentFlags } from "@/messaging/receipts/actions-marks.ts";
import { letMentionedFollow } from "@/messaging/sending/actions-posting.ts";
import { sendingHooks } from "@/messaging/sending/hooks.ts";
import { factsOf, renderMessage } from "@/messaging/sending/lookup.ts";
import { listMentioned } from "@/messaging/sending/mentions.ts";
import { recipientOf } from "@/messaging/sending/recipients.ts";
import { isWidget } from "@/messaging/submessages/access.ts";
import { findLinkedUploads } from "@/messaging/uploads/access.ts";
import { reclaimUploads } from "@/messaging/uploads/actions.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import { conversation } from "@/places/conversations/access.ts";
import type { Concerned } from "./readers.ts";
import { type MessagePatch, type MessageUpdated, type Move, messageUpdated } from "./schema.ts";
import { setContent, setRendered, setWords } from "./store.ts";

type ContentChange = Pick<MessagePatch, "content" | "prev_content_sha256">;

/** Checks a change of content. Returns the new content, or null if it does not change. */
export function planContent(tx: Tx, row: MessageRow, change: ContentChange): string | null {
  if (change.prev_content_sha256 !== undefined) checkUnchanged(row, change.prev_content_sha256);
  if (change.content === undefined) return null;
  checkMayEdit(tx, row);
  const content = checkTyped(change.content) || "(deleted)";
  return content === row.content ? null : content;
}

function checkUnchanged({ content }: MessageRow, expected: string): void {
  if (createHash("sha256").update(content).digest("hex") === expected.toLowerCase()) return;
  fail(
    "EXPECTATION_MISMATCH",
    "This message has changed since you opened it: 'prev_content_sha256' does not match its content.",
  );
}

function checkMayEdit(tx: Tx, row: MessageRow): void {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = realmSettings.read(tx);
  if (row.sender_id !== tx.actor.id) {
    fail("BAD_REQUEST", "You don't have permission to edit this message");
  }
  checkNotArchived(tx, row);
  if (!allow_message_editing) fail("BAD_REQUEST", "Your organization has turned off message editing");
  if (isWidget(tx, row.id)) fail("BAD_REQUEST", "Widgets cannot be edited.");
  if (limit !== null && tx.now > row.sent_at + limit + graceSeconds) {
    fail("BAD_REQUEST", "The time limit for editing this message has passed");
  }
}

export interface ChangedContent {
  changed: MessageRow;
  /** The actor's files that no message links to after the change. */
  detached: Attachment[];
}

/** Stores new content for a message and updates what depends on it: rendering, bits, flags, search index and files. */
export function changeContent(tx: Tx, row: MessageRow, content: string): ChangedContent {
  const rendered = renderMessage(tx, content);
  const uploads = findLinkedUploads(tx, rendered.uploads);
  const recipient = recipientOf(tx, row);
  const mentioned = listMentioned(tx, rendered, recipient, readerIds(tx, row));
  const bits = (row.bits & ~contentBits) | factsOf(rendered, uploads) | messageBits.edited;
  const changed = { ...row, content, rendered: rendered.html, bits };

  setContent(tx, changed);
  const newlyMentioned = resetContentFlags(tx, changed, mentioned.bitsByUser);
  reindexMessages(tx, [row.id]);
  sendingHooks.edited(tx, { row: changed, rendered });
  if (recipient.kind === "channel") {
    const topic = { channelId: recipient.channel.id, topic: row.topic };
    letMentionedFollow(
      tx,
      topic,
      rendered.mentionedUsers.filter((id) => newlyMentioned.has(id)),
    );
  }
  return { changed, detached: reclaimUploads(tx, row.id, uploads) };
}

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

/** Replaces words in a message, in what was typed and in its rendering, as nobody's edit: it gets no history. */
export function replaceWords(tx: Tx, id: number, words: Pick<MessageRow, "content" | "rendered">): void {
  const row = findMessageById(tx, id);
  if (!row || (row.content === words.content && row.rendered === words.rendered)) return;

  setWords(tx, id, words);
  reindexMessages(tx, [id]);
  sendingHooks.reworded(tx, [id]);
  emitUpdated(tx, row, {
    user_id: null,
    content: { content: words.content, rendered_content: words.rendered },
  });
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
