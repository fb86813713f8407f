import { createHash } from "node:crypto";
import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import { attemptLimit, refuseFor } from "@/foundation/secrets/attempts.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs, action, operation } from "@/kernel/core/operation.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { isSentWith } from "@/messaging/sending/queries.ts";
import { recordCall } from "@/outside/bot-calls/actions.ts";
import { botFor } from "@/outside/bots/access.ts";
import { emitBotChanged } from "@/outside/bots/actions-notices.ts";
import { channelByName, channelFor } from "@/places/channels/access.ts";
import { topicName } from "@/places/topics/schema.ts";
import type { PayloadValue } from "./payload.ts";
import { sampleOf, theSender } from "./reading.ts";
import { payloadKeeping, type WebhookTemplate } from "./schema.ts";
import type { Said } from "./sender.ts";
import * as store from "./store.ts";

export interface WebhookPosting {
  said: Said;
  /** The sender and its event. */
  about: string;
  /** A channel's name or ID; absent to write to the bot's owner. */
  to?: string | number | undefined;
  /** Replaces the event's own topic. */
  topic?: string | undefined;
  /** The sender's ID of the delivery, if it gives one. */
  delivery?: string;
}

/** The message's ID, and whether an earlier delivery has sent it. */
export interface PostedEvent {
  outcome: "sent" | "repeated";
  id: number;
}

/** Sends an event's message as the actor, who must be a bot; a delivery that is repeated within a day sends nothing. */
export const postAsBot = action(allow.sender, (tx, posting: WebhookPosting): PostedEvent => {
  if (!me(tx).is_bot) failInEnglish("BAD_REQUEST", "Use the API key of a bot: create one for this sender.");
  const key = keyOf(posting);
  const outcome = key !== null && isSentWith(tx, tx.actor.id, key) ? "repeated" : "sent";
  const id = send(tx, posting, key);
  const { about } = posting;
  recordCall(tx, { bot_id: tx.actor.id, direction: "in", about, outcome, message_id: id });
  return { outcome, id };
});

/** The message is part of the key: what a tool delivers to two addresses, or words in another way now, is no repetition. */
function keyOf({ delivery = "", about, said, to, topic }: WebhookPosting): string | null {
  if (delivery === "") return null;
  const whole = JSON.stringify([about, delivery, said.topic, said.content, to, topic]);
  return `webhook-${createHash("sha256").update(whole).digest("hex")}`;
}

function send(tx: Tx, { said, to, topic }: Omit<WebhookPosting, "about">, key: string | null = null): number {
  const bot = me(tx);
  const content = said.content.replaceAll("\0", "");
  const repeatable = key === null ? {} : { idempotency_key: key };
  if (to !== undefined) {
    const place = { type: "channel" as const, to: [to], topic: topic ?? validTopic(said.topic) };
    return sendMessage.in(tx, { ...place, content, ...repeatable }).id;
  }
  const owner = bot.bot_owner_id === null ? null : memberOf(tx, bot.bot_owner_id);
  if (!owner?.is_active)
    failInEnglish(
      "BAD_REQUEST",
      "The bot has no owner to write to: name a channel with 'stream' in the URL.",
    );
  return sendMessage.in(tx, { type: "direct", to: [owner.id], content, ...repeatable }).id;
}

function validTopic(text: string): string {
  const parsed = topicName.safeParse(text.replaceAll(/[\p{C}\p{Z}]+/gu, " "));
  return parsed.success ? parsed.data : "";
}

export interface TestEvent {
  bot_id: number;
  sender: string;
  to?: string | number | undefined;
  topic?: string | undefined;
}

const testsAllowed = perApp(({ clock }) => attemptLimit(clock, 10, 60));

/** Posts a sample event as a bot that the actor may change, where the actor sees it; returns the message's ID. */
export const sendTestEvent = operation(allow.user, async (ctx, input: TestEvent): Promise<number> => {
  botFor(ctx, input.bot_id);
  refuseFor(testsAllowed(ctx).take(String(ctx.actor.id)));
  return postSample(ctx, input);
});

