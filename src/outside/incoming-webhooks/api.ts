import { z } from "zod";
import { me } from "@/foundation/permissions/access.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import { userFor } from "@/foundation/users/access.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { type Ctx, sitesOf } from "@/kernel/core/context.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, RawAnswer, type RequestFacts } from "@/kernel/http/endpoint.ts";
import { readForm } from "@/kernel/http/forms.ts";
import { jsonHeaders } from "@/kernel/http/http-answers.ts";
import { AppError, englishOnly, RefusedLogin } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { noteCallToSelf } from "@/outside/bot-calls/actions.ts";
import {
  forgetPayloads,
  keepPayload,
  postAsBot,
  removeSecret,
  removeTemplate,
  renewSecret,
  sendTestEvent,
  setTemplate,
  sweepPayloads,
} from "./actions.ts";
import type { PayloadValue } from "./payload.ts";
import {
  getTemplate,
  hasSecret,
  listPayloads,
  listSenders,
  secretOf,
  templateOf,
  tryTemplate,
} from "./queries.ts";
import { deliveryOf, failNoSender, partsOf, payloadOf, read, wholeBody } from "./reading.ts";
import {
  channelGiven,
  eventNames,
  maxBodyBytes,
  outcomes,
  payloadKeeping,
  type ReceivedPost,
  secretRule,
  senderFacts,
  templateTrial,
  webhookPayload,
  webhookTemplate,
} from "./schema.ts";
import type { Handshake, IncomingCall, WebhookSender } from "./sender.ts";
import { senderNamed } from "./senders.ts";
import { pathsIn } from "./template.ts";

interface WebhookParameters {
  name: string;
  stream?: string | number | undefined;
  topic?: string | undefined;
  only_events?: readonly string[] | undefined;
  exclude_events?: readonly string[] | undefined;
  title_field?: string | undefined;
  body: string;
  /** What the URL has besides these. */
  query: Map<string, string>;
}

type Answer = ReceivedPost | RawAnswer;

/** Takes a post, and keeps what became of it for those who look after the bot. */
async function receive(ctx: Ctx, given: WebhookParameters, request: RequestFacts): Promise<Answer> {
  try {
    const answer = await take(ctx, given, request);
    // Otherwise the answer would say that the parameters which are the event were ignored.
    const isInQuery = given.body.trim() === "" && given.query.size > 0;
    return isInQuery && !(answer instanceof RawAnswer) ? asJson(answer) : answer;
  } catch (error) {
    const isRefused = error instanceof AppError && error.status < 500 && me(ctx).is_bot;
    if (isRefused)
      await noteCallToSelf(ctx, { about: given.name, outcome: "refused", reason: error.message });
    throw error;
  }
}

async function take(ctx: Ctx, given: WebhookParameters, request: RequestFacts): Promise<Answer> {
  const sender = senderNamed(given.name);
  if (!sender) return refuseUnknown(ctx, given, request);
  const { body, query } = given;
  const isInQuery = request.method === "GET" && sender.form?.inQuery === true && query.size > 0;
  if (request.method !== "POST" && !isInQuery)
    return note(ctx, sender, { event: "check", outcome: "nothing_to_say" });
  const parts = await partsOf(body, request.header("content-type") ?? "");
  const call: IncomingCall = {
    payload: payloadOf({ body, parts, query }, sender),
    body,
    addresses: sitesOf(ctx).map((site) => site + request.pathAndQuery),
    now: ctx.db.clock.now(),
    template: templateOf(ctx, ctx.actor.id),
    header: (name) => request.header(name) ?? "",
    option: (name) => (name === "title_field" ? (given.title_field ?? "") : ""),
  };
  const secret = secretOf(ctx, ctx.actor.id);
  const handshake = sender.handshake?.(call);
  // Otherwise a stranger could have the bot tell its owner a secret of the stranger's.
  if (handshake && (secret === null || isSame(handshake.secret, secret)))
    return shakeHands(ctx, sender, handshake);
  checkSignature(ctx, sender, { call, secret });
  if (sender.isForTemplates) await keep(ctx, sender.name, call.payload);
  const found = read(sender, call, { only: given.only_events, except: given.exclude_events });
  const { event, outcome } = found;
  if (outcome === "unknown_event") {
    const fields = pathsIn(call.payload);
    logOnce(ctx, `${sender.name}: ${event}`, (about) =>
      request.warn("unknown_webhook_event", { event: about, fields: fields.join(", ") }),
    );
    return note(ctx, sender, { event, outcome, fields });
  }
  if (outcome !== "sent") return note(ctx, sender, { event, outcome });
  const about = `${sender.name}: ${event}`;
  const delivery = deliveryOf(sender, call);
  const posting = { said: found.said, about, delivery, to: given.stream, topic: given.topic };
  return { event, ...(await postAsBot(ctx, posting)) };
}

