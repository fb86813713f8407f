// Stores imported messages, with their times, and without events, since no client is connected.

import type { Tx } from "@/kernel/core/context.ts";
import { messageBits } from "@/messaging/message-rows/schema.ts";
import { toStoredContent } from "@/messaging/messages/schema.ts";
import { findLinkedUploads } from "@/messaging/uploads/access.ts";
import { linkImported } from "@/messaging/uploads/actions.ts";
import { takeSeq } from "@/places/conversations/actions.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { factsOf, renderMessage } from "./lookup.ts";
import * as store from "./store.ts";

export interface MessageImport {
  conversationId: number;
  topic: string;
  senderId: number;
  /** UNIX seconds. */
  sentAt: number;
  content: string;
  client: string;
  isEdited: boolean;
}

/** Adds a message as its sender has read it; returns its ID, its HTML, and the users it mentions by name. */
export function insertImported(
  tx: Tx,
  given: MessageImport,
): { id: number; html: string; mentioned: readonly number[] } {
  const content = toStoredContent(given.content);
  const rendered = renderMessage(tx, content);
  const uploads = findLinkedUploads(tx, rendered.uploads);
  const id = store.insertMessage(tx, {
    conversation_id: given.conversationId,
    home_id: given.conversationId,
    seq: takeSeq(tx, given.conversationId),
    sender_id: given.senderId,
    client_id: store.openClient(tx, given.client),
    sent_at: given.sentAt,
    bits: factsOf(rendered, uploads) | messageBits.readBySender | (given.isEdited ? messageBits.edited : 0),
    topic: given.topic,
    topic_key: topicKey(given.topic),
    content,
    rendered: rendered.html,
  });
  linkImported(tx, id, uploads);
  return { id, html: rendered.html, mentioned: rendered.mentionedUsers };
}

/** A text as the sender's clients would show it. */
export function renderImported(tx: Tx, content: string): string {
  return renderMessage(tx, content).html;
}
