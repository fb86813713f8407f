import type * as schema from "@/places/channels/schema.ts";
import type * as subscribing from "@/places/subscriptions/schema.ts";
import type { Subscription } from "@/places/subscriptions/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import type { Self } from "./people.ts";
import { byKey, union, withEntry, without, withoutEntries } from "./records.ts";

export interface Channel extends schema.Channel {
  subscribers?: number[] | undefined;
}

/** The channels that the person sees; each is in one of the last three, too. */
export interface Channels {
  streams: Record<number, Channel>;
  subscriptions: Record<number, Subscription>;
  unsubscribed: Record<number, Subscription>;
  never_subscribed: Record<number, Channel>;
}

type Known = Channels & { self: Self };
type Lists = { [Name in keyof Channels]: Channels[Name][number][] };

const places = ["subscriptions", "unsubscribed", "never_subscribed"] as const;
const lists = ["streams", ...places] as const;

/** Applies a change to a channel and to the person's subscription. */
export function changeChannels<State extends Channels>(
  state: State,
  ids: readonly number[],
  change: (channel: Channel) => Partial<Subscription>,
): State {
  const after: State = { ...state };
  for (const name of lists) {
    const present = ids.filter((id) => id in state[name]);
    if (present.length === 0) continue;
    const entries = present.map((id) => {
      const channel = state[name][id] as Channel;
      return [id, { ...channel, ...change(channel) }];
    });
    Object.assign(after, { [name]: { ...state[name], ...Object.fromEntries(entries) } });
  }
  return after;
}

const peers =
  (isAdded: boolean) =>
  (state: Known, { stream_ids, user_ids }: { stream_ids: number[]; user_ids: number[] }): Known => {
    // The person's own subscriptions come with other events.
    const others = without(user_ids, [state.self.user_id]).length;
    return changeChannels(state, stream_ids, ({ subscriber_count, subscribers }) => ({
      subscriber_count: subscriber_count + (isAdded ? others : -others),
      ...(subscribers && {
        subscribers: [...(isAdded ? union(subscribers, user_ids) : without(subscribers, user_ids))],
      }),
    }));
  };

export type ChannelEvents = EventsOf<typeof schema> & EventsOf<typeof subscribing>;

export const channels: StateNoun<Lists, Channels, ChannelEvents, { self: Self }> = {
  takes: [...lists],
  initial: (answer) => ({
    streams: byKey(answer.streams, "stream_id"),
    subscriptions: byKey(answer.subscriptions, "stream_id"),
    unsubscribed: byKey(answer.unsubscribed, "stream_id"),
    never_subscribed: byKey(answer.never_subscribed, "stream_id"),
  }),
  reducers: {
    "stream/create": (state, { streams }) => ({
      ...state,
      streams: { ...state.streams, ...Object.fromEntries(streams.map((one) => [one.stream_id, one])) },
      // The subscribers of a new channel come with later events.
      never_subscribed: {
        ...state.never_subscribed,
        ...Object.fromEntries(streams.map((one) => [one.stream_id, { ...one, subscribers: [] }])),
      },
    }),
    "stream/delete": (state, { stream_ids }) => ({
      ...state,
      streams: withoutEntries(state.streams, stream_ids),
      subscriptions: withoutEntries(state.subscriptions, stream_ids),
      unsubscribed: withoutEntries(state.unsubscribed, stream_ids),
      never_subscribed: withoutEntries(state.never_subscribed, stream_ids),
    }),
    "stream/update": (state, { stream_id, property, value, type, op, id, name, ...more }) =>
      changeChannels(state, [stream_id], () => ({ [property]: value, ...more })),
    "subscription/add": (state, { subscriptions }) => {
      const ids = subscriptions.map(({ stream_id }) => stream_id);
      const counted = changeChannels(
        { ...state, never_subscribed: {}, unsubscribed: {}, subscriptions: {} },
        ids,
        ({ stream_id }) => ({
          subscriber_count: subscriptions.find((one) => one.stream_id === stream_id)?.subscriber_count,
        }),
      );
      return {
        ...counted,
        unsubscribed: withoutEntries(state.unsubscribed, ids),
        never_subscribed: withoutEntries(state.never_subscribed, ids),
        subscriptions: {
          ...state.subscriptions,
          ...Object.fromEntries(subscriptions.map((one) => [one.stream_id, one])),
        },
      };
    },
    "subscription/remove": (state, { subscriptions }) => {
      const ids = subscriptions.map(({ stream_id }) => stream_id);
      const counted = changeChannels(state, ids, ({ subscriber_count }) => ({
        subscriber_count: subscriber_count - 1,
      }));
      const left = ids.flatMap((id) => counted.subscriptions[id] ?? []);
      return {
        ...counted,
        subscriptions: withoutEntries(counted.subscriptions, ids),
        unsubscribed: {
          ...counted.unsubscribed,
          ...Object.fromEntries(
            left.map((one) => [one.stream_id, removeSubscriber(one, state.self.user_id)]),
          ),
        },
      };
    },
    "subscription/update": (state, { stream_id, property, value }) => {
      const name = state.subscriptions[stream_id] ? "subscriptions" : "unsubscribed";
      const own = state[name][stream_id];
      return own
        ? {
            ...state,
            [name]: withEntry(state[name], stream_id, { ...own, [property]: value } as Subscription),
          }
        : state;
    },
    "subscription/peer_add": peers(true),
    "subscription/peer_remove": peers(false),
  },
};

function removeSubscriber(channel: Subscription, self: number): Subscription {
  const { subscribers } = channel;
  return subscribers ? { ...channel, subscribers: [...without(subscribers, [self])] } : channel;
}
