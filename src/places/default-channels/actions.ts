import { allow } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { PersonAdded, RoleChange } from "@/foundation/users/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelFor, existingChannel } from "@/places/channels/access.ts";
import { recordChannelChange } from "@/places/channels/actions.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { join } from "@/places/subscriptions/actions-moves.ts";
import { defaultChannelGroups, defaultChannelIds, isDefaultChannel, nonGuests } from "./access.ts";
import { type DefaultChannelChange, defaultChannelsChanged, defaultGroupsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Makes a channel a default one or an ordinary one. Does nothing if it already is. */
export const setDefaultChannel = action(allow.admin, (tx, input: DefaultChannelChange): void => {
  const channel = channelFor(tx, input.channel_id, "see");
  if (input.is_default === isDefaultChannel(tx, channel.id)) return;
  if (input.is_default) addDefaultChannels(tx, [channel]);
  else removeDefaultChannel(tx, channel);
});

function removeDefaultChannel(tx: Tx, channel: ChannelRow): void {
  store.deleteDefault(tx, channel.id);
  recordChannelChange(tx, channel, "made_not_default");
  emitDefaults(tx);
}

/** Makes channels default ones. None of them may be one already. */
export function addDefaultChannels(tx: Tx, channels: readonly ChannelRow[]): void {
  for (const channel of channels) checkMayBeDefault(channel);

  for (const channel of channels) {
    store.insertDefault(tx, channel.id);
    recordChannelChange(tx, channel, "made_default");
  }
  if (channels.length > 0) emitDefaults(tx);
}

function checkMayBeDefault(channel: ChannelRow): void {
  if (channel.invite_only) fail("BAD_REQUEST", "A default channel cannot be private.");
  if (channel.is_archived) fail("BAD_REQUEST", "A default channel cannot be archived.");
}

function emitDefaults(tx: Tx): void {
  tx.emit(defaultChannelsChanged, nonGuests(tx), { default_streams: [...defaultChannelIds(tx)] });
}

/** Emits the default channels to a user who stops being a guest, and empty lists to one who becomes a guest. */
export function emitDefaultsSeen(tx: Tx, { userId, from, to: role }: RoleChange): void {
  if ((from === roles.guest) === (role === roles.guest)) return;
  const isGuest = role === roles.guest;
  const default_streams = [...defaultChannelIds(tx)];
  const groups = defaultChannelGroups(tx);
  if (default_streams.length > 0) {
    tx.emit(defaultChannelsChanged, to(userId), { default_streams: isGuest ? [] : default_streams });
  }
  if (groups.length > 0) {
    tx.emit(defaultGroupsChanged, to(userId), { default_stream_groups: isGuest ? [] : groups });
  }
}

/** Removes a channel that becomes archived or private from the default channels and their groups. */
export function withdrawChannel(tx: Tx, channelId: number): void {
  if (isDefaultChannel(tx, channelId)) {
    store.deleteDefault(tx, channelId);
    emitDefaults(tx);
  }
  if (withdrawFromGroups(tx, channelId)) emitGroups(tx);
}

/** Subscribes new users who are not guests to all default channels: together, because each event names all who see the channel. */
export function joinDefaultChannels(tx: Tx, people: readonly PersonAdded[]): void {
  const userIds = people.filter(({ role }) => role !== roles.guest).map(({ userId }) => userId);
  if (userIds.length === 0) return;
  const channels = [...defaultChannelIds(tx)].map((id) => existingChannel(tx, id));
  join(
    tx,
    channels.map((channel) => ({ channel, userIds, areNewPeople: true })),
  );
}

export function emitGroups(tx: Tx): void {
  tx.emit(defaultGroupsChanged, nonGuests(tx), { default_stream_groups: defaultChannelGroups(tx) });
}

/** Removes a channel from all groups. Returns whether it was in any. */
function withdrawFromGroups(tx: Tx, channelId: number): boolean {
  const groups = store.groupsOfChannel(tx, channelId);
  for (const groupId of groups) store.deleteFromGroup(tx, groupId, channelId);
  return groups.length > 0;
}
