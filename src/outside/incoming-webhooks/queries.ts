import { allow, me } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { botFor } from "@/outside/bots/access.ts";
import { callFrom, payloadOf, type ReadPost, read, theSender } from "./reading.ts";
import type { SenderFacts, TemplateTrial, WebhookPayload, WebhookTemplate } from "./schema.ts";
import { senders } from "./senders.ts";
import * as store from "./store.ts";
import { pathsIn, pathsWithoutValue, sayByTemplate } from "./template.ts";

/** The secret with which a bot's senders must sign; null if they need not. */
export function secretOf(reads: Reads, botId: number): string | null {
  return store.findSecret(reads, botId);
}

/** Whether the senders of a bot that the actor may change must sign. */
export const hasSecret = query(
  allow.user,
  (ctx, botId: number): boolean => secretOf(ctx, botFor(ctx, botId).id) !== null,
);

/** The senders, their events, and the events that are left out by default. */
export const listSenders = query(allow.anyone, (): SenderFacts[] =>
  senders.map(({ name, title, setup, isSigned, events, quiet }) => ({
    name,
    title,
    where: setup.where,
    field: setup.field,
    paste: setup.paste ?? null,
    signs: isSigned !== undefined,
    events: Object.keys(events).filter((event) => event !== "*"),
    left_out: [...quiet],
    takes_others: Object.hasOwn(events, "*"),
  })),
);

export interface WebhookTrial {
  sender: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  options: Readonly<Record<string, string>>;
  template: WebhookTemplate | null;
}

/** The message that a request would cause, even if its event is left out by default; needs no organization. */
export function tryWebhook({ sender, body, ...given }: WebhookTrial): ReadPost {
  const known = theSender(sender);
  const call = callFrom({ payload: payloadOf({ body }, known), body, ...given });
  return read(known, call, { only: ["*"], except: undefined });
}

/** The template of a bot. */
export function templateOf(reads: Reads, botId: number): WebhookTemplate | null {
  return store.findTemplate(reads, botId);
}

/** The template of a bot that the actor may change. */
export const getTemplate = query(allow.user, (ctx, botId: number): WebhookTemplate | null =>
  templateOf(ctx, botFor(ctx, botId).id),
);

export interface TemplateToTry {
  bot_id: number;
  template: WebhookTemplate;
  /** JSON. */
  payload: string;
}

/** What a template would make of a payload; stores and sends nothing. */
export const tryTemplate = query(
  allow.user,
  (ctx, { bot_id, template, payload: json }: TemplateToTry): TemplateTrial => {
    botFor(ctx, bot_id);
    const payload = payloadOf({ body: json });
    const said = sayByTemplate(template, payload);
    const topic = said?.topic || "JSON";
    return { topic, content: said?.content ?? null, absent: pathsWithoutValue(template, payload) };
  },
);

/** What tools posted to the bot last that no sender words, the newest first; for the bot's owner alone. */
export const listPayloads = query(allow.user, (ctx, botId: number): WebhookPayload[] => {
  const bot = botFor(ctx, botId);
  if (bot.bot_owner_id !== me(ctx).id)
    fail("BAD_REQUEST", "Only the owner of a bot may read what tools posted to it.");
  return store.listPayloads(ctx, bot.id, ctx.db.clock.now());
});

/** The fields of a payload that a template can name. */
export const fieldsOf = ({ payload }: WebhookPayload): string[] =>
  payload === null ? [] : pathsIn(payloadOf({ body: payload }));
