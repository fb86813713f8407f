import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  channelFor,
  channelNamed,
  checkMayOpenSuch,
  isNameTaken,
  visibleChannelNamed,
} from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { isSubscribed } from "./access.ts";
import {
  announceNamed,
  joinChecked,
  leaveChecked,
  openBlock,
  patchAtOnce,
  subscribeAtOnce,
  subscribeByNameAtOnce,
  unsubscribeAtOnce,
} from "./actions-at-once.ts";
import { sendSubscribedNoticesInSteps } from "./actions-notices.ts";
import { blocksOf, isOneBlock, partition } from "./blocks.ts";
import {
  checkJoining,
  checkLeaving,
  distinct,
  peopleOf,
  refusalToJoin,
  type Subscribed,
  type SubscribedByName,
  type Unsubscribed,
} from "./membership.ts";
import {
  type Membership,
  type NewSubscriptions,
  type PersonalChange,
  readChange,
  type SubscriptionsPatch,
  subscriptionChanged,
  type WantedChannel,
} from "./schema.ts";
import * as store from "./store.ts";

/** Subscribes users to existing channels. With `sends_notices`, sends a notice to each user other than the actor. */
export const subscribe = operation(
  allow.user,
  async (
    ctx,
    { sends_notices = false, ...input }: Membership & { sends_notices?: boolean },
  ): Promise<Subscribed> => {
    const { channels, userIds } = checkJoining(ctx, input);
    if (isOneBlock("join", channels, userIds)) return subscribeAtOnce(ctx, { ...input, sends_notices });
    const outcome = noneSubscribed();
    for (const block of blocksOf("join", channels, userIds)) {
      addOutcome(outcome, await joinChecked(ctx, { wanted: block.channels, userIds: block.userIds }));
    }
    if (sends_notices) await sendSubscribedNoticesInSteps(ctx, { subscribed: outcome.subscribed });
    return outcome;
  },
);

/**
 * Subscribes users to channels, and creates those that do not exist. Checks everything before the first change. Many
 * subscriptions take several transactions.
 */
export const subscribeByName = operation(
  allow.user,
  async (ctx, input: NewSubscriptions): Promise<SubscribedByName> => {
    const wanted = distinct(input.subscriptions, ({ name }) => name.toLowerCase());
    const userIds = peopleOf(ctx, input.principals);
    if (isOneBlock("join", wanted, userIds)) return subscribeByNameAtOnce(ctx, input);
    const made = checkNames(ctx, input, { wanted, userIds });
    const outcome = noneSubscribed();
    const unauthorized = new Set<string>();
    // From what the transactions return: when the request runs again with their results, all the channels are there.
    const opened = new Set<string>();
    // New channels first: a refusal of one of them must come before anything is stored.
    const ordered = partition(wanted, ({ name }) => made.has(name)).flat();
    for (const { channels, userIds: principals, isFirst } of blocksOf("join", ordered, userIds)) {
      const [known, others] = isFirst
        ? [[], channels]
        : [channels.filter(({ name }) => !unauthorized.has(name)), []];
      if (others.length > 0) {
        // Everything was checked before. A name that was taken since is skipped.
        const some = { ...input, subscriptions: [...others], principals, authorization_errors_fatal: false };
        const silent = { announce: false, send_new_subscription_messages: false };
        const { done, opened: names } = await openBlock(ctx, { ...some, ...silent });
        for (const name of done.unauthorized ?? []) unauthorized.add(name);
        for (const name of names) opened.add(name);
        addOutcome(outcome, done);
      }
      const ids = known.flatMap(({ name, color }) => {
        const channel = channelNamed(ctx, name);
        return channel ? [{ id: channel.id, color }] : [];
      });
      if (ids.length > 0) addOutcome(outcome, await joinChecked(ctx, { wanted: ids, userIds: principals }));
    }
    if (input.announce) await announceNamed(ctx, [...opened]);
    sortNames(outcome, wanted);
    const areNoticesSent =
      input.send_new_subscription_messages &&
      (await sendSubscribedNoticesInSteps(ctx, { subscribed: outcome.subscribed, except: opened }));
    return {
      ...outcome,
      ...(input.authorization_errors_fatal ? {} : { unauthorized: [...unauthorized] }),
      ...(input.send_new_subscription_messages ? { new_subscription_messages_sent: areNoticesSent } : {}),
    };
  },
);

