import { allow, viewer } from "@/foundation/permissions/access.ts";
import { presentWithin } from "@/foundation/user-activity/access.ts";
import { notificationsOf } from "@/foundation/user-settings/access.ts";
import type { InheritedNotifications } from "@/foundation/user-settings/schema.ts";
import { userKnownFor } from "@/foundation/users/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { createListCache } from "@/kernel/lib/cached-lists.ts";
import { type JsonText, OpenList } from "@/kernel/lib/json-text.ts";
import { runInSlices, runSync, type Task } from "@/kernel/lib/tasks.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { channelFor, isAllowed, refusalOf, visibleChannels } from "@/places/channels/access.ts";
import { channelTexts, presentChannel, presentChannels, readSettled } from "@/places/channels/present.ts";
import { type Channel, type ChannelRow, knowsArchived } from "@/places/channels/schema.ts";
import { channelsOf, isSubscribed, subscriberIds } from "./access.ts";
import {
  type IncludeSubscribers,
  oldFields,
  type Personal,
  parseWantedSubscribers,
  type Subscription,
  withNotifications,
} from "./schema.ts";
import type { PersonalRow } from "./store.ts";
import * as store from "./store.ts";

/** Why the actor may not subscribe others to a channel; null if they may. */
export const refusalToSubscribe = query(allow.user, (ctx, channelId: number): string | null => {
  const channel = channelFor(ctx, channelId, "see");
  if (isAllowed(ctx, channel, "subscribeOthers")) return null;
  const refusal = refusalOf("subscribeOthers", channel.name);
  return typeof refusal === "string" ? refusal : refusal.inEnglish;
});

/** The actor's subscriptions to active channels that they may see. */
export const listSubscriptions = query(
  allow.user,
  (ctx, { include_subscribers }: { include_subscribers: IncludeSubscribers }): Promise<Subscription[]> =>
    runInSlices(subscriptionsOf(ctx, include_subscribers)),
);

function* subscriptionsOf(ctx: Ctx, wanted: IncludeSubscribers): Task<Subscription[]> {
  const read = () => {
    const found = store.listOfUser(ctx, viewer(ctx).id).filter((row) => row.is_subscribed);
    const rows = new Map(found.map((row) => [row.channel_id, row]));
    return {
      rows,
      channels: visibleChannels(ctx).filter(({ id, is_archived }) => !is_archived && rows.has(id)),
    };
  };
  yield* readSettled(ctx, read().channels);
  const { rows, channels } = read();
  return presentChannels(ctx, channels).map((channel) => {
    const row = rows.get(channel.stream_id) as PersonalRow;
    return withSubscribers(ctx, presentSubscription(channel, row), wanted);
  });
}

export const isUserSubscribed = query(
  allow.user,
  (ctx, input: { user_id: number; channel_id: number }): boolean => {
    const user = userKnownFor(ctx, input.user_id);
    return isSubscribed(ctx, channelFor(ctx, input.channel_id, "see").id, user.id);
  },
);

/** IDs of the channels that a user is subscribed to, of those that the actor may see; without archived ones. */
export const listChannelsOf = query(allow.user, (ctx, userId: number): number[] => {
  const subscribed = channelsOf(ctx, userKnownFor(ctx, userId).id);
  return visibleChannels(ctx).flatMap(({ id, is_archived }) =>
    !is_archived && subscribed.has(id) ? [id] : [],
  );
});

const listNames = ["subscriptions", "unsubscribed", "never_subscribed"] as const;

const listsKept = perApp(() => createListCache(16_000_000));

/** Channels handled in one step. */
const portion = 20;

