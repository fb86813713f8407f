import { z } from "zod";
import { descriptionOf, nameOf } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import { channelId } from "@/places/channels/schema.ts";

export const groupId = z.int();

export const groupName = nameOf("A default channel group", 60);
export const groupDescription = descriptionOf("A default channel group", 1024);

const maxNamed = 1000;

export const channelNames = z
  .array(z.string())
  .max(maxNamed, `You can name at most ${maxNamed} channels at once.`);

export const defaultChannelChange = z.object({ channel_id: channelId, is_default: z.boolean() });
export type DefaultChannelChange = z.infer<typeof defaultChannelChange>;

export const newDefaultGroup = z.object({
  name: groupName,
  description: groupDescription,
  channel_names: channelNames,
});
export type NewDefaultGroup = z.infer<typeof newDefaultGroup>;

export const defaultGroupPatch = newDefaultGroup
  .omit({ channel_names: true })
  .partial()
  .extend({ group_id: groupId });
export type DefaultGroupPatch = z.infer<typeof defaultGroupPatch>;

export const groupChannelsChange = z.object({
  group_id: groupId,
  op: z.enum(["add", "remove"]),
  channel_names: channelNames,
});
export type GroupChannelsChange = z.infer<typeof groupChannelsChange>;

/** A group of channels that new users may choose together. */
const defaultChannelGroup = z.object({
  id: groupId,
  name: z.string(),
  description: z.string(),
  streams: z.array(channelId),
});
export type DefaultChannelGroup = z.infer<typeof defaultChannelGroup>;

export const defaultChannelsChanged = event("default_streams", {
  about: "The default channels for new users have changed. Carries all of them.",
  schema: z.object({ default_streams: z.array(channelId) }),
});

export const defaultGroupsChanged = event("default_stream_groups", {
  about: "The groups of default channels have changed. Carries all of them.",
  schema: z.object({ default_stream_groups: z.array(defaultChannelGroup) }),
});
