// Who is subscribed to what: cached, without a permission of its own.

import { knownUser, userByEmail } from "@/foundation/users/access.ts";
import type { Ctx, Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import * as store from "./store.ts";

/** Active subscribed users of a channel, in ascending order; shared, so never to be changed. */
export function subscriberIds(reads: Reads, channelId: number): ReadonlySet<number> {
  return store.subscriberIds(reads, channelId);
}

/** As the sizes of `subscriberIds`, for all channels at once; a channel without any is missing. */
export function subscriberCounts(reads: Reads): ReadonlyMap<number, number> {
  return store.subscriberCounts(reads);
}

/** The channels a user is subscribed to, in ascending order; a deactivated user keeps theirs. */
export function channelsOf(reads: Reads, userId: number): ReadonlySet<number> {
  return store.channelsOf(reads, userId);
}

/** Those of `channelsOf` that the user has muted. */
export function mutedChannelsOf(reads: Reads, userId: number): ReadonlySet<number> {
  return store.mutedChannelsOf(reads, userId);
}

export function isSubscribed(reads: Reads, channelId: number, userId: number): boolean {
  return channelsOf(reads, userId).has(channelId);
}

/**
 * Users by ID or address, ascending and without duplicates. Refuses all if one is unknown, deactivated, or one of the
 * organization's own bots, which are subscribed nowhere.
 */
export function activeUsers(ctx: Ctx, principals: readonly (number | string)[]): number[] {
  const users = principals.map((one) =>
    typeof one === "number" ? knownUser(ctx, one) : userByEmail(ctx, one),
  );
  if (users.some((user) => !user.is_active || user.system_bot !== null)) fail("BAD_REQUEST", "No such user");
  return [...new Set(users.map((user) => user.id))].sort((a, b) => a - b);
}
