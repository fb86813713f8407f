import type { Tx } from "@/kernel/context.ts";
import { knownChannel } from "@/places/channels/access.ts";
import { tellProperty } from "@/places/channels/update-news.ts";
import { firstMessagesOf } from "./access.ts";

/** Runs `body`, which changes the messages of channels, and emits `first_message_id` where it changed. */
export function keepingFirst<T>(tx: Tx, channelIds: readonly number[], body: () => T): T {
  const before = firstMessagesOf(tx, channelIds);
  const result = body();
  const after = firstMessagesOf(tx, channelIds);
  for (const id of channelIds) {
    const value = after.get(id) ?? null;
    if (value !== (before.get(id) ?? null))
      tellProperty(tx, knownChannel(tx, id), { property: "first_message_id", value });
  }
  return result;
}
