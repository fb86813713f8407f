import { z } from "zod";
import { removeSecret, renewSecret } from "@/outside/incoming-webhooks/actions.ts";
import { listSenders, tryWebhook } from "@/outside/incoming-webhooks/queries.ts";
import { maxBodyBytes, outcomes, secretRule } from "@/outside/incoming-webhooks/schema.ts";
import { flag, operand, option } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { fileOperand, readGivenBytes } from "../files.ts";
import { failUsage } from "../misuse.ts";
import { table } from "../output.ts";
import { userWith } from "../values.ts";

const senderName = operand("NAME", z.string(), "a sender that 'confab webhook list' shows");
const header = z
  .string()
  .regex(/^[A-Za-z0-9-]+: ?.+$/, "A header is NAME: VALUE.")
  .optional();

const senderShape = z.object({
  name: z.string(),
  title: z.string(),
  signs: z.boolean(),
  events: z.array(z.string()),
  left_out: z.array(z.string()),
});

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
      "Lists the tools whose events bots can post. Make a bot with 'confab bot create --kind incoming' and enter this address " +
      "at the tool: https://SERVER/api/v1/external/NAME?api_key=KEY&stream=CHANNEL. Without a channel, the bot writes to its " +
      "owner. 'only_events' and 'exclude_events', JSON lists, choose among the events.",
    examples: ["confab webhook list"],
    args: {},
    result: z.array(senderShape),
    run: (ctx) => listSenders(ctx),
    print: (senders) =>
      table(
        ["NAME", "FROM", "SIGNS", "EVENTS", "LEFT OUT UNLESS ASKED FOR"],
        senders.map(({ name, title, signs, events, left_out }) => [
          name,
          title,
          signs ? "yes" : "no",
          String(events.length),
          left_out.length === 0
            ? "none"
            : `${left_out.slice(0, 3).join(", ")}${left_out.length > 3 ? " …" : ""}`,
        ]),
      ),
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
      "Creates a secret for a bot and shows it. Enter it in the tool, too: from then on, tools that can sign their events must sign " +
      "what they post as this bot. --remove ends that.",
    examples: [
      "confab webhook secret build-bot@example.com",
      "confab webhook secret build-bot@example.com --remove --yes",
    ],
    args: {
      email: operand("EMAIL", z.string(), "the bot's address"),
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
