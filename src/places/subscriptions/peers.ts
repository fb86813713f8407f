import type { ChannelRow } from "@/places/channels/rows.ts";

/** Users who joined or left one channel. */
export interface Moved {
  channel: ChannelRow;
  userIds: readonly number[];
}

/** Groups users with the same list of things, so that they can share one event. */
export function grouped<T>(
  byUser: ReadonlyMap<number, readonly T[]>,
  keyOf: (thing: T) => string,
): { userIds: number[]; things: readonly T[] }[] {
  const groups = new Map<string, { userIds: number[]; things: readonly T[] }>();
  for (const [userId, things] of byUser) {
    if (things.length === 0) continue;
    const key = things.map(keyOf).join("\n");
    const group = groups.get(key);
    if (group) group.userIds.push(userId);
    else groups.set(key, { userIds: [userId], things });
  }
  return [...groups.values()];
}

/** For each user, the channels they joined or left. */
export function channelsByUser(moves: readonly Moved[]): Map<number, ChannelRow[]> {
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
