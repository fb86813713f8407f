// Membership in a group can let users see and read a private channel. Emits what they gain or lose.

import type { MembersChange } from "@/foundation/groups/hooks.ts";
import { groupWithGrant, memberOf, membersOf, usersUpTo } from "@/foundation/permissions/access.ts";
import { systemGroup } from "@/foundation/permissions/closure.ts";
import { ownersGranting } from "@/foundation/permissions/grants.ts";
import { roles, systemGroups } from "@/foundation/permissions/schema.ts";
import { clientsOutdated } from "@/foundation/users/schema.ts";
import type { Ctx, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { accessOf, existingChannel, readingGroups, seeingGroups } from "@/places/channels/access.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import type { ChannelAccess, ChannelRow } from "@/places/channels/schema.ts";
import { subscriberCounts, subscriberIds } from "./access.ts";
import { type AccessChanged, emitAccessChanged } from "./actions-peers.ts";
import { maxPrepared } from "./schema.ts";

/** So many different users are compared, and so many users times channels: some milliseconds of work. */
const [maxCompared, maxPairs] = [100, 5_000];
/** Of so many groups are the members listed. */
const maxGroups = 10;
/** Of channels with so many subscribers in all are the subscribers listed. */
const maxSubscribers = 25_000;

/** Each user's access to channels. Leaves out users whose access would take too long to find. */
function accessTo(
  ctx: ReadsNow,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
): Map<number, ChannelAccess> {
  const access = new Map<number, ChannelAccess>();
  const most = Math.min(maxCompared, Math.floor(maxPairs / channels.length));
  for (const users of alikeUsers(ctx, channels, userIds).slice(0, most)) {
    const shared = accessOf(ctx, memberOf(ctx, users[0] ?? 0), channels);
    for (const id of users) access.set(id, shared);
  }
  return access;
}

/** Users in lists of those who have the same access to channels, the longest first; none if there is too much to look at. */
function alikeUsers(
  ctx: ReadsNow,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
): readonly (readonly number[])[] {
  const isFew = userIds.length <= maxCompared && userIds.length * channels.length <= maxPairs;
  if (isFew) return userIds.map((id) => [id]);
  const groups = groupsLetting(ctx, channels);
  const counts = subscriberCounts(ctx);
  const subscribers = channels.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0);
  if (groups.length > maxGroups || subscribers > maxSubscribers) return [];
  return divide(userIds, [
    ...Object.values(roles).map((role) => usersUpTo(ctx, role)),
    ...groups.map((id) => membersOf(ctx, id)),
    ...channels.map(({ id }) => subscriberIds(ctx, id)),
  ]).sort((a, b) => b.length - a.length);
}

/** The groups whose members see the channels, except system groups whose members follow from roles. */
function groupsLetting(ctx: ReadsNow, channels: readonly ChannelRow[]): number[] {
  const ofRoles = systemGroups.filter(({ name }) => name !== "role:fullmembers");
  const groups = new Set(
    channels.flatMap(({ id }) => seeingGroups.map((name) => groupWithGrant(ctx, "channel", id, name))),
  );
  for (const { name } of ofRoles) groups.delete(systemGroup(ctx, name));
  return [...groups];
}

/** Divides users so that those in the same of some sets are together. */
function divide(userIds: readonly number[], sets: readonly ReadonlySet<number>[]): number[][] {
  const places = new Map(userIds.map((id) => [id, 0]));
  let last = 0;
  for (const set of sets) {
    const next = new Map<number, number>();
    for (const id of set) {
      const place = places.get(id);
      if (place === undefined) continue;
      const moved = next.get(place) ?? ++last;
      next.set(place, moved);
      places.set(id, moved);
    }
  }
  return [...Map.groupBy(places.keys(), (id) => places.get(id) ?? 0).values()];
}

/** Before a change of many members: prepares what depends on who may read the channels that the group opens. */
export async function prepareMembers(ctx: Ctx, groupId: number): Promise<() => void> {
  const opened = ownersGranting(ctx, groupId, { scope: "channel", names: readingGroups });
  if (opened.size > maxPrepared) return () => {};
  const endings: (() => void)[] = [];
  for (const id of opened) endings.push(...(await Promise.all(channelHooks.accessMayChange(ctx, id))));
  return () => {
    for (const end of endings) end();
  };
}

/**
 * For a change of members: call it before, and the returned function after, to emit what users gained or lost access to. Users
 * whose access would take too long to find register again instead.
 */
export function followMembers(ctx: ReadsNow, { groupId, userIds }: MembersChange): (tx: Tx) => void {
  const opened = ownersGranting(ctx, groupId, { scope: "channel", names: seeingGroups });
  if (opened.size === 0) return () => {};
  const ids = [...opened].sort((a, b) => a - b);
  const rows = (reads: ReadsNow) => ids.map((id) => existingChannel(reads, id));
  const people = [...userIds];
  const before = accessTo(ctx, rows(ctx), people);
  return (tx) => {
    const listening = people.length > maxCompared ? tx.listeners(people) : people;
    const after = accessTo(tx, rows(tx), listening);
    const user_ids = listening.filter((id) => !before.has(id) || !after.has(id));
    if (user_ids.length > 0) tx.emit(clientsOutdated, to(), { user_ids });
    emitAccessChanged(tx, changesBetween(before, after));
  };
}

function changesBetween(
  before: ReadonlyMap<number, ChannelAccess>,
  after: ReadonlyMap<number, ChannelAccess>,
): AccessChanged[] {
  const changes: AccessChanged[] = [];
  for (const [now, users] of Map.groupBy(after.keys(), (id) => after.get(id))) {
    for (const [then, userIds] of Map.groupBy(users, (id) => before.get(id))) {
      if (then && now) changes.push({ userIds, before: then, after: now });
    }
  }
  return changes;
}
