import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { listBotCalls } from "@/outside/bot-calls/queries.ts";
import { botCall } from "@/outside/bot-calls/schema.ts";
import {
  removeSecret,
  removeTemplate,
  renewSecret,
  sendTestEvent,
  setTemplate,
} from "@/outside/incoming-webhooks/actions.ts";
import {
  fieldsOf,
  getTemplate,
  listPayloads,
  listSenders,
  tryTemplate,
  tryWebhook,
} from "@/outside/incoming-webhooks/queries.ts";
import {
  maxBodyBytes,
  outcomes,
  secretRule,
  senderFacts,
  type TemplateTrial,
  templateTrial,
  type WebhookTemplate,
  webhookPayload,
  webhookTemplate,
} from "@/outside/incoming-webhooks/schema.ts";
import { testWebhook } from "@/outside/webhooks/actions-testing.ts";
import { testAnswer } from "@/outside/webhooks/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command, standalone } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { fileOperand, readGivenBytes } from "../files.ts";
import { failUsage } from "../misuse.ts";
import { table, timeText } from "../output.ts";
import { userWith } from "../values.ts";

const senderName = operand("NAME", z.string(), "a sender that 'confab webhook list' shows");
const header = z
  .string()
  .regex(/^[A-Za-z0-9-]+: ?.+$/, "A header is NAME: VALUE.")
  .optional();

const botAddress = operand("EMAIL", z.string(), "the bot's address or ID");

const listedSender = senderFacts.extend({ address: z.string() });

const trialShape = z.object({
  event: z.string(),
  outcome: z.enum(outcomes),
  topic: z.string().nullable(),
  content: z.string().nullable(),
});

type Trial = z.infer<typeof trialShape>;

function headersOf(line: string | undefined): Record<string, string> {
  if (line === undefined) return {};
  const colon = line.indexOf(":");
  return { [line.slice(0, colon).toLowerCase()]: line.slice(colon + 1).trim() };
}

const templateArgs = {
  content: option(
    "MARKDOWN",
    webhookTemplate.shape.content.optional(),
    "the template of the message, with {{paths}} to fields",
  ),
  topic: option(
    "TOPIC",
    webhookTemplate.shape.topic.unwrap().optional(),
    "the template of the topic (default: JSON)",
  ),
};

function templateGiven({
  topic = "",
  content,
}: {
  topic: string | undefined;
  content: string | undefined;
}): WebhookTemplate | null {
  if (content === undefined && topic !== "") failUsage("--topic goes with --content");
  return content === undefined ? null : { topic, content };
}

const trials = (ctx: Ctx, bot_id: number, template: WebhookTemplate) =>
  listPayloads(ctx, bot_id).flatMap(({ at, sender, payload }) =>
    payload === null ? [] : [{ at, sender, ...tryTemplate(ctx, { bot_id, template, payload }) }],
  );

function trialText({
  at,
  sender,
  topic,
  content,
  absent,
}: TemplateTrial & { at: number; sender: string }): string {
  const lacking = absent.length === 0 ? "" : `\nAbsent ${absent.join(", ")}`;
  return `Posted ${timeText(at)} to ${sender}\nTopic  ${topic}${lacking}\n\n${content ?? "(no message)"}`;
}