/** The names of channels to create. Throws if one of them would be refused. */
function checkNames(
  ctx: Ctx,
  input: NewSubscriptions,
  { wanted, userIds }: { wanted: readonly WantedChannel[]; userIds: readonly number[] },
): ReadonlySet<string> {
  const [taken, free] = partition(wanted, ({ name }) => isNameTaken(ctx, name));
  if (free.length > 0) checkMayOpenSuch(ctx, input, free.length);
  for (const { name } of input.authorization_errors_fatal ? taken : []) {
    const refusal = refusalToJoin(ctx, { name, channel: visibleChannelNamed(ctx, name), userIds });
    if (refusal) fail("BAD_REQUEST", refusal);
  }
  return new Set(free.map(({ name }) => name));
}

function noneSubscribed(): Subscribed {
  return { subscribed: {}, already_subscribed: {} };
}

function addOutcome(to: Subscribed, { subscribed, already_subscribed }: Subscribed): void {
  addNames(to.subscribed, subscribed);
  addNames(to.already_subscribed, already_subscribed);
}

/** In the order of the request. */
function sortNames({ subscribed, already_subscribed }: Subscribed, wanted: readonly WantedChannel[]): void {
  const places = new Map(wanted.map(({ name }, place) => [name.toLowerCase(), place]));
  const placeOf = (name: string) => places.get(name.toLowerCase()) ?? 0;
  for (const lists of [subscribed, already_subscribed]) {
    for (const names of Object.values(lists)) names.sort((a, b) => placeOf(a) - placeOf(b));
  }
}

function addNames(to: Record<string, string[]>, more: Record<string, string[]>): void {
  for (const [id, names] of Object.entries(more)) {
    const known = to[id];
    if (known) known.push(...names);
    else to[id] = [...names];
  }
}

/** Unsubscribes users from channels. Checks everything before the first change. */
export const unsubscribe = operation(allow.user, async (ctx, input: Membership): Promise<Unsubscribed> => {
  const { channels, userIds } = checkLeaving(ctx, input);
  if (isOneBlock("leave", channels, userIds)) return unsubscribeAtOnce(ctx, input);
  const removed = new Set<string>();
  const not_removed = new Set<string>();
  // The actor is last, because they may lose permissions in a channel that they leave.
  const ownLast = [
    ...userIds.filter((id) => id !== ctx.actor.id),
    ...userIds.filter((id) => id === ctx.actor.id),
  ];
  for (const block of blocksOf("leave", channels, ownLast)) {
    const done = await leaveChecked(ctx, { channels: block.channels, userIds: block.userIds });
    for (const name of done.removed) removed.add(name);
    for (const name of done.not_removed) not_removed.add(name);
  }
  const namesOf = (some: ReadonlySet<string>) =>
    channels.map(({ name }) => name).filter((name) => some.has(name));
  return { removed: namesOf(removed), not_removed: namesOf(not_removed) };
});

/** Changes the actor's own subscriptions: first those to add, then those to end. */
export const patchSubscriptions = operation(
  allow.user,
  async (
    ctx,
    { add = [], delete: names = [] }: SubscriptionsPatch,
  ): Promise<SubscribedByName & Unsubscribed> => {
    if (add.length === 0 && names.length === 0) {
      fail("BAD_REQUEST", 'Nothing to do. Specify at least one of "add" or "delete".');
    }
    const options = { authorization_errors_fatal: true, send_new_subscription_messages: add.length > 0 };
    if (isOneBlock("leave", [...add, ...names], [ctx.actor.id]))
      return patchAtOnce(ctx, { subscriptions: add, names, ...options });
    checkLeaving(ctx, { names });
    const subscribed = await subscribeByName(ctx, { subscriptions: add, ...options });
    return { ...subscribed, ...(await unsubscribe(ctx, { names })) };
  },
);

/** Changes the actor's personal settings for channels: all changes or none. */
export const changeSubscriptions = action(allow.user, (tx, changes: readonly PersonalChange[]): void => {
  const own = me(tx).id;
  const checked = changes.map((change) => ({
    ...readChange(change),
    channel: subscribedChannelFor(tx, change.stream_id),
  }));
  for (const { channel, property, value } of checked) {
    const stored = typeof value === "boolean" ? Number(value) : value;
    store.setPersonal(tx, { channel_id: channel.id, user_id: own }, { property, value: stored });
    emitChanged(tx, channel, { property, value });
    // Wire: update-subscription-settings also emits in_home_view, the opposite of is_muted, for older clients.
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

function subscribedChannelFor(tx: Tx, id: number): ChannelRow {
  const channel = channelFor(tx, id, "see");
  if (!isSubscribed(tx, id, tx.actor.id))
    fail(
      "BAD_REQUEST",
      sentence("You are not subscribed to channel ''{channel}''.", { channel: channel.name }),
    );
  return channel;
}

/** Part of erasing a person: deletes their subscriptions, at most `max`. Returns how many it deleted. */
export function forgetSomeSubscriptions(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeSubscriptions(tx, userId, max);
}
