// Whether a channel is in use, and how much.

import type { Tx } from "@/kernel/context.ts";
import type { ChannelRow } from "./access.ts";
import * as store from "./store.ts";
import { emitProperty } from "./tx-update-news.ts";

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
