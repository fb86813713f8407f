// How commands show a channel.
import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Channel } from "@/places/channels/schema.ts";
import { folderNames } from "../values.ts";

export const channelShape = z.object({
  channel_id: z.int(),
  name: z.string(),
  description: z.string(),
  invite_only: z.boolean(),
  is_archived: z.boolean(),
  subscriber_count: z.int(),
  folder_id: z.int().nullable(),
  folder: z.string().nullable(),
});

/** Shows channels with the names of their folders. It reads these once, so use it within one tick. */
export function channelShower(ctx: Ctx): (channel: Channel) => z.infer<typeof channelShape> {
  const folderOf = folderNames(ctx);
  return ({ stream_id, name, description, invite_only, is_archived, subscriber_count, folder_id }) => ({
    channel_id: stream_id,
    name,
    description,
    invite_only,
    is_archived,
    subscriber_count,
    folder_id,
    folder: folderOf(folder_id),
  });
}

export const presentForOutput = (ctx: Ctx, channel: Channel) => channelShower(ctx)(channel);
