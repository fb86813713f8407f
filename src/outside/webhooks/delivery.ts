// Posts messages to outgoing webhooks, and posts their replies as the bot.

import { noteAnswer } from "@/foundation/last-answers/actions.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { departures } from "@/kernel/events/departures.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import { findMessageById, mayReadMessage } from "@/messaging/messages/access.ts";
import { recordCall } from "@/outside/bot-calls/actions.ts";
import type { CallOutcome } from "@/outside/bot-calls/schema.ts";
import { serviceOf } from "@/outside/bots/access.ts";
import { interfaces, type ServiceRow } from "@/outside/bots/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { complain, reply } from "./actions.ts";
import { type OutgoingCall, replyIn, requestFor } from "./forms.ts";
import { type Posted, post, type WebhookAnswer } from "./host.ts";
import { calling } from "./schema.ts";
import type { CallRow } from "./store.ts";
import * as store from "./store.ts";

/** Makes due calls, round-robin over hosts and bots. */
export const callWebhooks = departures<CallRow>({
  limits: calling.limits,
  keyOf: ({ id }) => id,
  listHosts: (ctx) =>
    [...new Set(store.listBots(ctx, ctx.db.clock.now()).map((bot) => hostOf(ctx, bot)))].sort(),
  listOwners: (ctx, host, above, max) =>
    store
      .listBots(ctx, ctx.db.clock.now())
      .filter((bot) => bot > above && hostOf(ctx, bot) === host)
      .slice(0, max),
  listDue: (ctx, _, bot, max) => store.listDue(ctx, bot, { now: ctx.db.clock.now(), max }),
  send: makeCall,
  giveUp: (ctx, row) =>
    fail(ctx, {
      row,
      reason: "this server made an error, which is in its log",
      mayRecover: true,
      isAnswered: null,
    }),
});

const hostOf = (ctx: Ctx, botId: number) => URL.parse(serviceOf(ctx, botId)?.base_url ?? "")?.host ?? "";

async function makeCall(ctx: Ctx, row: CallRow): Promise<void> {
  const call = callOf(ctx, row);
  if (!call) return drop(ctx, row.id);
  if (call.service.interface === interfaces.slack && call.channelId === null) {
    const reason = "its Slack-compatible interface does not accept direct messages";
    return giveUp(ctx, { row, reason, isAnswered: null });
  }
  const posted = requestFor(ctx, call);
  const answer = await answerTo(ctx, posted);
  if (typeof answer === "string") {
    return fail(ctx, { row, reason: answer, mayRecover: true, isAnswered: false });
  }
  const { status, text } = answer;
  if (status < 200 || status > 299) {
    const mayRecover = status >= 500;
    const reason = `it answered with status ${status}`;
    return fail(ctx, { row, reason, mayRecover, isAnswered: !mayRecover });
  }
  await takeReply(ctx, row, { call, text });
}

/** The response, or why none came. */
async function answerTo(ctx: Ctx, posted: Posted): Promise<WebhookAnswer | string> {
  try {
    return await post(ctx, posted);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What to post; null if the call no longer makes sense. */
function callOf(ctx: Ctx, { bot_id, message_id, trigger }: CallRow): OutgoingCall | null {
  const [bot, service, row] = [
    userFor(ctx, bot_id),
    serviceOf(ctx, bot_id),
    findMessageById(ctx, message_id),
  ];
  if (!bot.is_active || !service?.base_url || !row || !isRealmOpen(ctx)) return null;
  // The message may have been moved where the bot cannot see it.
  if (!mayReadMessage(ctx, memberOf(ctx, bot_id), row)) return null;
  return { bot, service, row, trigger, channelId: conversation(ctx, row.conversation_id).channel_id };
}

async function takeReply(
  ctx: Ctx,
  row: CallRow,
  { call, text }: { call: OutgoingCall; text: string },
): Promise<void> {
  try {
    await finish(ctx, { row, service: call.service, content: replyIn(text, call.service.interface) });
  } catch (error) {
    if (error instanceof AppError && error.status >= 500) throw error;
    await giveUp(ctx, { row, reason: (error as Error).message, isAnswered: true });
  }
}

interface Failure {
  row: CallRow;
  reason: string;
  /** Whether the webhook answered, and not with a fault of its own; null if nobody asked it. */
  isAnswered: boolean | null;
}

async function fail(ctx: Ctx, { mayRecover, ...failure }: Failure & { mayRecover: boolean }): Promise<void> {
  const pause = mayRecover ? calling.pauses[failure.row.tries] : undefined;
  if (pause === undefined) return giveUp(ctx, failure);
  return wait(ctx, { ...failure, pause });
}

function record(tx: Tx, row: CallRow, outcome: CallOutcome, reason: string | null = null): void {
  const { bot_id, message_id, trigger } = row;
  recordCall(tx, { bot_id, direction: "out", about: trigger, outcome, reason, message_id });
}

const drop = action(allow.system, (tx, id: number): void => store.deleteCall(tx, id));

const wait = action(
  allow.system,
  (tx, { row, reason, isAnswered, pause }: Failure & { pause: number }): void => {
    noteAnswer(tx, "webhooks", isAnswered);
    store.putOff(tx, row.id, pause);
    record(tx, row, "retrying", reason);
  },
);

/** Posts the reply and deletes the call in one transaction, so that a crash never posts it twice. */
const finish = action(
  allow.system,
  (tx, { row, service, content }: { row: CallRow; service: ServiceRow; content: string | null }): void => {
    noteAnswer(tx, "webhooks", true);
    if (!store.findCall(tx, row.id)) return;
    store.deleteCall(tx, row.id);
    // The bot may have changed hands during the call.
    if (serviceOf(tx, row.bot_id)?.token !== service.token) return;
    record(tx, row, content === null ? "silent" : "answered");
    if (content !== null) reply(tx, row, content);
  },
);

const giveUp = action(allow.system, (tx, { row, reason, isAnswered }: Failure): void => {
  noteAnswer(tx, "webhooks", isAnswered);
  if (!store.findCall(tx, row.id)) return;
  store.deleteCall(tx, row.id);
  record(tx, row, "failed", reason);
  complain(tx, row, reason);
});
