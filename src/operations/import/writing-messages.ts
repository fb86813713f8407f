// Writes messages in order of time, many in each transaction, with their edits, reactions and stars.

import { emojiNamed } from "@/foundation/emoji/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action, atTime } from "@/kernel/core/operation.ts";
import { insertImportedEdits } from "@/messaging/message-history/actions.ts";
import { indexWaiting, mergeIndex } from "@/messaging/message-index/actions.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { addImportedReaction } from "@/messaging/reactions/actions.ts";
import { markImportedRead, starImported } from "@/messaging/receipts/actions-marks.ts";
import { noteFlags } from "@/messaging/receipts/actions-reception.ts";
import { insertImported } from "@/messaging/sending/actions-import.ts";
import { addressOfImported } from "@/messaging/uploads/host.ts";
import { type ReferenceKind, resolveReferences } from "@/operations/import/intake/references.ts";
import type { Spool } from "@/operations/import/intake/store-spool.ts";
import { channelConversation, conversation, participantsOf } from "@/places/conversations/access.ts";
import { openDirectConversation } from "@/places/conversations/actions.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { topicUrl } from "@/text/quoting/narrow-url.ts";
import type { Base } from "./planning.ts";
import {
  type ImportedMessage,
  type ImportedReaction,
  type ImportSource,
  type OnProgress,
  sourceNames,
} from "./schema.ts";
import * as store from "./store.ts";

export interface MessageWriting {
  /** Of the copy; acts as the system. */
  ctx: Ctx;
  spool: Spool;
  source: ImportSource;
  ids: {
    base: Base;
    people: ReadonlyMap<string, number>;
    channels: ReadonlyMap<string, { id: number; name: string }>;
    /** Names of people, by ID, for mentions. */
    names: ReadonlyMap<number, string>;
  };
  /** The owner of bots whose owner is unknown. */
  operatorId: number;
  onProgress: OnProgress;
}

const portion = 500;

/** Continues after the last message in the copy. */
export async function writeMessages(writing: MessageWriting): Promise<void> {
  const { ctx, spool, ids, onProgress } = writing;
  const total = spool.countMessages();
  for (;;) {
    const done = store.lastIdOf(ctx, "messages") - ids.base.message;
    onProgress("Messages", done, total);
    const items = spool.messagesAfter(done, portion);
    if (items.length === 0) break;
    await writePortion(ctx, { writing, items });
  }
  onProgress("Merging the index", 0, 0);
  while (await mergePortion(ctx, mergedPages));
}

const mergedPages = 2000;
const mergePortion = action(allow.system, mergeIndex);

const writePortion = action(
  allow.system,
  (tx, { writing, items }: { writing: MessageWriting; items: readonly Item[] }): void => {
    for (const item of items) writeMessage(tx, writing, item);
    indexWaiting(tx, items.length);
  },
);

interface Item {
  message: ImportedMessage;
  reactions: readonly ImportedReaction[];
  stars: readonly string[];
}

function writeMessage(tx: Tx, writing: MessageWriting, { message, reactions, stars }: Item): void {
  const { ids, source } = writing;
  const { place, sender, at, content, edits, isPinned } = message;
  const senderId = personId(writing, sender);
  const { conversationId, topic, receivers } = placeOf(tx, writing, message);
  const { id, mentioned } = insertImported(tx, {
    conversationId,
    topic,
    senderId,
    sentAt: Math.floor(at),
    content: fillReferences(writing, content),
    client: sourceNames[source],
    isEdited: edits.length > 0,
  });
  writeEdits(tx, writing, { id, edits, isInChannel: "channel" in place });
  writeReactions(tx, writing, { id, reactions });
  const starrers = new Set(stars.flatMap((key) => ids.people.get(key) ?? []));
  if (isPinned) for (const user of receivers) starrers.add(user);
  const bits = new Map<number, number>();
  const note = (user: number, bit: number) => bits.set(user, (bits.get(user) ?? 0) | bit);
  for (const user of mentioned) if (receivers.has(user)) note(user, flagBits.mentioned);
  for (const user of starrers) if (receivers.has(user)) note(user, flagBits.starred);
  noteFlags(tx, id, bits);
  for (const user of starrers)
    if (!receivers.has(user)) starElsewhere(tx, user, { id, conversationId, senderId, topic });
}

/** Stars a channel message for somebody who did not receive it. */
function starElsewhere(
  tx: Tx,
  user: number,
  {
    id,
    conversationId,
    senderId,
    topic,
  }: { id: number; conversationId: number; senderId: number; topic: string },
): void {
  if (conversation(tx, conversationId).channel_id === null) return;
  starImported(tx, user, {
    id,
    conversation_id: conversationId,
    home_id: conversationId,
    seq: store.seqOf(tx, id),
    sender_id: senderId,
    bits: 0,
    topic,
    arrived_seq: null,
  });
}