/** Keeps for those who look after the bot what became of an event that caused no message. */
async function note(ctx: Ctx, { name }: WebhookSender, answer: ReceivedPost): Promise<ReceivedPost> {
  const { event, outcome } = answer;
  if (me(ctx).is_bot) await noteCallToSelf(ctx, { about: `${name}: ${event}`, outcome });
  return answer;
}

/** Answers a handshake; tells the bot's owner, and not a channel, because secrets are in it. */
async function shakeHands(ctx: Ctx, sender: WebhookSender, handshake: Handshake): Promise<Answer> {
  const { event, headers = {}, toOwner: content } = handshake;
  const posting = { said: { topic: "", content }, about: `${sender.name}: ${event}` };
  return asJson({ event, ...(await postAsBot(ctx, posting)) }, headers);
}

function asJson(answer: ReceivedPost, headers: Handshake["headers"] = {}): RawAnswer {
  return new RawAnswer(JSON.stringify({ result: "success", msg: "", ...answer }), {
    ...jsonHeaders,
    ...headers,
  });
}

interface SignedCall {
  call: IncomingCall;
  secret: string | null;
}

function checkSignature(ctx: Ctx, sender: WebhookSender, { call, secret }: SignedCall): void {
  const { isSigned, title, signing = `enter the bot's secret in ${title}, too.` } = sender;
  if (secret === null || isSigned?.(call, secret)) return;
  const sentence = isSigned
    ? `The signature is wrong: ${signing}`
    : `Events of ${title} cannot be signed: post them as a bot without a secret.`;
  const { delivery_email } = userFor(ctx, ctx.actor.id);
  throw new RefusedLogin(
    new AppError("ACCESS_DENIED", englishOnly(sentence)),
    delivery_email,
    "WRONG_SIGNATURE",
  );
}

const keep = async (ctx: Ctx, sender: string, payload: PayloadValue): Promise<void> => {
  if (me(ctx).is_bot) await keepPayload(ctx, { sender, payload });
};

/** Refuses an event whose sender nobody knows; keeps it, so that the bot's owner can make a template for it. */
async function refuseUnknown(
  ctx: Ctx,
  { name, body }: WebhookParameters,
  request: RequestFacts,
): Promise<never> {
  const payload = payloadIfAny(body);
  if (!payload || secretOf(ctx, ctx.actor.id) !== null) failNoSender(name);
  await keep(ctx, name, payload);
  const fields = pathsIn(payload);
  const sender = name.slice(0, 100);
  logOnce(ctx, `sender: ${sender}`, () =>
    request.warn("unknown_webhook_sender", { sender, fields: fields.join(", ") }),
  );
  return failNoSender(name, fields);
}

