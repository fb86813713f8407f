import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow, me, memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { to } from "@/kernel/events.ts";
import { action } from "@/kernel/operation.ts";
import {
  type ChannelRow,
  channelByName,
  channelFor,
  isAllowed,
  isNameTaken,
  type Purpose,
  refusalOf,
  visibleChannelNamed,
} from "@/places/channels/access.ts";
import type { NewChannelTraits } from "@/places/channels/schema.ts";
import { addChannel, checkMayOpenSuch, introduceChannels } from "@/places/channels/tx.ts";
import { activeUsers, isSubscribed } from "./access.ts";
import { type Joining, join, leave } from "./moves.ts";
import { tellSubscribed } from "./notices.ts";
import type { Moved } from "./peers.ts";
import {
  type PersonalChange,
  type Principals,
  readChange,
  subscriptionChanged,
  type WantedChannel,
} from "./schema.ts";
import * as store from "./store.ts";

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

/** Subscribes people to channels that exist; with `is_told`, writes to those who did not do so themselves. */
export const subscribe = action(allow.user, (tx, input: Membership & { is_told?: boolean }): Subscribed => {
  const userIds = peopleOf(tx, input.user_ids);
  const channels = channelsNamed(tx, input);
  for (const channel of channels) {
    const refusal = refusalToJoin(tx, { name: channel.name, channel, userIds });
    if (refusal) fail("BAD_REQUEST", refusal);
  }
  const joinings = channels.map((channel) => ({ channel, userIds }));
  const moves = join(tx, joinings);
  recordMoves(tx, moves, "subscribers_added");
  if (input.is_told) tellSubscribed(tx, moves);
  return outcomeOf(joinings, moves);
});

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

/** Subscribes people to channels, and creates channels whose names do not exist yet. */
export const subscribeByName = action(allow.user, (tx, input: SubscribeInput): SubscribedByName => {
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

function peopleOf(tx: Tx, principals: Principals | undefined): number[] {
  return principals ? activeUsers(tx, principals) : [me(tx).id];
}

function channelsNamed(tx: Tx, { names = [], channel_ids = [] }: Membership): ChannelRow[] {
  const channels = [
    ...names.map((name) => channelByName(tx, name, "see")),
    ...channel_ids.map((id) => channelFor(tx, id, "see")),
  ];
  return distinct(channels, ({ id }) => id);
}

function distinct<T>(things: readonly T[], keyOf: (thing: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return things.filter((thing) => !seen.has(keyOf(thing)) && seen.add(keyOf(thing)));
}

interface JoinRequest {
  name: string;
  channel: ChannelRow | null;
  userIds: readonly number[];
}

/** Why these people may not be subscribed; a channel the actor may not see is refused like one they may not join. */
function refusalToJoin(tx: Tx, { name, channel, userIds }: JoinRequest): string | null {
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
      list[id] = [...(list[id] ?? []), channel.name];
    }
  });
  return { subscribed, already_subscribed };
}

export interface Unsubscribed {
  removed: string[];
  not_removed: string[];
}

/** Unsubscribes people from channels. */
export const unsubscribe = action(allow.user, (tx, input: Membership): Unsubscribed => {
  const userIds = peopleOf(tx, input.user_ids);
  const channels = channelsNamed(tx, input);
  for (const channel of channels) checkMayRemove(tx, channel, userIds);

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
});

export interface SubscriptionPatch {
  add?: readonly WantedChannel[];
  delete?: readonly string[];
}

/** Changes the actor's own subscriptions: first subscribes, then unsubscribes. */
export const patchSubscriptions = action(
  allow.user,
  (tx, { add = [], delete: names = [] }: SubscriptionPatch): SubscribedByName & Unsubscribed => {
    if (add.length === 0 && names.length === 0) {
      fail("BAD_REQUEST", 'Nothing to do. Specify at least one of "add" or "delete".');
    }
    const options = { authorization_errors_fatal: true, send_new_subscription_messages: add.length > 0 };
    const subscribed = subscribeByName.in(tx, { subscriptions: add, ...options });
    return { ...subscribed, ...unsubscribe.in(tx, { names }) };
  },
);

/** Oneself always; own bots from any channel the actor sees; others by the channel's rule. */
function checkMayRemove(tx: Tx, channel: ChannelRow, userIds: readonly number[]): void {
  const isOwn = (id: number) => id === tx.actor.id || memberOf(tx, id).bot_owner_id === tx.actor.id;
  if (isAllowed(tx, channel, "removeOthers") || userIds.every(isOwn)) return;
  fail("BAD_REQUEST", refusalOf("removeOthers", channel.name));
}

/** Changes the actor's personal settings of channels, all or none. */
export const changeSubscriptions = action(allow.user, (tx, changes: readonly PersonalChange[]): void => {
  const own = me(tx).id;
  const checked = changes.map((change) => ({
    ...readChange(change),
    channel: subscribedChannel(tx, change.stream_id),
  }));
  for (const { channel, property, value } of checked) {
    const stored = typeof value === "boolean" ? Number(value) : value;
    store.setPersonal(tx, { channel_id: channel.id, user_id: own }, { property, value: stored });
    emitChanged(tx, channel, { property, value });
    // Wire: update-subscription-settings tells older clients of muting in the opposite sense too.
    if (property === "is_muted") emitChanged(tx, channel, { property: "in_home_view", value: !value });
  }
});

function emitChanged(
  tx: Tx,
  { id: stream_id, is_archived }: ChannelRow,
  changed: { property: string; value: boolean | string },
): void {
  const change = { stream_id, ...changed };
  tx.emit(subscriptionChanged, to(tx.actor.id), { change, is_archived: is_archived === 1 });
}

function subscribedChannel(tx: Tx, id: number): ChannelRow {
  const channel = channelFor(tx, id, "see");
  if (!isSubscribed(tx, id, tx.actor.id))
    fail("BAD_REQUEST", `You are not subscribed to channel '${channel.name}'.`);
  return channel;
}