function personId({ ids }: MessageWriting, key: string): number {
  const id = ids.people.get(key);
  if (id === undefined) throw new Error(`The person ${key} was not planned`);
  return id;
}

function placeOf(
  tx: Tx,
  writing: MessageWriting,
  { place, sender }: ImportedMessage,
): { conversationId: number; topic: string; receivers: ReadonlySet<number> } {
  if ("people" in place) {
    const people = new Set([...place.people, sender].map((key) => personId(writing, key)));
    return { conversationId: openDirectConversation(tx, people), topic: "", receivers: people };
  }
  const channel = writing.ids.channels.get(place.channel);
  if (!channel) throw new Error(`The channel ${place.channel} was not planned`);
  return {
    conversationId: channelConversation(tx, channel.id),
    topic: place.topic,
    receivers: subscriberIds(tx, channel.id),
  };
}

function writeEdits(
  tx: Tx,
  writing: MessageWriting,
  { id, edits, isInChannel }: { id: number; edits: ImportedMessage["edits"]; isInChannel: boolean },
): void {
  const channelId = (key: string) => writing.ids.channels.get(key)?.id ?? null;
  insertImportedEdits(
    tx,
    id,
    edits.map(({ by, at, before, topic, channel }) => {
      const [from, to] = [channel && channelId(channel.from), channel && channelId(channel.to)];
      return {
        editorId: personId(writing, by),
        at: Math.floor(at),
        before: before === null ? null : fillReferences(writing, before),
        topic: isInChannel ? topic : null,
        channel: isInChannel && from !== null && to !== null ? { from, to } : null,
      };
    }),
  );
}

function writeReactions(
  tx: Tx,
  { ids }: MessageWriting,
  { id, reactions }: { id: number; reactions: readonly ImportedReaction[] },
): void {
  const seen = new Set<string>();
  for (const { by, emoji: name, at } of reactions) {
    const userId = ids.people.get(by);
    const emoji = emojiNamed(tx, name);
    if (userId === undefined || !emoji) continue;
    const key = `${userId}:${emoji.reaction_type}:${emoji.emoji_code}`;
    if (seen.has(key)) continue;
    seen.add(key);
    addImportedReaction(atTime(tx, Math.floor(at)), { messageId: id, userId, emoji });
  }
}

/** The text with names and URLs in place of its placeholders. */
function fillReferences({ ids, spool }: MessageWriting, text: string): string {
  const replace: Record<ReferenceKind, (parts: readonly string[]) => string> = {
    person: ([key = ""]) => mention("@**", key),
    silent: ([key = ""]) => mention("@_**", key),
    channel: ([key = ""]) => `#**${ids.channels.get(key)?.name ?? key}**`,
    topic: ([key = "", topic = ""]) => `#**${ids.channels.get(key)?.name ?? key}>${topic}**`,
    file: ([key = "", name]) => {
      const file = spool.fileNamed(key);
      return file ? `[${linkText(name ?? file.name)}](${addressOf(file)})` : (name ?? key);
    },
    address: ([key = ""]) => {
      const file = spool.fileNamed(key);
      return file ? addressOf(file) : key;
    },
    near: ([key = "", topic = "", message = "", otherwise = ""]) => {
      const [channel, place] = [ids.channels.get(key), spool.placeOf(message)];
      if (channel && place) return `${topicUrl(channel, place.topic)}/near/${ids.base.message + place.rank}`;
      return otherwise === "" && channel ? topicUrl(channel, topic) : otherwise;
    },
  };
  const mention = (sign: string, key: string) => {
    const id = ids.people.get(key);
    return id === undefined ? key : `${sign}${ids.names.get(id) ?? ""}|${id}**`;
  };
  return resolveReferences(text, (kind, parts) => replace[kind]?.(parts) ?? "");
}

const addressOf = (file: { file: string; name: string }) => `/user_uploads/${addressOfImported(file)}`;

const linkText = (name: string) => name.replaceAll(/[[\]\n\\]/g, " ").trim() || "file";

const pairs = 2000;

const markPairs = action(allow.system, markImportedRead);

/** Marks all imported messages as read for everyone who received them. */
export async function markRead({
  ctx,
  ids,
  onProgress,
}: Pick<MessageWriting, "ctx" | "onProgress"> & { ids: { base: Pick<Base, "message"> } }): Promise<void> {
  const conversations = store.conversationsAbove(ctx, ids.base.message);
  const readers = (id: number) => {
    const place = conversation(ctx, id);
    return place.channel_id === null ? participantsOf(place) : store.receiversIn(ctx, id);
  };
  let waiting: { userId: number; conversationId: number }[] = [];
  const flush = async () => {
    const receptions = waiting;
    waiting = [];
    await markPairs(ctx, receptions);
  };
  for (const [index, conversationId] of conversations.entries()) {
    onProgress("Marking as read", index, conversations.length);
    for (const userId of readers(conversationId)) waiting.push({ userId, conversationId });
    if (waiting.length >= pairs) await flush();
  }
  await flush();
}
