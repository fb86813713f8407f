import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { checkContent } from "@/messaging/messages/schema.ts";
import { noteSending } from "@/places/user-topics/actions-automatic.ts";
import type { Policy } from "@/places/user-topics/schema.ts";
import { letMentionedFollow, type MessagePosting, post, type Sending } from "./actions-posting.ts";
import { sendingHooks } from "./hooks.ts";
import { renderMessage } from "./lookup.ts";
import { resolveRecipient } from "./recipients.ts";
import { idempotencyKeyLife, type NewMessage, sendingErrors } from "./schema.ts";
import * as store from "./store.ts";

export type NewMessageInput = Omit<NewMessage, "to" | "queue_id" | "local_id"> &
  Sending & {
    to: readonly (string | number)[];
    /** A repetition with this key is answered as the first send was. */
    idempotency_key?: string;
  };

export interface SendResult {
  id: number;
  /** The sender's new visibility policy for the topic, if sending changed it. */
  automatic_new_visibility_policy?: Policy;
}

/** Sends a message (docs/reference/http-api.md#send-message; docs/design.md#the-life-of-a-send). */
export const sendMessage = action(
  allow.sender,
  (tx, input: NewMessageInput): SendResult => {
    const { idempotency_key: key } = input;
    if (key === undefined) return send(tx, input);
    const digest = digestOf(input);
    const first = store.findRepeatableSend(tx, tx.actor.id, key);
    if (first && tx.now - first.sent_at < idempotencyKeyLife) return answerOfFirst(first, digest);
    if (first) store.deleteRepeatableSend(tx, first.message_id);
    const result = send(tx, input);
    const { id, automatic_new_visibility_policy: policy = null } = result;
    store.insertRepeatableSend(tx, {
      message_id: id,
      sender_id: tx.actor.id,
      key,
      sent_at: tx.now,
      digest,
      policy,
    });
    return result;
  },
  { isRepeatable: true },
);

function send(tx: Tx, input: NewMessageInput): SendResult {
  const content = checkContent(input.content);
  const recipient = resolveRecipient(tx, input);
  const rendered = renderMessage(tx, content);
  const posting = { input, content, recipient, rendered };
  const row = post(tx, posting);
  sendingHooks.sent(tx, { row, recipient, rendered });
  const policy = noteInTopic(tx, row, posting);
  return resultOf(row.id, policy);
}

function resultOf(id: number, policy: Policy | null): SendResult {
  return { id, ...(policy === null ? {} : { automatic_new_visibility_policy: policy }) };
}

/** Of what a repetition must have in common with the first send; its queue and `local_id` may be others. */
function digestOf({ type, to, topic = "", content }: NewMessageInput): Uint8Array {
  const text = JSON.stringify([type, to, topic, content]);
  Bun.SHA256.hash(text, wholeHash);
  return wholeHash.slice(0, digestBytes);
}

/** Filled by each hash; a new one for each costs as much as the hash. */
const wholeHash = new Uint8Array(32);
const digestBytes = 16;

function answerOfFirst(first: store.RepeatableSend, digest: Uint8Array): SendResult {
  if (Buffer.compare(first.digest, digest) === 0) return resultOf(first.message_id, first.policy);
  return fail(
    sendingErrors.IDEMPOTENCY_KEY_REUSED,
    "This Idempotency-Key was already used for another message.",
  );
}

/** Deletes expired keys, some at a time. */
export const deleteExpiredKeys = operation(allow.system, async (ctx): Promise<void> => {
  while (store.hasExpiredKey(ctx)) await deleteSomeKeys(ctx);
});

const keysAtOnce = 500;

const deleteSomeKeys = action(allow.system, (tx): void => store.deleteExpiredKeys(tx, keysAtOnce));

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