/** The `subscription` section of the initial state. */
export function* subscriptionsState(
  ctx: Ctx,
  request: StateRequest,
): Task<Record<string, JsonText | undefined>> {
  const channels = visibleChannels(ctx).filter((row) => !row.is_archived || knowsArchived(request));
  const texts = yield* channelTexts(ctx, channels);
  const user = viewer(ctx).id;
  const rows = store.mapOfUser(ctx, user);
  const wanted = parseWantedSubscribers(request);
  const resolved = request.capabilities.has("notification_settings_null")
    ? null
    : JSON.stringify(notificationsOf(ctx, user));
  function* make(): Task<JsonText[]> {
    const lists = {
      subscriptions: new OpenList(),
      unsubscribed: new OpenList(),
      never_subscribed: new OpenList(),
    };
    const personalOf = personalTexts(request, notificationsOf(ctx, user));
    const old = membersOf(oldFields(request));
    for (let i = 0; i < channels.length; i++) {
      // With subscribers, lists may be long.
      if (wanted !== "false" && i % portion === 0) yield portion;
      const { id } = channels[i] as ChannelRow;
      const row = rows.get(id);
      const name = row ? (row.is_subscribed ? "subscriptions" : "unsubscribed") : "never_subscribed";
      const list = lists[name];
      list.next(texts[i] as Uint8Array);
      if (row) list.add(personalOf(row));
      if (old.length > 0) list.add(old);
      if (wanted !== "false") list.add(membersOf(subscriberLists(ctx, id, wanted)));
    }
    return listNames.map((name) => lists[name].end());
  }
  // Which subscribers are active changes with every poll.
  const parts = [...texts, rows, resolved, request.options.expects_old_fields];
  const made = wanted === "false" ? listsKept(ctx)(parts, () => runSync(make())) : yield* make();
  return Object.fromEntries(listNames.map((name, i) => [name, made[i]]));
}

/** A function for a row's members of a subscription. Most rows of a person are alike, so each text is made once. */
function personalTexts(
  request: StateRequest,
  inherited: InheritedNotifications,
): (row: PersonalRow) => Uint8Array {
  const made = new Map<string, Uint8Array>();
  return (row) => {
    const key =
      `${row.color} ${row.is_muted} ${row.pin_to_top} ${row.desktop_notifications} ${row.audible_notifications} ` +
      `${row.push_notifications} ${row.email_notifications} ${row.wildcard_mentions_notify}`;
    let text = made.get(key);
    if (text === undefined) {
      text = membersOf(withNotifications(presentPersonal(row), request, inherited));
      made.set(key, text);
    }
    return text;
  };
}

/** Members of a JSON object, to be added to others. */
function membersOf(given: object): Uint8Array {
  const text = JSON.stringify(given).slice(1, -1);
  return Buffer.from(text === "" ? "" : `,${text}`);
}

type ReadsNow = Pick<Ctx, "db" | "now" | "env">;

const toInherited = (value: 0 | 1 | null) => (value === null ? null : value === 1);

function presentPersonal(row: PersonalRow): Personal {
  return {
    color: row.color,
    is_muted: row.is_muted === 1,
    in_home_view: row.is_muted === 0,
    pin_to_top: row.pin_to_top === 1,
    desktop_notifications: toInherited(row.desktop_notifications),
    audible_notifications: toInherited(row.audible_notifications),
    push_notifications: toInherited(row.push_notifications),
    email_notifications: toInherited(row.email_notifications),
    wildcard_mentions_notify: toInherited(row.wildcard_mentions_notify),
  };
}

/** A presented channel together with its subscriber's personal settings. */
function presentSubscription(channel: Channel, row: PersonalRow): Subscription {
  return { ...channel, ...presentPersonal(row) };
}

/** From this many subscribers on, `include_subscribers: "partial"` returns only recently active ones. */
const partialFrom = 250;

const recentDays = 14;

interface SubscriberLists {
  subscribers?: number[];
  partial_subscribers?: number[];
}

/** Adds the requested part of the subscriber list, if the actor may see it. */
function withSubscribers<T extends Pick<Channel, "stream_id">>(
  ctx: ReadsNow,
  shown: T,
  wanted: IncludeSubscribers,
): T & SubscriberLists {
  return wanted === "false" ? shown : { ...shown, ...subscriberLists(ctx, shown.stream_id, wanted) };
}

/** The requested part of a channel's subscriber list. */
function subscriberLists(ctx: ReadsNow, channelId: number, wanted: IncludeSubscribers): SubscriberLists {
  if (wanted === "false") return {};
  const all = subscriberIds(ctx, channelId);
  if (wanted === "true" || all.size < partialFrom) return { subscribers: [...all] };
  return { partial_subscribers: recentAmong(ctx, all) };
}

function recentAmong(ctx: ReadsNow, all: ReadonlySet<number>): number[] {
  const isRecent = presentWithin(ctx, recentDays);
  return [...all].filter(isRecent);
}

/** Presents a channel to new subscribers with their settings. Includes the whole subscriber list and the partial one. */
export function presenterFor(ctx: ReadsNow, channel: ChannelRow): (row: PersonalRow) => Subscription {
  const all = withSubscribers(ctx, presentChannel(ctx, channel), "true");
  const shown = { ...all, ...withSubscribers(ctx, { stream_id: channel.id }, "partial") };
  return (row) => presentSubscription(shown, row);
}
