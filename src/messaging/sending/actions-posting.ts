// Posts a message to a conversation: stores it with its flags and emits it.

import { emitMet } from "@/foundation/accounts/actions-acquaintance.ts";
import { acquaintancesOf, strangersTo } from "@/foundation/acquaintance/access.ts";
import { me } from "@/foundation/permissions/access.ts";
import type { NoticeReaders, RealmNotice } from "@/foundation/realm/hooks.ts";
import { noteActivity } from "@/foundation/user-activity/actions.ts";
import { notificationBot, userFor } from "@/foundation/users/access.ts";
import { isAvatarDerived } from "@/foundation/users/present.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { flagBits, type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { presentHiddenSender, presentMessage } from "@/messaging/messages/queries.ts";
import {
  type MessageSent,
  messageSent,
  type Submessage,
  toStoredContent,
} from "@/messaging/messages/schema.ts";
import { mutersOf, usersWhoMuted } from "@/messaging/mute-spans/access.ts";
import { setRead } from "@/messaging/receipts/actions-marks.ts";
import { noteFlags } from "@/messaging/receipts/actions-reception.ts";
import { attachWidget } from "@/messaging/submessages/actions.ts";
import { findLinkedUploads } from "@/messaging/uploads/access.ts";
import { claimUploads } from "@/messaging/uploads/actions.ts";
import type { UploadRow } from "@/messaging/uploads/schema.ts";
import { noteMessageIn } from "@/places/channel-administration/actions-properties.ts";
import { channelConversation, directConversation } from "@/places/conversations/access.ts";
import { openDirectConversation, takeSeq } from "@/places/conversations/actions.ts";
import { topicKey } from "@/places/topics/schema.ts";
import { noteMentions } from "@/places/user-topics/actions-automatic.ts";
import type { TopicRef } from "@/places/user-topics/schema.ts";
import type { Rendered } from "@/text/rendering/render.ts";
import { factsOf, renderMessage } from "./lookup.ts";
import { listMentioned, type Mentioned } from "./mentions.ts";
import { type ResolvedRecipient, receiversOf, recipientOf } from "./recipients.ts";
import * as store from "./store.ts";

/** What a client sends along with a message. */
export interface Sending {
  /** The client's queue, which gets `local_id` back. */
  echo?: { queue_id: string; local_id: string };
  /** If absent, depends on the client's name. */
  read_by_sender?: boolean;
}

export interface MessagePosting {
  input: Sending;
  content: string;
  rendered: Rendered;
  recipient: ResolvedRecipient;
  reading?: NoticeReaders;
}

/** Stores and emits a message by the actor. The recipient must have been checked. */
export function post(tx: Tx, posting: MessagePosting): MessageRow {
  const { rendered, recipient } = posting;
  const mentioned = listMentioned(tx, rendered, recipient);
  const conversationId =
    recipient.kind === "channel" ? recipient.conversationId : conversationOf(tx, recipient.people);
  const uploads = findLinkedUploads(tx, rendered.uploads);
  const row = insert(tx, posting, { conversationId, uploads });
  claimUploads(tx, row.id, uploads);
  noteFlags(tx, row.id, mentioned.bitsByUser);
  noteActivity(tx, row.sender_id);
  if (recipient.kind === "channel") noteMessageIn(tx, recipient.channel);
  if (posting.reading) noteReading(tx, row, posting);
  const submessages = attachWidget(tx, row);
  announce(tx, row, posting, { mentioned, submessages });
  return row;
}

function noteReading(tx: Tx, row: MessageRow, { recipient, reading = {} }: MessagePosting): void {
  const unread = unreadFor(tx, row, reading);
  noteFlags(tx, row.id, new Map(unread.map((user) => [user, flagBits.keptUnread])));
  for (const user of reading.readBy ?? []) if (receiversOf(recipient).has(user)) setRead(tx, user, [row]);
}

/** The users who get a quiet message as unread: it addresses them, and they have not muted its sender. */
function unreadFor(tx: Tx, row: MessageRow, { onlyFor = [] }: NoticeReaders): number[] {
  const muters = usersWhoMuted(tx, row);
  return onlyFor.filter((id) => !muters.has(id));
}

/** The conversation of these users, created if needed. In a new one, they become visible to each other. */
function conversationOf(tx: Tx, people: ReadonlySet<number>): number {
  const known = directConversation(tx, people);
  if (known !== null) return known;
  const before = acquaintancesOf(tx, people);
  const id = openDirectConversation(tx, people);
  emitMet(tx, before);
  return id;
}

function insert(
  tx: Tx,
  { input, content, rendered, recipient, reading }: MessagePosting,
  { conversationId, uploads }: { conversationId: number; uploads: readonly UploadRow[] },
): MessageRow {
  const topic = recipient.kind === "channel" ? recipient.topic : "";
  const isRead = input.read_by_sender ?? isInteractive(tx.actor.client);
  const row: MessageRow & { topic_key: string } = {
    id: 0,
    arrived_seq: null,
    conversation_id: conversationId,
    home_id: conversationId,
    seq: takeSeq(tx, conversationId),
    sender_id: me(tx).id,
    client_id: store.openClient(tx, tx.actor.client),
    sent_at: tx.now,
    bits:
      factsOf(rendered, uploads) |
      (isRead ? messageBits.readBySender : 0) |
      (reading?.onlyFor ? messageBits.quiet : 0),
    topic,
    topic_key: topicKey(topic),
    content,
    rendered: rendered.html,
  };
  row.id = store.insertMessage(tx, row);
  return row;
}

