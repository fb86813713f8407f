import { z } from "zod";
import { channelGrants, type GrantName } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import {
  asRealm,
  forEver,
  parseRetention,
  retentionText,
  topicsOf,
  topicsText,
} from "@/foundation/realm/words.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { updateChannel } from "@/places/channel-administration/actions-changes.ts";
import { getChannel, listChannelsInSlices } from "@/places/channel-administration/queries.ts";
import { type Channel, channelPatch, newChannel, retention, topicsPolicy } from "@/places/channels/schema.ts";
import { subscribe, unsubscribe } from "@/places/subscriptions/actions.ts";
import { flag, operand, operands, option, options } from "../args.ts";
import { command, isEmpty } from "../command.ts";
import { failUsage } from "../misuse.ts";
import { facts, table } from "../output.ts";
import { changingRetention, retentionFlags } from "../shorter-retention.ts";
import {
  addresses,
  allChannels,
  channelIdOf,
  channelNamed,
  checkValue,
  folderNamed,
  permissionOf,
  permissionWriter,
  userIds,
  whoTakes,
  yesOrNo,
} from "../values.ts";
import archiving from "./channel-archiving.ts";
import contents from "./channel-contents.ts";
import { channelShape, channelShower, presentForOutput } from "./channel-shape.ts";

const whole = channelShape.extend({
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  topics_policy: topicsPolicy,
  message_retention_days: z.int().nullable(),
  permissions: z.record(z.string(), z.string()),
});

const kinds = z.enum(["public", "private", "web-public"]);
const states = z.enum(["active", "archived"]);

function isOfKind({ is_web_public, invite_only }: Channel, kind: z.infer<typeof kinds>): boolean {
  if (kind === "web-public") return is_web_public;
  return invite_only === (kind === "private");
}

const topicWords = topicsPolicy.options.map(topicsText).join(", ");
const topicsInWords = z
  .string()
  .transform(topicsOf)
  .pipe(z.enum(topicsPolicy.options, `it takes: ${topicWords}`));

const named = operand("CHANNEL", z.string().min(1), "the channel's name or ID");
const settingNames = Object.keys(channelGrants) as GrantName<"channel">[];
const setting = z.enum(settingNames as [GrantName<"channel">, ...GrantName<"channel">[]]);

/** The channel's current state, even if it is archived. */
function channelNow(ctx: Ctx, channelId: number): Channel {
  return allChannels(ctx).find(({ stream_id }) => stream_id === channelId) ?? getChannel(ctx, channelId);
}

const again = (ctx: Ctx, channelId: number) => presentForOutput(ctx, channelNow(ctx, channelId));

function folderId(ctx: Ctx, name: string | undefined): number | null | undefined {
  if (name === undefined) return undefined;
  return name === "" ? null : folderNamed(ctx, name).id;
}

const people = (count: number) => (count === 1 ? "1 subscriber" : `${count} subscribers`);

