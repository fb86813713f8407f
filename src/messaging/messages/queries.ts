import { topicLinks } from "@/foundation/linkifiers/access.ts";
import { realmOf } from "@/foundation/realm/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { avatarUrl, isAvatarDerived, strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import { type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/schema.ts";
import { displayTopic } from "@/places/topics/schema.ts";
import type { Message } from "./schema.ts";
import { clientName } from "./store.ts";

/** The client's options for the form of messages. */
export interface MessageView {
  apply_markdown: boolean;
  client_gravatar: boolean;
  allow_empty_topic_name: boolean;
}

/** The sender's fields for recipients who may not see the sender: a placeholder user. */
export function presentHiddenSender(ctx: Pick<Ctx, "db" | "env">, senderId: number) {
  const { email, full_name, avatar_url } = strangerFacts(ctx, senderId);
  return { sender_email: email, sender_full_name: full_name, avatar_url };
}

/** A message as sent to clients. Callers add reactions, submessages and the viewer's flags. */
export function presentMessage(reads: Reads, row: MessageRow, view: MessageView): Message {
  const sender = userFor(reads, row.sender_id);
  const place = conversation(reads, row.conversation_id);
  return {
    id: row.id,
    sender_id: sender.id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: realmOf(reads).string_id,
    client: clientName(reads, row.client_id),
    timestamp: row.sent_at,
    avatar_url: view.client_gravatar && isAvatarDerived(sender) ? null : avatarUrl(reads, sender),
    ...placeOf(reads, place, row.topic, view.allow_empty_topic_name),
    recipient_id: place.id,
    topic_links: place.channel_id === null ? [] : topicLinks(reads, row.topic),
    content: view.apply_markdown ? row.rendered : row.content,
    content_type: view.apply_markdown ? "text/html" : "text/x-markdown",
    is_me_message: (row.bits & messageBits.isMe) !== 0,
    reactions: [],
    submessages: [],
  };
}

function placeOf(reads: Reads, place: Conversation, topic: string, allowEmpty: boolean) {
  if (place.channel_id === null) {
    return { type: "private", display_recipient: peopleIn(reads, place.id), subject: "" } as const;
  }
  return {
    type: "stream",
    stream_id: place.channel_id,
    display_recipient: channelNameOf(reads, place.channel_id),
    subject: displayTopic(topic, allowEmpty),
  } as const;
}

const peopleIn = cache(["users"], (reads, conversationId: number) =>
  participantsOf(conversation(reads, conversationId)).map((id) => {
    const { email, full_name } = userFor(reads, id);
    return { id, email, full_name, is_mirror_dummy: false };
  }),
);
