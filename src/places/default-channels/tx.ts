import { recordAudit } from "@/foundation/audit/tx.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { PersonAdded, RoleChange } from "@/foundation/users/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { to } from "@/kernel/events.ts";
import { type ChannelRow, knownChannel } from "@/places/channels/access.ts";
import { join } from "@/places/subscriptions/moves.ts";
import { defaultChannelGroups, defaultChannelIds, isDefaultChannel, nonGuests } from "./access.ts";
import { defaultChannelsChanged, defaultGroupsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Makes channels that are none yet default ones, as part of another action. */
export function addDefaultChannels(tx: Tx, channels: readonly ChannelRow[]): void {
  for (const channel of channels) checkMayBeDefault(channel);

  for (const channel of channels) {
    store.insertDefault(tx, channel.id);
    record(tx, channel, "made_default");
  }
  if (channels.length > 0) tellDefaults(tx);
}

export function record(tx: Tx, { id }: ChannelRow, deed: string): void {
  recordAudit(tx, { event: `channel_${deed}`, about: { kind: "channel", id } });
}

function checkMayBeDefault(channel: ChannelRow): void {
  if (channel.invite_only) fail("BAD_REQUEST", "A default channel cannot be private.");
  if (channel.is_archived) fail("BAD_REQUEST", "A default channel cannot be archived.");
}

export function tellDefaults(tx: Tx): void {
  tx.emit(defaultChannelsChanged, nonGuests(tx), { default_streams: [...defaultChannelIds(tx)] });
}

/** Tells somebody who becomes a guest, or no longer is one, what they are told of default channels from now on. */
export function tellDefaultsSeen(tx: Tx, { userId, from, to: role }: RoleChange): void {
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

/** Takes a channel that is archived or hidden from the defaults and from all groups of them. */
export function withdrawChannel(tx: Tx, channelId: number): void {
  if (isDefaultChannel(tx, channelId)) {
    store.deleteDefault(tx, channelId);
    tellDefaults(tx);
  }
  if (withdrawFromGroups(tx, channelId)) tellGroups(tx);
}

/** Subscribes somebody new, if no guest, to all default channels. */
export function joinDefaultChannels(tx: Tx, { userId, role }: PersonAdded): void {
  if (role === roles.guest) return;
  const channels = [...defaultChannelIds(tx)].map((id) => knownChannel(tx, id));
  join(
    tx,
    channels.map((channel) => ({ channel, userIds: [userId] })),
  );
}

export function tellGroups(tx: Tx): void {
  tx.emit(defaultGroupsChanged, nonGuests(tx), { default_stream_groups: defaultChannelGroups(tx) });
}

/** Takes a channel out of all groups; false where it was in none. */
function withdrawFromGroups(tx: Tx, channelId: number): boolean {
  const groups = store.groupsOfChannel(tx, channelId);
  for (const groupId of groups) store.deleteFromGroup(tx, groupId, channelId);
  return groups.length > 0;
}