function payloadIfAny(body: string): PayloadValue | null {
  try {
    return payloadOf({ body });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const maxLogged = 1_000;
const logged = perApp(() => new Set<string>());

/** Logs each unknown thing once, so that a busy sender does not fill the log. */
function logOnce(ctx: Ctx, what: string, log: (what: string) => void): void {
  const known = logged(ctx);
  if (known.has(what) || known.size >= maxLogged) return;
  known.add(what);
  log(what);
}

const posting = {
  name: z.string(),
  stream: channelGiven.optional(),
  topic: z.string().optional(),
  only_events: eventNames.optional(),
  exclude_events: eventNames.optional(),
  title_field: z.string().max(200).optional(),
};
const receivedPost = {
  event: z.string(),
  outcome: z.enum(outcomes),
  id: z.int().optional(),
  fields: z
    .array(z.string())
    .optional()
    .meta({ description: "Of an unknown event: fields that it had, as paths for a template." }),
};
const secretPath = "/bots/{bot_id:[0-9]+}/webhook_secret";
const templatePath = "/bots/{bot_id:[0-9]+}/webhook_template";

export default domain({
  name: "incoming-webhooks",
  about: "events that other tools post, worded as messages of a bot",
  hooks: [
    userHooks.deactivated.register(forgetPayloads),
    userHooks.botGiven.register((tx, { bot }) => forgetPayloads(tx, bot.id)),
  ],
  jobs: [{ name: "sweep-webhook-payloads", everySeconds: payloadKeeping.sweepSeconds, run: sweepPayloads }],
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
    endpoint("get-webhook-secret", {
      about:
        "Returns whether tools must sign what they post as a bot. The secret itself is shown only when it is set. The bot's owner and administrators only.",
      method: "GET",
      path: secretPath,
      params: { bot_id: z.int() },
      returns: { is_set: z.boolean() },
      run: (ctx, { bot_id }) => ({ is_set: hasSecret(ctx, bot_id) }),
    }),
    endpoint("set-webhook-secret", {
      about:
        "Sets the secret with which tools must sign what they post as a bot, by default a new one, and returns it. It replaces one that is set. The bot's owner and administrators only.",
      method: "POST",
      path: secretPath,
      params: { bot_id: z.int(), secret: secretRule.optional() },
      returns: { secret: z.string() },
      run: async (ctx, { bot_id, secret }) => ({
        secret: await renewSecret(ctx, { bot_id, ...(secret === undefined ? {} : { secret }) }),
      }),
    }),
    endpoint("remove-webhook-secret", {
      about:
        "Removes a bot's secret, so that tools may post unsigned as it. The bot's owner and administrators only.",
      method: "DELETE",
      path: secretPath,
      params: { bot_id: z.int() },
      run: (ctx, { bot_id }) => removeSecret(ctx, bot_id),
    }),
    endpoint("get-webhook-template", {
      about:
        "Returns the template by which a bot words what is posted to `/external/json`, or null. The bot's owner and administrators only.",
      method: "GET",
      path: templatePath,
      params: { bot_id: z.int() },
      returns: { template: z.object({ topic: z.string(), content: z.string() }).nullable() },
      run: (ctx, { bot_id }) => ({ template: getTemplate(ctx, bot_id) }),
    }),
    endpoint("set-webhook-template", {
      about:
        "Sets the template by which a bot words what is posted to `/external/json`: Markdown, in which `{{build.name}}` stands for a field of the JSON, and `{{build.name | nobody}}` for a text if it is absent or empty ([the guide](../incoming-webhooks.md#a-template-of-your-own)). The bot's owner and administrators only.",
      method: "POST",
      path: templatePath,
      params: { bot_id: z.int(), ...webhookTemplate.shape },
      run: (ctx, given) => setTemplate(ctx, given),
    }),
    endpoint("remove-webhook-template", {
      about:
        "Removes a bot's template, so that what is posted to `/external/json` becomes a block of code. The bot's owner and administrators only.",
      method: "DELETE",
      path: templatePath,
      params: { bot_id: z.int() },
      run: (ctx, { bot_id }) => removeTemplate(ctx, bot_id),
    }),
    endpoint("try-webhook-template", {
      about:
        "Returns the message that a template would make of a payload, and the paths at which that has nothing. Stores and sends nothing. The bot's owner and administrators only.",
      method: "POST",
      path: `${templatePath}/try`,
      servedBy: "here",
      params: {
        bot_id: z.int(),
        ...webhookTemplate.shape,
        payload: z.string().max(maxBodyBytes).meta({ description: "JSON." }),
      },
      returns: templateTrial.shape,
      run: (ctx, { bot_id, payload, ...template }) => tryTemplate(ctx, { bot_id, template, payload }),
    }),
    endpoint("get-webhook-payloads", {
      about:
        "Lists what tools posted last to a bot that no sender words, the newest first: to `/external/json`, and to names that no sender has. Kept for a day, at most 10 of each bot, without those of more than 32768 characters. The bot's owner only.",
      method: "GET",
      path: "/bots/{bot_id:[0-9]+}/webhook_payloads",
      params: { bot_id: z.int() },
      returns: { payloads: z.array(webhookPayload) },
      run: (ctx, { bot_id }) => ({ payloads: listPayloads(ctx, bot_id) }),
    }),
    endpoint("post-external", {
      about:
        "Takes an event of another tool (docs/reference/senders.md) as JSON, or as a form, and " +
        "sends a message about it as the bot whose key is in the address: to the channel `stream`, or to the bot's owner. " +
        "`only_events` and `exclude_events` choose among the sender's events. If the bot has a secret, what is not signed with it is refused, as are senders that cannot sign.",
      method: "POST",
      path: "/external/{name}",
      auth: "address",
      body: wholeBody,
      params: { ...posting, payload: z.string().meta({ description: "The body of the request." }) },
      returns: receivedPost,
      run: (ctx, { payload: body, ...given }, request) =>
        receive(ctx, { ...given, body, query: queryBeyond(request) }, request),
    }),
    endpoint("get-external", {
      about:
        "Answers tools that check an address before they post to it, by GET or HEAD, with success, and sends nothing. " +
        "Uptime Kuma, UptimeRobot and others, which can put an event into the query of the address, cause a message, as with `POST`.",
      method: "GET",
      path: "/external/{name}",
      auth: "address",
      servedBy: "leader",
      params: posting,
      returns: receivedPost,
      run: (ctx, given, request) =>
        receive(ctx, { ...given, body: "", query: queryBeyond(request) }, request),
    }),
  ],
});

/** What the query of the address has besides our own parameters. */
function queryBeyond({ pathAndQuery }: RequestFacts): Map<string, string> {
  const query = new Map<string, string>();
  const start = pathAndQuery.indexOf("?");
  if (start >= 0) readForm(pathAndQuery.slice(start + 1), query);
  for (const own of ["api_key", ...Object.keys(posting)]) query.delete(own);
  return query;
}
