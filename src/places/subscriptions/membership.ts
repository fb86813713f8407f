// Who is in which channels: what one transaction does of it.

import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import {
  type ChannelRow,
  channelByName,
  channelFor,
  isAllowed,
  isNameTaken,
  knownChannel,
  type Purpose,
  refusalOf,
  visibleChannelNamed,
} from "@/places/channels/access.ts";
import type { NewChannelTraits } from "@/places/channels/schema.ts";
import { addChannel, checkMayOpenSuch, introduceChannels } from "@/places/channels/tx.ts";
import { activeUsers } from "./access.ts";
import type { Moved } from "./peers.ts";
import type { Principals, WantedChannel } from "./schema.ts";
import { type Joining, join, leave } from "./tx-moves.ts";
import { tellSubscribed } from "./tx-notices.ts";

/** Channels by name or ID, and people by ID or address: by default the actor. */
export interface Membership {
  names?: readonly string[];
  channel_ids?: readonly number[];
  user_ids?: Principals;
}

export interface Subscribed {
  /** Channel names by user ID. */
  subscribed: Record<string, string[]>;
  already_subscribed: Record<string, string[]>;
}

/** Whom to subscribe to what; throws where one of it is refused. */
export function checkedJoining(ctx: Ctx, input: Membership): { channels: ChannelRow[]; userIds: number[] } {
  const userIds = peopleOf(ctx, input.user_ids);
  const channels = channelsNamed(ctx, input);
  for (const channel of channels) {
    const refusal = refusalToJoin(ctx, { name: channel.name, channel, userIds });
    if (refusal) fail("BAD_REQUEST", refusal);
  }
  return { channels, userIds };
}

export const subscribeAtOnce = action(
  allow.user,
  (tx, input: Membership & { is_told?: boolean }): Subscribed => {
    const { channels, userIds } = checkedJoining(tx, input);
    const joinings = channels.map((channel) => ({ channel, userIds }));
    const moves = join(tx, joinings);
    recordMoves(tx, moves, "subscribers_added");
    if (input.is_told) tellSubscribed(tx, moves);
    return outcomeOf(joinings, moves);
  },
);

export interface SubscribeInput extends NewChannelTraits {
  subscriptions: readonly WantedChannel[];
  principals?: Principals;
  /** If false, channels where it is not allowed are left out and listed instead. */
  authorization_errors_fatal: boolean;
  /** Writes to those whom the actor subscribes to channels that were there before. */
  send_new_subscription_messages: boolean;
}

export interface SubscribedByName extends Subscribed {
  /** Where not every refusal is fatal. */
  unauthorized?: string[];
  /** Where it was wanted. */
  new_subscription_messages_sent?: boolean;
}

export interface Checked {
  wanted: readonly { id: number; color?: string | undefined }[];
  userIds: readonly number[];
}

/**
 * Subscribes some of the people of a request that has been checked as a whole. Who was deactivated since, and channels that
 * were archived since, are left out.
 */
export function joinChecked(ctx: Ctx, { wanted, userIds }: Checked): Promise<Subscribed> {
  return ctx.db.write(ctx, (tx) => {
    const active = userIds.filter((id) => memberOf(tx, id).is_active);
    const joinings = wanted.flatMap(({ id, color }) => {
      const channel = knownChannel(tx, id);
      return channel.is_archived ? [] : [{ channel, userIds: active, color }];
    });
    const moves = join(tx, joinings);
    recordMoves(tx, moves, "subscribers_added");
    return outcomeOf(joinings, moves);
  });
}

export const subscribeByNameAtOnce = action(allow.user, (tx, input: SubscribeInput): SubscribedByName => {
  const { subscriptions, principals, authorization_errors_fatal, send_new_subscription_messages, ...traits } =
    input;
  const userIds = peopleOf(tx, principals);
  const joinings: NamedJoining[] = [];
  const unauthorized: string[] = [];
  for (const wanted of distinct(subscriptions, ({ name }) => name.toLowerCase())) {
    const found = openedChannel(tx, { wanted, traits, userIds });
    if ("channel" in found) joinings.push({ ...found, userIds, color: wanted.color });
    else if (authorization_errors_fatal) fail("BAD_REQUEST", found.refusal);
    else unauthorized.push(wanted.name);
  }

  const moves = join(tx, joinings);
  const opened = joinings.filter(({ isNew }) => isNew).map(({ channel }) => channel);
  introduceChannels(tx, opened, traits);
  const known = moves.filter(({ channel }) => !opened.includes(channel));
  recordMoves(tx, moves, "subscribers_added");
  return {
    ...outcomeOf(joinings, moves),
    ...(authorization_errors_fatal ? {} : { unauthorized }),
    ...(send_new_subscription_messages ? { new_subscription_messages_sent: tellSubscribed(tx, known) } : {}),
  };
});

type NamedJoining = Joining & { isNew: boolean };

interface OpenRequest {
  wanted: WantedChannel;
  traits: NewChannelTraits;
  userIds: readonly number[];
}

