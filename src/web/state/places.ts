// Conversations: a topic of a channel, or the people of a direct conversation.
import type { Message, Recipient } from "@/messaging/messages/schema.ts";

/** A topic of a channel, or the direct conversation with these other people (with yourself: your own ID). */
export type Place = { stream_id: number; topic: string } | { user_ids: readonly number[] };

/** "c:5:lunch" or "d:3,9": equal for places that are the same conversation. */
export type PlaceKey = string;

export function placeKey(place: Place): PlaceKey {
  return "user_ids" in place ? `d:${place.user_ids.join()}` : topicKey(place.stream_id, place.topic);
}

export function topicKey(channelId: number, topic: string): PlaceKey {
  return `c:${channelId}:${topic.toLowerCase()}`;
}

/** The direct conversation with these people; their list may include the person's own ID. */
export function directPlace(ids: readonly number[], self: number): { user_ids: readonly number[] } {
  const others = [...new Set(ids)].filter((id) => id !== self).sort((a, b) => a - b);
  return { user_ids: others.length > 0 ? others : [self] };
}

export function placeOf(
  message: Pick<Message, "type" | "stream_id" | "subject" | "display_recipient">,
  self: number,
): Place {
  if (message.type === "stream") return { stream_id: message.stream_id as number, topic: message.subject };
  const people = (message.display_recipient as Recipient[]).map(({ id }) => id);
  return directPlace(people, self);
}
