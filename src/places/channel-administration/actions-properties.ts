// Changes of a single property of a channel, such as whether it is in use, and the event of such a change.

import type { ChannelGrants } from "@/foundation/groups/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { existingChannel, viewersOf } from "@/places/channels/access.ts";
import { type ChannelChange, type ChannelRow, channelUpdated } from "@/places/channels/schema.ts";
import * as store from "./store.ts";

/** Emits one changed property to everyone who sees the channel. `channel` is its new state. */
export function emitProperty(
  tx: Tx,
  channel: ChannelRow,
  changed: Pick<ChannelChange, "property" | "value">,
): void {
  const change = { stream_id: channel.id, name: channel.name, ...changed };
  tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived: channel.is_archived === 1 });
}

/** As `emitProperty`, for permission settings. */
export function emitGrants(tx: Tx, { channelId, values }: ChannelGrants): void {
  const channel = existingChannel(tx, channelId);
  for (const [property, value] of Object.entries(values)) emitProperty(tx, channel, { property, value });
}

/** Marks the channel as recently active when a message is sent there. */
export function noteMessageIn(tx: Tx, channel: ChannelRow): void {
  if (channel.is_recently_active) return;
  setActive(tx, channel, true);
}

export function setActive(tx: Tx, channel: ChannelRow, isActive: boolean): void {
  store.setRecentlyActive(tx, channel.id, isActive);
  emitProperty(tx, channel, { property: "is_recently_active", value: isActive });
}

/** Sets a channel's messages per week; null if it is less than a week old. No event: clients read it when they register. */
export function setTraffic(tx: Tx, channel: ChannelRow, traffic: number | null): void {
  store.setWeeklyTraffic(tx, channel.id, traffic);
}
