// Conversations: a topic of a channel, or the people of a direct conversation.
import type { Message, Place, PlaceKey, Recipient } from "./message-shape.ts";

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

export function placeOf(message: Message, self: number): Place {
  if (message.type === "stream") return { stream_id: message.stream_id as number, topic: message.subject };
  const people = (message.display_recipient as Recipient[]).map(({ id }) => id);
  return directPlace(people, self);
}
