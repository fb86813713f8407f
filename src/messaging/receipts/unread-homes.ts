// Which messages of a home are unread, by topic. Most people who were away have read a home up to the same message, received all that
// came since, and sent none of it: for these it is found out once.

import { flagBits, messageBits } from "@/messaging/message-rows/schema.ts";
import type { CachedMessage, Spelling } from "./cached-messages.ts";
import { isRead, type SeqRange } from "./marks.ts";
import type { Behind, Span } from "./store.ts";

/** Unread messages of one topic that are still in their home. */
export interface UnreadTopic {
  /** As the first message spells it. */
  readonly spelling: Spelling;
  /** Ascending. */
  readonly ids: readonly number[];
  /** Those that mention the whole channel. */
  readonly toAll: readonly number[];
}

/** An unread message that was moved elsewhere, or only added to the user's history. */
export interface OtherUnread {
  readonly row: CachedMessage;
  readonly isReceived: boolean;
}

interface Topic extends UnreadTopic {
  ids: number[];
  toAll: number[];
}

const none: number[] = []; // shared by all topics without such messages

/** Sorts unread messages of a home, which come in order of seq, by topic. */
export class Gathering {
  /** In order of their first messages. */
  readonly topics: Topic[] = [];
  readonly others: OtherUnread[] = [];
  private readonly byKey = new Map<string, Topic>();

  add({ id, spelling, bits }: CachedMessage): void {
    let found = this.byKey.get(spelling.key);
    if (!found) {
      found = { spelling, ids: [], toAll: none };
      this.topics.push(found);
      this.byKey.set(spelling.key, found);
    }
    found.ids.push(id);
    if ((bits & messageBits.channelWildcard) === 0) return;
    if (found.toAll === none) found.toAll = [id];
    else found.toAll.push(id);
  }
}

/** Who reads, and what decides for all their homes. */
export interface Reading {
  userId: number;
  flags: ReadonlyMap<number, number>;
  isFromMuted: (message: CachedMessage) => boolean;
}

/** What decides for one of their homes. */
export interface HomeInputs extends Behind {
  spans: readonly Span[];
}

/** Adds those of a home's messages that are unread. */
export function addUnread(
  gathering: Gathering,
  messages: readonly CachedMessage[],
  { inputs, isDirect }: { inputs: HomeInputs; isDirect: boolean },
  { userId, flags, isFromMuted }: Reading,
): void {
  const { spans, conversation_id: homeId } = inputs;
  for (const row of messages) {
    if (isRead(inputs, row.seq)) continue;
    if (row.sender_id === userId && (row.bits & messageBits.readBySender) !== 0) continue;
    const bits = flags.get(row.id) ?? 0;
    const cameAsRead = (row.bits & messageBits.quiet) !== 0 || isFromMuted(row);
    if (cameAsRead && (bits & flagBits.keptUnread) === 0) continue;
    const isReceived = isDirect || isIn(spans, row.seq);
    if (isReceived && row.conversation_id === homeId) gathering.add(row);
    else if (isReceived || (bits & flagBits.historical) !== 0) gathering.others.push({ row, isReceived });
  }
}

function isIn(spans: readonly Span[], seq: number): boolean {
  for (const { from_seq, to_seq } of spans)
    if (seq >= from_seq && (to_seq === null || seq <= to_seq)) return true;
  return false;
}

export interface Shared {
  readonly topics: readonly UnreadTopic[];
  readonly others: readonly OtherUnread[];
  /** Who has read some of the messages by sending them. */
  readonly senders: readonly number[];
}

/** By the messages, which are the same object for all who want the same ones. */
const sharedByMessages = new WeakMap<readonly CachedMessage[], Shared>();

/** What is unread of these messages for someone who received all, mutes nobody, and has no flags that decide about it. */
export function sharedUnreadOf(homeId: number, messages: readonly CachedMessage[]): Shared {
  const known = findSharedUnread(messages);
  if (known) return known;
  const gathering = new Gathering();
  const senders = new Set<number>();
  for (const row of messages) {
    if ((row.bits & messageBits.quiet) !== 0) continue;
    if ((row.bits & messageBits.readBySender) !== 0) senders.add(row.sender_id);
    if (row.conversation_id === homeId) gathering.add(row);
    else gathering.others.push({ row, isReceived: true });
  }
  const { topics, others } = gathering;
  const shared = { topics, others, senders: [...senders] };
  sharedByMessages.set(messages, shared);
  return shared;
}

/** As `sharedUnreadOf`, if it has been found out before. */
export function findSharedUnread(messages: readonly CachedMessage[]): Shared | undefined {
  return sharedByMessages.get(messages);
}

/** Whether this range is all that may be unread in a home, and the user received each message of it. */
export function isAllReceived({ bits, upto, top, spans }: HomeInputs, range: SeqRange): boolean {
  if (bits !== null || range.from !== upto + 1 || range.to !== top) return false;
  return spans.some(({ from_seq, to_seq }) => from_seq <= range.from && (to_seq === null || to_seq >= top));
}

export function areSameSpans(a: readonly Span[], b: readonly Span[]): boolean {
  if (a === b) return true;
  const isAt = (span: Span, i: number) => b[i]?.from_seq === span.from_seq && b[i].to_seq === span.to_seq;
  return a.length === b.length && a.every(isAt);
}
