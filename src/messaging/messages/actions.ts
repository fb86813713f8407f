import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { action } from "@/kernel/operation.ts";
import { noteSending } from "@/places/user-topics/automatic.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { messageHooks } from "./hooks.ts";
import { renderMessage } from "./lookup.ts";
import { letMentionedFollow } from "./mentions.ts";
import { resolveRecipient } from "./recipients.ts";
import { checkedContent } from "./schema.ts";
import type { MessageRow } from "./store.ts";
import * as store from "./store.ts";
import { type Posting, post, type Sending } from "./tx-posting.ts";

export { deleteTopic } from "@/messaging/bulk-deletion/topics.ts";
export { deleteMessage } from "./deletions.ts";
export { updateMessage } from "./update.ts";

export interface NewMessageInput extends Sending {
  type: "channel" | "direct";
  /** A channel's name or ID; or the IDs or addresses of people, none meaning oneself. */
  to: readonly (string | number)[];
  content: string;
  topic?: string;
}

export interface Sent {
  id: number;
  /** The policy that the sender has for the topic from now on, where sending has changed it. */
  automatic_new_visibility_policy?: Policy;
}

/** Sends a message (docs/http-api.md#send-message; docs/design.md#the-life-of-a-send). */
export const sendMessage = action(allow.sender, (tx, input: NewMessageInput): Sent => {
  const content = checkedContent(input.content);
  const recipient = resolveRecipient(tx, input);
  const posting = { input, content, recipient, rendered: renderMessage(tx, content) };
  const row = post(tx, posting);
  messageHooks.sent(tx, { row, ...posting });
  const policy = noteInTopic(tx, row, posting);
  return { id: row.id, ...(policy === null ? {} : { automatic_new_visibility_policy: policy }) };
});

/** Lets the sender and those mentioned follow the topic, as they want it; returns what has changed for the sender. */
function noteInTopic(tx: Tx, row: MessageRow, { recipient, rendered }: Posting): Policy | null {
  if (recipient.kind === "direct") return null;
  const topic = { channelId: recipient.channel.id, topic: recipient.topic };
  const policy = noteSending(tx, topic, () => !store.isInTopicBefore(tx, row));
  letMentionedFollow(
    tx,
    topic,
    rendered.mentionedUsers.filter((id) => recipient.subscribers.has(id)),
  );
  return policy;
}