/** The channel of that name, made now where there is none, or why these people may not be subscribed to it. */
function openedChannel(
  tx: Tx,
  { wanted, traits, userIds }: OpenRequest,
): { channel: ChannelRow; isNew: boolean } | { refusal: string } {
  const { name, description = "" } = wanted;
  if (!isNameTaken(tx, name)) {
    return { channel: addChannel(tx, { ...traits, name, description }, userIds), isNew: true };
  }
  const channel = visibleChannelNamed(tx, name);
  if (!channel) checkMayOpenSuch(tx, traits);
  const refusal = refusalToJoin(tx, { name, channel, userIds });
  if (channel && refusal === null) return { channel, isNew: false };
  return { refusal: refusal ?? refusalOf("subscribe", name) };
}

export function peopleOf(tx: Ctx, principals: Principals | undefined): number[] {
  return principals ? activeUsers(tx, principals) : [me(tx).id];
}

function channelsNamed(tx: Ctx, { names = [], channel_ids = [] }: Membership): ChannelRow[] {
  const channels = [
    ...names.map((name) => channelByName(tx, name, "see")),
    ...channel_ids.map((id) => channelFor(tx, id, "see")),
  ];
  return distinct(channels, ({ id }) => id);
}

export function distinct<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return things.filter((thing) => !seen.has(keyOf(thing)) && seen.add(keyOf(thing)));
}

interface JoinRequest {
  name: string;
  channel: ChannelRow | null;
  userIds: readonly number[];
}

/** Why these people may not be subscribed; a channel the actor may not see is refused like one they may not join. */
export function refusalToJoin(tx: Ctx, { name, channel, userIds }: JoinRequest): string | null {
  const own = userIds.includes(tx.actor.id);
  const others = userIds.length > (own ? 1 : 0);
  const needed: Purpose[] = [
    ...(own ? (["subscribe"] as const) : []),
    ...(others ? (["subscribeOthers"] as const) : []),
  ];
  const missing = needed.find((purpose) => !channel || !isAllowed(tx, channel, purpose));
  return missing ? refusalOf(missing, name) : null;
}

/** Writes down whom the actor has put into channels or taken out of them; what people do themselves is not for others. */
function recordMoves(tx: Tx, moves: readonly Moved[], deed: string): void {
  for (const { channel, userIds } of moves) {
    const user_ids = userIds.filter((id) => id !== tx.actor.id);
    if (user_ids.length === 0) continue;
    recordAudit(tx, {
      event: `channel_${deed}`,
      about: { kind: "channel", id: channel.id },
      data: { user_ids },
    });
  }
}

/** By user, the channels they have joined and those they were in before. */
function outcomeOf(joinings: readonly Joining[], moves: readonly Moved[]): Subscribed {
  const subscribed: Record<string, string[]> = {};
  const already_subscribed: Record<string, string[]> = {};
  joinings.forEach(({ channel, userIds }, i) => {
    const joined = new Set(moves[i]?.userIds);
    for (const id of userIds) {
      const list = joined.has(id) ? subscribed : already_subscribed;
      const names = list[id];
      if (names) names.push(channel.name);
      else list[id] = [channel.name];
    }
  });
  return { subscribed, already_subscribed };
}

export interface Unsubscribed {
  removed: string[];
  not_removed: string[];
}

/** Whom to unsubscribe from what; throws where one of it is refused. */
export function checkedLeaving(ctx: Ctx, input: Membership): { channels: ChannelRow[]; userIds: number[] } {
  const userIds = peopleOf(ctx, input.user_ids);
  const channels = channelsNamed(ctx, input);
  for (const channel of channels) checkMayRemove(ctx, channel, userIds);
  return { channels, userIds };
}

export const unsubscribeAtOnce = action(
  allow.user,
  (tx, input: Membership): Unsubscribed => leaveThese(tx, checkedLeaving(tx, input)),
);

/** Unsubscribes some of the people of a request that has been checked as a whole. */
export function leaveChecked(
  ctx: Ctx,
  some: { channels: readonly ChannelRow[]; userIds: readonly number[] },
): Promise<Unsubscribed> {
  return ctx.db.write(ctx, (tx) =>
    leaveThese(tx, { ...some, channels: some.channels.map(({ id }) => knownChannel(tx, id)) }),
  );
}

function leaveThese(
  tx: Tx,
  { channels, userIds }: { channels: readonly ChannelRow[]; userIds: readonly number[] },
): Unsubscribed {
  const moves = leave(
    tx,
    channels.map((channel) => ({ channel, userIds })),
  );
  recordMoves(tx, moves, "subscribers_removed");
  const namesOf = (some: typeof moves) => some.map(({ channel }) => channel.name);
  return {
    removed: namesOf(moves.filter((move) => move.userIds.length > 0)),
    not_removed: namesOf(moves.filter((move) => move.userIds.length < userIds.length)),
  };
}

/** Oneself always; own bots from any channel the actor sees; others by the channel's rule. */
function checkMayRemove(ctx: Ctx, channel: ChannelRow, userIds: readonly number[]): void {
  const isOwn = (id: number) => id === ctx.actor.id || memberOf(ctx, id).bot_owner_id === ctx.actor.id;
  if (isAllowed(ctx, channel, "removeOthers") || userIds.every(isOwn)) return;
  fail("BAD_REQUEST", refusalOf("removeOthers", channel.name));
}

export const patchAtOnce = action(
  allow.user,
  (
    tx,
    { names, ...added }: SubscribeInput & { names: readonly string[] },
  ): SubscribedByName & Unsubscribed => {
    const subscribed = subscribeByNameAtOnce.in(tx, added);
    return { ...subscribed, ...unsubscribeAtOnce.in(tx, { names }) };
  },
);
