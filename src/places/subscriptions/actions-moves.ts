// Subscribes and unsubscribes many users at once, without permission checks: rows, receipts and events.

import { emitMet, emitParted } from "@/foundation/accounts/actions-acquaintance.ts";
import { acquaintancesOf } from "@/foundation/acquaintance/access.ts";
import { notificationsOf } from "@/foundation/user-settings/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { channelReaders, viewersOf } from "@/places/channels/access.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { presentEmpty } from "@/places/channels/present.ts";
import { type Addressed, type ChannelRow, channelCreated } from "@/places/channels/schema.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { subscriberIds } from "./access.ts";
import { emitPeers, emitSightOf } from "./actions-peers.ts";
import { type Reception, subscriptionHooks } from "./hooks.ts";
import { channelsByUser, groupEqual, type MovedSubscribers } from "./peers.ts";
import { presenterFor } from "./queries.ts";
import { palette, peersAdded, subscriptionsAdded, subscriptionsRemoved } from "./schema.ts";
import type { SubscriptionRow } from "./store.ts";
import * as store from "./store.ts";

/** Users to subscribe to a channel. */
export interface ChannelJoining extends MovedSubscribers {
  /** The color for those who join. By default they keep their earlier one or get one they do not use yet. */
  color?: string;
  /** The channel was created in this transaction and has not been emitted. */
  isNew?: boolean;
  /** The users were added in this transaction, so they have no client yet. */
  areNewPeople?: boolean;
}

interface Plan extends ChannelJoining {
  /** The new rows of those who are not subscribed yet. */
  rows: SubscriptionRow[];
}

/** Subscribes users and emits the events. Returns those who were not subscribed before. */
export function join(tx: Tx, joinings: readonly ChannelJoining[]): MovedSubscribers[] {
  const plans = planMoves(tx, joinings);
  const moves = plans.map(({ channel, rows }) => ({ channel, userIds: rows.map((row) => row.user_id) }));
  emitOpened(
    tx,
    plans.filter(({ isNew }) => isNew),
  );
  const toNotify = plans.filter(({ areNewPeople }) => !areNewPeople);
  const known = toNotify.filter(({ isNew }) => !isNew);
  const seeing = known.map((plan) => ({ channel: plan.channel, userIds: newcomers(tx, plan) }));
  emitSightOf(tx, "joined", seeing);
  const met = acquaintancesOf(tx, movers(moves));
  const entering = known.map(({ channel, rows }) => {
    return outsiders(tx, { channel, userIds: rows.map((row) => row.user_id) });
  });
  const rows = plans.flatMap((plan) => plan.rows);
  if (rows.length > 0) {
    store.setSubscribed(tx, rows);
    subscriptionHooks.started(tx, receptions(tx, moves));
  }
  emitMet(tx, met);
  emitJoined(tx, toNotify);
  emitPeers(tx, moves, "add");
  channelHooks.accessChanged(tx, entering);
  return moves;
}

const unchosen = {
  is_subscribed: 1,
  is_muted: 0,
  pin_to_top: 0,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
} as const;

function planMoves(tx: Tx, joinings: readonly ChannelJoining[]): Plan[] {
  const colorFor = colorChooser(
    tx,
    joinings.flatMap(({ userIds }) => userIds),
  );
  return joinings.map((joining) => {
    const { channel, userIds } = joining;
    const known = new Map(store.listOfChannel(tx, channel.id, userIds).map((row) => [row.user_id, row]));
    const rows: SubscriptionRow[] = [];
    for (const user_id of userIds) {
      const row = known.get(user_id);
      if (row?.is_subscribed) continue;
      const color = joining.color ?? row?.color ?? colorFor(user_id);
      rows.push({ ...unchosen, ...row, is_subscribed: 1, channel_id: channel.id, user_id, color });
    }
    return { ...joining, rows };
  });
}

/** Gives each user the first color of the palette that they do not use. Once all are used, cycles through the palette. */
function colorChooser(tx: Tx, userIds: readonly number[]): (userId: number) => string {
  let usedBy: Map<number, string[]> | undefined;
  return (userId) => {
    usedBy ??= listUsedColors(tx, userIds);
    const used = usedBy.get(userId) ?? [];
    const color =
      palette.find((one) => !used.includes(one)) ?? (palette[used.length % palette.length] as string);
    usedBy.set(userId, [...used, color]);
    return color;
  };
}

function listUsedColors(tx: Tx, userIds: readonly number[]): Map<number, string[]> {
  const byUser = Map.groupBy(store.colorsOf(tx, userIds), (row) => row.user_id);
  return new Map([...byUser].map(([userId, rows]) => [userId, rows.map((row) => row.color)]));
}

/** Users who do not see the channel until they join it. */
function newcomers(tx: Tx, { channel, rows }: Plan): number[] {
  const viewers = viewersOf(tx, channel);
  return rows.map((row) => row.user_id).filter((id) => !viewers.has(id));
}

