import { z } from "zod";
import { getUserByEmail, listBots, listUsers } from "@/foundation/accounts/queries.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { addressOf, fullName, type User, userId } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { listBotCalls } from "@/outside/bot-calls/queries.ts";
import type { BotCall } from "@/outside/bot-calls/schema.ts";
import { getBot } from "@/outside/bots/queries.ts";
import { payloadUrl, shortName } from "@/outside/bots/schema.ts";
import {
  fieldsOf,
  getTemplate,
  hasSecret,
  listPayloads,
  tryTemplate,
} from "@/outside/incoming-webhooks/queries.ts";
import type { WebhookPayload } from "@/outside/incoming-webhooks/schema.ts";
import { createBot, updateBot } from "../changes/people.ts";
import { auditFact, toAccount } from "../jumps.ts";
import { timeText } from "../layout.ts";
import { addresses } from "../names.ts";
import { changeForm, form, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { accountActions, keyFacts, stateColumn } from "./accounts.ts";

const name = { label: "Name", about: "As others see it.", rule: fullName, isOwn: true };

const kinds = {
  generic: botTypes.generic,
  "only sends (incoming webhook)": botTypes.incomingWebhook,
  "called at a URL (outgoing webhook)": botTypes.outgoingWebhook,
};
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as [Kind, ...Kind[]];
const shortKinds = new Map<number | null | undefined, string>([
  [botTypes.incomingWebhook, "incoming"],
  [botTypes.outgoingWebhook, "outgoing"],
]);
const kindOf = ({ bot_type }: User) => shortKinds.get(bot_type) ?? "generic";

function ownerField(now: Ctx) {
  return {
    label: "Owner",
    about: "Email address of the bot's owner.",
    rule: userId,
    choices: () => addresses(now),
    open: true,
    read: (ctx: Ctx, email: string) => getUserByEmail(ctx, { email }).user_id,
  };
}

function newBot(now: Ctx): ScreenForm {
  return form({
    title: "A new bot",
    fields: {
      full_name: name,
      short_name: {
        label: "Short name",
        about: "The first part of its address; -bot is appended.",
        rule: shortName,
      },
      owner_id: ownerField(now),
      kind: {
        label: "Kind",
        about: "A generic bot may do what its owner may.",
        rule: z.enum(kindNames),
      },
      payload_url: {
        label: "URL",
        about: "Of an outgoing webhook: where messages to the bot are posted. Empty for the other kinds.",
        rule: z.union([z.literal(""), payloadUrl]),
      },
    },
    async submit(ctx, { kind, payload_url, ...input }) {
      const { user, api_key } = await createBot(ctx, {
        ...input,
        bot_type: kinds[kind],
        payload_url: payload_url === "" ? undefined : payload_url,
      });
      return { message: `Added the bot ${user.full_name}.`, secret: keyFacts(user, api_key) };
    },
  });
}

function edit(now: Ctx, bot: Bot): ScreenForm {
  return changeForm({
    title: `The bot ${bot.full_name}`,
    fields: {
      full_name: { ...name, start: bot.full_name },
      bot_owner_id: { ...ownerField(now), start: bot.owner_email },
    },
    async submit(ctx, changes) {
      await updateBot(ctx, { bot_id: bot.user_id, ...changes });
      return { message: `Changed the bot ${changes.full_name ?? bot.full_name}.` };
    },
  });
}

interface Bot extends User {
  owner: string;
  owner_email: string;
}

function rows({ ctx }: ConsoleSession): Bot[] {
  const now = ctx();
  const bots = listBots(now);
  const user_ids = [...new Set(bots.flatMap(({ bot_owner_id }) => bot_owner_id ?? []))];
  const owners = new Map(listUsers(now, { user_ids }).map((user) => [user.user_id, user]));
  return bots.map((bot) => {
    const owner = owners.get(bot.bot_owner_id ?? 0);
    return { ...bot, owner: owner?.full_name ?? "", owner_email: owner ? addressOf(owner) : "" };
  });
}

/** Of the last ones; the commands list all. */
const shown = { posts: 3, calls: 10 };

/** How the bot words any JSON, what tools posted last, and what became of it; only the owner reads what was posted. */
function textOf(ctx: Ctx, { user_id: bot_id, bot_owner_id }: Bot): string {
  const template = getTemplate(ctx, bot_id);
  const messageOf = (payload: string) =>
    template ? `\n→ ${tryTemplate(ctx, { bot_id, template, payload }).content ?? "no message"}` : "";
  const postText = (one: WebhookPayload) =>
    one.payload === null
      ? `${timeText(one.at)} to ${one.sender}: too large to keep`
      : `${timeText(one.at)} to ${one.sender}: ${fieldsOf(one).join(", ")}${messageOf(one.payload)}`;
  const posts =
    ctx.actor.id === bot_owner_id ? listPayloads(ctx, bot_id).slice(0, shown.posts).map(postText) : [];
  const calls = listBotCalls(ctx, bot_id).slice(0, shown.calls).map(callText);
  return [
    ...(template ? [`Template of any JSON, topic ${template.topic || "JSON"}:\n${template.content}`] : []),
    ...(posts.length > 0 ? ["The last posts, with the fields for a template:", ...posts] : []),
    ...(calls.length > 0 ? [`Last calls:\n${calls.join("\n")}`] : []),
  ].join("\n\n");
}

function callText({ at, direction, about, outcome, reason, is_test }: BotCall): string {
  const what = `${direction} ${about}${is_test ? " (test)" : ""}: ${outcome.replaceAll("_", " ")}`;
  return `${timeText(at)} ${what}${reason === null ? "" : ` (${reason})`}`;
}

export const bots = screen<Bot>({
  key: "3",
  title: "Bots",
  area: "People",
  noun: "bot",
  about: "programs with an account",
  empty: "There are no bots.",
  rows,
  id: ({ user_id }) => user_id,
  copies: addressOf,
  page: ({ user_id }) => `/#user/${user_id}`,
  columns: [
    { title: "NAME", value: ({ full_name }) => full_name },
    { title: "EMAIL", value: addressOf, grow: true, spare: true },
    { title: "KIND", value: kindOf },
    { title: "OWNER", value: ({ owner }) => owner },
    stateColumn,
  ],
  facts: ({ ctx }, bot) => [
    ["Name", bot.full_name],
    ["Email", addressOf(bot)],
    ["ID", String(bot.user_id)],
    ["Kind", kindOf(bot)],
    ...getBot(ctx(), bot.user_id).services.map(({ base_url }) => ["Called at", base_url] as const),
    ["Owner", bot.owner, toAccount(ctx(), bot.bot_owner_id)],
    ["Posts", hasSecret(ctx(), bot.user_id) ? "of tools that sign" : "of tools, signed or not"],
    ["State", stateColumn.value(bot)],
    ["Added", bot.date_joined.slice(0, 16).replace("T", " ")],
    auditFact(addressOf(bot)),
  ],
  text: ({ ctx }, bot) => textOf(ctx(), bot),
  create: { title: "new bot", need: "can_create_bots_group", form: newBot },
  edit,
  editNeed: "anyone",
  mayEdit: ({ is_active }) => is_active,
  rowActions: accountActions(),
});
