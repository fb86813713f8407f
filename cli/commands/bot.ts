import { z } from "zod";
import { reactivateUser } from "@/foundation/accounts/actions.ts";
import { getUser, listBots } from "@/foundation/accounts/queries.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import type { User } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { createBot, deactivateBot, regenerateBotKey, updateBot } from "@/outside/bots/actions.ts";
import { getBot } from "@/outside/bots/queries.ts";
import { botPatch, interfaces, newBot, shortName } from "@/outside/bots/schema.ts";
import {
  account,
  accountWithKeyShape,
  activeAccount,
  activeAccountShape,
  addressesOf,
  keyFacts,
  stateOf,
} from "../accounts.ts";
import { flag, operand, option } from "../args.ts";
import { command, isEmpty } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { facts, table } from "../output.ts";
import { userWith } from "../values.ts";
import { lossOfUsers } from "./user-ending.ts";

const kinds = {
  generic: botTypes.generic,
  incoming: botTypes.incomingWebhook,
  outgoing: botTypes.outgoingWebhook,
};
type Kind = keyof typeof kinds;
const kindName = z.enum(Object.keys(kinds) as [Kind, ...Kind[]]);
type Format = keyof typeof interfaces;
const formatName = z.enum(Object.keys(interfaces) as [Format, ...Format[]]);
const kindOf = (type: number | null | undefined): Kind =>
  kindName.options.find((name) => kinds[name] === type) ?? "generic";

const listed = activeAccountShape.extend({
  kind: kindName,
  bot_owner_id: z.int().nullable(),
  bot_owner_email: z.string().nullable(),
});
const whole = listed.extend({
  url: z.string().nullable(),
  format: formatName.nullable(),
  token: z.string().nullable(),
  default_sending_channel: z.string().nullable(),
});
const madeShape = accountWithKeyShape.extend({ bot_owner_id: z.int().nullable() });
type Shown = z.infer<typeof listed>;

/** "Build Bot" becomes "build"; the server appends "-bot". */
function shortNameFrom(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const joined = words.join("-").replace(/-bot$/, "").slice(0, 60);
  const result = shortName.safeParse(joined);
  return result.success
    ? result.data
    : failUsage("--short-name is required if the name has no Latin letters");
}

function botWith(ctx: Ctx, email: string): User {
  const user = userWith(ctx, email);
  return user.is_bot ? user : fail("BAD_REQUEST", `${email} is not a bot; see 'confab user --help'.`);
}

function presentBot(bot: User, addresses: ReadonlyMap<number, string>): Shown {
  const { bot_owner_id = null } = bot;
  const bot_owner_email = bot_owner_id === null ? null : (addresses.get(bot_owner_id) ?? null);
  return { ...activeAccount(bot), kind: kindOf(bot.bot_type), bot_owner_id, bot_owner_email };
}

function withOwners(ctx: Ctx, bots: readonly User[]): Shown[] {
  const addresses = addressesOf(
    ctx,
    bots.flatMap(({ bot_owner_id }) => bot_owner_id ?? []),
  );
  return bots.map((bot) => presentBot(bot, addresses));
}

function botNow(ctx: Ctx, user_id: number): z.infer<typeof whole> {
  const [found] = withOwners(ctx, [getUser(ctx, { user_id })]) as [Shown];
  const { services, default_sending_stream } = getBot(ctx, user_id);
  const [service] = services;
  const format = formatName.options.find((name) => interfaces[name] === service?.interface) ?? null;
  return {
    ...found,
    url: service?.base_url ?? null,
    format,
    token: service?.token ?? null,
    default_sending_channel: default_sending_stream,
  };
}

const keyNote = "A new one is made; what uses an old one stops working at once.";

const idOf = (ctx: Ctx, email: string) => userWith(ctx, email).user_id;
const named = operand("EMAIL", z.string(), "the bot's address or ID");
const url = option("URL", newBot.shape.payload_url, "for outgoing: the URL that messages are posted to");
const format = option("FORMAT", formatName.optional(), "for outgoing: generic, slack");
const owner = (about: string) => option("EMAIL", z.string().optional(), about);

