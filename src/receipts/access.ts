// What each user knows of a message: received, read, flagged. The one place that answers (DESIGN, "Messages").
import { conversation, participantsOf } from "@/conversations/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { messageBits } from "@/messages/schema.ts";
import { isRead, type Mark, unmarked } from "./marks.ts";
import { flagBits, messageFlags } from "./schema.ts";
import type { Behind, Receipt, Span } from "./store.ts";
import * as store from "./store.ts";

type Reads = Pick<Ctx, "db">;

export type { Receipt } from "./store.ts";

/** Where a message is counted: in its home conversation, under its seq. */
type Counted = Pick<Receipt, "id" | "home_id" | "seq" | "sender_id" | "bits">;

const covers = (spans: readonly Span[], seq: number) =>
  spans.some((span) => seq >= span.from_seq && (span.to_seq === null || seq <= span.to_seq));

/** Whether the message came to the user when it was sent; who takes part in a direct conversation always received. */
export function hasReceived(
  reads: Reads,
  userId: number,
  { home_id, seq }: Pick<Receipt, "home_id" | "seq">,
): boolean {
  const home = conversation(reads, home_id);
  if (home.channel_id === null) return participantsOf(home).includes(userId);
  return covers(store.findSpans(reads, userId, home_id), seq);
}

/** Received, or taken into the user's history later. */
export function isOwnRecord(reads: Reads, userId: number, message: Counted): boolean {
  if (hasReceived(reads, userId, message)) return true;
  return (store.findFlagBitsOfOne(reads, userId, message.id) & flagBits.historical) !== 0;
}

const isOwnRead = (userId: number, { sender_id, bits }: Counted) =>
  sender_id === userId && (bits & messageBits.readBySender) !== 0;

/** One user's view of many messages; marks and spans are read once a conversation. */
function viewOf(reads: Reads, userId: number) {
  const remember = <V>(load: (conversationId: number) => V) => {
    const known = new Map<number, V>();
    return (id: number): V => {
      const hit = known.get(id);
      if (hit !== undefined) return hit;
      const value = load(id);
      known.set(id, value);
      return value;
    };
  };
  const mark = remember((id) => store.findMark(reads, userId, id) ?? unmarked);
  const spans = remember((id) => store.findSpans(reads, userId, id));
  const isParticipant = remember((id) => participantsOf(conversation(reads, id)).includes(userId));
  const received = ({ home_id, seq }: Counted) => isParticipant(home_id) || covers(spans(home_id), seq);
  return {
    received,
    read: (message: Counted) => isRead(mark(message.home_id), message.seq) || isOwnRead(userId, message),
  };
}

/** Flags of the user on each message, as clients name them (API.md 2). */
export function flagsOf(reads: Reads, userId: number, messages: readonly Counted[]): Map<number, string[]> {
  const rare = store.findFlagBits(
    reads,
    userId,
    messages.map((message) => message.id),
  );
  const view = viewOf(reads, userId);
  return new Map(
    messages.map((message) => {
      const bits = rare.get(message.id) ?? 0;
      const received = view.received(message);
      const isOwn = received || (bits & flagBits.historical) !== 0;
      const flags = !isOwn || view.read(message) ? ["read"] : [];
      return [message.id, [...flags, ...namesOf(bits, received ? message.bits : 0, received)]];
    }),
  );
}

function namesOf(rare: number, shared: number, received: boolean): string[] {
  const rows = Object.entries(messageFlags).filter(([, { bit }]) => (rare & bit) !== 0);
  const names = rows.map(([name]) => name);
  const isChannelWildcard = (shared & messageBits.channelWildcard) !== 0;
  if (isChannelWildcard) names.push("stream_wildcard_mentioned");
  if (isChannelWildcard || (rare & flagBits.topicWildcard) !== 0) names.push("wildcard_mentioned");
  if (!received && !names.includes("historical")) names.push("historical");
  return names;
}

const chunk = 1000;

/** Unread messages among the user's own records, ascending by ID: the `most` newest of them. */
export function unreadOf(reads: Reads, userId: number, most: number): Receipt[] {
  const found: Receipt[] = [];
  for (const behind of store.findBehind(reads, userId)) {
    for (const receipt of unreadDown(reads, userId, behind, most)) found.push(receipt);
  }
  found.sort((a, b) => a.id - b.id);
  return found.length > most ? found.slice(-most) : found;
}

function unreadDown(reads: Reads, userId: number, behind: Behind, most: number): Receipt[] {
  const { conversation_id: homeId, upto } = behind;
  const isUnread = unreadTest(reads, userId, behind);
  const found: Receipt[] = [];
  let to = behind.top;
  while (found.length < most && to > upto) {
    const rows = store.findReceiptsDown(reads, { homeId, from: upto + 1, to, most: Math.min(chunk, most) });
    for (const row of rows) if (isUnread(row)) found.push(row);
    const last = rows.at(-1);
    if (!last) break;
    to = last.seq - 1;
  }
  return found;
}

/** Whether a message of this home conversation, above the mark, is one of the user's and unread. */
function unreadTest(reads: Reads, userId: number, behind: Behind): (receipt: Receipt) => boolean {
  const mark: Mark = { upto: behind.upto, bits: behind.bits };
  const home = conversation(reads, behind.conversation_id);
  const isDirect = home.channel_id === null;
  const spans = isDirect ? [] : store.findSpans(reads, userId, home.id);
  const isHistorical = (id: number) =>
    (store.findFlagBitsOfOne(reads, userId, id) & flagBits.historical) !== 0;
  return (receipt) => {
    if (isRead(mark, receipt.seq) || isOwnRead(userId, receipt)) return false;
    return isDirect || covers(spans, receipt.seq) || isHistorical(receipt.id);
  };
}

export function unreadMessageIds(reads: Reads, userId: number, most: number): number[] {
  return unreadOf(reads, userId, most).map((receipt) => receipt.id);
}

/** The user's oldest unread message for which `matches` holds; null where there is none. */
export function firstUnread(
  reads: Reads,
  userId: number,
  matches: (receipt: Receipt) => boolean,
): number | null {
  let least: number | null = null;
  for (const behind of store.findBehind(reads, userId)) {
    const isUnread = unreadTest(reads, userId, behind);
    const first = firstUp(reads, behind, (receipt) => isUnread(receipt) && matches(receipt));
    if (first !== null && (least === null || first < least)) least = first;
  }
  return least;
}

function firstUp(reads: Reads, behind: Behind, matches: (receipt: Receipt) => boolean): number | null {
  let from = behind.upto + 1;
  while (from <= behind.top) {
    const rows = store.findReceiptsUp(reads, {
      homeId: behind.conversation_id,
      from,
      to: behind.top,
      most: chunk,
    });
    const hit = rows.find(matches);
    if (hit) return hit.id;
    const last = rows.at(-1);
    if (!last) return null;
    from = last.seq + 1;
  }
  return null;
}

/** Messages the user starred, ascending. */
export function starredMessageIds(reads: Reads, userId: number): number[] {
  return store.findFlagged(reads, userId, flagBits.starred);
}

/** Of these unread messages, those that mention the user, themselves or with everybody. */
export function mentionsAmong(reads: Reads, userId: number, receipts: readonly Receipt[]): number[] {
  const rare = new Set(store.findFlagged(reads, userId, flagBits.mentioned | flagBits.topicWildcard));
  return receipts
    .filter(({ id, bits }) => rare.has(id) || (bits & messageBits.channelWildcard) !== 0)
    .map((receipt) => receipt.id);
}
