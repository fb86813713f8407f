import type { ChangeOf } from "@/foundation/audit/schema.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import { joinOpening } from "@/places/channel-administration/actions-opening.ts";
import {
  channelNamed,
  checkMayOpenSuch,
  existingChannel,
  isNameTaken,
  refusalOf,
  visibleChannelNamed,
} from "@/places/channels/access.ts";
import { announceChannels, recordChannelChange } from "@/places/channels/actions.ts";
import type { ChannelRow, NewChannelTraits } from "@/places/channels/schema.ts";
import { type ChannelJoining, join, leave } from "./actions-moves.ts";
import { sendSubscribedNotices } from "./actions-notices.ts";
import {
  type Checked,
  checkJoining,
  checkLeaving,
  distinct,
  peopleOf,
  refusalToJoin,
  type Subscribed,
  type SubscribedByName,
  type Unsubscribed,
} from "./membership.ts";
import type { MovedSubscribers } from "./peers.ts";
import type { Membership, NewSubscriptions, WantedChannel } from "./schema.ts";

export const subscribeAtOnce = action(
  allow.user,
  (tx, input: Membership & { sends_notices?: boolean }): Subscribed => {
    const { channels, userIds } = checkJoining(tx, input);
    const joinings = channels.map((channel) => ({ channel, userIds }));
    const moves = join(tx, joinings);
    recordMoves(tx, moves, "subscribers_added");
    if (input.sends_notices) sendSubscribedNotices(tx, moves);
    return outcomeOf(joinings, moves);
  },
);

/**
 * Subscribes one block of a request that has been checked. Skips users who were deactivated since, and channels that were
 * archived since.
 */
export const joinChecked = action(allow.user, (tx, { wanted, userIds }: Checked): Subscribed => {
  const active = userIds.filter((id) => memberOf(tx, id).is_active);
  const joinings = wanted.flatMap(({ id, color }) => {
    const channel = existingChannel(tx, id);
    return channel.is_archived ? [] : [{ channel, userIds: active, color }];
  });
  const moves = join(tx, joinings);
  recordMoves(tx, moves, "subscribers_added");
  return outcomeOf(joinings, moves);
});

export const subscribeByNameAtOnce = action(
  allow.user,
  (tx, input: NewSubscriptions): SubscribedByName => subscribeNamed(tx, input).done,
);

/** As `subscribeByNameAtOnce`, for one block of a request; also returns the names of the channels that it created. */
export const openBlock = action(
  allow.user,
  (tx, input: NewSubscriptions): { done: SubscribedByName; opened: string[] } => subscribeNamed(tx, input),
);

function subscribeNamed(tx: Tx, input: NewSubscriptions): { done: SubscribedByName; opened: string[] } {
  const { subscriptions, principals, authorization_errors_fatal, send_new_subscription_messages, ...traits } =
    input;
  const userIds = peopleOf(tx, principals);
  const joinings: ChannelJoining[] = [];
  const unauthorized: string[] = [];
  const { opened, moves } = joinOpening(tx, traits, (open) => {
    for (const wanted of distinct(subscriptions, ({ name }) => name.toLowerCase())) {
      const found = isNameTaken(tx, wanted.name)
        ? channelOrRefusal(tx, { wanted, traits, userIds })
        : { channel: open(wanted, userIds) };
      if ("channel" in found) joinings.push({ ...found, userIds, color: wanted.color });
      else if (authorization_errors_fatal) fail("BAD_REQUEST", found.refusal);
      else unauthorized.push(wanted.name);
    }
    return joinings;
  });
  const known = moves.filter(({ channel }) => !opened.includes(channel));
  recordMoves(tx, moves, "subscribers_added");
  const done = {
    ...outcomeOf(joinings, moves),
    ...(authorization_errors_fatal ? {} : { unauthorized }),
    ...(send_new_subscription_messages
      ? { new_subscription_messages_sent: sendSubscribedNotices(tx, known) }
      : {}),
  };
  return { done, opened: opened.map(({ name }) => name) };
}

interface OpenRequest {
  wanted: WantedChannel;
  traits: NewChannelTraits;
  userIds: readonly number[];
}

/** The existing channel with this name, or why these users may not be subscribed to it. */
function channelOrRefusal(
  tx: Tx,
  { wanted: { name }, traits, userIds }: OpenRequest,
): { channel: ChannelRow } | { refusal: KnownText | Sentence } {
  const channel = visibleChannelNamed(tx, name);
  if (!channel) checkMayOpenSuch(tx, traits);
  const refusal = refusalToJoin(tx, { name, channel, userIds });
  if (channel && refusal === null) return { channel };
  return { refusal: refusal ?? refusalOf("subscribe", name) };
}

/** Records in the audit log the other users that the actor subscribed or unsubscribed, not the actor's own subscriptions. */
function recordMoves(tx: Tx, moves: readonly MovedSubscribers[], change: ChangeOf<"channel">): void {
  for (const { channel, userIds } of moves) {
    const user_ids = userIds.filter((id) => id !== tx.actor.id);
    if (user_ids.length === 0) continue;
    recordChannelChange(tx, channel, change, { user_ids });
  }
}

/** For each user, the channels they joined and those they were subscribed to already. */
function outcomeOf(joinings: readonly ChannelJoining[], moves: readonly MovedSubscribers[]): Subscribed {
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

export const unsubscribeAtOnce = action(
  allow.user,
  (tx, input: Membership): Unsubscribed => leaveThese(tx, checkLeaving(tx, input)),
);

/** Unsubscribes one block of a request that has been checked. */
export const leaveChecked = action(
  allow.user,
  (tx, some: { channels: readonly ChannelRow[]; userIds: readonly number[] }): Unsubscribed =>
    leaveThese(tx, { ...some, channels: some.channels.map(({ id }) => existingChannel(tx, id)) }),
);

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

export const patchAtOnce = action(
  allow.user,
  (tx, { names, ...added }: NewSubscriptions & { names: string[] }): SubscribedByName & Unsubscribed => {
    const subscribed = subscribeByNameAtOnce.in(tx, added);
    return { ...subscribed, ...unsubscribeAtOnce.in(tx, { names }) };
  },
);

/** Announces new channels, given by name. */
export const announceNamed = action(allow.user, (tx, names: readonly string[]): void =>
  announceChannels(
    tx,
    names.flatMap((name) => channelNamed(tx, name) ?? []),
  ),
);
