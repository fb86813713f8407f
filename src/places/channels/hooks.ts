import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { hook, soleHook } from "@/kernel/store/hooks.ts";
import type { ChannelRow } from "./schema.ts";

/** Users who may now read more or fewer messages of a channel. */
export interface AccessChange {
  /** As it is now. */
  channel: ChannelRow;
  userIds: readonly number[];
}

/** Users who see channels from now on, or no longer. */
export interface SightChange {
  /** `joined`: who else is there comes with the subscription, which follows. */
  kind: "gained" | "joined" | "lost";
  userIds: readonly number[];
  /** As they are now. */
  channels: readonly ChannelRow[];
}

/** What higher storeys know about channels. */
export const channelHooks = {
  /** The actor's default channel for messages that name none; null if they have none or no longer see it. */
  ofActor: soleHook<void, ChannelRow | null, Ctx>("channelHooks.ofActor"),
  /** The oldest message of each of these channels; those without messages are missing. */
  firstMessagesOf: soleHook<readonly number[], ReadonlyMap<number, number>, Reads>(
    "channelHooks.firstMessagesOf",
  ),
  /** Whether any message of the channel has a non-empty topic. */
  hasNamedTopics: soleHook<number, boolean, Reads>("channelHooks.hasNamedTopics"),
  /**
   * A transaction is about to change who may read a channel, given by ID, perhaps for very many. What each function resolves to is called
   * after that.
   */
  accessMayChange: hook<number, Promise<() => void>, Ctx>(),
  accessChanged: hook<readonly AccessChange[]>(),
  /**
   * An archived channel is back, which clients that do not know archiving had deleted: older clients are sent what these users have
   * there. Returns the users who would get too much: their clients have to register again.
   */
  returned: hook<{ channel: ChannelRow; userIds: readonly number[] }, readonly number[]>(),
  /**
   * An event has just sent channels to users who did not see them, and what hangs on these must follow; or an event has just said that
   * channels are gone. Leaves out new channels, on which nothing hangs, and users whose clients register again.
   */
  sightChanged: hook<readonly SightChange[]>(),
};
