import { z } from "zod";
import { listBotCalls } from "@/outside/bot-calls/queries.ts";
import { botCall } from "@/outside/bot-calls/schema.ts";
import { removeSecret, renewSecret, sendTestEvent } from "@/outside/incoming-webhooks/actions.ts";
import { listSenders, tryWebhook } from "@/outside/incoming-webhooks/queries.ts";
import { maxBodyBytes, outcomes, secretRule, senderFacts } from "@/outside/incoming-webhooks/schema.ts";
import { testWebhook } from "@/outside/webhooks/actions-testing.ts";
import { testAnswer } from "@/outside/webhooks/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
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

function headersOf(line: string | undefined): Record<string, string> {
  if (line === undefined) return {};
  const colon = line.indexOf(":");
  return { [line.slice(0, colon).toLowerCase()]: line.slice(colon + 1).trim() };
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

  command({
    name: "webhook try",
    isUnaudited: true,
    summary: "Show the message that an event would cause",
    about:
      "Shows the topic and the message that a bot would send about an event, and sends nothing. Some senders name the event " +
      "in a header: give it with --header.",
    examples: [
      "confab webhook try alertmanager alert.json",
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
    },
    result: trialShape,
    run: async (ctx, { name, file, header, title_field = "" }) => {
      const body = new TextDecoder().decode(await readGivenBytes(file, maxBodyBytes));
      const found = tryWebhook(ctx, {
        sender: name,
        body,
        headers: headersOf(header),
        options: { title_field },
      });
      const said = found.outcome === "sent" ? found.said : null;
      return {
        event: found.event,
        outcome: found.outcome,
        topic: said?.topic ?? null,
        content: said?.content ?? null,
      };
    },
    print: ({ event, outcome, topic, content }) => {
      if (content !== null) return `Event  ${event}\nTopic  ${topic}\n\n${content}`;
      return outcome === "unknown_event"
        ? `The event '${event}' is unknown.`
        : `The event '${event}' causes no message.`;
    },
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
