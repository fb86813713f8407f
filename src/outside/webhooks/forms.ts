// The two formats of posts to webhooks and of their replies.

import { userFor } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { presentMessage } from "@/messaging/messages/queries.ts";
import { interfaces, type ServiceInterface, type ServiceRow } from "@/outside/bots/schema.ts";
import { channelNameOf } from "@/places/channels/access.ts";
import type { Posted } from "./host.ts";
import type { Trigger } from "./schema.ts";

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
  const body = {
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: row.content,
    message: { ...presentMessage(ctx, row, view), rendered_content: row.rendered },
    token: service.token,
    trigger,
  };
  return { url: service.base_url, headers: headersOf("application/json"), body: JSON.stringify(body) };
}

function slackForm(ctx: Ctx, { bot, service, row, channelId }: OutgoingCall): Posted {
  const sender = userFor(ctx, row.sender_id);
  const fields = {
    token: service.token,
    team_id: "T1",
    team_domain: new URL(ctx.env.site).hostname,
    channel_id: `C${channelId}`,
    channel_name: channelId === null ? "" : channelNameOf(ctx, channelId),
    thread_ts: String(row.id),
    timestamp: String(row.sent_at),
    user_id: `U${sender.id}`,
    user_name: sender.full_name,
    text: row.content,
    trigger_word: "mention",
    service_id: String(bot.id),
  };
  const body = new URLSearchParams(fields).toString();
  return { url: service.base_url, headers: headersOf("application/x-www-form-urlencoded"), body };
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
