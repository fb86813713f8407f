import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { listDefaultChannelGroups } from "@/places/default-channels/queries.ts";
import { type DefaultChannelGroup, groupDescription, groupName } from "@/places/default-channels/schema.ts";
import {
  changeGroupChannels,
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
} from "../changes/places.ts";
import { allChannels, channelNames, partsOf } from "../names.ts";
import { channelPicks } from "../picks.ts";
import { changeForm, form, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends DefaultChannelGroup {
  channels: string[];
}

const name = { label: "Name", about: "As newcomers see it.", rule: groupName, isOwn: true };
const description = {
  label: "Description",
  about: "Who should choose it.",
  rule: groupDescription,
  isOwn: true,
};
const names = z.array(z.string()).min(1, "Enter the name of a channel.");

function channelsField(now: Ctx) {
  return {
    label: "Channels",
    about: "Names of channels, separated by commas.",
    rule: names,
    choices: channelNames(now),
    open: true,
    picks: channelPicks,
    read: (_: Ctx, text: string) => partsOf(text),
  };
}

function newGroup(now: Ctx): ScreenForm {
  return form({
    title: "A new group of channels",
    fields: { name, description, channel_names: { ...channelsField(now), rule: z.array(z.string()) } },
    async submit(ctx, input) {
      const { id } = await createDefaultGroup(ctx, input);
      return { message: `Created the group ${input.name}.`, undo: (at) => deleteDefaultGroup(at, id) };
    },
  });
}

function edit(_: Ctx, group: Row): ScreenForm {
  return changeForm({
    title: `The group of channels ${group.name}`,
    fields: {
      name: { ...name, start: group.name },
      description: { ...description, start: group.description },
    },
    async submit(ctx, changes) {
      await updateDefaultGroup(ctx, { group_id: group.id, ...changes });
      return { message: `Changed the group ${changes.name ?? group.name}.` };
    },
  });
}

function changing(op: "add" | "remove") {
  return (now: Ctx, group: Row): ScreenForm =>
    form({
      title: op === "add" ? `Add channels to ${group.name}` : `Remove channels from ${group.name}`,
      fields: { channel_names: channelsField(now) },
      async submit(ctx, { channel_names }) {
        const change = (at: Ctx, how: "add" | "remove") =>
          changeGroupChannels(at, { group_id: group.id, op: how, channel_names });
        await change(ctx, op);
        return {
          message: op === "add" ? `Added them to ${group.name}.` : `Removed them from ${group.name}.`,
          undo: (at) => change(at, op === "add" ? "remove" : "add"),
        };
      },
    });
}

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const known = new Map(allChannels(now).map((channel) => [channel.stream_id, channel.name]));
  return listDefaultChannelGroups(now).map((group) => ({
    ...group,
    channels: group.streams.map((id) => known.get(id) ?? `channel ${id}`),
  }));
}

export const channelGroups = screen<Row>({
  key: "C",
  title: "Channel groups",
  area: "Places",
  about: "that newcomers may choose together",
  empty: "There are no groups of channels.",
  rows,
  id: ({ id }) => id,
  copies: (group) => group.name,
  columns: [
    { title: "NAME", value: (group) => group.name },
    { title: "CHANNELS", value: ({ channels }) => channels.join(", "), grow: true },
    { title: "DESCRIPTION", value: (group) => group.description, spare: true, tone: () => "dim" },
  ],
  facts: (_, group) => [
    ["Name", group.name],
    ["Description", group.description],
    [`Channels (${group.channels.length})`, group.channels.join(", ")],
  ],
  create: { title: "new group", form: newGroup },
  edit,
  rowActions: [
    {
      key: "d",
      title: () => "remove",
      confirm: (group) => `Remove the group ${group.name}? Its channels stay.`,
      async run(ctx, { id, name: called, description: about, channels }) {
        await deleteDefaultGroup(ctx, id);
        return {
          message: `Removed the group ${called}.`,
          undo: (now) =>
            createDefaultGroup(now, { name: called, description: about, channel_names: channels }),
        };
      },
    },
    { key: "s", title: () => "add channels", form: changing("add") },
    { key: "x", title: () => "remove channels", form: changing("remove") },
  ],
});
