import { memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { listReached, type Reachable, recordHolders } from "@/messaging/receipts/reach.ts";
import { channelReaders, mayRead, sharesHistory, visibleChannel } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";

/**
 * The audience for changes to a message: users who have it as a record and subscribers of its channel, if they may still
 * read it.
 */
export function readersOf(ctx: Ctx, row: Reachable): Audience {
  return readersOfAll(ctx, [row])[0]?.audience ?? { to: [] };
}

/** Some of many messages, with the users who may read them. */
export interface Readership {
  ids: number[];
  audience: Audience;
}

/** As `readersOf`, for messages of one conversation. With protected history, users read only what reached them. */
export function readersOfAll(ctx: Ctx, rows: readonly [Reachable, ...Reachable[]]): Readership[] {
  const ids = rows.map((row) => row.id).sort((a, b) => a - b);
  const place = conversation(ctx, rows[0].conversation_id);
  if (place.channel_id === null) return [{ ids, audience: { to: participantsOf(place) } }];
  const channel = visibleChannel(ctx, place.channel_id);
  if (!channel) return [];
  const subscribers = subscriberIds(ctx, channel.id);
  const others = [...recordHolders(ctx, rows, subscribers)].filter((id) =>
    mayRead(ctx, memberOf(ctx, id), channel),
  );
  if (sharesHistory(channel)) return [{ ids, audience: { to: subscribers, also: others } }];
  return byWhatReachedThem(ctx, rows, [...subscribers, ...others]);
}

function byWhatReachedThem(ctx: Ctx, rows: readonly Reachable[], users: readonly number[]): Readership[] {
  const people = [...listReached(ctx, rows, users)];
  const groups = Map.groupBy(people, ([, ids]) => ids);
  return [...groups].map(([ids, group]) => ({
    ids: ids.toSorted((a, b) => a - b),
    audience: { to: group.map(([user]) => user) },
  }));
}

/** The user IDs of `readersOf`. */
export function readerIds(ctx: Ctx, row: MessageRow): ReadonlySet<number> {
  const { to, also = [] } = readersOf(ctx, row);
  const people = to as Exclude<Audience["to"], "everyone">;
  return people instanceof Set && also.length === 0 ? people : new Set([...people, ...also]);
}

/** The messages of a channel that each of these users may read. Users who may read the same ones share a list object. */
export function sightIn(
  ctx: Ctx,
  channel: ChannelRow,
  rows: readonly Reachable[],
  userIds: readonly number[],
): (userId: number) => readonly number[] {
  const none: readonly number[] = [];
  const readers = channelReaders(ctx, channel);
  const isReader = (id: number) => readers.has(id) || isAwayReader(ctx, channel, id);
  if (sharesHistory(channel)) {
    const all = rows.map((row) => row.id);
    return (id) => (isReader(id) ? all : none);
  }
  const reached = listReached(ctx, rows, userIds);
  return (id) => (isReader(id) ? (reached.get(id) ?? none) : none);
}

/** Deactivated readers keep their messages, in case they are reactivated. */
function isAwayReader(ctx: Ctx, channel: ChannelRow, userId: number): boolean {
  const member = memberOf(ctx, userId);
  return member.is_active === 0 && mayRead(ctx, member, channel);
}