export default [
  command({
    name: "bot create",
    summary: "Add a bot and show its API key",
    about:
      "Adds a bot and shows its API key. A generic bot may do what its owner may; an incoming bot can only send; for " +
      "an outgoing bot, the server posts messages that mention it, or are sent to it directly, to a URL.",
    examples: [
      "confab bot create --name 'Build Bot'",
      "confab bot create --name 'Build Bot' --short-name ci --owner ada@example.com --json",
      "confab bot create --name Answers --kind outgoing --url https://answers.example.com/hook",
    ],
    args: {
      name: option("NAME", newBot.shape.full_name, "its full name"),
      short_name: option(
        "NAME",
        newBot.shape.short_name.optional(),
        "the first part of its address (default: made from its name)",
      ),
      owner: owner("whose bot it is (default: the acting user)"),
      kind: option("KIND", kindName.default("generic"), kindName.options.join(", ")),
      url,
      format,
    },
    result: madeShape,
    run: async (ctx, { name, short_name = shortNameFrom(name), owner, kind, url, format }) => {
      const made = await createBot(ctx, {
        full_name: name,
        short_name,
        owner_id: owner === undefined ? undefined : idOf(ctx, owner),
        bot_type: kinds[kind],
        payload_url: url,
        interface_type: format && interfaces[format],
      });
      const { bot_owner_id = null } = made.user;
      return { ...account(made.user), api_key: made.api_key, bot_owner_id };
    },
    print: (made) => `Added the bot ${made.full_name}.\n${keyFacts(made)}`,
  }),

  command({
    name: "bot list",
    isUnaudited: true,
    summary: "List bots and their owners",
    examples: ["confab bot list"],
    args: {},
    result: z.array(listed),
    run: (ctx) => withOwners(ctx, listBots(ctx)),
    print: (bots) =>
      table(
        ["ID", "EMAIL", "NAME", "KIND", "OWNER", "STATE"],
        bots.map((bot) => [
          String(bot.user_id),
          bot.email,
          bot.full_name,
          bot.kind,
          bot.bot_owner_email ?? "",
          stateOf(bot),
        ]),
      ),
  }),

  command({
    name: "bot show",
    isUnaudited: true,
    summary: "Show one bot and its settings",
    about:
      "Shows a bot. Posts of an outgoing bot carry a token, by which the receiver knows that they come from this server.",
    examples: ["confab bot show ci-bot@example.com"],
    args: { bot: named },
    result: whole,
    run: (ctx, { bot }) => botNow(ctx, botWith(ctx, bot).user_id),
    print: (bot) =>
      facts([
        ["ID", String(bot.user_id)],
        ["Email", bot.email],
        ["Name", bot.full_name],
        ["Kind", bot.kind],
        ["Role", bot.role],
        ["Owner", bot.bot_owner_email ?? "nobody"],
        ["State", stateOf(bot)],
        ["Sends to", bot.default_sending_channel ?? "any channel"],
        ...(bot.url === null
          ? []
          : [
              ["Posts to", bot.url || "nowhere until --url sets an address"] as const,
              ["Format", bot.format ?? ""] as const,
              ["Token", bot.token ?? ""] as const,
            ]),
      ]),
  }),

  command({
    name: "bot update",
    summary: "Change a bot's name, owner, default channel or URL",
    about:
      "Changes a bot. If its owner gives it away, it needs a new key, and an outgoing bot a new --url. If somebody else " +
      "reassigns it, it keeps its key, which the former owner still knows.",
    examples: [
      "confab bot update ci-bot@example.com --name 'Build Bot' --owner ada@example.com",
      "confab bot update ci-bot@example.com --channel builds",
      "confab bot update answers-bot@example.com --url https://answers.example.com/new",
    ],
    args: {
      bot: named,
      name: option("NAME", botPatch.shape.full_name, "its new name"),
      owner: owner("whose bot it is"),
      channel: option(
        "CHANNEL",
        botPatch.shape.default_sending_stream,
        "the channel it sends to by default; '' for none",
      ),
      url,
      format,
    },
    result: whole,
    run: async (ctx, { bot, name, owner, channel, url, format }) => {
      if (isEmpty({ name, owner, channel, url, format })) failUsage("say what changes, as --name or --owner");
      const bot_id = botWith(ctx, bot).user_id;
      await updateBot(ctx, {
        bot_id,
        full_name: name,
        bot_owner_id: owner === undefined ? undefined : idOf(ctx, owner),
        default_sending_stream: channel,
        service_payload_url: url,
        service_interface: format && interfaces[format],
      });
      return botNow(ctx, bot_id);
    },
    print: (bot) => `Changed the bot ${bot.full_name}.`,
  }),

  command({
    name: "bot api-key",
    summary: "Replace a bot's API key",
    examples: [
      "confab bot api-key ci-bot@example.com --rotate",
      "confab bot api-key ci-bot@example.com --rotate --yes",
    ],
    args: {
      bot: named,
      rotate: flag(z.boolean().default(false), "create the new key; the old one stops working at once"),
      yes,
    },
    result: accountWithKeyShape,
    run: async (ctx, { bot, rotate, yes }) => {
      const user = botWith(ctx, bot);
      if (!rotate) failUsage("add --rotate to create a new key; the old one stops working at once");
      await confirm({ does: "ends", count: [1, "key"], of: `of ${user.full_name}`, note: keyNote }, yes);
      return { ...account(user), api_key: await regenerateBotKey(ctx, user.user_id) };
    },
    print: (made) => `${made.full_name} has a new key; the old one no longer works.\n${keyFacts(made)}`,
  }),

  command({
    name: "bot deactivate",
    summary: "Deactivate a bot; its messages stay",
    examples: ["confab bot deactivate ci-bot@example.com --yes"],
    args: { bot: named, yes },
    result: activeAccountShape,
    run: async (ctx, { bot, yes }) => {
      const found = botWith(ctx, bot);
      const { user_id } = found;
      if (found.is_active) await confirm(lossOfUsers(ctx, [found]), yes);
      await deactivateBot(ctx, user_id);
      return activeAccount(getUser(ctx, { user_id }));
    },
    print: ({ full_name }) => `${full_name} is now deactivated.`,
  }),

  command({
    name: "bot reactivate",
    summary: "Reactivate a bot",
    examples: ["confab bot reactivate ci-bot@example.com"],
    args: { bot: named },
    result: activeAccountShape,
    run: async (ctx, { bot }) => activeAccount(await reactivateUser(ctx, botWith(ctx, bot).user_id)),
    print: ({ full_name }) => `${full_name} is active again.`,
  }),
];
