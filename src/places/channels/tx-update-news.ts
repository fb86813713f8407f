import type { ChannelGrants } from "@/foundation/groups/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import { type ChannelRow, knownChannel, viewersOf } from "./access.ts";
import { type ChannelChange, channelUpdated } from "./schema.ts";

/** Tells who sees a channel, given as it is now, that one property of it has become different. */
export function tellProperty(
  tx: Tx,
  channel: ChannelRow,
  changed: Pick<ChannelChange, "property" | "value">,
): void {
  const change = { stream_id: channel.id, name: channel.name, ...changed };
  tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived: channel.is_archived === 1 });
}

/** As `tellProperty`, of permission settings. */
export function tellGrants(tx: Tx, { channelId, values }: ChannelGrants): void {
  const channel = knownChannel(tx, channelId);
  for (const [property, value] of Object.entries(values)) tellProperty(tx, channel, { property, value });
}
