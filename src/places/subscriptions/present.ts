import { presentWithin } from "@/foundation/user-activity/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { presentChannel } from "@/places/channels/present.ts";
import type { Channel, ChannelRow } from "@/places/channels/schema.ts";
import { subscriberIds } from "./access.ts";
import type { IncludeSubscribers, Personal, Subscription } from "./schema.ts";
import type { PersonalRow } from "./store.ts";

type ReadsNow = Pick<Ctx, "db" | "now" | "env">;

const inherited = (value: 0 | 1 | null) => (value === null ? null : value === 1);

export function presentPersonal(row: PersonalRow): Personal {
  return {
    color: row.color,
    is_muted: row.is_muted === 1,
    in_home_view: row.is_muted === 0,
    pin_to_top: row.pin_to_top === 1,
    desktop_notifications: inherited(row.desktop_notifications),
    audible_notifications: inherited(row.audible_notifications),
    push_notifications: inherited(row.push_notifications),
    email_notifications: inherited(row.email_notifications),
    wildcard_mentions_notify: inherited(row.wildcard_mentions_notify),
  };
}

/** A presented channel together with its subscriber's personal settings. */
export function presentSubscription(channel: Channel, row: PersonalRow): Subscription {
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
export function withSubscribers<T extends Pick<Channel, "stream_id">>(
  ctx: ReadsNow,
  shown: T,
  wanted: IncludeSubscribers,
): T & SubscriberLists {
  return wanted === "false" ? shown : { ...shown, ...subscriberLists(ctx, shown.stream_id, wanted) };
}

/** The requested part of a channel's subscriber list. */
export function subscriberLists(
  ctx: ReadsNow,
  channelId: number,
  wanted: IncludeSubscribers,
): SubscriberLists {
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
