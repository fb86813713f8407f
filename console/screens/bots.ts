import { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { createBot } from "@/users/actions.ts";
import { getUserByEmail, listBots } from "@/users/queries.ts";
import { fullName, type User, userId } from "@/users/schema.ts";
import { addresses, addressOf, userNames } from "../names.ts";
import { type Form, form, screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { accountDeeds, keyFacts, stateColumn } from "./accounts.ts";

const shortName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$/,
    "A short name has letters, digits, dots and dashes alone.",
  );

function newBot(now: Ctx): Form {
  const people = addresses(now);
  return form({
    title: "A new bot",
    fields: {
      full_name: { label: "Name", about: "As others see it.", rule: fullName },
      short_name: {
        label: "Short name",
        about: "Its address begins with it; -bot is added.",
        rule: shortName,
      },
      owner_id: {
        label: "Owner",
        about: "Whose bot it is, by address.",
        rule: userId,
        choices: people,
        open: true,
        read: (ctx, email) => getUserByEmail(ctx, { email }).user_id,
      },
    },
    async submit(ctx, input) {
      const { user, api_key } = await createBot(ctx, input);
      return { said: `Added the bot ${user.full_name}.`, secret: keyFacts(user, api_key) };
    },
  });
}

interface Bot extends User {
  owner: string;
}

function rows({ ctx }: Session): Bot[] {
  const now = ctx();
  const nameOf = userNames(now);
  return listBots(now).map((bot) => ({ ...bot, owner: nameOf(bot.bot_owner_id) }));
}

export const bots = screen<Bot>({
  key: "3",
  title: "Bots",
  about: "programs with an account",
  empty: "There are no bots.",
  rows,
  id: ({ user_id }) => user_id,
  columns: [
    { title: "NAME", value: ({ full_name }) => full_name },
    { title: "EMAIL", value: addressOf, grow: true },
    { title: "OWNER", value: ({ owner }) => owner },
    stateColumn,
  ],
  facts: (_, bot) => [
    ["Name", bot.full_name],
    ["Email", addressOf(bot)],
    ["ID", String(bot.user_id)],
    ["Owner", bot.owner],
    ["State", stateColumn.value(bot)],
    ["Added", bot.date_joined],
  ],
  create: { title: "new bot", form: newBot },
  deeds: accountDeeds(),
});
