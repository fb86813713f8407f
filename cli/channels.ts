import { z } from "zod";
import { createChannel } from "@/channels/actions.ts";
import { getChannel, getChannelId, listChannels } from "@/channels/queries.ts";
import { type Channel, channelDescription, channelName } from "@/channels/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { subscribe } from "@/subscriptions/actions.ts";
import { getUserByEmail } from "@/users/queries.ts";
import { flag, operand, operands, option, options } from "./args.ts";
import { command } from "./command.ts";
import { table } from "./output.ts";

const shown = ({ stream_id, name, description, invite_only, is_archived, subscriber_count }: Channel) => ({
  channel_id: stream_id,
  name,
  description,
  invite_only,
  is_archived,
  subscriber_count,
});

const addresses = z.array(z.string());
const idsOf = (ctx: Ctx, emails: readonly string[]) =>
  emails.map((email) => getUserByEmail(ctx, { email }).user_id);
const people = (count: number) => (count === 1 ? "1 subscriber" : `${count} subscribers`);

export default [
  command({
    name: "channel create",
    summary: "Create a channel",
    examples: [
      "confab channel create design --description 'How things look'",
      "confab channel create board --private --subscribe ada@example.com gus@example.com",
    ],
    args: {
      channel: operand("NAME", channelName, "its name"),
      description: option("TEXT", channelDescription.default(""), "what it is for, in Markdown"),
      private: flag(z.boolean().default(false), "only its subscribers know of it"),
      subscribe: options("EMAIL", addresses.optional(), "who is subscribed (default: who acts)"),
    },
    run: async (ctx, { channel, description, private: invite_only, subscribe: emails }) => {
      const subscribers = emails ? idsOf(ctx, emails) : [ctx.actor.id];
      return shown(await createChannel(ctx, { name: channel, description, invite_only, subscribers }));
    },
    print: ({ name, channel_id, subscriber_count }) =>
      `Created the channel ${name} (ID ${channel_id}) with ${people(subscriber_count)}.`,
  }),

  command({
    name: "channel list",
    summary: "List channels",
    examples: ["confab channel list"],
    args: {},
    run: (ctx) => listChannels(ctx, { include_all: true }).map(shown),
    print: (channels) =>
      table(
        ["ID", "NAME", "KIND", "SUBSCRIBERS", "DESCRIPTION"],
        channels.map((channel) => [
          String(channel.channel_id),
          channel.name,
          kindOf(channel),
          String(channel.subscriber_count),
          channel.description,
        ]),
      ),
  }),

  command({
    name: "channel subscribe",
    summary: "Subscribe users to a channel",
    examples: ["confab channel subscribe design ada@example.com gus@example.com"],
    args: {
      channel: operand("CHANNEL", channelName, "the channel's name"),
      emails: operands("EMAIL", addresses.min(1), "addresses of the users"),
    },
    run: async (ctx, { channel, emails }) => {
      await subscribe(ctx, { names: [channel], user_ids: emails, is_told: true });
      return shown(getChannel(ctx, getChannelId(ctx, channel)));
    },
    print: ({ name, subscriber_count }) => `${name} has ${people(subscriber_count)} now.`,
  }),
];

function kindOf({ is_archived, invite_only }: ReturnType<typeof shown>): string {
  if (is_archived) return "archived";
  return invite_only ? "private" : "public";
}
