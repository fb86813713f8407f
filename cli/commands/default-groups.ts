// Groups of default channels that new users may choose: verbs of the noun `default`.

import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import {
  changeGroupChannels,
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
} from "@/places/default-channels/actions-groups.ts";
import { listDefaultChannelGroups } from "@/places/default-channels/queries.ts";
import {
  type DefaultChannelGroup,
  defaultGroupPatch,
  newDefaultGroup,
} from "@/places/default-channels/schema.ts";
import { operand, operands, option, options } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { failUsage } from "../misuse.ts";
import { table } from "../output.ts";
import { channelNames } from "../values.ts";

const shape = z.object({
  group_id: z.int(),
  name: z.string(),
  description: z.string(),
  channels: z.array(z.string()),
});
type Shown = z.infer<typeof shape>;

function groupsNow(ctx: Ctx): Shown[] {
  const nameOf = channelNames(ctx);
  return listDefaultChannelGroups(ctx).map(({ id, name, description, streams }) => ({
    group_id: id,
    name,
    description,
    channels: streams.map(nameOf),
  }));
}

function groupNow(ctx: Ctx, id: number): Shown {
  const found = groupsNow(ctx).find(({ group_id }) => group_id === id);
  return found ?? fail("BAD_REQUEST", "Somebody else has just removed this group.");
}

function groupNamed(ctx: Ctx, name: string): DefaultChannelGroup {
  const key = name.toLowerCase();
  const found = listDefaultChannelGroups(ctx).find((group) => group.name.toLowerCase() === key);
  return found ?? fail("BAD_REQUEST", `There is no default channel group named '${name}'.`);
}

const named = operand("GROUP", z.string().min(1), "the group's name");
const names = z.array(z.string());
const moved = { group: named, channels: operands("CHANNEL", names.min(1), "names of channels") };

async function move(
  ctx: Ctx,
  { group, channels, op }: { group: string; channels: string[]; op: "add" | "remove" },
): Promise<Shown> {
  const { id: group_id } = groupNamed(ctx, group);
  await changeGroupChannels(ctx, { group_id, op, channel_names: channels });
  return groupNow(ctx, group_id);
}

const sentenceOf = ({ name, channels }: Shown) => `${name}: ${channels.join(", ") || "no channels"}`;

export default [
  command({
    name: "default groups",
    isUnaudited: true,
    summary: "List the channel groups that new users may choose",
    examples: ["confab default groups"],
    args: {},
    result: z.array(shape),
    run: groupsNow,
    print: (groups) =>
      table(
        ["ID", "GROUP", "CHANNELS", "DESCRIPTION"],
        groups.map((group) => [
          String(group.group_id),
          group.name,
          group.channels.join(", "),
          group.description,
        ]),
      ),
  }),

  command({
    name: "default add-group",
    summary: "Add a channel group that new users may choose",
    examples: ["confab default add-group Engineering --channels builds design --description 'Who builds'"],
    args: {
      group: operand("NAME", newDefaultGroup.shape.name, "its name"),
      description: option("TEXT", newDefaultGroup.shape.description.default(""), "who it is for"),
      channels: options("CHANNEL", names.default([]), "its channels"),
    },
    result: shape,
    run: async (ctx, { group, description, channels }) => {
      const made = await createDefaultGroup(ctx, { name: group, description, channel_names: channels });
      return groupNow(ctx, made.id);
    },
    print: sentenceOf,
  }),

  command({
    name: "default update-group",
    summary: "Change a channel group's name or description",
    examples: ["confab default update-group Engineering --name Builders --description 'Who builds'"],
    args: {
      group: named,
      name: option("NAME", defaultGroupPatch.shape.name, "its new name"),
      description: option("TEXT", defaultGroupPatch.shape.description, "who it is for"),
    },
    result: shape,
    run: async (ctx, { group, name, description }) => {
      const { id: group_id } = groupNamed(ctx, group);
      if (name === undefined && description === undefined)
        failUsage("name a change: --name or --description");
      await updateDefaultGroup(ctx, { group_id, name, description });
      return groupNow(ctx, group_id);
    },
    print: sentenceOf,
  }),

  command({
    name: "default add-to-group",
    summary: "Add channels to a channel group",
    examples: ["confab default add-to-group Engineering releases"],
    args: moved,
    result: shape,
    run: (ctx, { group, channels }) => move(ctx, { group, channels, op: "add" }),
    print: sentenceOf,
  }),

  command({
    name: "default remove-from-group",
    summary: "Remove channels from a channel group",
    examples: ["confab default remove-from-group Engineering design"],
    args: moved,
    result: shape,
    run: (ctx, { group, channels }) => move(ctx, { group, channels, op: "remove" }),
    print: sentenceOf,
  }),

  command({
    name: "default remove-group",
    summary: "Remove a channel group; its channels stay",
    examples: ["confab default remove-group Engineering --yes"],
    args: { group: named, yes },
    result: shape.pick({ group_id: true, name: true }),
    run: async (ctx, { group, yes }) => {
      const { id, name, streams } = groupNamed(ctx, group);
      const along = [[streams.length, "channel"]] as const;
      const loss = { does: "removes", count: [1, "default channel group"], along, names: [name] } as const;
      await confirm({ ...loss, note: "The channels stay." }, yes);
      await deleteDefaultGroup(ctx, id);
      return { group_id: id, name };
    },
    print: ({ name }) => `Removed the default channel group ${name}.`,
  }),
];
