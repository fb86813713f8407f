import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import { action } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { botFor } from "@/outside/bots/access.ts";
import { topicName } from "@/places/topics/schema.ts";
import type { Said } from "./sender.ts";
import * as store from "./store.ts";

export interface WebhookPosting {
  said: Said;
  /** A channel's name or ID; absent to write to the bot's owner. */
  to?: string | number;
  /** Replaces the event's own topic. */
  topic?: string;
}

/** Sends an event's message as the actor, who must be a bot; returns the message's ID. */
export const postAsBot = action(allow.sender, (tx, { said, to, topic }: WebhookPosting): number => {
  const bot = me(tx);
  const content = said.content.replaceAll("\0", "");
  if (!bot.is_bot) fail("BAD_REQUEST", "Use the API key of a bot: create one for this sender.");
  if (to !== undefined) {
    const input = { type: "channel" as const, to: [to], topic: topic ?? validTopic(said.topic), content };
    return sendMessage.in(tx, input).id;
  }
  const owner = bot.bot_owner_id === null ? null : memberOf(tx, bot.bot_owner_id);
  if (!owner?.is_active)
    fail("BAD_REQUEST", "The bot has no owner to write to: name a channel with 'stream' in the URL.");
  return sendMessage.in(tx, { type: "direct", to: [owner.id], content }).id;
});

function validTopic(text: string): string {
  const parsed = topicName.safeParse(text.replaceAll(/[\p{C}\p{Z}]+/gu, " "));
  return parsed.success ? parsed.data : "";
}

/** Sets the secret with which the bot's senders must sign, by default a new one; returns it. */
export const renewSecret = action(
  allow.user,
  (tx, { bot_id, secret }: { bot_id: number; secret?: string }): string => {
    const bot = botFor(tx, bot_id);
    const set = secret ?? newKey();
    store.setSecret(tx, bot.id, set);
    if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, "webhook_secret_replaced");
    return set;
  },
);

/** Removes the secret, so that senders need not sign. */
export const removeSecret = action(allow.user, (tx, bot_id: number): void => {
  const bot = botFor(tx, bot_id);
  if (!store.deleteSecret(tx, bot.id)) fail("BAD_REQUEST", "The bot has no secret.");
  if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, "webhook_secret_removed");
});
