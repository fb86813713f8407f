// Emits who joins and leaves channels: to their peers, and to users who gain or lose sight of a channel.

import { memberOf } from "@/foundation/permissions/access.ts";
import type { RoleChange } from "@/foundation/users/hooks.ts";
import { clientsOutdated, maxChangesSent } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { accessOf, existingChannel, viewersOf } from "@/places/channels/access.ts";
import { emitSight } from "@/places/channels/actions.ts";
import { channelHooks, type SightChange } from "@/places/channels/hooks.ts";
import { type ChannelAccess, type ChannelRow, nameChannels } from "@/places/channels/schema.ts";
import { channelsOf, subscriberIds } from "./access.ts";
import { channelsByUser, groupEqual, joinEqual, type MovedSubscribers, type Together } from "./peers.ts";
import { maxPrepared, peersAdded, peersRemoved } from "./schema.ts";

const idOf = ({ id }: ChannelRow) => String(id);

/** Emits to users who joined or left channels that they did not see before, or do not see any more. */
export function emitSightOf(tx: Tx, kind: SightChange["kind"], moves: readonly MovedSubscribers[]): void {
  emitTogether(tx, kind, groupEqual(channelsByUser(moves), idOf));
}

function emitTogether(tx: Tx, kind: SightChange["kind"], some: readonly Together<ChannelRow>[]): void {
  emitSight(
    tx,
    some.map(({ userIds, things }) => ({ kind, userIds, channels: things })),
  );
}

/** Users with the same access before, and the same after. */
export interface AccessChanged {
  userIds: readonly number[];
  before: ChannelAccess;
  after: ChannelAccess;
}

/** So many channels are named to users, and so many times is it found what one may read of a channel, prepared or not. */
const [maxNamed, maxReaders, maxUnprepared] = [1_000, 20_000, 2_000];

/**
 * Emits to users the channels they gained sight of, with their subscribers, those they lost sight of, and what follows for those
 * that they may or may not read from now on. Users with too many changes register again instead.
 */
export function emitAccessChanged(tx: Tx, changes: readonly AccessChanged[]): void {
  const toEmit: Gains[] = [];
  const outdated: number[] = [];
  let [named, readers] = [0, 0];
  for (const gains of gainsOf(changes)) {
    const { userIds, gained, lost, read } = gains;
    const [more, moreReaders] = [gained.length + lost.length + read.length, read.length * userIds.length];
    const most = read.length > maxPrepared ? maxUnprepared : maxReaders;
    if (more > maxChangesSent || named + more > maxNamed || readers + moreReaders > most) {
      for (const id of userIds) outdated.push(id);
    } else {
      toEmit.push(gains);
      [named, readers] = [named + more, readers + moreReaders];
    }
  }
  if (outdated.length > 0) tx.emit(clientsOutdated, to(), { user_ids: outdated });
  emitGains(tx, toEmit);
}

interface Gains {
  userIds: readonly number[];
  gained: readonly ChannelRow[];
  lost: readonly ChannelRow[];
  /** Those that the users may read now and could not before, or the other way round. */
  read: readonly ChannelRow[];
}

/** What changes, once for all users with the same changes. */
function gainsOf(changes: readonly AccessChanged[]): Gains[] {
  const all = changes.map(({ userIds, before, after }) => {
    const gained = missingFrom(before.seen, after.seen);
    const lost = missingFrom(after.seen, before.seen);
    const read = [...missingFrom(before.read, after.read), ...missingFrom(after.read, before.read)];
    return { userIds, things: [gained, lost, read] };
  });
  const idsOf = (channels: readonly ChannelRow[]) => channels.map(idOf).join();
  return joinEqual(all, idsOf).map(({ userIds, things: [gained = [], lost = [], read = []] }) => ({
    userIds,
    gained,
    lost,
    read,
  }));
}

function emitGains(tx: Tx, all: readonly Gains[]): void {
  const together = (which: "gained" | "lost") =>
    joinEqual(
      all.map((gains) => ({ userIds: gains.userIds, things: gains[which] })),
      idOf,
    );
  emitTogether(tx, "gained", together("gained"));
  emitTogether(tx, "lost", together("lost"));
  const read = readersOf(all);
  if (read.length > 0) channelHooks.accessChanged(tx, read);
}

/** Who may read more or less of each channel. */
function readersOf(all: readonly Gains[]): MovedSubscribers[] {
  const moves = new Map<number, { channel: ChannelRow; userIds: number[] }>();
  for (const { userIds, read } of all) {
    for (const channel of read) {
      const known = moves.get(channel.id);
      if (!known) moves.set(channel.id, { channel, userIds: [...userIds] });
      else for (const id of userIds) known.userIds.push(id);
    }
  }
  return [...moves.values()];
}

/** Emits the subscribers of channels to users who gained sight of them. */
export function emitPeersOf(tx: Tx, changes: readonly SightChange[]): void {
  for (const { kind, userIds, channels } of changes) {
    if (kind !== "gained") continue;
    for (const [subscribers, alike] of bySubscribers(tx, channels)) {
      tx.emit(peersAdded, { to: userIds }, { ...nameChannels(alike), user_ids: subscribers });
    }
  }
}

function missingFrom(some: readonly ChannelRow[], others: readonly ChannelRow[]): ChannelRow[] {
  const known = new Set(some.map((channel) => channel.id));
  return others.filter((channel) => !known.has(channel.id));
}

/** Groups channels with the same subscribers. Leaves out channels without subscribers. */
function bySubscribers(tx: Tx, channels: readonly ChannelRow[]): [number[], ChannelRow[]][] {
  const alike = Map.groupBy(channels, ({ id }) => [...subscriberIds(tx, id)].join());
  alike.delete("");
  return [...alike.values()].map((some) => [[...subscriberIds(tx, some[0]?.id ?? 0)], some]);
}

/** Emits to everyone who sees a channel's subscribers, except those who joined or left, who get another event. */
export function emitPeers(tx: Tx, moves: readonly MovedSubscribers[], op: "add" | "remove"): void {
  const alike = Map.groupBy(moves, ({ userIds }) => userIds.join());
  for (const some of alike.values()) {
    const user_ids = [...(some[0]?.userIds ?? [])];
    const byViewers = Map.groupBy(some, ({ channel }) => viewersOf(tx, channel));
    for (const [viewers, together] of byViewers) {
      const peers = new Set(viewers);
      // A user who joins gets the other subscribers with their own event. A user who leaves gets only their own.
      if (op === "add" || user_ids.length === 1) for (const id of user_ids) peers.delete(id);
      if (user_ids.length === 0 || peers.size === 0) continue;
      const event = op === "add" ? peersAdded : peersRemoved;
      tx.emit(event, { to: peers }, { ...nameChannels(together.map(({ channel }) => channel)), user_ids });
    }
  }
}

/** Emits the subscriptions of a user who is reactivated or about to be deactivated, to those who see them. */
export function announcePeers(tx: Tx, userId: number, op: "add" | "remove"): void {
  const moves = [...channelsOf(tx, userId)].map((id) => ({
    channel: existingChannel(tx, id),
    userIds: [userId],
  }));
  emitPeers(tx, moves, op);
}

/** For a role change: call it before, and the returned function after, to emit what the user gained or lost access to. */
export function followRole(tx: Tx, { userId }: RoleChange): () => void {
  const access = () => accessOf(tx, memberOf(tx, userId));
  const before = access();
  return () => emitAccessChanged(tx, [{ userIds: [userId], before, after: access() }]);
}
