// Posts messages to outgoing webhooks, and posts their replies as the bot.

import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { isRealmOpen } from "@/foundation/realm/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { departures } from "@/kernel/departures.ts";
import { AppError } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { findMessageById, mayReadMessage } from "@/messaging/messages/access.ts";
import { serviceOf } from "@/outside/bots/access.ts";
import type { ServiceRow } from "@/outside/bots/rows.ts";
import { interfaces } from "@/outside/bots/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { type Call, replyIn, requestFor } from "./forms.ts";
import { type Posted, post, type Received } from "./host.ts";
import { calling } from "./schema.ts";
import type { CallRow } from "./store.ts";
import * as store from "./store.ts";
import { complain, reply } from "./tx-replies.ts";

/** Makes due calls, in turns of hosts and of bots. */
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
    fail(ctx, { row, reason: "this server made an error, which is in its log", mayRecover: true }),
});

const hostOf = (ctx: Ctx, botId: number) => URL.parse(serviceOf(ctx, botId)?.base_url ?? "")?.host ?? "";

async function makeCall(ctx: Ctx, row: CallRow): Promise<void> {
  const call = callOf(ctx, row);
  if (!call) return drop(ctx, row.id);
  if (call.service.interface === interfaces.slack && call.channelId === null) {
    return giveUp(ctx, { row, reason: "its Slack-compatible interface does not accept direct messages" });
  }
  const posted = requestFor(ctx, call);
  const answer = await answerTo(ctx, posted);
  if (typeof answer === "string") return fail(ctx, { row, reason: answer, mayRecover: true });
  const { status, text } = answer;
  if (status < 200 || status > 299) {
    return fail(ctx, { row, reason: `it answered with status ${status}`, mayRecover: status >= 500 });
  }
  await takeReply(ctx, row, { call, text });
}

/** The response, or why none came. */
async function answerTo(ctx: Ctx, posted: Posted): Promise<Received | string> {
  try {
    return await post(ctx, posted);
  } catch (error) {
    return (error as Error).message;
  }
}

/** What to post; null if the call no longer makes sense. */
function callOf(ctx: Ctx, { bot_id, message_id, trigger }: CallRow): Call | null {
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
  { call, text }: { call: Call; text: string },
): Promise<void> {
  try {
    await finish(ctx, { row, service: call.service, content: replyIn(text, call.service.interface) });
  } catch (error) {
    if (error instanceof AppError && error.status >= 500) throw error;
    await giveUp(ctx, { row, reason: (error as Error).message });
  }
}

async function fail(
  ctx: Ctx,
  { row, reason, mayRecover }: { row: CallRow; reason: string; mayRecover: boolean },
): Promise<void> {
  const pause = mayRecover ? calling.pauses[row.tries] : undefined;
  if (pause === undefined) return giveUp(ctx, { row, reason });
  return wait(ctx, { id: row.id, pause });
}

const drop = action(allow.system, (tx, id: number): void => store.deleteCall(tx, id));

const wait = action(allow.system, (tx, { id, pause }: { id: number; pause: number }): void => {
  store.putOff(tx, id, pause);
});

/** Posts the reply and deletes the call in one transaction, so that a crash never posts it twice. */
const finish = action(
  allow.system,
  (tx, { row, service, content }: { row: CallRow; service: ServiceRow; content: string | null }): void => {
    if (!store.findCall(tx, row.id)) return;
    store.deleteCall(tx, row.id);
    // The bot may have changed hands during the call.
    if (serviceOf(tx, row.bot_id)?.token !== service.token) return;
    if (content !== null) reply(tx, row, content);
  },
);

const giveUp = action(allow.system, (tx, { row, reason }: { row: CallRow; reason: string }): void => {
  if (!store.findCall(tx, row.id)) return;
  store.deleteCall(tx, row.id);
  complain(tx, row, reason);
});