export default [
  command({
    name: "webhook list",
    isUnaudited: true,
    summary: "List the tools whose events bots can post",
    about:
      "Lists the tools whose events bots can post. Make a bot with 'confab bot create --kind incoming' and enter the address " +
      "at the tool, with the bot's KEY and the name of a CHANNEL. Without a channel, the bot writes to its " +
      "owner. 'only_events' and 'exclude_events', JSON lists, choose among the events.",
    examples: ["confab webhook list"],
    args: {},
    result: z.array(listedSender),
    run: (ctx) =>
      listSenders(ctx).map((sender) => {
        const address = `${ctx.env.site}/api/v1/external/${sender.name}?api_key=KEY&stream=CHANNEL`;
        return { ...sender, address };
      }),
    print: (senders) =>
      table(
        ["NAME", "FROM", "SIGNS", "EVENTS", "ADDRESS TO ENTER THERE", "WHERE", "LEFT OUT UNLESS ASKED FOR"],
        senders.map(({ name, title, where, field, signs, events, address, left_out }) => [
          name,
          title,
          signs ? "yes" : "no",
          String(events.length),
          address,
          `${where}: ${field}`,
          left_out.length === 0
            ? "none"
            : `${left_out.slice(0, 3).join(", ")}${left_out.length > 3 ? " …" : ""}`,
        ]),
      ),
  }),

  command({
    name: "webhook list-calls",
    isUnaudited: true,
    summary: "List the last calls of a bot, and what became of them",
    about:
      "Lists what tools posted to a bot, and what the server posted to the URL of an outgoing one, the newest first. " +
      "They are kept for a day, at most 50 of each bot.",
    examples: ["confab webhook list-calls build-bot@example.com"],
    args: { email: botAddress },
    result: z.array(botCall),
    run: (ctx, { email }) => listBotCalls(ctx, userWith(ctx, email).user_id),
    print: (calls) =>
      table(
        ["TIME (UTC)", "WAY", "ABOUT", "OUTCOME", "MESSAGE", "REASON"],
        calls.map(({ at, direction, about, outcome, message_id, reason, is_test }) => [
          timeText(at),
          direction,
          is_test ? `${about} (test)` : about,
          outcome.replaceAll("_", " "),
          message_id === null ? "" : String(message_id),
          reason ?? "",
        ]),
      ),
  }),

  command({
    name: "webhook test",
    summary: "Post a test event as a bot, or to the URL of an outgoing one",
    about:
      "With a sender: posts a sample of its events as the bot, to a channel or to the bot's owner. Without one: posts a sample " +
      "message to the URL of an outgoing bot, and shows what it would have replied, or why that failed.",
    examples: [
      "confab webhook test build-bot@example.com --sender github --channel builds",
      "confab webhook test answers-bot@example.com",
    ],
    args: {
      email: botAddress,
      sender: option("NAME", z.string().optional(), "a sender that 'confab webhook list' shows"),
      channel: option("CHANNEL", z.string().optional(), "the channel to post to, by name"),
      topic: option("TOPIC", z.string().optional(), "the topic to post to"),
    },
    result: z.object({ message_id: z.int().nullable(), answer: testAnswer.nullable() }),
    run: async (ctx, { email, sender, channel, topic }) => {
      const bot_id = userWith(ctx, email).user_id;
      if (sender === undefined) return { message_id: null, answer: await testWebhook(ctx, bot_id) };
      const message_id = await sendTestEvent(ctx, { bot_id, sender, to: channel, topic });
      return { message_id, answer: null };
    },
    print: ({ message_id, answer }) => {
      if (answer === null) return `Posted the message ${message_id}.`;
      const { reply, problem, milliseconds } = answer;
      if (problem !== null) return `It failed: ${problem}.`;
      return `It answered in ${milliseconds} ms${reply === null ? ", with no reply." : `:\n${reply}`}`;
    },
  }),

  standalone({
    name: "webhook try",
    isApart: true,
    summary: "Show the message that an event would cause",
    about:
      "Shows the topic and the message that a bot would send about an event, and sends nothing; needs no organization. Some senders " +
      "name the event in a header: give it with --header. --content tries a template of your own on any JSON.",
    examples: [
      "confab webhook try alertmanager alert.json",
      "confab webhook try json build.json --content 'Build {{build.name}} is {{state | unknown}}'",
      "confab webhook try github push.json --header 'X-GitHub-Event: push'",
    ],
    args: {
      name: senderName,
      file: fileOperand("the event as JSON", { maxBytes: maxBodyBytes, takesInput: true }),
      header: option("LINE", header, "a header of the request"),
      title_field: option(
        "FIELD",
        z.string().optional(),
        "for json: the field that becomes the title, such as build.name",
      ),
      ...templateArgs,
    },
    result: trialShape,
    run: async ({ show }, { name, file, header, title_field = "", topic, content }) => {
      const template = templateGiven({ topic, content });
      if (template && name !== "json") failUsage("--content is for json: other senders have their own texts");
      const body = new TextDecoder().decode(await readGivenBytes(file, maxBodyBytes));
      const options = { title_field };
      const found = tryWebhook({ sender: name, body, headers: headersOf(header), options, template });
      const said = found.outcome === "sent" ? found.said : null;
      const { event, outcome } = found;
      await show({ event, outcome, topic: said?.topic ?? null, content: said?.content ?? null });
    },
    json: (trial: Trial) => trial,
    print: ({ event, outcome, topic, content }: Trial) => {
      if (content !== null) return `Event  ${event}\nTopic  ${topic}\n\n${content}`;
      return outcome === "unknown_event"
        ? `The event '${event}' is unknown.`
        : `The event '${event}' causes no message.`;
    },
  }),

  command({
    name: "webhook template",
    isUnaudited: ({ content, remove, dry_run }) => (content === undefined ? !remove : dry_run),
    summary: "Word what a tool posts by a template of your own",
    about:
      "Sets how a bot words the JSON that is posted to /api/v1/external/json: Markdown, in which {{build.name}} stands for a field, " +
      "and {{build.name | nobody}} for a text if it is absent. Without --content, shows the template. With --dry-run, shows what the given " +
      "template, or the one that is set, makes of what tools posted last, which only the bot's owner may read. --remove ends the template.",
    examples: [
      "confab webhook template build-bot@example.com --content 'Build {{build.name}}: {{state}}' --topic '{{project}}'",
      "confab --as mel@example.com webhook template build-bot@example.com --dry-run",
      "confab webhook template build-bot@example.com --remove --yes",
    ],
    args: {
      email: botAddress,
      ...templateArgs,
      dry_run: flag(z.boolean().default(false), "only show what it makes of what tools posted last"),
      remove: flag(z.boolean().default(false), "show what is posted as a block of code again"),
      yes,
    },
    result: z.object({
      email: z.string(),
      template: webhookTemplate.nullable(),
      trials: z.array(templateTrial.extend({ at: z.int(), sender: z.string() })),
    }),
    run: async (ctx, { email, topic, content, dry_run, remove, yes }) => {
      const given = templateGiven({ topic, content });
      if (remove && (given || dry_run)) failUsage("--remove goes with neither --content nor --dry-run");
      const { user_id: bot_id } = userWith(ctx, email);
      if (remove) {
        const note = "What is posted becomes a block of code then.";
        await confirm({ does: "removes", count: [1, "template"], of: `of ${email}`, note }, yes);
        await removeTemplate(ctx, bot_id);
        return { email, template: null, trials: [] };
      }
      const template = given ?? getTemplate(ctx, bot_id);
      if (!dry_run && given) await setTemplate(ctx, { bot_id, ...given });
      return { email, template, trials: dry_run && template ? trials(ctx, bot_id, template) : [] };
    },
    print: ({ email, template, trials }, { dry_run }) => {
      if (!template) return `${email} has no template.`;
      if (!dry_run) return `Topic  ${template.topic || "JSON"}\n\n${template.content}`;
      return trials.length === 0
        ? "Nothing was posted in the last 24 hours."
        : trials.map(trialText).join("\n\n");
    },
  }),

  command({
    name: "webhook list-payloads",
    isUnaudited: true,
    summary: "List what tools posted last to a bot that a template can word",
    about:
      "Lists what was posted to /api/v1/external/json, and to names that no sender has, the newest first, with the fields that a template can name. " +
      "Kept for a day, at most 10 of each bot, and shown to the bot's owner only (--as). --json has all of it.",
    examples: ["confab --as mel@example.com webhook list-payloads build-bot@example.com"],
    args: { email: botAddress },
    result: z.array(webhookPayload.extend({ fields: z.array(z.string()) })),
    run: (ctx, { email }) =>
      listPayloads(ctx, userWith(ctx, email).user_id).map((one) => ({ ...one, fields: fieldsOf(one) })),
    print: (payloads) =>
      table(
        ["TIME (UTC)", "POSTED TO", "SIZE", "FIELDS"],
        payloads.map(({ at, sender, size, payload, fields }) => [
          timeText(at),
          sender,
          String(size),
          payload === null ? "(too large to keep)" : fields.join(", "),
        ]),
      ),
  }),

  command({
    name: "webhook secret",
    summary: "Require signatures of the tools that post as a bot",
    about:
      "Creates a secret for a bot and shows it. Enter it in the tool, too: from then on, what is not signed with it is " +
      "refused, as are tools that cannot sign. --remove ends that.",
    examples: [
      "confab webhook secret build-bot@example.com",
      "confab webhook secret build-bot@example.com --remove --yes",
    ],
    args: {
      email: botAddress,
      secret: option("SECRET", secretRule.optional(), "the secret that the tool made (default: a new one)"),
      remove: flag(z.boolean().default(false), "let senders post unsigned again"),
      yes,
    },
    result: z.object({ email: z.string(), secret: z.string().nullable() }),
    run: async (ctx, { email, secret, remove, yes }) => {
      if (remove && secret !== undefined) failUsage("--remove and --secret exclude each other");
      const { user_id } = userWith(ctx, email);
      if (!remove)
        return { email, secret: await renewSecret(ctx, { bot_id: user_id, ...(secret ? { secret } : {}) }) };
      const note = "Anybody who knows its address can post as it then.";
      await confirm({ does: "removes", count: [1, "secret"], of: `of ${email}`, note }, yes);
      await removeSecret(ctx, user_id);
      return { email, secret: null };
    },
    print: ({ email, secret }) =>
      secret === null
        ? `Tools that post as ${email} need not sign.`
        : `Tools that post as ${email} must sign with:\n${secret}`,
  }),
];