/**
 * Emits new channels to everyone who sees them. Channels with the same audience, as public ones mostly have, share an
 * event.
 */
function emitOpened(tx: Tx, plans: readonly Plan[]): void {
  for (const joinedAlike of Map.groupBy(plans, ({ userIds }) => userIds).values()) {
    for (const [viewers, together] of Map.groupBy(joinedAlike, ({ channel }) => viewersOf(tx, channel))) {
      const [first] = together;
      const audience = { to: viewers, also: first ? newcomers(tx, first) : [] };
      tx.emit(channelCreated, audience, {
        streams: together.map(({ channel }) => presentEmpty(tx, channel)),
      });
    }
  }
}

function emitJoined(
  tx: Tx,
  plans: readonly Pick<Plan, "channel" | "rows">[],
  addressed: Addressed = {},
): void {
  const rows = plans.flatMap((plan) => plan.rows);
  if (rows.length === 0) return;
  const present = new Map(plans.map(({ channel }) => [channel.id, presenterFor(tx, channel)]));
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  for (const { userIds, things } of groupEqual(byUser, (row) => choicesOf(tx, row))) {
    const subscriptions = things.flatMap((row) => present.get(row.channel_id)?.(row) ?? []);
    const inherited = notificationsOf(tx, userIds[0] as number);
    tx.emit(subscriptionsAdded, { to: userIds }, { subscriptions, inherited, ...addressed });
  }
}

/** Emits the subscribers of a restored channel to older clients, which had deleted it when it was archived. */
export function emitReturned(tx: Tx, channel: ChannelRow): void {
  const subscribers = subscriberIds(tx, channel.id);
  if (subscribers.size === 0) return;
  const rows = store.listOfChannel(tx, channel.id, [...subscribers]);
  emitJoined(tx, [{ channel, rows }], { only: "older" });
  const others = [...viewersOf(tx, channel)].filter((id) => !subscribers.has(id));
  const peers = { stream_ids: [channel.id], user_ids: [...subscribers] };
  if (others.length > 0) tx.emit(peersAdded, { to: others }, { ...peers, only: "older" });
}

/** A key: users with the same key get the same event. */
function choicesOf(tx: Tx, { user_id, ...settings }: SubscriptionRow): string {
  return JSON.stringify([settings, notificationsOf(tx, user_id)]);
}

/** Unsubscribes users and emits the events. Returns those who were subscribed before. */
export function leave(tx: Tx, leavings: readonly MovedSubscribers[]): MovedSubscribers[] {
  const moves = leavings.map(({ channel, userIds }) => ({
    channel,
    userIds: listSubscribedAmong(tx, channel, userIds),
  }));
  const before = acquaintancesOf(tx, movers(moves));
  for (const { channel, userIds } of moves) {
    if (userIds.length > 0) store.setUnsubscribed(tx, channel.id, userIds);
  }
  const ended = receptions(tx, moves);
  if (ended.length > 0) subscriptionHooks.ended(tx, ended);
  emitLeft(tx, moves);
  emitPeers(tx, moves, "remove");
  const leaving = moves.map(({ channel, userIds }) => {
    const viewers = viewersOf(tx, channel);
    return { channel, userIds: userIds.filter((id) => !viewers.has(id)) };
  });
  emitSightOf(tx, "lost", leaving);
  emitParted(tx, before);
  channelHooks.accessChanged(
    tx,
    moves.map((one) => outsiders(tx, one)),
  );
  return moves;
}

/** Of these users, those who may not read the channel now: they could before they left it, or will once they have joined it. */
function outsiders(tx: Tx, { channel, userIds }: MovedSubscribers): MovedSubscribers {
  const readers = channelReaders(tx, channel);
  return { channel, userIds: userIds.filter((id) => !readers.has(id)) };
}

/** Who moved, and the conversation of the channel. */
function receptions(tx: Tx, moves: readonly MovedSubscribers[]): Reception[] {
  return moves.flatMap(({ channel, userIds }) => {
    const conversationId = channelConversation(tx, channel.id);
    return userIds.map((userId) => ({ userId, conversationId }));
  });
}

const movers = (moves: readonly MovedSubscribers[]) => moves.flatMap(({ userIds }) => userIds);

function listSubscribedAmong(tx: Tx, channel: ChannelRow, userIds: readonly number[]): number[] {
  const rows = store.listOfChannel(tx, channel.id, userIds);
  return rows.filter((row) => row.is_subscribed).map((row) => row.user_id);
}

function emitLeft(tx: Tx, moves: readonly MovedSubscribers[]): void {
  for (const { userIds, things } of groupEqual(channelsByUser(moves), ({ id }) => String(id))) {
    const subscriptions = things.map(({ id, name }) => ({ stream_id: id, name }));
    const archived = things.filter(({ is_archived }) => is_archived).map(({ id }) => id);
    tx.emit(subscriptionsRemoved, { to: userIds }, { subscriptions, archived });
  }
}

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