const postSample = action(allow.user, (tx, { bot_id, sender: name, to, topic }: TestEvent): number => {
  const bot = botFor(tx, bot_id);
  if (!bot.is_active) fail("BAD_REQUEST", "The bot is deactivated.");
  const sender = theSender(name);
  const said = sampleOf(sender);
  if (typeof to === "number") channelFor(tx, to, "see");
  if (typeof to === "string") channelByName(tx, to, "see");
  const asBot = actingAs(tx, { kind: "user", id: bot.id, client: "Webhook" });
  const message_id = send(asBot, { said, to, topic });
  const about = sender.name;
  recordCall(tx, { bot_id: bot.id, direction: "in", about, outcome: "sent", message_id, is_test: true });
  recordAccountChange(tx, bot, "test_event_sent", { sender: name });
  return message_id;
});

/** Sets the secret with which the bot's senders must sign, by default a new one; returns it. */
export const renewSecret = action(
  allow.user,
  (tx, { bot_id, secret }: { bot_id: number; secret?: string }): string => {
    const bot = botFor(tx, bot_id);
    const set = secret ?? newKey();
    const isFirst = store.findSecret(tx, bot.id) === null;
    store.setSecret(tx, bot.id, set);
    emitBotChanged(tx, bot, {});
    const event = isFirst ? "webhook_secret_set" : "webhook_secret_replaced";
    if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, event);
    return set;
  },
);

/** Removes the secret, so that senders need not sign; the owner's act is recorded, too, as it lets anyone post. */
export const removeSecret = action(allow.user, (tx, bot_id: number): void => {
  const bot = botFor(tx, bot_id);
  if (!store.deleteSecret(tx, bot.id)) fail("BAD_REQUEST", "The bot has no secret.");
  emitBotChanged(tx, bot, {});
  recordAccountChange(tx, bot, "webhook_secret_removed");
});

/** Sets how the bot words what `json` takes. */
export const setTemplate = action(
  allow.user,
  (tx, { bot_id, ...template }: WebhookTemplate & { bot_id: number }): void => {
    const bot = botFor(tx, bot_id);
    store.setTemplate(tx, bot.id, template);
    emitBotChanged(tx, bot, {});
    if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, "webhook_template_set");
  },
);

export const removeTemplate = action(allow.user, (tx, bot_id: number): void => {
  const bot = botFor(tx, bot_id);
  if (!store.deleteTemplate(tx, bot.id)) fail("BAD_REQUEST", "The bot has no template.");
  emitBotChanged(tx, bot, {});
  if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, "webhook_template_removed");
});

/** Keeps for a day what a tool posted to the actor, who is a bot, so that its owner can try a template on it. */
export const keepPayload = action(
  allow.sender,
  (tx, { sender, payload }: { sender: string; payload: PayloadValue }): void => {
    const json = JSON.stringify(payload.value);
    const { length: size } = json;
    const isSmall = size <= payloadKeeping.size;
    store.insertPayload(tx, tx.actor.id, {
      sender: sender.slice(0, payloadKeeping.name),
      size,
      payload: isSmall ? json : null,
    });
  },
);

/** What tools posted concerns the owner of then alone, and ends with the bot. */
export function forgetPayloads(tx: Tx, botId: number): void {
  store.deletePayloadsOf(tx, botId);
}

/** Deletes the payloads that are too old. */
export const sweepPayloads = operation(allow.system, async (ctx): Promise<void> => {
  while (store.hasOldPayload(ctx, ctx.db.clock.now())) await deleteSomePayloads(ctx);
});

const payloadsAtOnce = 100;

const deleteSomePayloads = action(allow.system, (tx): void => store.deleteOldPayloads(tx, payloadsAtOnce));
