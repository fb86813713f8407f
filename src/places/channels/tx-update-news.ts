import type { ChannelGrants } from "@/foundation/groups/hooks.ts";
import type { Tx } from "@/kernel/context.ts";
import { type ChannelRow, knownChannel, viewersOf } from "./access.ts";
import { type ChannelChange, channelUpdated } from "./schema.ts";

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
  const channel = knownChannel(tx, channelId);
  for (const [property, value] of Object.entries(values)) emitProperty(tx, channel, { property, value });
}
