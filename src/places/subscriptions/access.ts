// Who is subscribed to which channel. Cached, without permission checks.

import { usersUpTo } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import { userByEmail, userKnownFor } from "@/foundation/users/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import * as store from "./store.ts";

/** IDs of a channel's active subscribers, ascending. The set is shared: do not modify it. */
export function subscriberIds(reads: Reads, channelId: number): ReadonlySet<number> {
  return store.subscriberIds(reads, channelId);
}

/** The sizes of `subscriberIds` for all channels at once. Channels without subscribers are missing. */
export function subscriberCounts(reads: Reads): ReadonlyMap<number, number> {
  return store.subscriberCounts(reads);
}

const portion = 500;

/** The person of a role who is in most channels; null if nobody is in any. */
export function* busiestPerson(reads: Reads, role: Role): Task<number | null> {
  const ids = [...usersUpTo(reads, role)].sort((a, b) => a - b);
  let busiest = { id: 0, channels: 0 };
  for (let at = 0; at < ids.length; at += portion) {
    const [from = 0, to = 0] = [ids[at], ids.slice(at, at + portion).at(-1)];
    const found = store.findBusiest(reads, { role, from, to });
    if (found && found.channels > busiest.channels) busiest = found;
    yield portion;
  }
  return busiest.id || null;
}

/** IDs of the channels a user is subscribed to, ascending. Deactivated users keep their subscriptions. */
export function channelsOf(reads: Reads, userId: number): ReadonlySet<number> {
  return store.channelsOf(reads, userId);
}

/** The channels of `channelsOf` that the user has muted. */
export function listMutedChannels(reads: Reads, userId: number): ReadonlySet<number> {
  return store.listMutedChannels(reads, userId);
}

export function isSubscribed(reads: Reads, channelId: number, userId: number): boolean {
  return channelsOf(reads, userId).has(channelId);
}

/**
 * IDs of users given by ID or address, ascending, without duplicates. Throws if any of them is unknown, deactivated, or a
 * system bot, which cannot subscribe.
 */
export function activeUsers(ctx: Ctx, principals: readonly (number | string)[]): number[] {
  const users = principals.map((one) =>
    typeof one === "number" ? userKnownFor(ctx, one) : userByEmail(ctx, one),
  );
  if (users.some((user) => !user.is_active || user.system_bot !== null)) fail("BAD_REQUEST", "No such user");
  return [...new Set(users.map((user) => user.id))].sort((a, b) => a - b);
}

/** Subscribed users who chose to get mails of all messages in a channel. */
export function usersWithMails(reads: Reads, channelId: number): ReadonlySet<number> {
  return store.usersWithMails(reads, channelId);
}

/** Channels whose messages a user chose to get by mail. */
export function channelsWithMails(reads: Reads, userId: number): number[] {
  return [...channelsOf(reads, userId)].filter((id) => store.usersWithMails(reads, id).has(userId));
}

/** What a user chose for one channel; null where their settings for all channels apply, or if they are not in it. */
export function choicesOf(
  reads: Reads,
  channelId: number,
  userId: number,
): Record<keyof store.Choices, boolean | null> {
  const toChoice = (value: 0 | 1 | null | undefined) => (value == null ? null : value === 1);
  const row = store.findChoices(reads, channelId, userId);
  return {
    email_notifications: toChoice(row?.email_notifications),
    push_notifications: toChoice(row?.push_notifications),
    wildcard_mentions_notify: toChoice(row?.wildcard_mentions_notify),
  };
}
