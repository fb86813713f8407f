import { z } from "zod";
import { groupHooks } from "@/foundation/groups/hooks.ts";
import { realmHooks } from "@/foundation/realm/hooks.ts";
import { userId } from "@/foundation/users/schema.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { also } from "@/kernel/http/wire.ts";
import { channelFor, visibleChannel } from "@/places/channels/access.ts";
import {
  channel,
  channelDescription,
  channelId,
  channelPatch,
  newChannel,
} from "@/places/channels/schema.ts";
import { archiveChannel, createChannel } from "./actions.ts";
import { updateChannel } from "./actions-changes.ts";
import { emitGrants } from "./actions-properties.ts";
import {
  channelAddress,
  channelsState,
  getChannel,
  getChannelId,
  listChannelsInSlices,
  listSubscribers,
} from "./queries.ts";

export default domain({
  name: "channels",
  about: "creating, changing and archiving channels; the list of channels",
  hooks: [
    groupHooks.channelGrantsChanged.register(emitGrants),
    groupHooks.isChannelVisible.register((ctx, id) => visibleChannel(ctx, id) !== null),
    realmHooks.channel.register((tx, id) => channelFor(tx, id, "see")),
  ],
  state: { stream: forSpectators(earlyInSteps(channelsState)) },
  endpoints: [
    endpoint("create-channel", {
      about:
        "Creates one channel with its description, permissions and first subscribers. A name that is taken is refused. More than 500 subscribers join in several steps, which a crash can interrupt.",
      method: "POST",
      path: "/channels/create",
      params: {
        ...newChannel.shape,
        description: channelDescription.default(""),
        send_new_subscription_messages: z.boolean().default(false),
      },
      returns: { id: channelId },
      keeps: "results",
      run: async (ctx, params) => ({ id: (await createChannel(ctx, params)).stream_id }),
    }),
    endpoint("get-streams", {
      about:
        "Lists channels the caller may see: the union of the requested sets. By default public channels and those the caller is subscribed to. `stream_weekly_traffic` is counted every hour.",
      method: "GET",
      path: "/streams",
      params: {
        include_public: z.boolean().default(true),
        include_web_public: z.boolean().default(false),
        include_subscribed: z.boolean().default(true),
        include_all: also(z.boolean().default(false), "include_all_active"),
        include_can_access_content: z.boolean().default(false),
        include_owner_subscribed: z.boolean().default(false),
        include_default: z.boolean().default(false),
        exclude_archived: z.boolean().default(true),
      },
      returns: { streams: z.array(channel) },
      run: async (ctx, params) => ({ streams: await listChannelsInSlices(ctx, params) }),
    }),
    endpoint("get-stream-by-id", {
      about:
        "Returns one channel. If the caller may not see it, the error is that of a channel that does not exist.",
      method: "GET",
      path: "/streams/{stream_id:[0-9]+}",
      params: { stream_id: channelId },
      returns: { stream: channel },
      run: (ctx, { stream_id }) => ({ stream: getChannel(ctx, stream_id) }),
    }),
    endpoint("update-stream", {
      about:
        "Changes a channel: name, description, privacy, permissions, retention, folder. Makes all of the given changes or none.",
      method: "PATCH",
      path: "/streams/{stream_id:[0-9]+}",
      params: { stream_id: channelId, ...channelPatch.shape },
      run: (ctx, { stream_id: channel_id, ...patch }) => updateChannel(ctx, { channel_id, ...patch }),
    }),
    endpoint("archive-stream", {
      about:
        "Archives a channel: it becomes read-only and disappears from most lists. Its messages and settings are kept. Its messages can still be deleted, or moved elsewhere. Clients without the capability `archived_channels` get the event `stream`, `delete`.",
      method: "DELETE",
      path: "/streams/{stream_id:[0-9]+}",
      params: { stream_id: channelId },
      run: (ctx, { stream_id }) => archiveChannel(ctx, stream_id),
    }),
    endpoint("get-stream-email-address", {
      about:
        "Returns the channel's email address. This server does not receive email, so the address is always empty. Only for those who may post in the channel.",
      method: "GET",
      path: "/streams/{stream_id:[0-9]+}/email_address",
      params: { stream_id: channelId, sender_id: userId.optional() },
      returns: { email: z.string() },
      run: (ctx, { stream_id: channel_id, sender_id }) => ({
        email: channelAddress(ctx, { channel_id, sender_id }),
      }),
    }),
    endpoint("get-stream-id", {
      about: "Returns the ID of the channel with this name.",
      method: "GET",
      path: "/get_stream_id",
      params: { stream: z.string() },
      returns: { stream_id: channelId },
      run: (ctx, { stream }) => ({ stream_id: getChannelId(ctx, stream) }),
    }),
    endpoint("get-subscribers", {
      about: "Lists the IDs of a channel's subscribers, in ascending order.",
      method: "GET",
      path: "/streams/{stream_id:[0-9]+}/members",
      params: { stream_id: channelId },
      returns: { subscribers: z.array(userId) },
      run: (ctx, { stream_id }) => ({ subscribers: listSubscribers(ctx, stream_id) }),
    }),
  ],
});
