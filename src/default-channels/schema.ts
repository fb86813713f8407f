import { z } from "zod";
import { channelId } from "@/channels/schema.ts";
import { event } from "@/kernel/events.ts";

export const groupId = z.int();

const nameLength = 60;
const descriptionLength = 1024;

export const groupName = z
  .string()
  .trim()
  .min(1, "A default channel group needs a name.")
  .refine(
    (name) => [...name].length <= nameLength,
    `A default channel group's name has at most ${nameLength} characters.`,
  )
  .refine(
    (name) => !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(name),
    "A default channel group's name must be made of printable characters.",
  );

export const groupDescription = z
  .string()
  .trim()
  .refine(
    (text) => [...text].length <= descriptionLength,
    `A default channel group's description has at most ${descriptionLength} characters.`,
  )
  .refine(
    (text) => !text.includes("\0"),
    "A default channel group's description must not contain null bytes.",
  );

const mostNamed = 1000;

export const channelNames = z
  .array(z.string())
  .max(mostNamed, `At most ${mostNamed} channels can be named at once.`);

/** Channels that new people may choose together (API-REFERENCE 13.3). */
const defaultChannelGroup = z.object({
  id: groupId,
  name: z.string(),
  description: z.string(),
  streams: z.array(channelId),
});
export type DefaultChannelGroup = z.infer<typeof defaultChannelGroup>;

export const defaultChannelsChanged = event<{ default_streams: number[] }>("default_streams", {
  schema: z.object({ default_streams: z.array(channelId) }),
});

export const defaultGroupsChanged = event<{ default_stream_groups: DefaultChannelGroup[] }>(
  "default_stream_groups",
  { schema: z.object({ default_stream_groups: z.array(defaultChannelGroup) }) },
);
