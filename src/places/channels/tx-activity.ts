// Whether a channel is in use, and how much.

import type { Tx } from "@/kernel/context.ts";
import type { ChannelRow } from "./access.ts";
import * as store from "./store.ts";
import { tellProperty } from "./tx-update-news.ts";

/** A message puts its channel back into use at once. */
export function noteMessageIn(tx: Tx, channel: ChannelRow): void {
  if (channel.is_recently_active) return;
  setActive(tx, channel, true);
}

export function setActive(tx: Tx, channel: ChannelRow, isActive: boolean): void {
  store.setRecentlyActive(tx, channel.id, isActive);
  tellProperty(tx, channel, { property: "is_recently_active", value: isActive });
}

/** Notes how many messages a week a channel gets; null for one that is not a week old. Clients read it when they register. */
export function setTraffic(tx: Tx, channel: ChannelRow, traffic: number | null): void {
  store.setWeeklyTraffic(tx, channel.id, traffic);
}
