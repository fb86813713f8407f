import { knownChannel, viewersOf } from "@/channels/access.ts";
import { channelUpdated } from "@/channels/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { firstMessageOf } from "./access.ts";

/** Does something to the messages of channels, and tells where it changed which message is a channel's first. */
export function keepingFirst<T>(tx: Tx, channelIds: readonly number[], body: () => T): T {
  const before = new Map(channelIds.map((id) => [id, firstMessageOf(tx, id)]));
  const result = body();
  for (const [id, first] of before) {
    const value = firstMessageOf(tx, id);
    if (value === first) continue;
    const channel = knownChannel(tx, id);
    const change = { stream_id: id, name: channel.name, property: "first_message_id", value };
    const is_archived = channel.is_archived === 1;
    tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived });
  }
  return result;
}
