import { z } from "zod";
import { updateSettingDefaults } from "@/foundation/own-account/actions.ts";
import { defaultsOf } from "@/foundation/user-settings/queries.ts";
import { defaultNames, startTable } from "@/foundation/user-settings/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { listChannels } from "@/places/channel-administration/queries.ts";
import { setDefaultChannel } from "@/places/default-channels/actions.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";
import { table } from "../output.ts";
import { channelIdOf } from "../values.ts";
import groups from "./default-groups.ts";
import { settingVerbs } from "./setting-verbs.ts";

const shape = z.object({ channel_id: z.int(), name: z.string() });
type Listed = z.infer<typeof shape>;
const named = operand("CHANNEL", z.string().min(1), "the channel's name or ID");

function defaultChannels(ctx: Ctx): Listed[] {
  return listChannels(ctx, { include_all: true, include_default: true, exclude_archived: true })
    .filter(({ is_default }) => is_default)
    .map(({ stream_id, name }) => ({ channel_id: stream_id, name }));
}

async function setDefault(ctx: Ctx, channel: string, is_default: boolean) {
  await setDefaultChannel(ctx, { channel_id: channelIdOf(ctx, channel), is_default });
  return defaultChannels(ctx);
}

const formatChannels = (channels: readonly Listed[]) =>
  table(
    ["ID", "CHANNEL"],
    channels.map(({ channel_id, name }) => [String(channel_id), name]),
  );

export default [
  command({
    name: "default channels",
    isUnaudited: true,
    summary: "List the channels that new users are subscribed to",
    examples: ["confab default channels"],
    args: {},
    result: z.array(shape),
    run: (ctx) => defaultChannels(ctx),
    print: formatChannels,
  }),

  command({
    name: "default add-channel",
    summary: "Subscribe new users to a channel",
    examples: ["confab default add-channel general"],
    args: { channel: named },
    result: z.array(shape),
    run: (ctx, { channel }) => setDefault(ctx, channel, true),
    print: formatChannels,
  }),

  command({
    name: "default remove-channel",
    summary: "Stop subscribing new users to a channel",
    examples: ["confab default remove-channel general"],
    args: { channel: named },
    result: z.array(shape),
    run: (ctx, { channel }) => setDefault(ctx, channel, false),
    print: formatChannels,
  }),

  ...settingVerbs({
    list: {
      name: "default settings",
      summary: "List the personal settings that new users start with",
      examples: ["confab default settings"],
    },
    set: {
      name: "default set",
      summary: "Change a personal setting that new users start with",
      about: "Changes a setting for new users. Existing users keep theirs.",
      examples: [
        "confab default set twenty_four_hour_time yes",
        "confab default set color_scheme dark",
        "confab default set web_home_view 'recent topics'",
      ],
    },
    names: defaultNames,
    table: startTable,
    read: defaultsOf,
    write: updateSettingDefaults,
  }),

  ...groups,
];
