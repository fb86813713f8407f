// Stores imported memberships, without events, since no client is connected.
import type { Tx } from "@/kernel/core/context.ts";
import { subscriberIds } from "./access.ts";
import { type Reception, subscriptionHooks } from "./hooks.ts";
import { palette } from "./schema.ts";
import * as store from "./store.ts";

/** Subscribes users who are not yet subscribed, even deactivated ones: from now on they receive messages. */
export function subscribeImported(
  tx: Tx,
  {
    channelId,
    conversationId,
    userIds,
  }: { channelId: number; conversationId: number; userIds: readonly number[] },
): void {
  const there = subscriberIds(tx, channelId);
  const added = userIds.filter((id) => !there.has(id));
  if (added.length === 0) return;
  const color = palette[channelId % palette.length] ?? palette[0];
  store.setSubscribed(
    tx,
    added.map((user_id) => ({ channel_id: channelId, user_id, color })),
  );
  subscriptionHooks.started(
    tx,
    added.map((userId): Reception => ({ conversationId, userId })),
  );
}
