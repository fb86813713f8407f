import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { checkContent } from "@/messaging/messages/schema.ts";
import { noteSending } from "@/places/user-topics/actions-automatic.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { letMentionedFollow, type MessagePosting, post, type Sending } from "./actions-posting.ts";
import { sendingHooks } from "./hooks.ts";
import { renderMessage } from "./lookup.ts";
import { resolveRecipient } from "./recipients.ts";
import type { NewMessage } from "./schema.ts";
import * as store from "./store.ts";

export type NewMessageInput = Omit<NewMessage, "to" | "queue_id" | "local_id"> &
  Sending & { to: readonly (string | number)[] };

export interface SendResult {
  id: number;
  /** The sender's new visibility policy for the topic, if sending changed it. */
  automatic_new_visibility_policy?: Policy;
}

/** Sends a message (docs/reference/http-api.md#send-message; docs/design.md#the-life-of-a-send). */
export const sendMessage = action(
  allow.sender,
  (tx, input: NewMessageInput): SendResult => {
    const content = checkContent(input.content);
    const recipient = resolveRecipient(tx, input);
    const rendered = renderMessage(tx, content);
    const posting = { input, content, recipient, rendered };
    const row = post(tx, posting);
    sendingHooks.sent(tx, { row, recipient, rendered });
    const policy = noteInTopic(tx, row, posting);
    return { id: row.id, ...(policy === null ? {} : { automatic_new_visibility_policy: policy }) };
  },
  { isRepeatable: true },
);

/** Applies the settings for following topics automatically. Returns the sender's new policy, or null if unchanged. */
function noteInTopic(tx: Tx, row: MessageRow, { recipient, rendered }: MessagePosting): Policy | null {
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