export default [
  command({
    name: "channel create",
    summary: "Create a channel",
    examples: [
      "confab channel create design --description 'How things look'",
      "confab channel create board --private --subscribe ada@example.com gus@example.com",
      "confab channel create site --folder Projects",
    ],
    args: {
      channel: operand("NAME", newChannel.shape.name, "its name"),
      description: option(
        "TEXT",
        newChannel.shape.description.unwrap().default(""),
        "what it is for, in Markdown",
      ),
      private: flag(z.boolean().default(false), "only subscribers can see it"),
      folder: option("FOLDER", z.string().min(1).optional(), "the folder it is in"),
      subscribe: options("EMAIL", addresses.optional(), "its first subscribers (default: the acting user)"),
    },
    result: channelShape,
    run: async (ctx, { channel, description, private: invite_only, folder, subscribe: emails }) => {
      const subscribers = emails ? userIds(ctx, emails) : [ctx.actor.id];
      const folder_id = folder === undefined ? undefined : folderNamed(ctx, folder).id;
      const made = { name: channel, description, invite_only, folder_id, subscribers };
      return presentForOutput(ctx, await createChannel(ctx, made));
    },
    print: ({ name, channel_id, subscriber_count, folder }) =>
      `Created the channel ${name} (ID ${channel_id}) with ${people(subscriber_count)}${folder === null ? "" : ` in the folder ${folder}`}.`,
  }),

  command({
    name: "channel list",
    isUnaudited: true,
    summary: "List channels",
    examples: [
      "confab channel list",
      "confab channel list --folder Projects --state active",
      "confab channel list --kind private --folder ''",
    ],
    args: {
      folder: option("FOLDER", z.string().optional(), "only those in this folder; '' for those in none"),
      kind: option("KIND", kinds.optional(), kinds.options.join(", ")),
      state: option("STATE", states.optional(), states.options.join(", ")),
    },
    result: z.array(channelShape),
    run: async (ctx, { folder, kind, state }) => {
      const folder_id = folderId(ctx, folder);
      const all = await listChannelsInSlices(ctx, { include_all: true, exclude_archived: false });
      return all
        .filter((channel) => folder_id === undefined || channel.folder_id === folder_id)
        .filter((channel) => kind === undefined || isOfKind(channel, kind))
        .filter((channel) => state === undefined || channel.is_archived === (state === "archived"))
        .map(channelShower(ctx));
    },
    print: (channels) =>
      table(
        ["ID", "NAME", "KIND", "FOLDER", "SUBSCRIBERS", "DESCRIPTION"],
        channels.map((channel) => [
          String(channel.channel_id),
          channel.name,
          kindOf(channel),
          channel.folder ?? "",
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
      channel: named,
      emails: operands("EMAIL", addresses.min(1), "addresses of the users"),
    },
    result: channelShape,
    run: async (ctx, { channel, emails }) => {
      const channel_id = channelIdOf(ctx, channel);
      await subscribe(ctx, {
        channel_ids: [channel_id],
        user_ids: userIds(ctx, emails),
        sends_notices: true,
      });
      return again(ctx, channel_id);
    },
    print: ({ name, subscriber_count }) => `${name} has ${people(subscriber_count)} now.`,
  }),
  command({
    name: "channel show",
    isUnaudited: true,
    summary: "Show a channel: its settings, and who may do what in it",
    examples: ["confab channel show design"],
    args: { channel: named },
    result: whole,
    run: (ctx, { channel }) => {
      const found = channelNamed(ctx, channel);
      const written = permissionWriter(ctx);
      const permissions = settingNames.map((name) => [name, written(found[name])]);
      return {
        ...presentForOutput(ctx, found),
        is_web_public: found.is_web_public,
        history_public_to_subscribers: found.history_public_to_subscribers,
        topics_policy: found.topics_policy,
        message_retention_days: found.message_retention_days,
        permissions: Object.fromEntries(permissions),
      };
    },
    print: (channel) =>
      facts([
        ["ID", String(channel.channel_id)],
        ["Name", channel.name],
        ["Kind", kindOf(channel)],
        ["Folder", channel.folder ?? "none"],
        ["Description", channel.description],
        ["Subscribers", String(channel.subscriber_count)],
        ["Topics", topicsText(channel.topics_policy)],
        ["Retention", retentionText(channel.message_retention_days)],
        ...Object.entries(channel.permissions).map(([name, who]) => [name, whoText(who)] as const),
      ]),
  }),

  command({
    name: "channel update",
    summary: "Change a channel's name, description, privacy, folder or retention",
    examples: [
      "confab channel update design --name drawing",
      "confab channel update board --private yes --retention 90",
      "confab channel update board --retention 30 --now --yes",
      "confab channel update design --folder Projects --topics 'disable empty topic'",
    ],
    args: {
      channel: named,
      name: option("NAME", channelPatch.shape.new_name, "its new name"),
      description: option("TEXT", channelPatch.shape.description, "what it is for, in Markdown"),
      private: option("yes|no", yesOrNo, "whether only subscribers can see it"),
      shared_history: option("yes|no", yesOrNo, "whether new subscribers may read earlier messages"),
      folder: option("FOLDER", z.string().optional(), "its folder; '' for none"),
      topics: option("POLICY", topicsInWords.optional(), topicWords),
      retention: option(
        "DAYS",
        z.string().optional(),
        `days messages are kept, '${forEver}' or '${asRealm}'`,
      ),
      ...retentionFlags,
    },
    result: channelShape,
    run: async (ctx, { channel, folder, retention: text, now, yes, ...given }) => {
      if (isEmpty({ folder, text, ...given })) failUsage("name a change, such as --name or --private");
      const channel_id = channelIdOf(ctx, channel);
      const days =
        text === undefined ? undefined : checkValue(retention, "--retention", parseRetention(text));
      await changingRetention(ctx, { channel_id, days, now, yes }, () =>
        updateChannel(ctx, {
          channel_id,
          new_name: given.name,
          description: given.description,
          is_private: given.private,
          history_public_to_subscribers: given.shared_history,
          topics_policy: given.topics,
          folder_id: folderId(ctx, folder),
          message_retention_days: days,
        }),
      );
      return again(ctx, channel_id);
    },
    print: (channel, { name, description, private: isPrivate, shared_history, folder, topics, retention }) =>
      [
        name !== undefined && `The channel is called ${channel.name} now.`,
        description !== undefined && `${channel.name} has another description now.`,
        isPrivate !== undefined && `${channel.name} is ${kindOf(channel)} now.`,
        shared_history !== undefined &&
          `New subscribers of ${channel.name} ${shared_history ? "may" : "may not"} read earlier messages.`,
        folder !== undefined &&
          `${channel.name} is in ${folder === "" ? "no folder" : `the folder ${folder}`} now.`,
        topics !== undefined && `The topics of ${channel.name} follow '${topicsText(topics)}' now.`,
        retention !== undefined &&
          `${channel.name} keeps messages ${describeRetention(parseRetention(retention))}.`,
      ]
        .filter(Boolean)
        .join("\n"),
  }),

  command({
    name: "channel permit",
    summary: "Decide who may do what in a channel",
    examples: [
      "confab channel permit announcements can_send_message_group moderators",
      "confab channel permit board can_administer_channel_group ada@example.com,gus@example.com",
    ],
    args: {
      channel: named,
      setting: operand("PERMISSION", setting, settingNames.join(", ")),
      who: operand("WHO", z.string(), whoTakes),
    },
    result: z.object({ channel: z.string(), setting: z.string(), who: z.string() }),
    run: async (ctx, { channel, setting, who }) => {
      const channel_id = channelIdOf(ctx, channel);
      await updateChannel(ctx, { channel_id, [setting]: { new: permissionOf(ctx, who) } });
      return { channel, setting, who: permissionWriter(ctx)(getChannel(ctx, channel_id)[setting]) };
    },
    print: ({ channel, setting, who }) => `${setting} of ${channel}: ${whoText(who)}`,
  }),

  command({
    name: "channel unsubscribe",
    summary: "Unsubscribe users from a channel",
    examples: ["confab channel unsubscribe design gus@example.com"],
    args: { channel: named, emails: operands("EMAIL", addresses.min(1), "addresses of the users") },
    result: channelShape,
    run: async (ctx, { channel, emails }) => {
      const channel_id = channelIdOf(ctx, channel);
      await unsubscribe(ctx, { channel_ids: [channel_id], user_ids: userIds(ctx, emails) });
      return again(ctx, channel_id);
    },
    print: ({ name, subscriber_count }) => `${name} has ${people(subscriber_count)} now.`,
  }),

  ...archiving,
  ...contents,
];

const describeRetention = (given: string) =>
  ({ unlimited: "without end", realm_default: "as long as the organization says" })[given] ??
  `for ${given} days`;

function kindOf({ is_archived, invite_only }: { is_archived: boolean; invite_only: boolean }): string {
  if (is_archived) return "archived";
  return invite_only ? "private" : "public";
}
