// The lines of a feed: messages, with marks where a day, a conversation or a sender begins.
import type { Message } from "../../state/messages.ts";
import type { OutboxMessage } from "../../state/outbox.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";

/** What stands above the first message of a conversation. */
export interface Beginning {
  place: Place;
  /** The message that started it; not a message that waits to be sent. */
  first: Message | undefined;
  /** How many people have written, if all messages are known. */
  people: number | undefined;
}

export interface MessageLine {
  key: string;
  message: Message;
  beginning?: Beginning | undefined;
  startsDay: boolean;
  /** The conversation differs from that of the message above: feeds of several conversations name it. */
  startsPlace: boolean;
  /** Shows who wrote it: another sender, or more than ten minutes later. */
  showsSender: boolean;
  /** The line between read and unread is above it. */
  startsUnread: boolean;
  /** From a user that the reader has muted. */
  isHidden: boolean;
}

export interface OutgoingLine {
  key: string;
  outgoing: OutboxMessage;
  beginning?: Beginning | undefined;
  startsDay: boolean;
  showsSender: boolean;
}

export type ListedLine = MessageLine | OutgoingLine;

export interface FeedReading {
  self: number;
  /** The conversation; null if the feed holds several. */
  place: Place | null;
  /** Whether the oldest and the newest message of all are among these. */
  hasOldest: boolean;
  hasNewest: boolean;
  firstUnread: number | null;
  mutedUsers: ReadonlySet<number>;
}

const togetherFor = 600;

export function linesOf(
  messages: readonly Message[],
  outbox: readonly OutboxMessage[],
  reading: FeedReading,
): ListedLine[] {
  const { self, place, firstUnread, mutedUsers } = reading;
  const isMixed = place === null;
  const places = messages.map((message) => (isMixed ? placeKey(placeOf(message, self)) : ""));
  const unreadAt = firstUnread === null ? -1 : messages.findIndex(({ id }) => id >= firstUnread);
  const lines: ListedLine[] = messages.map((message, i) => {
    const before = messages[i - 1];
    const startsDay = !before || dayOf(before.timestamp) !== dayOf(message.timestamp);
    const startsPlace = isMixed && (startsDay || places[i - 1] !== places[i]);
    const startsUnread = i === unreadAt;
    const isApart =
      startsDay || startsPlace || startsUnread || message.is_me_message || before?.is_me_message;
    return {
      // The same as while it waited to be sent, so that the list keeps its place.
      key: message.local_id ? `sent ${message.local_id}` : String(message.id),
      message,
      startsDay,
      startsPlace,
      startsUnread,
      showsSender: isApart || !isTogether(before, message.sender_id, message.timestamp),
      isHidden: mutedUsers.has(message.sender_id),
    };
  });
  for (const outgoing of outbox) {
    // It may be fetched before its event arrives.
    if (outgoing.message_id !== undefined && messages.some(({ id }) => id === outgoing.message_id)) continue;
    const last = lines.at(-1);
    const before = last && ("message" in last ? last.message : { ...last.outgoing, sender_id: self });
    const startsDay = !before || dayOf(before.timestamp) !== dayOf(outgoing.timestamp);
    const showsSender = startsDay || !isTogether(before, self, outgoing.timestamp);
    lines.push({ key: `sent ${outgoing.local_id}`, outgoing, startsDay, showsSender });
  }
  if (place && reading.hasOldest && lines[0]) {
    const writers = new Set(messages.map(({ sender_id }) => sender_id));
    const people = reading.hasNewest ? writers.size : undefined;
    lines[0].beginning = { place, first: messages[0], people };
  }
  return lines;
}

function isTogether(
  before: Pick<Message, "sender_id" | "timestamp"> | undefined,
  sender: number,
  timestamp: number,
): boolean {
  return before?.sender_id === sender && timestamp - before.timestamp < togetherFor;
}

/** Keyed by quarters of an hour, because every zone's days begin at one. */
const days = new Map<number, number>();

/** A number for the calendar day, in the zone of this computer. */
export function dayOf(timestamp: number): number {
  const quarter = Math.floor(timestamp / 900);
  const known = days.get(quarter);
  if (known !== undefined) return known;
  const date = new Date(timestamp * 1000);
  const day = date.getFullYear() * 10_000 + date.getMonth() * 100 + date.getDate();
  days.set(quarter, day);
  return day;
}
