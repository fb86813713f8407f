import { allow, viewer } from "@/foundation/permissions/access.ts";
import { notificationsOf } from "@/foundation/user-settings/access.ts";
import { knownUser } from "@/foundation/users/access.ts";
import type { Ctx, StateRequest } from "@/kernel/context.ts";
import { query } from "@/kernel/operation.ts";
import { channelFor, visibleChannels } from "@/places/channels/access.ts";
import { presentChannels } from "@/places/channels/present.ts";
import { type Channel, knowsArchived } from "@/places/channels/schema.ts";
import { isSubscribed } from "./access.ts";
import { presentSubscription, withSubscribers } from "./present.ts";
import {
  type IncludeSubscribers,
  type Subscription,
  wantedSubscribers,
  withNotifications,
} from "./schema.ts";
import * as store from "./store.ts";

interface SubscriptionLists {
  subscriptions: Subscription[];
  unsubscribed: Subscription[];
  never_subscribed: Channel[];
}

/** The channels the actor may see: those they are subscribed to, once were, and never were. */
function subscriptionLists(ctx: Ctx, includeArchived: boolean): SubscriptionLists {
  const channels = visibleChannels(ctx).filter((channel) => includeArchived || !channel.is_archived);
  const rows = new Map(store.listOfUser(ctx, viewer(ctx).id).map((row) => [row.channel_id, row]));
  const lists: SubscriptionLists = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const channel of presentChannels(ctx, channels)) {
    const row = rows.get(channel.stream_id);
    if (!row) lists.never_subscribed.push(channel);
    else lists[row.is_subscribed ? "subscriptions" : "unsubscribed"].push(presentSubscription(channel, row));
  }
  return lists;
}

export const listSubscriptions = query(
  allow.user,
  (ctx, { include_subscribers = "false" }: { include_subscribers?: IncludeSubscribers }): Subscription[] =>
    subscriptionLists(ctx, false).subscriptions.map((one) => withSubscribers(ctx, one, include_subscribers)),
);

export const isUserSubscribed = query(
  allow.user,
  (ctx, input: { user_id: number; channel_id: number }): boolean => {
    const user = knownUser(ctx, input.user_id);
    return isSubscribed(ctx, channelFor(ctx, input.channel_id, "see").id, user.id);
  },
);

/** The `subscription` section of the initial state. */
export function subscriptionsState(ctx: Ctx, request: StateRequest): SubscriptionLists {
  const lists = subscriptionLists(ctx, knowsArchived(request));
  const wanted = wantedSubscribers(request);
  const full = <T extends Channel>(shown: T): T => withSubscribers(ctx, shown, wanted);
  const inherited = notificationsOf(ctx, viewer(ctx).id);
  const resolved = (one: Subscription) => full(withNotifications(one, request, inherited));
  return {
    subscriptions: lists.subscriptions.map(resolved),
    unsubscribed: lists.unsubscribed.map(resolved),
    never_subscribed: lists.never_subscribed.map(full),
  };
}
