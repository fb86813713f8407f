import type { Tx } from "@/kernel/context.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { tellProperty } from "@/places/channels/update-news.ts";
import { firstMessageOf } from "./access.ts";

/** Does something to the messages of channels, and tells where it changed which message is a channel's first. */
export function keepingFirst<T>(tx: Tx, channelIds: readonly number[], body: () => T): T {
  const before = new Map(channelIds.map((id) => [id, firstMessageOf(tx, id)]));
  const result = body();
  for (const [id, first] of before) {
    const value = firstMessageOf(tx, id);
    if (value !== first) tellProperty(tx, knownChannel(tx, id), { property: "first_message_id", value });
  }
  return result;
}
