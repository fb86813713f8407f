import type { Ctx, Reads } from "@/kernel/context.ts";
import { provided } from "@/kernel/hooks.ts";
import type { ChannelRow } from "./store.ts";

/** What others know about channels. */
export const channelHooks = {
  /** The channel to which the actor sends what names none; null for who has none, or sees it no longer. */
  ofActor: provided<void, ChannelRow | null, Ctx>("channelHooks.ofActor"),
  /** The oldest message of each of these channels; those without messages are missing. */
  firstMessagesOf: provided<readonly number[], ReadonlyMap<number, number>, Reads>(
    "channelHooks.firstMessagesOf",
  ),
  /** Whether any message of a channel has a topic, other than the empty one. */
  hasNamedTopics: provided<number, boolean, Reads>("channelHooks.hasNamedTopics"),
};
