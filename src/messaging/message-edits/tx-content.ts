import { createHash } from "node:crypto";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { reindexMessages } from "@/messaging/message-index/tx.ts";
import { checkNotArchived } from "@/messaging/messages/access.ts";
import { readerIds } from "@/messaging/messages/audience.ts";
import { messageHooks } from "@/messaging/messages/hooks.ts";
import { renderMessage } from "@/messaging/messages/lookup.ts";
import { mentionedBy } from "@/messaging/messages/mentions.ts";
import { recipientOf } from "@/messaging/messages/recipients.ts";
import type { MessageRow } from "@/messaging/messages/rows.ts";
import { contentBits, graceSeconds, messageBits, storedContent } from "@/messaging/messages/schema.ts";
import { letMentionedFollow } from "@/messaging/messages/tx-mentions.ts";
import { factsOf } from "@/messaging/messages/tx-posting.ts";
import { resetContentFlags } from "@/messaging/receipts/tx-marks.ts";
import { isWidget } from "@/messaging/submessages/access.ts";
import { linkedUploads } from "@/messaging/uploads/access.ts";
import type { Attachment } from "@/messaging/uploads/schema.ts";
import { reclaimUploads } from "@/messaging/uploads/tx-claims.ts";
import { setContent } from "./store.ts";

export interface ContentChange {
  content?: string;
  prev_content_sha256?: string;
}

/** Checks a change of content. Returns the new content, or null if it does not change. */
export function plannedContent(tx: Tx, row: MessageRow, change: ContentChange): string | null {
  if (change.prev_content_sha256 !== undefined) checkUnchanged(row, change.prev_content_sha256);
  if (change.content === undefined) return null;
  checkMayEdit(tx, row);
  const content = editedContent(change.content);
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

/** The content as it is stored. Empty content becomes "(deleted)". */
function editedContent(given: string): string {
  if (given.includes("\0")) fail("BAD_REQUEST", "Message must not contain null bytes");
  const content = storedContent(given);
  return content === "" ? "(deleted)" : content;
}

export interface ChangedContent {
  changed: MessageRow;
  /** The actor's files that no message links to after the change. */
  detached: Attachment[];
}

/** Stores new content for a message and updates what depends on it: rendering, bits, flags, search index and files. */
export function changeContent(tx: Tx, row: MessageRow, content: string): ChangedContent {
  const rendered = renderMessage(tx, content);
  const uploads = linkedUploads(tx, rendered.uploads);
  const recipient = recipientOf(tx, row);
  const mentioned = mentionedBy(tx, rendered, recipient, readerIds(tx, row));
  const bits = (row.bits & ~contentBits) | factsOf(rendered, uploads) | messageBits.edited;
  const changed = { ...row, content, rendered: rendered.html, bits };

  setContent(tx, changed);
  const newlyMentioned = resetContentFlags(tx, changed, mentioned.bitsByUser);
  reindexMessages(tx, [row.id]);
  messageHooks.contentChanged(tx, row.id);
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
