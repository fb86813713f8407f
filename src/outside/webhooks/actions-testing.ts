// Calling an outgoing webhook to see what it answers.
import { allow } from "@/foundation/permissions/access.ts";
import { attemptLimit, refuseFor } from "@/foundation/secrets/attempts.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { recordCall } from "@/outside/bot-calls/actions.ts";
import { botFor, serviceOf } from "@/outside/bots/access.ts";
import type { ServiceRow } from "@/outside/bots/schema.ts";
import { replyIn, sampleRequest } from "./forms.ts";
import { post } from "./host.ts";
import { type TestAnswer, testing } from "./schema.ts";

const tests = perApp(({ clock }) => ({ limit: attemptLimit(clock, testing.perMinute, 60), running: 0 }));

/**
 * Posts a sample to the address of a bot that the actor may change, and returns what it would have replied, or why it would have
 * failed. Not the whole response: what is at an address of the operator's network is not the owner's to read.
 */
export const testWebhook = operation(allow.user, async (ctx, botId: number): Promise<TestAnswer> => {
  const state = tests(ctx);
  botFor(ctx, botId);
  refuseFor(state.limit.take(String(ctx.actor.id)));
  refuseFor(state.running < testing.atOnce ? null : testing.pauseSeconds);
  state.running++;
  try {
    const service = await startTest(ctx, botId);
    const answer = await call(ctx, botId, service);
    await endTest(ctx, { botId, answer });
    return answer;
  } finally {
    state.running--;
  }
});

/** Before the call, so that the log names also one during which the server was stopped. */
const startTest = action(allow.user, (tx, botId: number): ServiceRow => {
  const bot = botFor(tx, botId);
  const service = serviceOf(tx, bot.id);
  if (!service) fail("BAD_REQUEST", "Only outgoing webhooks have a URL to post to.");
  if (!bot.is_active) fail("BAD_REQUEST", "The bot is deactivated.");
  if (!service.base_url) fail("BAD_REQUEST", "The bot has no URL to post to.");
  recordAccountChange(tx, bot, "test_call_made");
  return service;
});

async function call(ctx: Ctx, botId: number, service: ServiceRow): Promise<TestAnswer> {
  const before = ctx.db.clock.steady();
  let status: number | null = null;
  const describe = (reply: string | null, problem: string | null): TestAnswer => {
    return { status, reply, problem, milliseconds: Math.round(ctx.db.clock.steady() - before) };
  };
  try {
    const answer = await post(ctx, sampleRequest(ctx, { bot: botFor(ctx, botId), service }));
    status = answer.status;
    if (status < 200 || status > 299) return describe(null, `it answered with status ${status}`);
    const reply = replyIn(answer.text, service.interface);
    return describe(reply?.slice(0, testing.maxReply) ?? null, null);
  } catch (error) {
    return describe(null, (error as Error).message);
  }
}

const endTest = action(
  allow.user,
  (tx, { botId, answer: { reply, problem } }: { botId: number; answer: TestAnswer }): void => {
    const outcome = problem !== null ? "failed" : reply === null ? "silent" : "answered";
    const bot_id = botFor(tx, botId).id;
    recordCall(tx, { bot_id, direction: "out", about: "test", outcome, reason: problem, is_test: true });
  },
);
