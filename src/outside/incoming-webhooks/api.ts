import { z } from "zod";
import { me } from "@/foundation/permissions/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { AppError, englishOnly, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { noteCallToSelf } from "@/outside/bot-calls/actions.ts";
import { postAsBot, sendTestEvent } from "./actions.ts";
import { listSenders, secretOf } from "./queries.ts";
import { payloadOf, read, theSender, wholeBody } from "./reading.ts";
import { channelGiven, eventNames, outcomes, type ReceivedPost, senderFacts } from "./schema.ts";
import type { IncomingCall, WebhookSender } from "./sender.ts";

interface WebhookParameters {
  name: string;
  stream?: string | number | undefined;
  topic?: string | undefined;
  only_events?: readonly string[] | undefined;
  exclude_events?: readonly string[] | undefined;
  title_field?: string | undefined;
  payload: string;
}

/** Takes a post, and keeps what became of it for those who look after the bot. */
async function receive(ctx: Ctx, given: WebhookParameters, request: RequestFacts): Promise<ReceivedPost> {
  try {
    return await take(ctx, given, request);
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500 && me(ctx).is_bot;
    if (isRefused)
      await noteCallToSelf(ctx, { about: given.name, outcome: "refused", reason: error.message });
    throw error;
  }
}

async function take(ctx: Ctx, given: WebhookParameters, request: RequestFacts): Promise<ReceivedPost> {
  const sender = theSender(given.name);
  const body = given.payload;
  checkSignature(ctx, sender, { body, request });
  const call: IncomingCall = {
    payload: payloadOf(body),
    body,
    header: (name) => request.header(name) ?? "",
    option: (name) => (name === "title_field" ? (given.title_field ?? "") : ""),
  };
  const found = read(sender, call, { only: given.only_events, except: given.exclude_events });
  const { event, outcome } = found;
  if (outcome === "unknown_event") noteUnknown(ctx, `${sender.name}: ${event}`, request);
  const about = `${sender.name}: ${event}`;
  if (outcome !== "sent") {
    if (me(ctx).is_bot) await noteCallToSelf(ctx, { about, outcome });
    return { event, outcome };
  }
  const posting = { said: found.said, about, to: given.stream, topic: given.topic };
  return { event, outcome, id: await postAsBot(ctx, posting) };
}

function checkSignature(
  ctx: Ctx,
  { isSigned, title }: WebhookSender,
  { body, request }: { body: string; request: RequestFacts },
): void {
  const secret = secretOf(ctx, ctx.actor.id);
  if (secret === null || !isSigned) return;
  const header = (name: string) => request.header(name) ?? "";
  const call = { payload: payloadOf("{}"), body, header, option: () => "" };
  if (!isSigned(call, secret)) {
    const sentence = `The signature is wrong: enter the bot's secret in ${title}, too.`;
    const { delivery_email } = userFor(ctx, ctx.actor.id);
    throw new RefusedLogin(
      new AppError("ACCESS_DENIED", englishOnly(sentence)),
      delivery_email,
      "WRONG_SIGNATURE",
    );
  }
}

const maxNoted = 1_000;
const noted = perApp(() => new Set<string>());

/** Logs each unknown event once, so that a busy sender does not fill the log. */
function noteUnknown(ctx: Ctx, what: string, { warn }: RequestFacts): void {
  const known = noted(ctx);
  if (known.has(what) || known.size >= maxNoted) return;
  known.add(what);
  warn("unknown_webhook_event", { event: what });
}

export default domain({
  name: "incoming-webhooks",
  about: "events that other tools post, worded as messages of a bot",
  endpoints: [
    endpoint("get-senders", {
      about:
        "Lists the tools whose events bots can post, for `POST /external/{name}`: their events, those that are left out unless the address asks for them, and whether they can sign.",
      method: "GET",
      path: "/external",
      returns: { senders: z.array(senderFacts) },
      run: (ctx) => ({ senders: listSenders(ctx) }),
    }),
    endpoint("send-test-event", {
      about:
        "Posts a sample event of a sender as a bot, as if the sender had: to the channel `stream`, which the caller must see, or to the bot's owner. The bot's owner and administrators only.",
      method: "POST",
      path: "/bots/{bot_id:[0-9]+}/test_event",
      params: {
        bot_id: z.int(),
        sender: z.string(),
        stream: channelGiven.optional(),
        topic: z.string().optional(),
      },
      returns: { id: z.int() },
      run: async (ctx, { bot_id, sender, stream: to, topic }) => ({
        id: await sendTestEvent(ctx, { bot_id, sender, to, topic }),
      }),
    }),
    endpoint("post-external", {
      about:
        "Takes an event of another tool (github, gitlab, gitea, grafana, alertmanager, sentry, slack_incoming, json) and " +
        "sends a message about it as the bot whose key is in the address: to the channel `stream`, or to the bot's owner. " +
        "`only_events` and `exclude_events` choose among the sender's events. If the bot has a secret, senders that sign must sign.",
      method: "POST",
      path: "/external/{name}",
      auth: "address",
      body: wholeBody,
      params: {
        name: z.string(),
        stream: channelGiven.optional(),
        topic: z.string().optional(),
        only_events: eventNames.optional(),
        exclude_events: eventNames.optional(),
        title_field: z.string().max(200).optional(),
        payload: z.string().meta({ description: "The body of the request." }),
      },
      returns: { event: z.string(), outcome: z.enum(outcomes), id: z.int().optional() },
      run: receive,
    }),
  ],
});
