import type { ChannelRow } from "@/channels/access.ts";
import { presentChannel } from "@/channels/present.ts";
import type { Channel } from "@/channels/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { subscriberIds } from "./access.ts";
import type { Personal, Subscription } from "./schema.ts";
import type { PersonalRow } from "./store.ts";

type Reads = Pick<Ctx, "db">;

const inherited = (value: 0 | 1 | null) => (value === null ? null : value === 1);

function presentPersonal(row: PersonalRow): Personal {
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

/** A channel, given as clients read it, with what belongs to its subscriber. */
export function presentSubscription(channel: Channel, row: PersonalRow): Subscription {
  return { ...channel, ...presentPersonal(row) };
}

/** With the list of all subscribers, for who may see it. */
export function withSubscribers<T extends Pick<Channel, "stream_id">>(
  reads: Reads,
  shown: T,
): T & { subscribers: number[] } {
  return { ...shown, subscribers: [...subscriberIds(reads, shown.stream_id)] };
}

/** What a new subscriber is told of a channel, for each of the given settings; subscriber list included. */
export function presenterFor(reads: Reads, channel: ChannelRow): (row: PersonalRow) => Subscription {
  const shown = withSubscribers(reads, presentChannel(reads, channel));
  return (row) => presentSubscription(shown, row);
}
