import { z } from "zod";
import { groupHooks } from "@/foundation/groups/hooks.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { userId } from "@/foundation/users/schema.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { looseJson } from "@/kernel/http/wire.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { channelId } from "@/places/channels/schema.ts";
import { changeSubscriptions, patchSubscriptions, subscribeByName, unsubscribe } from "./actions.ts";
import { announcePeers, emitPeersOf, followRole } from "./actions-peers.ts";
import { isUserSubscribed, listChannelsOf, listSubscriptions, subscriptionsState } from "./queries.ts";
import {
  channelNames,
  includeSubscribers,
  newSubscriptions,
  personalChange,
  principals,
  subscription,
  subscriptionsPatch,
} from "./schema.ts";
import { followMembers, prepareMembers } from "./sight.ts";

const namesByUser = z.record(z.string(), z.array(z.string()));

export default domain({
  name: "subscriptions",
  about: "who is in which channel, with which personal settings",
  hooks: [
    channelHooks.sightChanged.register(emitPeersOf),
    groupHooks.membersMayChange.register(prepareMembers),
    groupHooks.membersChange.register(followMembers),
    userHooks.deactivates.register((tx, id) => announcePeers(tx, id, "remove")),
    userHooks.reactivated.register((tx, id) => announcePeers(tx, id, "add")),
    userHooks.roleChanges.register(followRole),
  ],
  state: { subscription: forSpectators(earlyInSteps(subscriptionsState)) },
  endpoints: [
    endpoint("subscribe", {
      about:
        "Subscribes the caller, or the users in `principals`, to channels, and creates the channels that do not exist. One request can make at most 100,000 subscriptions. It is either carried out completely or refused without any effect. More than 500 subscriptions, or more than 5 new channels, are stored in several steps: then a crash can leave the request half done. The notification bot writes to people who are added to an existing channel by others.",
      method: "POST",
      path: "/users/me/subscriptions",
      params: newSubscriptions.shape,
      returns: {
        subscribed: namesByUser,
        already_subscribed: namesByUser,
        unauthorized: z.array(z.string()).optional(),
        new_subscription_messages_sent: z.boolean().optional(),
      },
      keeps: "results",
      run: (ctx, params) => subscribeByName(ctx, params),
    }),
    endpoint("get-subscriptions", {
      about: "Lists the channels the caller is subscribed to, with their personal settings for each.",
      method: "GET",
      path: "/users/me/subscriptions",
      params: { include_subscribers: includeSubscribers.default("false") },
      returns: { subscriptions: z.array(subscription) },
      run: async (ctx, params) => ({ subscriptions: await listSubscriptions(ctx, params) }),
    }),
    endpoint("unsubscribe", {
      about:
        "Unsubscribes the caller, or the users in `principals`, from channels: at most 100,000 subscriptions. What they had not read there counts as read.",
      method: "DELETE",
      path: "/users/me/subscriptions",
      params: { subscriptions: channelNames, principals: principals.optional() },
      returns: { removed: z.array(z.string()), not_removed: z.array(z.string()) },
      keeps: "results",
      run: (ctx, params) => unsubscribe(ctx, { names: params.subscriptions, user_ids: params.principals }),
    }),
    endpoint("update-subscriptions", {
      about: "Subscribes and unsubscribes the caller in one request: first `add`, then `delete`.",
      method: "PATCH",
      path: "/users/me/subscriptions",
      params: subscriptionsPatch.shape,
      returns: {
        subscribed: namesByUser,
        already_subscribed: namesByUser,
        removed: z.array(z.string()),
        not_removed: z.array(z.string()),
      },
      keeps: "results",
      run: (ctx, params) => patchSubscriptions(ctx, params),
    }),
    endpoint("update-subscription-settings", {
      about:
        "Changes the caller's settings for channels they are subscribed to: color, muting, pinning, notifications.",
      method: "POST",
      path: "/users/me/subscriptions/properties",
      params: { subscription_data: z.array(personalChange) },
      run: (ctx, { subscription_data }) => changeSubscriptions(ctx, subscription_data),
    }),
    endpoint("patch-users-me-subscriptions-stream-id", {
      about: "Changes one of the caller's settings for one channel.",
      method: "PATCH",
      path: "/users/me/subscriptions/{stream_id:[0-9]+}",
      params: { stream_id: channelId, property: z.string(), value: z.string().transform(looseJson) },
      run: (ctx, change) => changeSubscriptions(ctx, [change]),
    }),
    endpoint("get-user-channels", {
      about:
        "Lists the IDs of the channels that a user is subscribed to, of those that the caller may see. Without archived channels.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/channels",
      params: { user_id: userId },
      returns: { subscribed_channel_ids: z.array(channelId) },
      run: (ctx, { user_id }) => ({ subscribed_channel_ids: listChannelsOf(ctx, user_id) }),
    }),
    endpoint("get-subscription-status", {
      about: "Returns whether a user is subscribed to a channel that the caller may see.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/subscriptions/{stream_id:[0-9]+}",
      params: { user_id: userId, stream_id: channelId },
      returns: { is_subscribed: z.boolean() },
      run: (ctx, { user_id, stream_id }) => ({
        is_subscribed: isUserSubscribed(ctx, { user_id, channel_id: stream_id }),
      }),
    }),
  ],
});
