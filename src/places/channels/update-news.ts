import type { Tx } from "@/kernel/context.ts";
import { type ChannelRow, viewersOf } from "./access.ts";
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
