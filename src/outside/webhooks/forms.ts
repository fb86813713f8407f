// The two formats of posts to webhooks and of their replies.

import { realmOf } from "@/foundation/realm/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { avatarUrl } from "@/foundation/users/present.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { presentMessage } from "@/messaging/messages/queries.ts";
import type { Message } from "@/messaging/messages/schema.ts";
import { interfaces, type ServiceInterface, type ServiceRow } from "@/outside/bots/schema.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import type { Posted } from "./host.ts";
import { type Trigger, triggers } from "./schema.ts";

export interface OutgoingCall {
  bot: UserRow;
  service: ServiceRow;
  row: MessageRow;
  trigger: Trigger;
  channelId: number | null;
}

export function requestFor(ctx: Ctx, call: OutgoingCall): Posted {
  return call.service.interface === interfaces.slack ? slackForm(ctx, call) : json(ctx, call);
}

function headersOf(type: string): Record<string, string> {
  return { "content-type": type, "user-agent": "Confab-Webhook/1" };
}

function json(ctx: Ctx, { bot, service, row, trigger }: OutgoingCall): Posted {
  const view = { apply_markdown: false, client_gravatar: false, allow_empty_topic_name: true };
  const message = presentMessage(ctx, row, view);
  return jsonOf({ bot, service, trigger, message, rendered_content: row.rendered });
}

interface JsonPost extends Pick<OutgoingCall, "bot" | "service" | "trigger"> {
  message: Message;
  rendered_content: string;
}

function jsonOf({ bot, service, trigger, message, rendered_content }: JsonPost): Posted {
  const body = {
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: message.content,
    message: { ...message, rendered_content },
    token: service.token,
    trigger,
  };
  return { url: service.base_url, headers: headersOf("application/json"), body: JSON.stringify(body) };
}

function slackForm(ctx: Ctx, { bot, service, row, channelId }: OutgoingCall): Posted {
  const channel = { id: channelId ?? 0, name: channelId === null ? "" : channelNameOf(ctx, channelId) };
  return slackFormOf(ctx, { bot, service, message: row, sender: userFor(ctx, row.sender_id), channel });
}

interface SlackPost extends Pick<OutgoingCall, "bot" | "service"> {
  message: Pick<MessageRow, "id" | "sent_at" | "content">;
  sender: UserRow;
  channel: { id: number; name: string };
}

function slackFormOf(ctx: Ctx, { bot, service, message, sender, channel }: SlackPost): Posted {
  const fields = {
    token: service.token,
    team_id: "T1",
    team_domain: new URL(ctx.env.site).hostname,
    channel_id: `C${channel.id}`,
    channel_name: channel.name,
    thread_ts: String(message.id),
    timestamp: String(message.sent_at),
    user_id: `U${sender.id}`,
    user_name: sender.full_name,
    text: message.content,
    trigger_word: "mention",
    service_id: String(bot.id),
  };
  const body = new URLSearchParams(fields).toString();
  return { url: service.base_url, headers: headersOf("application/x-www-form-urlencoded"), body };
}

/** A request to try a webhook with, as for a message of the actor that is stored nowhere: its ID is 0. */
export function sampleRequest(ctx: Ctx, { bot, service }: Pick<OutgoingCall, "bot" | "service">): Posted {
  const sender = ctx.actor.kind === "user" ? userFor(ctx, ctx.actor.id) : bot;
  const content = "This is a test event.";
  const sent_at = ctx.db.clock.now();
  if (service.interface === interfaces.slack) {
    const message = { id: 0, sent_at, content };
    return slackFormOf(ctx, { bot, service, message, sender, channel: { id: 0, name: "test" } });
  }
  const message: Message = {
    id: 0,
    sender_id: sender.id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_realm_str: realmOf(ctx).string_id,
    client: "Test",
    timestamp: sent_at,
    avatar_url: avatarUrl(ctx, sender),
    type: "private",
    display_recipient: [sender, bot].map(({ id, email, full_name }) => {
      return { id, email, full_name, is_mirror_dummy: false };
    }),
    subject: "",
    recipient_id: 0,
    topic_links: [],
    content,
    content_type: "text/x-markdown",
    is_me_message: false,
    reactions: [],
    submessages: [],
  };
  return jsonOf({ bot, service, trigger: triggers.direct, message, rendered_content: `<p>${content}</p>` });
}

/** The reply in a response, or null; throws if the response does not have the expected format. */
export function replyIn(text: string, form: ServiceInterface): string | null {
  if (text.trim() === "") return null;
  const answer = parseAnswer(text);
  if (answer.response_not_required === true) return null;
  const reply = form === interfaces.slack ? answer.text : (answer.content ?? answer.response_string);
  if (reply === undefined || reply === null) return null;
  if (typeof reply !== "string") throw new Error("its reply is not text");
  return reply.trim() === "" ? null : reply;
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    throw new Error("its response is not JSON");
  }
  throw new Error("its response is not a JSON object");
}
