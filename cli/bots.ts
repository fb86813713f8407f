import { z } from "zod";
import { createBot } from "@/bots/actions.ts";
import { shortName } from "@/bots/schema.ts";
import { getUserByEmail, listBots, listUsers } from "@/users/queries.ts";
import { fullName, type User } from "@/users/schema.ts";
import { account, accountWithKey, keyFacts } from "./accounts.ts";
import { option } from "./args.ts";
import { command, misused } from "./command.ts";
import { table } from "./output.ts";

/** "Build Bot" becomes "build"; the address adds "-bot" itself. */
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
    : misused("--short-name is needed with a name that holds no Latin letters");
}

export default [
  command({
    name: "bot create",
    summary: "Add a bot and show its API key",
    examples: [
      "confab bot create --name 'Build Bot'",
      "confab bot create --name 'Build Bot' --short-name ci --owner ada@example.com --json",
    ],
    args: {
      name: option("NAME", fullName, "its full name"),
      short_name: option(
        "NAME",
        shortName.optional(),
        "the first part of its address (default: made from its name)",
      ),
      owner: option("EMAIL", z.string().optional(), "whose bot it is (default: who acts)"),
    },
    run: async (ctx, { name, short_name = shortNameFrom(name), owner }) => {
      const owner_id = owner === undefined ? undefined : getUserByEmail(ctx, { email: owner }).user_id;
      const made = await createBot(ctx, { full_name: name, short_name, owner_id });
      return { ...accountWithKey(made), bot_owner_id: made.user.bot_owner_id ?? null };
    },
    print: (made) => `Added the bot ${made.full_name}.\n${keyFacts(made)}`,
  }),

  command({
    name: "bot list",
    summary: "List bots and their owners",
    examples: ["confab bot list"],
    args: {},
    run: (ctx) => {
      const bots = listBots(ctx);
      const owners = listUsers(ctx, { user_ids: bots.flatMap(({ bot_owner_id }) => bot_owner_id ?? []) });
      const addresses = new Map(
        owners.map(({ user_id, email, delivery_email }) => [user_id, delivery_email ?? email]),
      );
      return bots.map((bot) => shown(bot, addresses));
    },
    print: (bots) =>
      table(
        ["ID", "EMAIL", "NAME", "OWNER", "STATE"],
        bots.map((bot) => [
          String(bot.user_id),
          bot.email,
          bot.full_name,
          bot.bot_owner_email ?? "",
          bot.is_active ? "active" : "deactivated",
        ]),
      ),
  }),
];

function shown(bot: User, addresses: ReadonlyMap<number, string>) {
  const { bot_owner_id = null, is_active } = bot;
  const bot_owner_email = bot_owner_id === null ? null : (addresses.get(bot_owner_id) ?? null);
  return { ...account(bot), bot_owner_id, bot_owner_email, is_active };
}
