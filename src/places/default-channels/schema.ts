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

/** A group of channels that new users may choose together. */
const defaultChannelGroup = z.object({
  id: groupId,
  name: z.string(),
  description: z.string(),
  streams: z.array(channelId),
});
export type DefaultChannelGroup = z.infer<typeof defaultChannelGroup>;

export const defaultChannelsChanged = event<{ default_streams: number[] }>("default_streams", {
  about: "The default channels for new users have changed. Carries all of them.",
  schema: z.object({ default_streams: z.array(channelId) }),
});

export const defaultGroupsChanged = event<{ default_stream_groups: DefaultChannelGroup[] }>(
  "default_stream_groups",
  {
    about: "The groups of default channels have changed. Carries all of them.",
    schema: z.object({ default_stream_groups: z.array(defaultChannelGroup) }),
  },
);
