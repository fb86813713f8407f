import { userHooks } from "@/foundation/users/hooks.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { channelId } from "@/places/channels/schema.ts";
import { emitDefaultsSeen, joinDefaultChannels, setDefaultChannel } from "./actions.ts";
import {
  changeGroupChannels,
  createDefaultGroup,
  deleteDefaultGroup,
  updateDefaultGroup,
} from "./actions-groups.ts";
import { listDefaultChannelGroups, listDefaultChannels } from "./queries.ts";
import { defaultGroupPatch, groupChannelsChange, groupId, newDefaultGroup } from "./schema.ts";

export default domain({
  name: "default-channels",
  about: "channels that new people are subscribed to, and groups of channels they may choose",
  hooks: [
    userHooks.added.register(joinDefaultChannels),
    userHooks.roleChanges.register((tx, change) => () => emitDefaultsSeen(tx, change)),
  ],
  state: {
    default_streams: forSpectators((ctx) => ({ realm_default_streams: listDefaultChannels(ctx) }), {
      realm_default_streams: [],
    }),
    default_stream_groups: forSpectators(
      (ctx) => ({ realm_default_stream_groups: listDefaultChannelGroups(ctx) }),
      { realm_default_stream_groups: [] },
    ),
  },
  endpoints: [
    endpoint("add-default-stream", {
      about:
        "Adds a channel to those that new users are subscribed to. Administrators only; private channels are refused.",
      method: "POST",
      path: "/default_streams",
      params: { stream_id: channelId },
      run: (ctx, { stream_id }) => setDefaultChannel(ctx, { channel_id: stream_id, is_default: true }),
    }),
    endpoint("remove-default-stream", {
      about: "Removes a channel from those that new users are subscribed to. Administrators only.",
      method: "DELETE",
      path: "/default_streams",
      params: { stream_id: channelId },
      run: (ctx, { stream_id }) => setDefaultChannel(ctx, { channel_id: stream_id, is_default: false }),
    }),
    endpoint("post-default-stream-groups-create", {
      about: "Creates a named group of channels that new users can choose together. Administrators only.",
      method: "POST",
      path: "/default_stream_groups/create",
      params: {
        group_name: newDefaultGroup.shape.name,
        description: newDefaultGroup.shape.description,
        stream_names: newDefaultGroup.shape.channel_names,
      },
      run: async (ctx, { group_name: name, description, stream_names: channel_names }) => {
        await createDefaultGroup(ctx, { name, description, channel_names });
      },
    }),
    endpoint("patch-default-stream-groups-group-id", {
      about: "Changes the name or description of a group of default channels. Administrators only.",
      method: "PATCH",
      path: "/default_stream_groups/{group_id:[0-9]+}",
      params: {
        group_id: groupId,
        new_group_name: defaultGroupPatch.shape.name,
        new_description: defaultGroupPatch.shape.description,
      },
      run: (ctx, { group_id, new_group_name: name, new_description: description }) =>
        updateDefaultGroup(ctx, { group_id, name, description }),
    }),
    endpoint("delete-default-stream-groups-group-id", {
      about: "Deletes a group of default channels. The channels are kept. Administrators only.",
      method: "DELETE",
      path: "/default_stream_groups/{group_id:[0-9]+}",
      params: { group_id: groupId },
      run: (ctx, { group_id }) => deleteDefaultGroup(ctx, group_id),
    }),
    endpoint("patch-default-stream-groups-group-id-streams", {
      about: "Adds channels to a group of default channels, or removes them from it. Administrators only.",
      method: "PATCH",
      path: "/default_stream_groups/{group_id:[0-9]+}/streams",
      params: {
        group_id: groupId,
        op: groupChannelsChange.shape.op,
        stream_names: groupChannelsChange.shape.channel_names,
      },
      run: (ctx, { group_id, op, stream_names: channel_names }) =>
        changeGroupChannels(ctx, { group_id, op, channel_names }),
    }),
  ],
});