// Wire: if read_by_sender is absent, send-message treats clients with these names as interactive (feature level 236).
const interactiveClients = new Set([
  "website",
  "zulipandroid",
  "zulipdesktop",
  "zulipios",
  "zulipmobile",
  "zulipflutter",
  "zulipelectron",
  "zulipterminal",
]);

/** Many messages in a row come from the same program. */
let last = { client: "", isInteractive: false };

/** Whether a user of this client has seen what they send, so that their messages are read at once. */
function isInteractive(client: string): boolean {
  if (client !== last.client) {
    const name = client.toLowerCase();
    const isKnown = interactiveClients.has(name.replace(/[^a-z]/g, ""));
    last = { client, isInteractive: isKnown || name.includes("desktop app") };
  }
  return last.isInteractive;
}

function announce(
  tx: Tx,
  row: MessageRow,
  { input, recipient, reading = {} }: MessagePosting,
  { mentioned, submessages }: { mentioned: Mentioned; submessages: Submessage[] },
): void {
  const audience = audienceOf(recipient, row, input);
  if (!tx.hasListeners(audience)) return;
  const view = { apply_markdown: true, client_gravatar: false, allow_empty_topic_name: true };
  const sharedFlags = [...(reading.onlyFor ? ["read"] : []), ...mentioned.sharedFlags];
  const sent: MessageSent = {
    message: { ...presentMessage(tx, row, view), submessages },
    raw_content: row.content,
    has_derived_avatar: isAvatarDerived(userFor(tx, row.sender_id)),
    shared: { flags: sharedFlags },
    flags: withRead(mentioned.flagsByUser, [
      ...readAtOnce(tx, row, receiversOf(recipient)),
      ...(reading.readBy ?? []),
    ]),
    unreadBy: reading.onlyFor ? unreadFor(tx, row, reading) : [],
    receivers: sharedFlags.length > 0 ? [...receiversOf(recipient)] : null,
    echo: input.echo ?? null,
  };
  emitSent(tx, audience, sent);
}

/** Emits a message, with a placeholder sender to recipients who may not see the sender. */
function emitSent(tx: Tx, audience: Audience, sent: MessageSent): void {
  const { message } = sent;
  const hearers = audience.to as ReadonlySet<number>;
  const sender = userFor(tx, message.sender_id);
  // If the sender is among the recipients, all of them may see the sender.
  const strangers = hearers.has(sender.id) ? [] : strangersTo(tx, sender).filter((id) => hearers.has(id));
  if (strangers.length === 0) {
    tx.emit(messageSent, audience, sent);
    return;
  }
  const others = [...hearers].filter((id) => !strangers.includes(id));
  tx.emit(messageSent, { ...audience, to: others }, sent);
  const hidden = { ...message, ...presentHiddenSender(tx, message.sender_id) };
  tx.emit(messageSent, { to: strangers }, { ...sent, message: hidden, has_derived_avatar: false });
}

/** Users who get a new message as read: its sender, if they asked for it, and users who muted the sender. */
function readAtOnce(tx: Tx, row: MessageRow, receivers: ReadonlySet<number>): number[] {
  const muters = [...usersWhoMuted(tx, row)].filter((id) => receivers.has(id));
  return (row.bits & messageBits.readBySender) === 0 ? muters : [row.sender_id, ...muters];
}

function withRead(flags: Record<number, string[]>, readers: readonly number[]): Record<number, string[]> {
  if (readers.length === 0) return flags;
  const read = readers.map((id) => [id, ["read", ...(flags[id] ?? [])]] as const);
  return { ...flags, ...Object.fromEntries(read) };
}

/** The receivers, queues that get all public channels, and the sender's queue that expects the echo. */
function audienceOf(recipient: ResolvedRecipient, row: MessageRow, { echo }: Sending): Audience {
  const isPublic = recipient.kind === "channel" && !recipient.channel.invite_only;
  return {
    to: receiversOf(recipient),
    ...(isPublic ? { tap: "public_channels" } : {}),
    ...(echo ? { queue: { id: echo.queue_id, userId: row.sender_id } } : {}),
  };
}

/** Provides `sendNotice`. */
export function postNotice(tx: Tx, { to, content, from, ...reading }: RealmNotice): number {
  const sender = from ?? notificationBot(tx).id;
  const stored = toStoredContent(content);
  const rendered = quiet(renderMessage(tx, stored));
  const asBot = actingAs(tx, { kind: "user", id: sender, client: "Internal" });
  const recipient = noticeRecipient(tx, to, sender);
  return post(asBot, { input: { read_by_sender: true }, content: stored, rendered, recipient, reading }).id;
}

/** Removes group and wildcard mentions: a notice may quote a user's text, which must not notify everyone. */
function quiet(rendered: Rendered): Rendered {
  return { ...rendered, mentionedGroups: [], channelWildcard: false, topicWildcard: false };
}

function noticeRecipient(tx: Tx, to: RealmNotice["to"], botId: number): ResolvedRecipient {
  if ("people" in to) return { kind: "direct", people: new Set([...to.people, botId]) };
  return recipientOf(tx, { conversation_id: channelConversation(tx, to.channelId), topic: to.topic });
}

/**
 * Makes users follow a topic in which the actor mentioned them by name, if their settings say so and they do not mute the
 * actor.
 */
export function letMentionedFollow(tx: Tx, topic: TopicRef, userIds: readonly number[]): void {
  if (userIds.length === 0) return;
  const muters = mutersOf(tx, tx.actor.id);
  noteMentions(
    tx,
    topic,
    userIds.filter((id) => !muters.has(id)),
  );
}
