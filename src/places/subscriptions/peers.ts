import type { ChannelRow } from "@/places/channels/schema.ts";

/** Users who joined or left one channel. */
export interface MovedSubscribers {
  channel: ChannelRow;
  userIds: readonly number[];
}

/** Users with the same list of things. */
export interface Together<T> {
  userIds: readonly number[];
  things: readonly T[];
}

/** Joins those with the same list of things, so that they can share one event; leaves out empty lists. */
export function joinEqual<T>(some: Iterable<Together<T>>, keyOf: (thing: T) => string): Together<T>[] {
  const groups = new Map<string, { userIds: number[]; things: readonly T[] }>();
  for (const { userIds, things } of some) {
    if (things.length === 0) continue;
    const key = things.map(keyOf).join("\n");
    const group = groups.get(key);
    if (!group) groups.set(key, { userIds: [...userIds], things });
    else for (const id of userIds) group.userIds.push(id);
  }
  return [...groups.values()];
}

/** Groups users with the same list of things, so that they can share one event. */
export function groupEqual<T>(
  byUser: ReadonlyMap<number, readonly T[]>,
  keyOf: (thing: T) => string,
): Together<T>[] {
  return joinEqual(
    byUser.entries().map(([id, things]) => ({ userIds: [id], things })),
    keyOf,
  );
}

/** For each user, the channels they joined or left. */
export function channelsByUser(moves: readonly MovedSubscribers[]): Map<number, ChannelRow[]> {
  const byUser = new Map<number, ChannelRow[]>();
  for (const { channel, userIds } of moves) {
    for (const userId of userIds) {
      const channels = byUser.get(userId);
      if (channels) channels.push(channel);
      else byUser.set(userId, [channel]);
    }
  }
  return byUser;
}
